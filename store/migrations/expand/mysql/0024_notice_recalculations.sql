-- +goose Up

-- What notices charged, reckoned again with money that came before them and was booked after them (L4): the later
-- calculations, beside the first one in overdue_notices. Rows are only added.
CREATE TABLE notice_recalculations (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  notice_id BIGINT NOT NULL,
  entry_id BIGINT NOT NULL,
  at DATETIME(6) NOT NULL,
  sheet MEDIUMTEXT NOT NULL,
  KEY notice_recalculations_notice (notice_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- +goose Up
-- Invoice numbers that left with documents which a restored backup does not hold (O3). Nothing gives them again.
CREATE TABLE lost_numbers (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  first BIGINT NOT NULL,
  last BIGINT NOT NULL,
  UNIQUE KEY lost_numbers_first (creditor_id, first)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- +goose Up

-- What notices charged, reckoned again with money that came before them and was booked after them (L4): the later
-- calculations, beside the first one in overdue_notices. Rows are only added.
CREATE TABLE notice_recalculations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  notice_id INTEGER NOT NULL,
  entry_id INTEGER NOT NULL,
  at DATETIME NOT NULL,
  sheet TEXT NOT NULL
);
CREATE INDEX notice_recalculations_notice ON notice_recalculations (notice_id);

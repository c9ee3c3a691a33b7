-- +goose Up
-- Invoice numbers that left with documents which a restored backup does not hold (O3). Nothing gives them again.
CREATE TABLE lost_numbers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL
);
CREATE UNIQUE INDEX lost_numbers_first ON lost_numbers (creditor_id, first);

-- +goose Up

-- What was deleted of the ledger, as it was. So a month that is over stays as it was: the entry counts in the month in which it was
-- booked, and its deletion, with the sign turned, in the month of the deletion (N5). id is the order of the deletions. What was deleted
-- before this table was there is in neither month.
CREATE TABLE deleted_entries (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  entry_id BIGINT NOT NULL,
  creditor_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL,
  invoice_id BIGINT NOT NULL,
  credit_note_id BIGINT NOT NULL,
  type VARCHAR(16) NOT NULL,
  amount BIGINT NOT NULL,
  transaction_date DATE NOT NULL,
  comment VARCHAR(500) NOT NULL,
  moved_from BIGINT NOT NULL,
  created_at DATETIME(6) NOT NULL,
  deleted_at DATETIME(6) NOT NULL,
  KEY deleted_entries_entry (creditor_id, entry_id),
  KEY deleted_entries_at (creditor_id, deleted_at),
  KEY deleted_entries_customer (customer_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What was booked on each day, by movement: each night adds what came since (N5). A row never changes. rate is the VAT percent in
-- hundredths, of which amount is the net amount; below zero it is all VAT rates together, and amount what customers owe more.
CREATE TABLE booked_days (
  creditor_id BIGINT NOT NULL,
  day DATE NOT NULL,
  movement VARCHAR(16) NOT NULL,
  rate BIGINT NOT NULL,
  first_id BIGINT NOT NULL,
  last_id BIGINT NOT NULL,
  items BIGINT NOT NULL,
  amount BIGINT NOT NULL,
  vat BIGINT NOT NULL,
  PRIMARY KEY (creditor_id, day, movement, rate, first_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

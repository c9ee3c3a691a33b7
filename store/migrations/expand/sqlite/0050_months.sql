-- +goose Up

-- What was deleted of the ledger, as it was. So a month that is over stays as it was: the entry counts in the month in which it was
-- booked, and its deletion, with the sign turned, in the month of the deletion (N5). id is the order of the deletions. What was deleted
-- before this table was there is in neither month.
CREATE TABLE deleted_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  entry_id INTEGER NOT NULL,
  creditor_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  credit_note_id INTEGER NOT NULL,
  type TEXT NOT NULL,
  amount INTEGER NOT NULL,
  transaction_date DATE NOT NULL,
  comment TEXT NOT NULL,
  moved_from INTEGER NOT NULL,
  created_at DATETIME NOT NULL,
  deleted_at DATETIME NOT NULL
);
CREATE INDEX deleted_entries_entry ON deleted_entries (creditor_id, entry_id);
CREATE INDEX deleted_entries_at ON deleted_entries (creditor_id, deleted_at);
CREATE INDEX deleted_entries_customer ON deleted_entries (customer_id);

-- What was booked on each day, by movement: each night adds what came since (N5). A row never changes. rate is the VAT percent in
-- hundredths, of which amount is the net amount; below zero it is all VAT rates together, and amount what customers owe more.
CREATE TABLE booked_days (
  creditor_id INTEGER NOT NULL,
  day DATE NOT NULL,
  movement TEXT NOT NULL,
  rate INTEGER NOT NULL,
  first_id INTEGER NOT NULL,
  last_id INTEGER NOT NULL,
  items INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  vat INTEGER NOT NULL,
  PRIMARY KEY (creditor_id, day, movement, rate, first_id)
);

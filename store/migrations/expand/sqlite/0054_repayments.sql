-- +goose Up

-- The customer to whom credit was moved from another customer's document, on the entry that took it away; else 0 (N12).
ALTER TABLE entries ADD COLUMN moved_to INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deleted_entries ADD COLUMN moved_to INTEGER NOT NULL DEFAULT 0;

-- Free credit that a customer is paid back: ordered by a person, put into a file for the bank, paid (N12).
CREATE TABLE repayments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  account TEXT NOT NULL,
  state TEXT NOT NULL,
  file_id INTEGER NOT NULL DEFAULT 0,
  paid_on DATE NULL,
  paid_at DATETIME NULL,
  ordered_by TEXT NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE INDEX repayments_state ON repayments (creditor_id, state, customer_id);
CREATE INDEX repayments_customer ON repayments (customer_id, state);
CREATE INDEX repayments_file ON repayments (file_id);

-- The entries that a repayment was paid with.
CREATE TABLE repayment_entries (
  entry_id INTEGER PRIMARY KEY,
  repayment_id INTEGER NOT NULL,
  creditor_id INTEGER NOT NULL
);
CREATE INDEX repayment_entries_repayment ON repayment_entries (repayment_id);
CREATE INDEX repayment_entries_creditor ON repayment_entries (creditor_id);

-- Files of repayments for the bank: numbered for each creditor, made once.
CREATE TABLE repayment_files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  account TEXT NOT NULL,
  state TEXT NOT NULL,
  transactions INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  paid_on DATE NULL,
  made_by TEXT NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX repayment_files_number ON repayment_files (creditor_id, number);

-- The bytes of these files, as they were made.
CREATE TABLE repayment_file_bytes (
  file_id INTEGER PRIMARY KEY,
  creditor_id INTEGER NOT NULL,
  pain BLOB NOT NULL,
  csv BLOB NOT NULL
);

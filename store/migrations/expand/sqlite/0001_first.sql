-- +goose Up

-- The service users, to whom the money is owed (D2).
CREATE TABLE creditors (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  organisation_number TEXT NOT NULL,
  vat_registered BOOLEAN NOT NULL,
  address1 TEXT NOT NULL,
  address2 TEXT NOT NULL,
  postal_code TEXT NOT NULL,
  postal_name TEXT NOT NULL,
  country_code TEXT NOT NULL,
  email TEXT NOT NULL,
  bank_account TEXT NOT NULL,
  kid_length INTEGER NOT NULL,
  kid_modulus INTEGER NOT NULL,
  first_number INTEGER NOT NULL,
  time_zone TEXT NOT NULL,
  dunning_enabled BOOLEAN NOT NULL,
  dunning_first_notice_days INTEGER NOT NULL,
  dunning_second_notice_days INTEGER NOT NULL,
  dunning_fee INTEGER NULL,
  dunning_add_interest BOOLEAN NOT NULL,
  dunning_interest_rate INTEGER NULL,
  dunning_days_to_pay INTEGER NOT NULL,
  dunning_debt_collection_notice TEXT NOT NULL,
  dunning_hand_over_days INTEGER NULL,
  dunning_minimum_balance INTEGER NOT NULL,
  dunning_weekdays_only BOOLEAN NOT NULL,
  dunning_require_payment_file BOOLEAN NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX creditors_name ON creditors (name);

-- Every bank account that a creditor has or had: payments to an old one still find their invoice (D20).
CREATE TABLE creditor_accounts (
  account TEXT NOT NULL PRIMARY KEY,
  creditor_id INTEGER NOT NULL
);
CREATE INDEX creditor_accounts_creditor ON creditor_accounts (creditor_id);

-- A creditor's own VAT percents by date (D14).
CREATE TABLE vat_rates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  percent INTEGER NOT NULL,
  from_date DATE NOT NULL
);
CREATE UNIQUE INDEX vat_rates_from ON vat_rates (creditor_id, name, from_date);

-- API keys, by hash alone (D3).
CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  scope TEXT NOT NULL,
  hash TEXT NOT NULL,
  created_at DATETIME NOT NULL,
  last_used_at DATETIME NULL,
  revoked_at DATETIME NULL
);
CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash);
CREATE INDEX api_keys_creditor ON api_keys (creditor_id);

-- Who owes the creditors money. A customer number is unique where it is not empty (D16).
CREATE TABLE customers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  name1 TEXT NOT NULL,
  name2 TEXT NOT NULL,
  address1 TEXT NOT NULL,
  address2 TEXT NOT NULL,
  postal_code TEXT NOT NULL,
  postal_name TEXT NOT NULL,
  country_code TEXT NOT NULL,
  email TEXT NOT NULL,
  customer_number TEXT NOT NULL,
  organisation_number TEXT NOT NULL,
  language TEXT NOT NULL,
  hold_held BOOLEAN NOT NULL,
  hold_until DATE NULL,
  hold_comment TEXT NOT NULL,
  search TEXT NOT NULL,
  created_at DATETIME NOT NULL,
  customer_number_key TEXT GENERATED ALWAYS AS (NULLIF(customer_number, '')) STORED
);
CREATE INDEX customers_creditor ON customers (creditor_id, id);
CREATE UNIQUE INDEX customers_number ON customers (creditor_id, customer_number_key);

-- The next number of each creditor's gapless series (D18).
CREATE TABLE number_series (
  creditor_id INTEGER PRIMARY KEY,
  next_number INTEGER NOT NULL
);

-- Invoices. stage is models.Invoice.Stage: with deadline it gives the status of any day (D26).
CREATE TABLE invoices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  issue_date DATE NOT NULL,
  due_date DATE NOT NULL,
  num_due_days INTEGER NOT NULL,
  gross INTEGER NOT NULL,
  net INTEGER NOT NULL,
  note TEXT NOT NULL,
  kid TEXT NOT NULL,
  bank_account TEXT NOT NULL,
  recipient_name1 TEXT NOT NULL,
  recipient_name2 TEXT NOT NULL,
  recipient_address1 TEXT NOT NULL,
  recipient_address2 TEXT NOT NULL,
  recipient_postal_code TEXT NOT NULL,
  recipient_postal_name TEXT NOT NULL,
  recipient_country_code TEXT NOT NULL,
  recipient_email TEXT NOT NULL,
  recipient_customer_number TEXT NOT NULL,
  search TEXT NOT NULL,
  balance INTEGER NOT NULL,
  notices INTEGER NOT NULL,
  warned BOOLEAN NOT NULL,
  deadline DATE NOT NULL,
  closed TEXT NOT NULL,
  handed_over DATE NULL,
  hold_held BOOLEAN NOT NULL,
  hold_until DATE NULL,
  hold_comment TEXT NOT NULL,
  pdf TEXT NOT NULL,
  created_at DATETIME NOT NULL,
  stage TEXT GENERATED ALWAYS AS (CASE
    WHEN closed = 'lost' THEN 'closed_lost'
    WHEN closed = 'other' THEN 'closed_other'
    WHEN handed_over IS NOT NULL THEN 'collection'
    WHEN balance <= 0 THEN 'paid'
    WHEN warned = 1 THEN 'warned'
    WHEN notices > 0 THEN 'reminded'
    ELSE 'open' END) STORED
);
CREATE UNIQUE INDEX invoices_number ON invoices (creditor_id, number);
CREATE INDEX invoices_creditor ON invoices (creditor_id, id);
CREATE INDEX invoices_stage ON invoices (creditor_id, stage, deadline);
CREATE INDEX invoices_issue_date ON invoices (creditor_id, issue_date);
CREATE INDEX invoices_customer ON invoices (customer_id);

CREATE TABLE invoice_lines (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  invoice_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  text TEXT NOT NULL,
  unit_price INTEGER NOT NULL,
  num_items INTEGER NOT NULL,
  discount INTEGER NULL,
  vat TEXT NOT NULL,
  vat_percent INTEGER NOT NULL,
  net INTEGER NOT NULL,
  gross INTEGER NOT NULL
);
CREATE UNIQUE INDEX invoice_lines_position ON invoice_lines (invoice_id, position);

-- Credit notes: one at most for an invoice (D21).
CREATE TABLE credit_notes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  issue_date DATE NOT NULL,
  gross INTEGER NOT NULL,
  net INTEGER NOT NULL,
  comment TEXT NOT NULL,
  kid TEXT NOT NULL,
  bank_account TEXT NOT NULL,
  recipient_name1 TEXT NOT NULL,
  recipient_name2 TEXT NOT NULL,
  recipient_address1 TEXT NOT NULL,
  recipient_address2 TEXT NOT NULL,
  recipient_postal_code TEXT NOT NULL,
  recipient_postal_name TEXT NOT NULL,
  recipient_country_code TEXT NOT NULL,
  recipient_email TEXT NOT NULL,
  recipient_customer_number TEXT NOT NULL,
  search TEXT NOT NULL,
  balance INTEGER NOT NULL,
  pdf TEXT NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX credit_notes_invoice ON credit_notes (invoice_id);
CREATE UNIQUE INDEX credit_notes_number ON credit_notes (creditor_id, number);
CREATE INDEX credit_notes_creditor ON credit_notes (creditor_id, id);
CREATE INDEX credit_notes_issue_date ON credit_notes (creditor_id, issue_date);
CREATE INDEX credit_notes_customer ON credit_notes (customer_id);

-- Overdue notices: each step of an invoice's ladder once (D27), but for those withdrawn before they left (E6f).
CREATE TABLE overdue_notices (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  issue_date DATE NOT NULL,
  due_date DATE NOT NULL,
  warning BOOLEAN NOT NULL,
  fee INTEGER NOT NULL,
  interest INTEGER NOT NULL,
  gross INTEGER NOT NULL,
  comment TEXT NOT NULL,
  kid TEXT NOT NULL,
  recipient_name1 TEXT NOT NULL,
  recipient_name2 TEXT NOT NULL,
  recipient_address1 TEXT NOT NULL,
  recipient_address2 TEXT NOT NULL,
  recipient_postal_code TEXT NOT NULL,
  recipient_postal_name TEXT NOT NULL,
  recipient_country_code TEXT NOT NULL,
  recipient_email TEXT NOT NULL,
  recipient_customer_number TEXT NOT NULL,
  sheet TEXT NOT NULL,
  pdf TEXT NOT NULL,
  withdrawn DATE NULL,
  created_at DATETIME NOT NULL,
  sequence_in_force INTEGER GENERATED ALWAYS AS (CASE WHEN withdrawn IS NULL THEN sequence END) STORED
);
CREATE UNIQUE INDEX overdue_notices_sequence ON overdue_notices (invoice_id, sequence_in_force);
CREATE INDEX overdue_notices_creditor ON overdue_notices (creditor_id, id);
CREATE INDEX overdue_notices_issue_date ON overdue_notices (creditor_id, issue_date);

CREATE TABLE overdue_notice_lines (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  notice_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  text TEXT NOT NULL,
  gross INTEGER NOT NULL
);
CREATE UNIQUE INDEX overdue_notice_lines_position ON overdue_notice_lines (notice_id, position);

-- The ledger, append-only (D31). credit_note_id is 0 for an entry of the invoice itself (D34).
CREATE TABLE entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  credit_note_id INTEGER NOT NULL,
  type TEXT NOT NULL,
  amount INTEGER NOT NULL,
  transaction_date DATE NOT NULL,
  bank_date DATE NULL,
  comment TEXT NOT NULL,
  from_account_number TEXT NOT NULL,
  notice_id INTEGER NOT NULL,
  payment_file_id INTEGER NOT NULL,
  line_key BLOB NULL,
  created_at DATETIME NOT NULL
);
CREATE INDEX entries_document ON entries (invoice_id, credit_note_id, amount);
CREATE INDEX entries_creditor ON entries (creditor_id, id);
CREATE INDEX entries_date ON entries (creditor_id, transaction_date);
CREATE INDEX entries_customer ON entries (customer_id);
CREATE UNIQUE INDEX entries_line ON entries (creditor_id, line_key);

-- Every KID that a document was ever sent with (D20). credit_note_id is 0 for an invoice's.
CREATE TABLE payment_references (
  creditor_id INTEGER NOT NULL,
  kid TEXT NOT NULL,
  invoice_id INTEGER NOT NULL,
  credit_note_id INTEGER NOT NULL,
  PRIMARY KEY (creditor_id, kid)
) WITHOUT ROWID;

-- What is owed to the mail and the printer.
CREATE TABLE shipments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  document_kind TEXT NOT NULL,
  document_id INTEGER NOT NULL,
  copy BOOLEAN NOT NULL,
  method TEXT NOT NULL,
  recipient_name1 TEXT NOT NULL,
  recipient_name2 TEXT NOT NULL,
  recipient_address1 TEXT NOT NULL,
  recipient_address2 TEXT NOT NULL,
  recipient_postal_code TEXT NOT NULL,
  recipient_postal_name TEXT NOT NULL,
  recipient_country_code TEXT NOT NULL,
  recipient_email TEXT NOT NULL,
  recipient_customer_number TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  first_attempt DATETIME NULL,
  next_attempt DATETIME NOT NULL,
  sent_at DATETIME NULL,
  failure TEXT NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE INDEX shipments_document ON shipments (document_kind, document_id);
CREATE INDEX shipments_owed ON shipments (state, next_attempt);

-- Files from the bank, each with what became of it.
CREATE TABLE payment_files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner_id INTEGER NOT NULL,
  filename TEXT NOT NULL,
  source TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  size INTEGER NOT NULL,
  format TEXT NOT NULL,
  sender TEXT NOT NULL,
  transmission_number TEXT NOT NULL,
  recipient_unit TEXT NOT NULL,
  state TEXT NOT NULL,
  arrival TEXT NULL,
  duplicate_of INTEGER NOT NULL,
  identity TEXT NULL,
  faults TEXT NOT NULL,
  warnings TEXT NOT NULL,
  lines_done INTEGER NOT NULL,
  latest_date DATE NULL,
  received_at DATETIME NOT NULL,
  finished_at DATETIME NULL
);
CREATE UNIQUE INDEX payment_files_identity ON payment_files (identity);
CREATE UNIQUE INDEX payment_files_arrival ON payment_files (arrival);
CREATE INDEX payment_files_sha256 ON payment_files (sha256);
CREATE INDEX payment_files_state ON payment_files (state);

-- What each creditor has in a file; creditor 0 is nobody (E4).
CREATE TABLE payment_file_parts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  payment_file_id INTEGER NOT NULL,
  creditor_id INTEGER NOT NULL,
  transactions INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  matched INTEGER NOT NULL,
  matched_amount INTEGER NOT NULL,
  unmatched INTEGER NOT NULL,
  unmatched_amount INTEGER NOT NULL,
  duplicates INTEGER NOT NULL,
  duplicates_amount INTEGER NOT NULL,
  ignored INTEGER NOT NULL,
  ignored_amount INTEGER NOT NULL,
  latest_date DATE NULL
);
CREATE UNIQUE INDEX payment_file_parts_creditor ON payment_file_parts (payment_file_id, creditor_id);
CREATE INDEX payment_file_parts_latest ON payment_file_parts (creditor_id, latest_date);

-- Money that the ledger could not take by itself (E5).
CREATE TABLE unmatched_payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  payment_file_id INTEGER NOT NULL,
  line INTEGER NOT NULL,
  line_key BLOB NOT NULL,
  account TEXT NOT NULL,
  transaction_type INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  transaction_date DATE NOT NULL,
  bank_date DATE NULL,
  kid TEXT NOT NULL,
  from_account_number TEXT NOT NULL,
  archive_reference TEXT NOT NULL,
  text TEXT NOT NULL,
  reason TEXT NOT NULL,
  status TEXT NOT NULL,
  entry_id INTEGER NOT NULL,
  comment TEXT NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX unmatched_payments_line ON unmatched_payments (creditor_id, line_key);
CREATE INDEX unmatched_payments_status ON unmatched_payments (creditor_id, status, id);
CREATE INDEX unmatched_payments_file ON unmatched_payments (payment_file_id);

-- The audit log, append-only (E7).
CREATE TABLE events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  at DATETIME NOT NULL,
  type TEXT NOT NULL,
  invoice_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  subject_id INTEGER NOT NULL,
  text TEXT NOT NULL,
  data TEXT NOT NULL
);
CREATE INDEX events_creditor ON events (creditor_id, id);
CREATE INDEX events_invoice ON events (invoice_id);

-- One run of each kind for a creditor and business date (E6f).
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  business_date DATE NOT NULL,
  state TEXT NOT NULL,
  caught_up_by DATE NULL,
  held_back BOOLEAN NOT NULL,
  done INTEGER NOT NULL,
  started_at DATETIME NOT NULL,
  finished_at DATETIME NULL
);
CREATE UNIQUE INDEX runs_date ON runs (creditor_id, kind, business_date);
CREATE INDEX runs_state ON runs (state);

-- Answers to POSTs that carried an Idempotency-Key (D9).
CREATE TABLE idempotency_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  idempotency_key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  status INTEGER NOT NULL,
  location TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX idempotency_keys_key ON idempotency_keys (creditor_id, idempotency_key);
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

-- Facts of the installation, such as the test clock's time (R5b).
CREATE TABLE settings (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
);

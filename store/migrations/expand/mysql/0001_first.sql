-- +goose Up

-- The service users, to whom the money is owed (D2).
CREATE TABLE creditors (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(100) NOT NULL,
  organisation_number VARCHAR(9) NOT NULL,
  vat_registered TINYINT(1) NOT NULL,
  address1 VARCHAR(100) NOT NULL,
  address2 VARCHAR(100) NOT NULL,
  postal_code VARCHAR(16) NOT NULL,
  postal_name VARCHAR(60) NOT NULL,
  country_code VARCHAR(2) NOT NULL,
  email VARCHAR(254) NOT NULL,
  bank_account VARCHAR(11) NOT NULL,
  kid_length INT NOT NULL,
  kid_modulus INT NOT NULL,
  first_number BIGINT NOT NULL,
  time_zone VARCHAR(60) NOT NULL,
  dunning_enabled TINYINT(1) NOT NULL,
  dunning_first_notice_days INT NOT NULL,
  dunning_second_notice_days INT NOT NULL,
  dunning_fee BIGINT NULL,
  dunning_add_interest TINYINT(1) NOT NULL,
  dunning_interest_rate BIGINT NULL,
  dunning_days_to_pay INT NOT NULL,
  dunning_debt_collection_notice VARCHAR(16) NOT NULL,
  dunning_hand_over_days INT NULL,
  dunning_minimum_balance BIGINT NOT NULL,
  dunning_weekdays_only TINYINT(1) NOT NULL,
  dunning_require_payment_file TINYINT(1) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY creditors_name (name)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Every bank account that a creditor has or had: payments to an old one still find their invoice (D20).
CREATE TABLE creditor_accounts (
  account VARCHAR(11) NOT NULL PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  KEY creditor_accounts_creditor (creditor_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- A creditor's own VAT percents by date (D14).
CREATE TABLE vat_rates (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  name VARCHAR(16) NOT NULL,
  percent BIGINT NOT NULL,
  from_date DATE NOT NULL,
  UNIQUE KEY vat_rates_from (creditor_id, name, from_date)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- API keys, by hash alone (D3).
CREATE TABLE api_keys (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  name VARCHAR(100) NOT NULL,
  scope VARCHAR(16) NOT NULL,
  hash VARCHAR(64) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  last_used_at DATETIME(6) NULL,
  revoked_at DATETIME(6) NULL,
  UNIQUE KEY api_keys_hash (hash),
  KEY api_keys_creditor (creditor_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Who owes the creditors money. A customer number is unique where it is not empty (D16).
CREATE TABLE customers (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  name1 VARCHAR(100) NOT NULL,
  name2 VARCHAR(100) NOT NULL,
  address1 VARCHAR(100) NOT NULL,
  address2 VARCHAR(100) NOT NULL,
  postal_code VARCHAR(16) NOT NULL,
  postal_name VARCHAR(60) NOT NULL,
  country_code VARCHAR(2) NOT NULL,
  email VARCHAR(254) NOT NULL,
  customer_number VARCHAR(40) NOT NULL,
  organisation_number VARCHAR(9) NOT NULL,
  language VARCHAR(2) NOT NULL,
  hold_held TINYINT(1) NOT NULL,
  hold_until DATE NULL,
  hold_comment VARCHAR(500) NOT NULL,
  search VARCHAR(500) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  customer_number_key VARCHAR(40) GENERATED ALWAYS AS (NULLIF(customer_number, '')) STORED,
  KEY customers_creditor (creditor_id, id),
  UNIQUE KEY customers_number (creditor_id, customer_number_key)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The next number of each creditor's gapless series (D18).
CREATE TABLE number_series (
  creditor_id BIGINT PRIMARY KEY,
  next_number BIGINT NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Invoices. stage is models.Invoice.Stage: with deadline it gives the status of any day (D26).
CREATE TABLE invoices (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  issue_date DATE NOT NULL,
  due_date DATE NOT NULL,
  num_due_days INT NOT NULL,
  gross BIGINT NOT NULL,
  net BIGINT NOT NULL,
  note TEXT NOT NULL,
  kid VARCHAR(25) NOT NULL,
  bank_account VARCHAR(11) NOT NULL,
  recipient_name1 VARCHAR(100) NOT NULL,
  recipient_name2 VARCHAR(100) NOT NULL,
  recipient_address1 VARCHAR(100) NOT NULL,
  recipient_address2 VARCHAR(100) NOT NULL,
  recipient_postal_code VARCHAR(16) NOT NULL,
  recipient_postal_name VARCHAR(60) NOT NULL,
  recipient_country_code VARCHAR(2) NOT NULL,
  recipient_email VARCHAR(254) NOT NULL,
  recipient_customer_number VARCHAR(40) NOT NULL,
  search VARCHAR(500) NOT NULL,
  balance BIGINT NOT NULL,
  notices INT NOT NULL,
  warned TINYINT(1) NOT NULL,
  deadline DATE NOT NULL,
  closed VARCHAR(16) NOT NULL,
  handed_over DATE NULL,
  hold_held TINYINT(1) NOT NULL,
  hold_until DATE NULL,
  hold_comment VARCHAR(500) NOT NULL,
  pdf VARCHAR(64) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  stage VARCHAR(16) GENERATED ALWAYS AS (CASE
    WHEN closed = 'lost' THEN 'closed_lost'
    WHEN closed = 'other' THEN 'closed_other'
    WHEN handed_over IS NOT NULL THEN 'collection'
    WHEN balance <= 0 THEN 'paid'
    WHEN warned = 1 THEN 'warned'
    WHEN notices > 0 THEN 'reminded'
    ELSE 'open' END) STORED,
  UNIQUE KEY invoices_number (creditor_id, number),
  KEY invoices_creditor (creditor_id, id),
  KEY invoices_stage (creditor_id, stage, deadline),
  KEY invoices_issue_date (creditor_id, issue_date),
  KEY invoices_customer (customer_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE invoice_lines (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  invoice_id BIGINT NOT NULL,
  position INT NOT NULL,
  text VARCHAR(250) NOT NULL,
  unit_price BIGINT NOT NULL,
  num_items BIGINT NOT NULL,
  discount BIGINT NULL,
  vat VARCHAR(16) NOT NULL,
  vat_percent BIGINT NOT NULL,
  net BIGINT NOT NULL,
  gross BIGINT NOT NULL,
  UNIQUE KEY invoice_lines_position (invoice_id, position)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Credit notes: one at most for an invoice (D21).
CREATE TABLE credit_notes (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL,
  invoice_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  issue_date DATE NOT NULL,
  gross BIGINT NOT NULL,
  net BIGINT NOT NULL,
  comment VARCHAR(500) NOT NULL,
  kid VARCHAR(25) NOT NULL,
  bank_account VARCHAR(11) NOT NULL,
  recipient_name1 VARCHAR(100) NOT NULL,
  recipient_name2 VARCHAR(100) NOT NULL,
  recipient_address1 VARCHAR(100) NOT NULL,
  recipient_address2 VARCHAR(100) NOT NULL,
  recipient_postal_code VARCHAR(16) NOT NULL,
  recipient_postal_name VARCHAR(60) NOT NULL,
  recipient_country_code VARCHAR(2) NOT NULL,
  recipient_email VARCHAR(254) NOT NULL,
  recipient_customer_number VARCHAR(40) NOT NULL,
  search VARCHAR(500) NOT NULL,
  balance BIGINT NOT NULL,
  pdf VARCHAR(64) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY credit_notes_invoice (invoice_id),
  UNIQUE KEY credit_notes_number (creditor_id, number),
  KEY credit_notes_creditor (creditor_id, id),
  KEY credit_notes_issue_date (creditor_id, issue_date),
  KEY credit_notes_customer (customer_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Overdue notices: each step of an invoice's ladder once (D27), but for those withdrawn before they left (E6f).
CREATE TABLE overdue_notices (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL,
  invoice_id BIGINT NOT NULL,
  sequence INT NOT NULL,
  issue_date DATE NOT NULL,
  due_date DATE NOT NULL,
  warning TINYINT(1) NOT NULL,
  fee BIGINT NOT NULL,
  interest BIGINT NOT NULL,
  gross BIGINT NOT NULL,
  comment VARCHAR(500) NOT NULL,
  kid VARCHAR(25) NOT NULL,
  recipient_name1 VARCHAR(100) NOT NULL,
  recipient_name2 VARCHAR(100) NOT NULL,
  recipient_address1 VARCHAR(100) NOT NULL,
  recipient_address2 VARCHAR(100) NOT NULL,
  recipient_postal_code VARCHAR(16) NOT NULL,
  recipient_postal_name VARCHAR(60) NOT NULL,
  recipient_country_code VARCHAR(2) NOT NULL,
  recipient_email VARCHAR(254) NOT NULL,
  recipient_customer_number VARCHAR(40) NOT NULL,
  sheet TEXT NOT NULL,
  pdf VARCHAR(64) NOT NULL,
  withdrawn DATE NULL,
  created_at DATETIME(6) NOT NULL,
  sequence_in_force INT GENERATED ALWAYS AS (CASE WHEN withdrawn IS NULL THEN sequence END) STORED,
  UNIQUE KEY overdue_notices_sequence (invoice_id, sequence_in_force),
  KEY overdue_notices_creditor (creditor_id, id),
  KEY overdue_notices_issue_date (creditor_id, issue_date)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

CREATE TABLE overdue_notice_lines (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  notice_id BIGINT NOT NULL,
  position INT NOT NULL,
  text VARCHAR(250) NOT NULL,
  gross BIGINT NOT NULL,
  UNIQUE KEY overdue_notice_lines_position (notice_id, position)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The ledger, append-only (D31). credit_note_id is 0 for an entry of the invoice itself (D34).
CREATE TABLE entries (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL,
  invoice_id BIGINT NOT NULL,
  credit_note_id BIGINT NOT NULL,
  type VARCHAR(16) NOT NULL,
  amount BIGINT NOT NULL,
  transaction_date DATE NOT NULL,
  bank_date DATE NULL,
  comment VARCHAR(500) NOT NULL,
  from_account_number VARCHAR(40) NOT NULL,
  notice_id BIGINT NOT NULL,
  payment_file_id BIGINT NOT NULL,
  line_key BINARY(32) NULL,
  created_at DATETIME(6) NOT NULL,
  KEY entries_document (invoice_id, credit_note_id, amount),
  KEY entries_creditor (creditor_id, id),
  KEY entries_date (creditor_id, transaction_date),
  KEY entries_customer (customer_id),
  UNIQUE KEY entries_line (creditor_id, line_key)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Every KID that a document was ever sent with (D20). credit_note_id is 0 for an invoice's.
CREATE TABLE payment_references (
  creditor_id BIGINT NOT NULL,
  kid VARCHAR(25) NOT NULL,
  invoice_id BIGINT NOT NULL,
  credit_note_id BIGINT NOT NULL,
  PRIMARY KEY (creditor_id, kid)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What is owed to the mail and the printer.
CREATE TABLE shipments (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  document_kind VARCHAR(16) NOT NULL,
  document_id BIGINT NOT NULL,
  copy TINYINT(1) NOT NULL,
  method VARCHAR(16) NOT NULL,
  recipient_name1 VARCHAR(100) NOT NULL,
  recipient_name2 VARCHAR(100) NOT NULL,
  recipient_address1 VARCHAR(100) NOT NULL,
  recipient_address2 VARCHAR(100) NOT NULL,
  recipient_postal_code VARCHAR(16) NOT NULL,
  recipient_postal_name VARCHAR(60) NOT NULL,
  recipient_country_code VARCHAR(2) NOT NULL,
  recipient_email VARCHAR(254) NOT NULL,
  recipient_customer_number VARCHAR(40) NOT NULL,
  state VARCHAR(16) NOT NULL,
  attempts INT NOT NULL,
  first_attempt DATETIME(6) NULL,
  next_attempt DATETIME(6) NOT NULL,
  sent_at DATETIME(6) NULL,
  failure TEXT NOT NULL,
  created_at DATETIME(6) NOT NULL,
  KEY shipments_document (document_kind, document_id),
  KEY shipments_owed (state, next_attempt)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Files from the bank, each with what became of it.
CREATE TABLE payment_files (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  owner_id BIGINT NOT NULL,
  filename VARCHAR(250) NOT NULL,
  source VARCHAR(16) NOT NULL,
  sha256 VARCHAR(64) NOT NULL,
  size BIGINT NOT NULL,
  format VARCHAR(16) NOT NULL,
  sender VARCHAR(40) NOT NULL,
  transmission_number VARCHAR(40) NOT NULL,
  recipient_unit VARCHAR(40) NOT NULL,
  state VARCHAR(16) NOT NULL,
  arrival VARCHAR(300) NULL,
  duplicate_of BIGINT NOT NULL,
  identity VARCHAR(200) NULL,
  faults TEXT NOT NULL,
  warnings TEXT NOT NULL,
  lines_done INT NOT NULL,
  latest_date DATE NULL,
  received_at DATETIME(6) NOT NULL,
  finished_at DATETIME(6) NULL,
  UNIQUE KEY payment_files_identity (identity),
  UNIQUE KEY payment_files_arrival (arrival),
  KEY payment_files_sha256 (sha256),
  KEY payment_files_state (state)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What each creditor has in a file; creditor 0 is nobody (E4).
CREATE TABLE payment_file_parts (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  payment_file_id BIGINT NOT NULL,
  creditor_id BIGINT NOT NULL,
  transactions INT NOT NULL,
  amount BIGINT NOT NULL,
  matched INT NOT NULL,
  matched_amount BIGINT NOT NULL,
  unmatched INT NOT NULL,
  unmatched_amount BIGINT NOT NULL,
  duplicates INT NOT NULL,
  duplicates_amount BIGINT NOT NULL,
  ignored INT NOT NULL,
  ignored_amount BIGINT NOT NULL,
  latest_date DATE NULL,
  UNIQUE KEY payment_file_parts_creditor (payment_file_id, creditor_id),
  KEY payment_file_parts_latest (creditor_id, latest_date)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Money that the ledger could not take by itself (E5).
CREATE TABLE unmatched_payments (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  payment_file_id BIGINT NOT NULL,
  line INT NOT NULL,
  line_key BINARY(32) NOT NULL,
  account VARCHAR(40) NOT NULL,
  transaction_type INT NOT NULL,
  amount BIGINT NOT NULL,
  transaction_date DATE NOT NULL,
  bank_date DATE NULL,
  kid VARCHAR(40) NOT NULL,
  from_account_number VARCHAR(40) NOT NULL,
  archive_reference VARCHAR(40) NOT NULL,
  text TEXT NOT NULL,
  reason VARCHAR(16) NOT NULL,
  status VARCHAR(16) NOT NULL,
  entry_id BIGINT NOT NULL,
  comment VARCHAR(500) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY unmatched_payments_line (creditor_id, line_key),
  KEY unmatched_payments_status (creditor_id, status, id),
  KEY unmatched_payments_file (payment_file_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The audit log, append-only (E7).
CREATE TABLE events (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  at DATETIME(6) NOT NULL,
  type VARCHAR(40) NOT NULL,
  invoice_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL,
  subject_id BIGINT NOT NULL,
  text VARCHAR(500) NOT NULL,
  data TEXT NOT NULL,
  KEY events_creditor (creditor_id, id),
  KEY events_invoice (invoice_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- One run of each kind for a creditor and business date (E6f).
CREATE TABLE runs (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  kind VARCHAR(16) NOT NULL,
  business_date DATE NOT NULL,
  state VARCHAR(16) NOT NULL,
  caught_up_by DATE NULL,
  held_back TINYINT(1) NOT NULL,
  done INT NOT NULL,
  started_at DATETIME(6) NOT NULL,
  finished_at DATETIME(6) NULL,
  UNIQUE KEY runs_date (creditor_id, kind, business_date),
  KEY runs_state (state)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Answers to POSTs that carried an Idempotency-Key (D9).
CREATE TABLE idempotency_keys (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  idempotency_key VARCHAR(255) NOT NULL,
  request_hash VARCHAR(64) NOT NULL,
  status INT NOT NULL,
  location VARCHAR(500) NOT NULL,
  body MEDIUMTEXT NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY idempotency_keys_key (creditor_id, idempotency_key),
  KEY idempotency_keys_created (created_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Facts of the installation, such as the test clock's time (R5b).
CREATE TABLE settings (
  name VARCHAR(40) NOT NULL PRIMARY KEY,
  value VARCHAR(500) NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

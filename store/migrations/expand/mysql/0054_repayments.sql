-- +goose Up

-- The customer to whom credit was moved from another customer's document, on the entry that took it away; else 0 (N12).
ALTER TABLE entries ADD COLUMN moved_to BIGINT NOT NULL DEFAULT 0;
ALTER TABLE deleted_entries ADD COLUMN moved_to BIGINT NOT NULL DEFAULT 0;

-- Free credit that a customer is paid back: ordered by a person, put into a file for the bank, paid (N12).
CREATE TABLE repayments (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL,
  invoice_id BIGINT NOT NULL,
  amount BIGINT NOT NULL,
  account VARCHAR(11) NOT NULL,
  state VARCHAR(16) NOT NULL,
  file_id BIGINT NOT NULL DEFAULT 0,
  paid_on DATE NULL,
  paid_at DATETIME(6) NULL,
  ordered_by VARCHAR(200) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  KEY repayments_state (creditor_id, state, customer_id),
  KEY repayments_customer (customer_id, state),
  KEY repayments_file (file_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The entries that a repayment was paid with.
CREATE TABLE repayment_entries (
  entry_id BIGINT NOT NULL PRIMARY KEY,
  repayment_id BIGINT NOT NULL,
  creditor_id BIGINT NOT NULL,
  KEY repayment_entries_repayment (repayment_id),
  KEY repayment_entries_creditor (creditor_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Files of repayments for the bank: numbered for each creditor, made once.
CREATE TABLE repayment_files (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  account VARCHAR(11) NOT NULL,
  state VARCHAR(16) NOT NULL,
  transactions BIGINT NOT NULL,
  amount BIGINT NOT NULL,
  paid_on DATE NULL,
  made_by VARCHAR(200) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY repayment_files_number (creditor_id, number)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The bytes of these files, as they were made.
CREATE TABLE repayment_file_bytes (
  file_id BIGINT NOT NULL PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  pain MEDIUMBLOB NOT NULL,
  csv MEDIUMBLOB NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

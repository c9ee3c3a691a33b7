-- +goose Up

-- What the debt collector tells of what was handed over (C1). identity tells a report from others of its hand-over and state.
CREATE TABLE collection_reports (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  hand_over_id BIGINT NOT NULL,
  invoice_id BIGINT NOT NULL,
  state VARCHAR(16) NOT NULL,
  reference VARCHAR(100) NOT NULL,
  identity VARCHAR(120) NOT NULL,
  at DATE NOT NULL,
  amount BIGINT NOT NULL,
  divided BOOLEAN NOT NULL,
  principal BIGINT NOT NULL,
  interest BIGINT NOT NULL,
  fees BIGINT NOT NULL,
  reason VARCHAR(500) NOT NULL,
  actor VARCHAR(200) NOT NULL,
  entry_id BIGINT NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY collection_reports_once (hand_over_id, state, identity),
  KEY collection_reports_state (creditor_id, state, id),
  KEY collection_reports_invoice (invoice_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The entries on claims that are handed over, of which the debt collector is told by a file (C2); of those in no file file_id is 0.
CREATE TABLE direct_entries (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  hand_over_id BIGINT NOT NULL,
  invoice_id BIGINT NOT NULL,
  entry_id BIGINT NOT NULL,
  deleted BOOLEAN NOT NULL,
  kind VARCHAR(16) NOT NULL,
  date DATE NOT NULL,
  amount BIGINT NOT NULL,
  balance BIGINT NOT NULL,
  file_id BIGINT NOT NULL DEFAULT 0,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY direct_entries_once (entry_id, deleted),
  KEY direct_entries_file (file_id, creditor_id, created_at),
  KEY direct_entries_creditor (creditor_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The files that tell the debt collector of them. xml_sum and csv_sum are SHA-256 in the archive.
CREATE TABLE collector_files (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  day DATE NOT NULL,
  seller_id BIGINT NOT NULL,
  xml_sum VARCHAR(64) NOT NULL,
  csv_sum VARCHAR(64) NOT NULL,
  state VARCHAR(16) NOT NULL,
  attempts INT NOT NULL,
  next_attempt DATETIME(6) NOT NULL,
  taken_by VARCHAR(32) NOT NULL DEFAULT '',
  delivered_at DATETIME(6) NULL,
  failure TEXT NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY collector_files_number (number),
  UNIQUE KEY collector_files_day (creditor_id, day),
  KEY collector_files_owed (state, next_attempt)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The hand-over of which the debt collector reported a payment, or 0.
ALTER TABLE entries ADD COLUMN hand_over_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE deleted_entries ADD COLUMN hand_over_id BIGINT NOT NULL DEFAULT 0;

-- collector_withdrew is longer than the reasons before.
ALTER TABLE invoices MODIFY COLUMN hold_reason VARCHAR(32) NOT NULL DEFAULT '';
ALTER TABLE customers MODIFY COLUMN hold_reason VARCHAR(32) NOT NULL DEFAULT '';
ALTER TABLE standstills MODIFY COLUMN hold_reason VARCHAR(32) NOT NULL;

-- What a creditor's collector has (C3).
CREATE INDEX hand_overs_creditor ON hand_overs (creditor_id, state, id);

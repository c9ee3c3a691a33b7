-- +goose Up

-- How the creditor is paid by AvtaleGiro (G1), the bank day for which its claims were last looked at, and how many digits of its KIDs are the
-- customer's.
ALTER TABLE creditors
  ADD COLUMN avtalegiro_enabled BOOLEAN NOT NULL DEFAULT FALSE,
  ADD COLUMN avtalegiro_sender_id VARCHAR(8) NOT NULL DEFAULT '',
  ADD COLUMN avtalegiro_lead_days INT NOT NULL DEFAULT 9,
  ADD COLUMN avtalegiro_notice VARCHAR(8) NOT NULL DEFAULT 'own',
  ADD COLUMN avtalegiro_day DATE NULL,
  ADD COLUMN kid_customer_digits INT NOT NULL DEFAULT 0,
  ADD KEY creditors_avtalegiro (avtalegiro_sender_id);

-- Whether the invoice said when it was issued that its amount is drawn (G3), and until when no step of dunning is taken because a claim lives;
-- NULL where none does.
ALTER TABLE invoices
  ADD COLUMN drawn BOOLEAN NOT NULL DEFAULT FALSE,
  ADD COLUMN drawn_until DATE NULL;

-- Of an invoice that goes once more because it is not drawn, the day until which it asks to be paid (G3a).
ALTER TABLE shipments ADD COLUMN ordinary DATE NULL;

-- Mandates of AvtaleGiro, as the bank's files tell of them (G2). customer_id is 0 where the KID's digits are no customer's.
CREATE TABLE mandates (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  account VARCHAR(11) NOT NULL,
  kid VARCHAR(25) NOT NULL,
  customer_id BIGINT NOT NULL,
  notice BOOLEAN NOT NULL,
  since DATE NOT NULL,
  ended_on DATE NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY mandates_kid (creditor_id, account, kid),
  KEY mandates_customer (customer_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Claims of AvtaleGiro, one at most of an invoice (G3). last_day is the last bank day on which it may leave. file_id and cancel_file_id are 0
-- while no file has it.
CREATE TABLE bank_claims (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL,
  invoice_id BIGINT NOT NULL,
  mandate_id BIGINT NOT NULL,
  account VARCHAR(11) NOT NULL,
  kid VARCHAR(25) NOT NULL,
  due_date DATE NOT NULL,
  amount BIGINT NOT NULL,
  by_bank BOOLEAN NOT NULL,
  last_day DATE NOT NULL,
  state VARCHAR(16) NOT NULL,
  reason VARCHAR(500) NOT NULL,
  file_id BIGINT NOT NULL,
  sent_at DATETIME(6) NULL,
  answered_at DATETIME(6) NULL,
  cancel_file_id BIGINT NOT NULL,
  too_late BOOLEAN NOT NULL,
  letter_owed BOOLEAN NOT NULL,
  unpaid_told BOOLEAN NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY bank_claims_invoice (invoice_id),
  KEY bank_claims_state (creditor_id, state, due_date, id),
  KEY bank_claims_letter (creditor_id, letter_owed, id),
  KEY bank_claims_kid (kid, due_date),
  KEY bank_claims_file (file_id, id),
  KEY bank_claims_cancel (cancel_file_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The files that bring claims to the bank (G3). sha256 names the bytes in the archive. uncertain: an attempt may have delivered it.
CREATE TABLE claim_files (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  sender_id VARCHAR(8) NOT NULL,
  number BIGINT NOT NULL,
  day DATE NOT NULL,
  claims INT NOT NULL,
  cancellations INT NOT NULL,
  amount BIGINT NOT NULL,
  sha256 VARCHAR(64) NOT NULL,
  deliver_by DATE NOT NULL,
  state VARCHAR(16) NOT NULL,
  uncertain BOOLEAN NOT NULL,
  attempts INT NOT NULL,
  next_attempt DATETIME(6) NOT NULL,
  taken_by VARCHAR(32) NOT NULL DEFAULT '',
  delivered_at DATETIME(6) NULL,
  answered_at DATETIME(6) NULL,
  answer VARCHAR(100) NOT NULL,
  failure TEXT NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY claim_files_number (sender_id, number),
  KEY claim_files_creditor (creditor_id, id),
  KEY claim_files_owed (state, next_attempt)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What the bank answered in files, each once: sha256 names the bytes in the archive.
CREATE TABLE claim_receipts (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  name VARCHAR(100) NOT NULL,
  sha256 VARCHAR(64) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY claim_receipts_once (creditor_id, sha256)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

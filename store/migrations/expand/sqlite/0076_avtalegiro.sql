-- +goose Up

-- How the creditor is paid by AvtaleGiro (G1), the bank day for which its claims were last looked at, and how many digits of its KIDs are the
-- customer's.
ALTER TABLE creditors ADD COLUMN avtalegiro_enabled BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE creditors ADD COLUMN avtalegiro_sender_id TEXT NOT NULL DEFAULT '';
ALTER TABLE creditors ADD COLUMN avtalegiro_lead_days INTEGER NOT NULL DEFAULT 9;
ALTER TABLE creditors ADD COLUMN avtalegiro_notice TEXT NOT NULL DEFAULT 'own';
ALTER TABLE creditors ADD COLUMN avtalegiro_day DATE NULL;
ALTER TABLE creditors ADD COLUMN kid_customer_digits INTEGER NOT NULL DEFAULT 0;
CREATE INDEX creditors_avtalegiro ON creditors (avtalegiro_sender_id);

-- Whether the invoice said when it was issued that its amount is drawn (G3), and until when no step of dunning is taken because a claim lives;
-- NULL where none does.
ALTER TABLE invoices ADD COLUMN drawn BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE invoices ADD COLUMN drawn_until DATE NULL;

-- Of an invoice that goes once more because it is not drawn, the day until which it asks to be paid (G3a).
ALTER TABLE shipments ADD COLUMN ordinary DATE NULL;

-- Mandates of AvtaleGiro, as the bank's files tell of them (G2). customer_id is 0 where the KID's digits are no customer's.
CREATE TABLE mandates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  account TEXT NOT NULL,
  kid TEXT NOT NULL,
  customer_id INTEGER NOT NULL,
  notice BOOLEAN NOT NULL,
  since DATE NOT NULL,
  ended_on DATE NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX mandates_kid ON mandates (creditor_id, account, kid);
CREATE INDEX mandates_customer ON mandates (customer_id, id);

-- Claims of AvtaleGiro, one at most of an invoice (G3). last_day is the last bank day on which it may leave. file_id and cancel_file_id are 0
-- while no file has it.
CREATE TABLE bank_claims (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  mandate_id INTEGER NOT NULL,
  account TEXT NOT NULL,
  kid TEXT NOT NULL,
  due_date DATE NOT NULL,
  amount INTEGER NOT NULL,
  by_bank BOOLEAN NOT NULL,
  last_day DATE NOT NULL,
  state TEXT NOT NULL,
  reason TEXT NOT NULL,
  file_id INTEGER NOT NULL,
  sent_at DATETIME NULL,
  answered_at DATETIME NULL,
  cancel_file_id INTEGER NOT NULL,
  too_late BOOLEAN NOT NULL,
  letter_owed BOOLEAN NOT NULL,
  unpaid_told BOOLEAN NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX bank_claims_invoice ON bank_claims (invoice_id);
CREATE INDEX bank_claims_state ON bank_claims (creditor_id, state, due_date, id);
CREATE INDEX bank_claims_letter ON bank_claims (creditor_id, letter_owed, id);
CREATE INDEX bank_claims_kid ON bank_claims (kid, due_date);
CREATE INDEX bank_claims_file ON bank_claims (file_id, id);
CREATE INDEX bank_claims_cancel ON bank_claims (cancel_file_id, id);

-- The files that bring claims to the bank (G3). sha256 names the bytes in the archive. uncertain: an attempt may have delivered it.
CREATE TABLE claim_files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  sender_id TEXT NOT NULL,
  number INTEGER NOT NULL,
  day DATE NOT NULL,
  claims INTEGER NOT NULL,
  cancellations INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  deliver_by DATE NOT NULL,
  state TEXT NOT NULL,
  uncertain BOOLEAN NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt DATETIME NOT NULL,
  taken_by TEXT NOT NULL DEFAULT '',
  delivered_at DATETIME NULL,
  answered_at DATETIME NULL,
  answer TEXT NOT NULL,
  failure TEXT NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX claim_files_number ON claim_files (sender_id, number);
CREATE INDEX claim_files_creditor ON claim_files (creditor_id, id);
CREATE INDEX claim_files_owed ON claim_files (state, next_attempt);

-- What the bank answered in files, each once: sha256 names the bytes in the archive.
CREATE TABLE claim_receipts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX claim_receipts_once ON claim_receipts (creditor_id, sha256);

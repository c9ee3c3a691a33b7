-- +goose Up

-- Whether invoices of a customer that take the same step on the same day share one letter (L23).
ALTER TABLE creditors ADD COLUMN dunning_joint_letters BOOLEAN NOT NULL DEFAULT FALSE;

-- Letters for several invoices. Each has a notice on each of them, which names it (L23). kid is empty where none was left.
CREATE TABLE letters (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  warning BOOLEAN NOT NULL,
  issue_date DATE NOT NULL,
  due_date DATE NOT NULL,
  days_to_pay INTEGER NOT NULL,
  gross INTEGER NOT NULL,
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
  recipient_organisation_number TEXT NOT NULL,
  seller_id INTEGER NOT NULL,
  language TEXT NOT NULL,
  pdf TEXT NOT NULL,
  withdrawn DATE NULL,
  replaced_by INTEGER NOT NULL DEFAULT 0,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX letters_number ON letters (creditor_id, number);
CREATE INDEX letters_customer ON letters (customer_id, id);

-- Each creditor's next letter number: KIDs of letters are made of it.
CREATE TABLE letter_series (
  creditor_id INTEGER PRIMARY KEY,
  next_number INTEGER NOT NULL
);

ALTER TABLE overdue_notices ADD COLUMN letter_id INTEGER NOT NULL DEFAULT 0;
CREATE INDEX overdue_notices_letter ON overdue_notices (letter_id, id);

-- A KID is a letter's: then it names no invoice.
ALTER TABLE payment_references ADD COLUMN letter_id INTEGER NOT NULL DEFAULT 0;

-- A payment with a letter's KID was spread over its invoices as it came: it counts as matched in its file. reversal_of is the payment that a
-- reversal takes back.
ALTER TABLE unmatched_payments ADD COLUMN letter_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE unmatched_payments ADD COLUMN reversal_of INTEGER NOT NULL DEFAULT 0;
CREATE INDEX unmatched_payments_letter ON unmatched_payments (letter_id, id);
CREATE INDEX unmatched_payments_reversal ON unmatched_payments (reversal_of);

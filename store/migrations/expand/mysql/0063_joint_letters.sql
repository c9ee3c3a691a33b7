-- +goose Up

-- Whether invoices of a customer that take the same step on the same day share one letter (L23).
ALTER TABLE creditors ADD COLUMN dunning_joint_letters BOOLEAN NOT NULL DEFAULT FALSE;

-- Letters for several invoices. Each has a notice on each of them, which names it (L23). kid is empty where none was left.
CREATE TABLE letters (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  warning BOOLEAN NOT NULL,
  issue_date DATE NOT NULL,
  due_date DATE NOT NULL,
  days_to_pay INT NOT NULL,
  gross BIGINT NOT NULL,
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
  recipient_organisation_number VARCHAR(9) NOT NULL,
  seller_id BIGINT NOT NULL,
  language VARCHAR(2) NOT NULL,
  pdf VARCHAR(64) NOT NULL,
  withdrawn DATE NULL,
  replaced_by BIGINT NOT NULL DEFAULT 0,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY letters_number (creditor_id, number),
  KEY letters_customer (customer_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Each creditor's next letter number: KIDs of letters are made of it.
CREATE TABLE letter_series (
  creditor_id BIGINT NOT NULL PRIMARY KEY,
  next_number BIGINT NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

ALTER TABLE overdue_notices
  ADD COLUMN letter_id BIGINT NOT NULL DEFAULT 0,
  ADD KEY overdue_notices_letter (letter_id, id);

-- A KID is a letter's: then it names no invoice.
ALTER TABLE payment_references ADD COLUMN letter_id BIGINT NOT NULL DEFAULT 0;

-- A payment with a letter's KID was spread over its invoices as it came: it counts as matched in its file. reversal_of is the payment that a
-- reversal takes back.
ALTER TABLE unmatched_payments
  ADD COLUMN letter_id BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN reversal_of BIGINT NOT NULL DEFAULT 0,
  ADD KEY unmatched_payments_letter (letter_id, id),
  ADD KEY unmatched_payments_reversal (reversal_of);

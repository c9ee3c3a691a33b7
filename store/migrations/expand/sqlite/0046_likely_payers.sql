-- +goose Up

-- The customers that a payment in the queue has pointed at, when it came or since. While it is in the queue they are not dunned
-- (D95). unmatched_payments.suggested_customer_id says only that a likely payer was sought, and who was the first one.
CREATE TABLE likely_payers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  payment_id INTEGER NOT NULL
);
CREATE UNIQUE INDEX likely_payers_payment ON likely_payers (payment_id, customer_id);
CREATE INDEX likely_payers_customer ON likely_payers (creditor_id, customer_id);

INSERT INTO likely_payers (creditor_id, customer_id, payment_id)
  SELECT creditor_id, suggested_customer_id, id FROM unmatched_payments WHERE suggested_customer_id > 0;

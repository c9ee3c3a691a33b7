-- +goose Up

-- The customers that a payment in the queue has pointed at, when it came or since. While it is in the queue they are not dunned
-- (D95). unmatched_payments.suggested_customer_id says only that a likely payer was sought, and who was the first one.
CREATE TABLE likely_payers (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL,
  payment_id BIGINT NOT NULL,
  UNIQUE KEY likely_payers_payment (payment_id, customer_id),
  KEY likely_payers_customer (creditor_id, customer_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

INSERT INTO likely_payers (creditor_id, customer_id, payment_id)
  SELECT creditor_id, suggested_customer_id, id FROM unmatched_payments WHERE suggested_customer_id > 0;

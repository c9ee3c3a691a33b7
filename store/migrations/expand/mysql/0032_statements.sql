-- +goose Up

-- Statements that customers were sent (L16). The PDF is made once, when it is first needed.
CREATE TABLE statements (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL,
  -- Both are inclusive. Without from_date the statement begins with the first entry.
  from_date DATE NULL,
  to_date DATE NOT NULL,
  pdf VARCHAR(64) NOT NULL DEFAULT '',
  created_at DATETIME(6) NOT NULL,
  KEY statements_customer (creditor_id, customer_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

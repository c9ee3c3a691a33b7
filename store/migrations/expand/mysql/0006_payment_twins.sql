-- +goose Up

-- The lines of payment files that came in a file of the other format before (E4).
CREATE TABLE payment_twins (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  payment_file_id BIGINT NOT NULL,
  line_key BINARY(32) NOT NULL,
  account VARCHAR(40) NOT NULL,
  kid VARCHAR(40) NOT NULL,
  amount BIGINT NOT NULL,
  transaction_date DATE NOT NULL,
  from_account_number VARCHAR(40) NOT NULL,
  UNIQUE KEY payment_twins_line (creditor_id, line_key),
  KEY payment_twins_kid (creditor_id, kid)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

ALTER TABLE unmatched_payments ADD KEY unmatched_payments_kid (creditor_id, kid);
ALTER TABLE payment_files ADD KEY payment_files_format (format);

-- +goose Up

-- What each payment file brought of each line of the bank's statement. reference and entry tell the lines of a day
-- apart: an OCR giro line is known by its reference in every file, an entry of camt.054 by its number in its own.
-- amount is money in less money out; the other amounts are in the file's own arithmetic (E4).
CREATE TABLE statement_lines (
  payment_file_id BIGINT NOT NULL,
  creditor_id BIGINT NOT NULL,
  account VARCHAR(40) NOT NULL,
  transaction_date DATE NOT NULL,
  format VARCHAR(16) NOT NULL,
  reference VARCHAR(80) NOT NULL,
  entry INT NOT NULL,
  transactions INT NOT NULL,
  amount BIGINT NOT NULL,
  file_amount BIGINT NOT NULL,
  matched INT NOT NULL,
  matched_amount BIGINT NOT NULL,
  unmatched INT NOT NULL,
  unmatched_amount BIGINT NOT NULL,
  duplicates INT NOT NULL,
  duplicates_amount BIGINT NOT NULL,
  PRIMARY KEY (payment_file_id, creditor_id, account, transaction_date, reference, entry),
  KEY statement_lines_date (creditor_id, transaction_date, account)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Files that were imported before have their statement lines made from their raw bytes.
ALTER TABLE payment_files ADD COLUMN has_statement TINYINT(1) NOT NULL DEFAULT 0, ADD KEY payment_files_statement (has_statement, state);

ALTER TABLE unmatched_payments ADD COLUMN payer_name VARCHAR(140) NOT NULL DEFAULT '';

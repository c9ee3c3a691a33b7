-- +goose Up

-- The lines of payment files that came in a file of the other format before (E4).
CREATE TABLE payment_twins (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  payment_file_id INTEGER NOT NULL,
  line_key BLOB NOT NULL,
  account TEXT NOT NULL,
  kid TEXT NOT NULL,
  amount INTEGER NOT NULL,
  transaction_date DATE NOT NULL,
  from_account_number TEXT NOT NULL
);
CREATE UNIQUE INDEX payment_twins_line ON payment_twins (creditor_id, line_key);
CREATE INDEX payment_twins_kid ON payment_twins (creditor_id, kid);

CREATE INDEX unmatched_payments_kid ON unmatched_payments (creditor_id, kid);
CREATE INDEX payment_files_format ON payment_files (format);

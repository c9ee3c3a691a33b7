-- +goose Up

-- What each payment file brought of each line of the bank's statement. reference and entry tell the lines of a day
-- apart: an OCR giro line is known by its reference in every file, an entry of camt.054 by its number in its own.
-- amount is money in less money out; the other amounts are in the file's own arithmetic (E4).
CREATE TABLE statement_lines (
  payment_file_id INTEGER NOT NULL,
  creditor_id INTEGER NOT NULL,
  account TEXT NOT NULL,
  transaction_date DATE NOT NULL,
  format TEXT NOT NULL,
  reference TEXT NOT NULL,
  entry INTEGER NOT NULL,
  transactions INTEGER NOT NULL,
  amount INTEGER NOT NULL,
  file_amount INTEGER NOT NULL,
  matched INTEGER NOT NULL,
  matched_amount INTEGER NOT NULL,
  unmatched INTEGER NOT NULL,
  unmatched_amount INTEGER NOT NULL,
  duplicates INTEGER NOT NULL,
  duplicates_amount INTEGER NOT NULL,
  PRIMARY KEY (payment_file_id, creditor_id, account, transaction_date, reference, entry)
) WITHOUT ROWID;
CREATE INDEX statement_lines_date ON statement_lines (creditor_id, transaction_date, account);

-- Files that were imported before have their statement lines made from their raw bytes.
ALTER TABLE payment_files ADD COLUMN has_statement BOOLEAN NOT NULL DEFAULT 0;
CREATE INDEX payment_files_statement ON payment_files (has_statement, state);

ALTER TABLE unmatched_payments ADD COLUMN payer_name TEXT NOT NULL DEFAULT '';

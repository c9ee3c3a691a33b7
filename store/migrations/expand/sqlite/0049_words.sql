-- +goose Up

-- The words by which rows are found (N1, N3), folded: of customers and of the bank's payments. kind says of what the word is. The
-- transaction that changes the row changes its words.
CREATE TABLE words (
  creditor_id INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  word TEXT NOT NULL,
  row_id INTEGER NOT NULL,
  PRIMARY KEY (creditor_id, kind, word, row_id)
) WITHOUT ROWID;
CREATE INDEX words_row ON words (row_id, kind);

-- The customers of whom a person said that the payment is not theirs: they are neither suggested nor shielded (N6).
ALTER TABLE unmatched_payments ADD COLUMN not_of TEXT;

-- For whom the payer paid, where the bank says so (N1).
ALTER TABLE unmatched_payments ADD COLUMN ultimate_payer TEXT NOT NULL DEFAULT '';

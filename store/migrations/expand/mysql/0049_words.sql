-- +goose Up

-- The words by which rows are found (N1, N3), folded: of customers and of the bank's payments. kind says of what the word is. The
-- transaction that changes the row changes its words.
CREATE TABLE words (
  creditor_id BIGINT NOT NULL,
  kind TINYINT NOT NULL,
  word VARCHAR(40) NOT NULL,
  row_id BIGINT NOT NULL,
  PRIMARY KEY (creditor_id, kind, word, row_id),
  KEY words_row (row_id, kind)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The customers of whom a person said that the payment is not theirs: they are neither suggested nor shielded (N6).
ALTER TABLE unmatched_payments ADD COLUMN not_of TEXT;

-- For whom the payer paid, where the bank says so (N1).
ALTER TABLE unmatched_payments ADD COLUMN ultimate_payer VARCHAR(140) NOT NULL DEFAULT '';

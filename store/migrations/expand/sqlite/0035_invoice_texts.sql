-- +goose Up

-- The texts that searches of invoices look in, of some thousand invoices in each row: their IDs, of eight bytes each, and then
-- their texts, each with a null character after it. One long text is read many times faster than as many short ones. Each night's
-- count adds those of the day; invoices after the last ID are read themselves.
CREATE TABLE invoice_texts (
  creditor_id INTEGER NOT NULL,
  first_id INTEGER NOT NULL,
  last_id INTEGER NOT NULL,
  items INTEGER NOT NULL,
  texts BLOB NOT NULL,
  PRIMARY KEY (creditor_id, first_id)
);

-- +goose Up

-- Statements that customers were sent (L16). The PDF is made once, when it is first needed.
CREATE TABLE statements (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  -- Both are inclusive. Without from_date the statement begins with the first entry.
  from_date DATE NULL,
  to_date DATE NOT NULL,
  pdf TEXT NOT NULL DEFAULT '',
  created_at DATETIME NOT NULL
);
CREATE INDEX statements_customer ON statements (creditor_id, customer_id);

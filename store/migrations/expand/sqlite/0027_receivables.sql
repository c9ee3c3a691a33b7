-- +goose Up

-- What is owed on open invoices, by due date and customer (L16).
DROP INDEX invoices_balance;
CREATE INDEX invoices_balance ON invoices (creditor_id, balance, id, closed, due_date, customer_id) WHERE balance > 0;

-- The sum of the amounts of the entries that a row counts, in øre; 0 for invoices (L16).
ALTER TABLE list_days ADD COLUMN amount INTEGER NOT NULL DEFAULT 0;
UPDATE list_days SET amount = sums.amount FROM (
    SELECT d.creditor_id, d.day, d.type, SUM(e.amount) AS amount
    FROM entries e JOIN list_days d ON d.creditor_id = e.creditor_id AND d.list = 'entries' AND d.day = e.transaction_date AND d.type = e.type AND e.id <= d.last_id
    GROUP BY d.creditor_id, d.day, d.type
  ) AS sums
  WHERE list_days.list = 'entries' AND list_days.creditor_id = sums.creditor_id AND list_days.day = sums.day AND list_days.type = sums.type;

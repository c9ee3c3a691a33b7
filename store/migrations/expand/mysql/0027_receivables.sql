-- +goose Up

-- What is owed on open invoices, by due date and customer (L16). Whatever changes a balance changes this index in any case,
-- so its further columns cost writers next to nothing.
ALTER TABLE invoices
  DROP KEY invoices_balance,
  ADD KEY invoices_balance (creditor_id, balance, id, closed, due_date, customer_id);

-- The sum of the amounts of the entries that a row counts, in øre; 0 for invoices (L16).
ALTER TABLE list_days ADD COLUMN amount BIGINT NOT NULL DEFAULT 0 AFTER items;
UPDATE list_days JOIN (
    SELECT d.creditor_id, d.day, d.type, SUM(e.amount) AS amount
    FROM entries e STRAIGHT_JOIN list_days d
      ON d.creditor_id = e.creditor_id AND d.list = 'entries' AND d.day = e.transaction_date AND d.type = e.type AND e.id <= d.last_id
    GROUP BY d.creditor_id, d.day, d.type
  ) AS sums USING (creditor_id, day, type)
  SET list_days.amount = sums.amount WHERE list_days.list = 'entries';

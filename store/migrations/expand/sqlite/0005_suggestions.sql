-- +goose Up

-- The customer at whom an unmatched payment's best suggestion points, 0 for nobody, NULL while nobody has looked
-- (E5). Dunning leaves alone whom a young open one points at (E6g).
ALTER TABLE unmatched_payments ADD COLUMN suggested_customer_id INTEGER NULL;
CREATE INDEX unmatched_payments_unseen ON unmatched_payments (suggested_customer_id, creditor_id);
CREATE INDEX unmatched_payments_shield ON unmatched_payments (creditor_id, status, created_at, suggested_customer_id);

-- Who paid from an account before, and which invoices owe an amount.
CREATE INDEX entries_payer ON entries (creditor_id, from_account_number, customer_id, amount) WHERE from_account_number <> '';
CREATE INDEX invoices_balance ON invoices (creditor_id, balance) WHERE balance > 0;

-- +goose Up

-- The customer at whom an unmatched payment's best suggestion points, 0 for nobody, NULL while nobody has looked
-- (E5). Dunning leaves alone whom a young open one points at (E6g).
ALTER TABLE unmatched_payments
  ADD COLUMN suggested_customer_id BIGINT NULL AFTER comment,
  ADD KEY unmatched_payments_unseen (suggested_customer_id, creditor_id),
  ADD KEY unmatched_payments_shield (creditor_id, status, created_at, suggested_customer_id);

-- Who paid from an account before, and which invoices owe an amount.
ALTER TABLE entries ADD KEY entries_payer (creditor_id, from_account_number, customer_id, amount);
ALTER TABLE invoices ADD KEY invoices_balance (creditor_id, balance);

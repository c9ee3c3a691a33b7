-- +goose Up

-- Sums are sought (N3): of payments that found no invoice by themselves, of notices and of credit notes. Invoices have their indexes.
ALTER TABLE unmatched_payments ADD KEY unmatched_payments_amount (creditor_id, amount);
ALTER TABLE overdue_notices ADD KEY overdue_notices_gross (creditor_id, gross);
ALTER TABLE credit_notes ADD KEY credit_notes_gross (creditor_id, gross);

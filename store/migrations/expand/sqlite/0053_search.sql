-- +goose Up

-- Sums are sought (N3): of payments that found no invoice by themselves, of notices and of credit notes. Invoices have their indexes.
CREATE INDEX unmatched_payments_amount ON unmatched_payments (creditor_id, amount);
CREATE INDEX overdue_notices_gross ON overdue_notices (creditor_id, gross);
CREATE INDEX credit_notes_gross ON credit_notes (creditor_id, gross);

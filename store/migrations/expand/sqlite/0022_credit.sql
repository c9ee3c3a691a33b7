-- +goose Up

-- The entry that moved credit away from another document, on the entry that brings it here; else 0 (L5).
ALTER TABLE entries ADD COLUMN moved_from INTEGER NOT NULL DEFAULT 0;

-- Who has credit: overpaid invoices, and credit notes outstanding (L5).
CREATE INDEX invoices_credit ON invoices (creditor_id, customer_id, balance) WHERE balance < 0;
CREATE INDEX invoices_owing ON invoices (creditor_id, customer_id, balance) WHERE balance > 0;
CREATE INDEX credit_notes_credit ON credit_notes (creditor_id, customer_id, balance) WHERE balance < 0;

-- Since when a notice has waited for the customer's address; a person was told that day (L6).
ALTER TABLE customers ADD COLUMN address_wanted DATE NULL;
CREATE INDEX customers_address_wanted ON customers (address_wanted) WHERE address_wanted IS NOT NULL;

-- What becomes of fees and interest that are left, and whether runs move credit (L5, L7). The least amount that is
-- dunned is 50.00 unless it was set. A 0 was the default, so it becomes 50.00.
ALTER TABLE creditors ADD COLUMN dunning_remainder TEXT NOT NULL DEFAULT 'leave';
ALTER TABLE creditors ADD COLUMN dunning_settle_credit BOOLEAN NOT NULL DEFAULT 0;
UPDATE creditors SET dunning_minimum_balance = 5000 WHERE dunning_minimum_balance = 0;

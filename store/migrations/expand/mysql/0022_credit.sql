-- +goose Up

-- The entry that moved credit away from another document, on the entry that brings it here; else 0 (L5).
ALTER TABLE entries ADD COLUMN moved_from BIGINT NOT NULL DEFAULT 0;

-- Who has credit: overpaid invoices, and credit notes outstanding (L5).
ALTER TABLE invoices ADD KEY invoices_credit (creditor_id, customer_id, balance);
ALTER TABLE credit_notes ADD KEY credit_notes_credit (creditor_id, customer_id, balance);

-- Since when a notice has waited for the customer's address; a person was told that day (L6).
ALTER TABLE customers ADD COLUMN address_wanted DATE NULL, ADD KEY customers_address_wanted (address_wanted);

-- What becomes of fees and interest that are left, and whether runs move credit (L5, L7). The least amount that is
-- dunned is 50.00 unless it was set. A 0 was the default, so it becomes 50.00.
ALTER TABLE creditors
  ADD COLUMN dunning_remainder VARCHAR(10) NOT NULL DEFAULT 'leave',
  ADD COLUMN dunning_settle_credit TINYINT(1) NOT NULL DEFAULT 0;
UPDATE creditors SET dunning_minimum_balance = 5000 WHERE dunning_minimum_balance = 0;

-- +goose Up

-- How much of an invoice's balance is a repayment owed: what was paid out of money that was taken back later (D96). It is neither
-- principal nor charge. What older rows owe so is reckoned once: see ReckonRepayments.
ALTER TABLE invoices ADD COLUMN repayment_owed INTEGER NOT NULL DEFAULT 0;

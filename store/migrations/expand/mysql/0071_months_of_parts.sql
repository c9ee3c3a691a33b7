-- +goose Up

-- The VAT of partial credit notes was added up by the lines of their invoices (L27). The days of creditors who have some are counted anew by the
-- next night.
DELETE FROM booked_days WHERE creditor_id IN (SELECT creditor_id FROM credit_notes WHERE partial);

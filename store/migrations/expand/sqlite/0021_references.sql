-- +goose Up

-- What an invoice may say of its order and delivery, and the buyer's organisation number as it was when the document
-- was made (L18). A document from before has none of them.
ALTER TABLE invoices ADD COLUMN your_reference TEXT NOT NULL DEFAULT '';
ALTER TABLE invoices ADD COLUMN order_number TEXT NOT NULL DEFAULT '';
ALTER TABLE invoices ADD COLUMN delivery_date DATE NULL;
ALTER TABLE invoices ADD COLUMN delivery_place TEXT NOT NULL DEFAULT '';
ALTER TABLE invoices ADD COLUMN recipient_organisation_number TEXT NOT NULL DEFAULT '';
ALTER TABLE credit_notes ADD COLUMN recipient_organisation_number TEXT NOT NULL DEFAULT '';
ALTER TABLE overdue_notices ADD COLUMN recipient_organisation_number TEXT NOT NULL DEFAULT '';
ALTER TABLE shipments ADD COLUMN recipient_organisation_number TEXT NOT NULL DEFAULT '';

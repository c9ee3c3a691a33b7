-- +goose Up

-- What an invoice may say of its order and delivery, and the buyer's organisation number as it was when the document
-- was made (L18). A document from before has none of them.
ALTER TABLE invoices
  ADD COLUMN your_reference VARCHAR(100) NOT NULL DEFAULT '',
  ADD COLUMN order_number VARCHAR(100) NOT NULL DEFAULT '',
  ADD COLUMN delivery_date DATE NULL,
  ADD COLUMN delivery_place VARCHAR(100) NOT NULL DEFAULT '',
  ADD COLUMN recipient_organisation_number VARCHAR(9) NOT NULL DEFAULT '';
ALTER TABLE credit_notes ADD COLUMN recipient_organisation_number VARCHAR(9) NOT NULL DEFAULT '';
ALTER TABLE overdue_notices ADD COLUMN recipient_organisation_number VARCHAR(9) NOT NULL DEFAULT '';
ALTER TABLE shipments ADD COLUMN recipient_organisation_number VARCHAR(9) NOT NULL DEFAULT '';

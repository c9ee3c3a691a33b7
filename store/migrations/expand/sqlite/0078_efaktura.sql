-- +goose Up

-- A customer's telephone number, +4791234567, or empty; each document and shipment keeps it as it was, like the e-mail address (E20).
ALTER TABLE customers ADD COLUMN phone TEXT NOT NULL DEFAULT '';
ALTER TABLE invoices ADD COLUMN recipient_phone TEXT NOT NULL DEFAULT '';
ALTER TABLE credit_notes ADD COLUMN recipient_phone TEXT NOT NULL DEFAULT '';
ALTER TABLE overdue_notices ADD COLUMN recipient_phone TEXT NOT NULL DEFAULT '';
ALTER TABLE payment_plans ADD COLUMN recipient_phone TEXT NOT NULL DEFAULT '';
ALTER TABLE letters ADD COLUMN recipient_phone TEXT NOT NULL DEFAULT '';
ALTER TABLE shipments ADD COLUMN recipient_phone TEXT NOT NULL DEFAULT '';

-- decided: AUTO was asked for, and purr has decided by which method the shipment goes. What no operator of eFaktura delivers goes on
-- as AUTO would without it (E20).
ALTER TABLE shipments ADD COLUMN decided BOOLEAN NOT NULL DEFAULT 0;

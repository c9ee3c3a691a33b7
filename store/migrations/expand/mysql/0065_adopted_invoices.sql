-- +goose Up

-- Invoices of other systems that are followed here (L17): their numbers lie below the creditor's own series. Their opening entries
-- (adopted = 1), and what the other system told later is owed (adopted = 2), say so.
ALTER TABLE invoices ADD COLUMN adopted BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE overdue_notices ADD COLUMN adopted BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE entries ADD COLUMN adopted TINYINT NOT NULL DEFAULT 0;
ALTER TABLE creditors ADD COLUMN adopts BOOLEAN NOT NULL DEFAULT FALSE;

-- +goose Up

-- Automatic dunning follows only invoices that are due after this day. NULL follows all.
ALTER TABLE creditors ADD COLUMN dunning_due_after DATE NULL;

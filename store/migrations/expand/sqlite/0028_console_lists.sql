-- +goose Up

-- A person looks for what one key or one person did, and for what happened of one kind, newest first (O8, E10).
CREATE INDEX events_actor ON events (creditor_id, actor, id);
CREATE INDEX events_type ON events (creditor_id, type, id);

-- A person who has an amount on a bank statement looks for the invoice by it (E10).
CREATE INDEX invoices_gross ON invoices (creditor_id, gross);

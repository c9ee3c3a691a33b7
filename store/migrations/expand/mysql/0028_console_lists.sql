-- +goose Up

-- A person looks for what one key or one person did, and for what happened of one kind, newest first (O8, E10).
ALTER TABLE events ADD KEY events_actor (creditor_id, actor, id), ADD KEY events_type (creditor_id, type, id);

-- A person who has an amount on a bank statement looks for the invoice by it (E10).
ALTER TABLE invoices ADD KEY invoices_gross (creditor_id, gross);

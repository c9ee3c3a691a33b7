-- +goose Up

-- A payment that was matched by hand with several invoices (E5) was posted as entry_id and as these, in JSON.
ALTER TABLE unmatched_payments ADD COLUMN further_entries TEXT NULL;

-- +goose Up

-- The form in which an answer was given, so that it is given in that form again (D9). Empty: it was kept before this column, as the
-- interface's XML; of the console's forms, as JSON.
ALTER TABLE idempotency_keys ADD COLUMN media_type VARCHAR(100) NOT NULL DEFAULT '';

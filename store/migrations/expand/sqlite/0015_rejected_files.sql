-- +goose Up

-- When the raw bytes of a rejected payment file were removed (O13). Those of all others are kept for ever.
ALTER TABLE payment_files ADD COLUMN removed_at DATETIME NULL;
CREATE INDEX payment_files_rejected ON payment_files (state, removed_at, finished_at);

-- +goose Up

-- Work that takes more than one transaction, such as a payment file's import, holds its Idempotency-Key by a lease (O9).
-- work names the work, so that who takes it over finds what was done already. leased_until is by the database's clock.
ALTER TABLE idempotency_keys ADD COLUMN work TEXT NOT NULL DEFAULT '';
ALTER TABLE idempotency_keys ADD COLUMN leased_until DATETIME NULL;

-- +goose Up

-- Events are posted to the webhook in JSON, and otherwise in XML (J4).
ALTER TABLE webhooks ADD COLUMN as_json BOOLEAN NOT NULL DEFAULT 0;

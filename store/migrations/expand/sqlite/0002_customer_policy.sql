-- +goose Up

-- What a customer's dunning policy has otherwise than its creditor's, as JSON (E6e). The few that have one are
-- found by the index.
ALTER TABLE customers ADD COLUMN dunning_policy TEXT NULL;
CREATE INDEX customers_policy ON customers (creditor_id, id) WHERE dunning_policy IS NOT NULL;

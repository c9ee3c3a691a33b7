-- +goose Up

-- What a customer's dunning policy has otherwise than its creditor's, as JSON (E6e). The few that have one are
-- found by the index.
ALTER TABLE customers
  ADD COLUMN dunning_policy TEXT NULL AFTER hold_comment,
  ADD KEY customers_policy (creditor_id, dunning_policy(1));

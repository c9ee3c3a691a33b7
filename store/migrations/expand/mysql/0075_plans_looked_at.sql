-- +goose Up

-- The day from which a payment plan that runs is looked at again (L15): before it, nothing can become of it unless its invoice changes, and then it
-- is looked at by the next run.
ALTER TABLE payment_plans ADD COLUMN look_on DATE NOT NULL DEFAULT '2000-01-01';
ALTER TABLE payment_plans ADD KEY payment_plans_look (creditor_id, state, look_on, id);

-- +goose Up

-- Limitation (L26). acknowledged is the day that a person has set on which the claim was acknowledged. lapses_on is three years after the due
-- date, or after the newest day on which it was acknowledged: by a person's word, a payment or a payment plan. Of a paid invoice it may be as it
-- was before the last payment, or missing. lapse_told is the day of lapsing that was told. Payments and plans of before are taken into account
-- when the program has migrated. The key finds what lapses soon among what is claimed.
ALTER TABLE invoices ADD COLUMN acknowledged DATE NULL;
ALTER TABLE invoices ADD COLUMN lapses_on DATE NULL;
ALTER TABLE invoices ADD COLUMN lapse_told DATE NULL;
UPDATE invoices SET lapses_on = CASE WHEN strftime('%m-%d', due_date) = '02-29' THEN date(due_date, '+3 years', '-1 day') ELSE date(due_date, '+3 years') END
  WHERE balance > 0;
CREATE INDEX invoices_lapse ON invoices (creditor_id, stage, lapses_on, lapse_told, balance, repayment_owed) WHERE balance > 0;

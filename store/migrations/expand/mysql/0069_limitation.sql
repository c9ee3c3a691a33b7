-- +goose Up

-- Limitation (L26). acknowledged is the day that a person has set on which the claim was acknowledged. lapses_on is three years after the due
-- date, or after the newest day on which it was acknowledged: by a person's word, a payment or a payment plan. Of a paid invoice it may be as it
-- was before the last payment, or missing. lapse_told is the day of lapsing that was told. Payments and plans of before are taken into account
-- when the program has migrated. The key finds what lapses soon among what is claimed.
ALTER TABLE invoices
  ADD COLUMN acknowledged DATE NULL,
  ADD COLUMN lapses_on DATE NULL,
  ADD COLUMN lapse_told DATE NULL;
UPDATE invoices SET lapses_on = due_date + INTERVAL 3 YEAR WHERE balance > 0;
ALTER TABLE invoices ADD KEY invoices_lapse (creditor_id, stage, lapses_on, lapse_told, balance, repayment_owed);

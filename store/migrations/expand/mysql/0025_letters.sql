-- +goose Up

-- Who asked for a notice, and for what (L2): a notice that leaves on a later day than its own is issued anew in the same
-- way. asked_by is empty for automatic dunning. Of the notices that are there, only those whose letter has not left can
-- still be issued anew.
ALTER TABLE overdue_notices ADD COLUMN asked_by VARCHAR(200) NOT NULL DEFAULT '';
ALTER TABLE overdue_notices ADD COLUMN asked_fee BOOLEAN NOT NULL DEFAULT 0;
ALTER TABLE overdue_notices ADD COLUMN asked_interest BOOLEAN NOT NULL DEFAULT 0;
UPDATE overdue_notices SET asked_fee = fee > 0, asked_interest = interest > 0, asked_by = COALESCE((
    SELECT MAX(e.actor) FROM events e
    WHERE e.invoice_id = overdue_notices.invoice_id AND e.type = 'overdue_notice.created' AND e.subject_id = overdue_notices.id AND e.actor <> 'purr'), '')
  WHERE withdrawn IS NULL AND id IN (SELECT document_id FROM shipments WHERE document_kind = 'overdue_notice' AND state IN ('owed', 'failed'));

-- Withdrawn notices are in no list (L13a).
CREATE INDEX overdue_notices_list ON overdue_notices (creditor_id, withdrawn, id);
CREATE INDEX overdue_notices_list_days ON overdue_notices (creditor_id, withdrawn, issue_date);

-- The shipment failed because its channel was away until it was given up; the channel did not refuse it (L2).
ALTER TABLE shipments ADD COLUMN given_up BOOLEAN NOT NULL DEFAULT 0;

-- Days that are added to a notice's deadline for the way to the mailbox (L2).
ALTER TABLE creditors ADD COLUMN dunning_postal_days INT NOT NULL DEFAULT 0;

-- A person was told that the payment has waited long (L3).
ALTER TABLE unmatched_payments ADD COLUMN waiting_long BOOLEAN NOT NULL DEFAULT 0;

-- +goose Up

-- By which way reminders go (L22), and the days of friendly reminders, between blanks, counted from the due date (L14).
ALTER TABLE creditors
  ADD COLUMN dunning_reminder_method VARCHAR(10) NOT NULL DEFAULT 'PAPER',
  ADD COLUMN dunning_friendly_reminder_days VARCHAR(20) NOT NULL DEFAULT '';

-- The way that a person asked for, empty if none; and from which day on what a person asked for is issued anew on paper, because its
-- e-mail bounced. NULL: it is not, or was (L22).
ALTER TABLE overdue_notices
  ADD COLUMN asked_method VARCHAR(10) NOT NULL DEFAULT '',
  ADD COLUMN anew_from DATE NULL,
  ADD KEY overdue_notices_anew (creditor_id, anew_from);

-- The day of the run that owes a friendly reminder: the invoice goes with an e-mail that reminds of it (L14). NULL of any other shipment.
ALTER TABLE shipments ADD COLUMN friendly DATE NULL;

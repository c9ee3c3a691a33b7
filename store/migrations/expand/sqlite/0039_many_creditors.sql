-- +goose Up

-- What of one creditor's work fails while that of the others goes on. A row is there until that work succeeds.
CREATE TABLE creditor_faults (
  creditor_id INTEGER NOT NULL,
  work TEXT NOT NULL,
  reason TEXT NOT NULL,
  since DATETIME NOT NULL,
  PRIMARY KEY (creditor_id, work)
);

-- How many creditors live in each time zone.
CREATE INDEX creditors_zone ON creditors (time_zone);

-- Dunning runs that skipped invoices for a bank file, by date.
CREATE INDEX runs_held_back ON runs (held_back, business_date);

-- Attempts that do not count, because the program had not run for a while before them.
ALTER TABLE webhook_deliveries ADD COLUMN spared INTEGER NOT NULL DEFAULT 0;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (state, next_attempt);

-- From when the patience with a shipment is reckoned: its first attempt, and later by the time in which nothing ran.
ALTER TABLE shipments ADD COLUMN patient_from DATETIME NULL;

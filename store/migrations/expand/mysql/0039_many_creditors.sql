-- +goose Up

-- What of one creditor's work fails while that of the others goes on. A row is there until that work succeeds.
CREATE TABLE creditor_faults (
  creditor_id BIGINT NOT NULL,
  work VARCHAR(16) NOT NULL,
  reason VARCHAR(500) NOT NULL,
  since DATETIME(6) NOT NULL,
  PRIMARY KEY (creditor_id, work)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- How many creditors live in each time zone.
ALTER TABLE creditors ADD KEY creditors_zone (time_zone);

-- Dunning runs that skipped invoices for a bank file, by date.
ALTER TABLE runs ADD KEY runs_held_back (held_back, business_date);

-- Attempts that do not count, because the program had not run for a while before them.
ALTER TABLE webhook_deliveries ADD COLUMN spared INT NOT NULL DEFAULT 0, ADD KEY webhook_deliveries_due (state, next_attempt);

-- From when the patience with a shipment is reckoned: its first attempt, and later by the time in which nothing ran.
ALTER TABLE shipments ADD COLUMN patient_from DATETIME(6) NULL;

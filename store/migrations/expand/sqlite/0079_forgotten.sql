-- +goose Up

-- When a customer was forgotten (O14): its names, addresses and texts are gone here and in its documents. The key finds those for the
-- list that backups are read with.
ALTER TABLE customers ADD COLUMN forgotten_at DATETIME NULL;
CREATE INDEX customers_forgotten ON customers (forgotten_at, id) WHERE forgotten_at IS NOT NULL;
CREATE INDEX events_customer ON events (customer_id);

-- What is still to be removed outside of the rows since a customer was forgotten: see models.Removal. subject is a row's ID, sha256
-- that of a kept file. next_attempt is in common time.
CREATE TABLE removals (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  subject INTEGER NOT NULL DEFAULT 0,
  sha256 TEXT NOT NULL DEFAULT '',
  next_attempt DATETIME NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE INDEX removals_due ON removals (next_attempt);
CREATE INDEX removals_customer ON removals (customer_id);

-- The bytes of an export to the accounts and of a file of claims go in the end, like those of a payment file.
ALTER TABLE account_export_files ADD COLUMN removed_at DATETIME NULL;
ALTER TABLE claim_files ADD COLUMN removed_at DATETIME NULL;

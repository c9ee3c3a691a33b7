-- +goose Up

-- When a customer was forgotten (O14): its names, addresses and texts are gone here and in its documents. The key finds those for the
-- list that backups are read with.
ALTER TABLE customers
  ADD COLUMN forgotten_at DATETIME(6) NULL,
  ADD KEY customers_forgotten (forgotten_at, id);
ALTER TABLE events ADD KEY events_customer (customer_id);

-- What is still to be removed outside of the rows since a customer was forgotten: see models.Removal. subject is a row's ID, sha256
-- that of a kept file. next_attempt is in common time.
CREATE TABLE removals (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL,
  kind VARCHAR(16) NOT NULL,
  subject BIGINT NOT NULL DEFAULT 0,
  sha256 CHAR(64) NOT NULL DEFAULT '',
  next_attempt DATETIME(6) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  KEY removals_due (next_attempt),
  KEY removals_customer (customer_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The bytes of an export to the accounts and of a file of claims go in the end, like those of a payment file.
ALTER TABLE account_export_files ADD COLUMN removed_at DATETIME(6) NULL;
ALTER TABLE claim_files ADD COLUMN removed_at DATETIME(6) NULL;

-- +goose Up

-- On which accounts the ledger is booked (A1), in JSON; none: the default plan.
ALTER TABLE creditors ADD COLUMN account_plan TEXT NULL;

-- The journals of periods as they were handed over to the accounts (A1a). plan is the creditor's then. series are the numbers of the
-- vouchers by year, sums what was booked by account, both in JSON. A row never changes, and no two of a creditor share a day.
CREATE TABLE account_exports (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  from_date DATE NOT NULL,
  to_date DATE NOT NULL,
  time_zone VARCHAR(64) NOT NULL,
  plan TEXT NULL,
  series TEXT NULL,
  sums TEXT NULL,
  vouchers BIGINT NOT NULL,
  debit BIGINT NOT NULL,
  opening BIGINT NOT NULL,
  closing BIGINT NOT NULL,
  made_by VARCHAR(200) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY account_exports_number (creditor_id, number)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The files of an export, one for each form that was asked for: sha256 names its bytes in the archive.
CREATE TABLE account_export_files (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  export_id BIGINT NOT NULL,
  form VARCHAR(32) NOT NULL,
  sha256 VARCHAR(64) NOT NULL,
  size BIGINT NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY account_export_files_form (export_id, form)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

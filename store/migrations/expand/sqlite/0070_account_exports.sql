-- +goose Up

-- On which accounts the ledger is booked (A1), in JSON; none: the default plan.
ALTER TABLE creditors ADD COLUMN account_plan TEXT NULL;

-- The journals of periods as they were handed over to the accounts (A1a). plan is the creditor's then. series are the numbers of the
-- vouchers by year, sums what was booked by account, both in JSON. A row never changes, and no two of a creditor share a day.
CREATE TABLE account_exports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  from_date DATE NOT NULL,
  to_date DATE NOT NULL,
  time_zone TEXT NOT NULL,
  plan TEXT NULL,
  series TEXT NULL,
  sums TEXT NULL,
  vouchers INTEGER NOT NULL,
  debit INTEGER NOT NULL,
  opening INTEGER NOT NULL,
  closing INTEGER NOT NULL,
  made_by TEXT NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX account_exports_number ON account_exports (creditor_id, number);

-- The files of an export, one for each form that was asked for: sha256 names its bytes in the archive.
CREATE TABLE account_export_files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  export_id INTEGER NOT NULL,
  form TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  size INTEGER NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX account_export_files_form ON account_export_files (export_id, form);

-- +goose Up

-- The folders at banks that payment files are fetched from, by URL: when to look into each next, who is looking,
-- and for how long that has failed.
CREATE TABLE bank_folders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  remote TEXT NOT NULL,
  next_check DATETIME NOT NULL,
  claimed_until DATETIME NULL,
  failures INTEGER NOT NULL,
  failing_since DATETIME NULL,
  last_success DATETIME NULL,
  told BOOLEAN NOT NULL
);
CREATE UNIQUE INDEX bank_folders_remote ON bank_folders (remote);

-- Each look into such a folder, of the last months. One that found nothing new counts as a file (E6b).
CREATE TABLE bank_checks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  remote TEXT NOT NULL,
  started_at DATETIME NOT NULL,
  ended_at DATETIME NULL,
  ok BOOLEAN NOT NULL,
  found INTEGER NOT NULL,
  files INTEGER NOT NULL,
  failure TEXT NOT NULL
);
CREATE INDEX bank_checks_remote ON bank_checks (remote, started_at);
CREATE INDEX bank_checks_empty ON bank_checks (ok, found, started_at);

-- The bank days for which a person has said that no file comes (E6b).
CREATE TABLE bank_confirmations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  bank_day DATE NOT NULL,
  actor TEXT NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX bank_confirmations_day ON bank_confirmations (creditor_id, bank_day);

-- Whether the bank's files were late on the business date of a dunning run, of which the creditor is told once (E6b).
ALTER TABLE runs ADD COLUMN files_late BOOLEAN NOT NULL DEFAULT 0;

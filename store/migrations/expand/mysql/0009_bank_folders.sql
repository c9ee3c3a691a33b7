-- +goose Up

-- The folders at banks that payment files are fetched from, by URL: when to look into each next, who is looking,
-- and for how long that has failed.
CREATE TABLE bank_folders (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  remote VARCHAR(500) NOT NULL,
  next_check DATETIME(6) NOT NULL,
  claimed_until DATETIME(6) NULL,
  failures INT NOT NULL,
  failing_since DATETIME(6) NULL,
  last_success DATETIME(6) NULL,
  told BOOLEAN NOT NULL,
  UNIQUE KEY bank_folders_remote (remote)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Each look into such a folder, of the last months. One that found nothing new counts as a file (E6b).
CREATE TABLE bank_checks (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  remote VARCHAR(500) NOT NULL,
  started_at DATETIME(6) NOT NULL,
  ended_at DATETIME(6) NULL,
  ok BOOLEAN NOT NULL,
  found INT NOT NULL,
  files INT NOT NULL,
  failure TEXT NOT NULL,
  KEY bank_checks_remote (remote, started_at),
  KEY bank_checks_empty (ok, found, started_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The bank days for which a person has said that no file comes (E6b).
CREATE TABLE bank_confirmations (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  bank_day DATE NOT NULL,
  actor VARCHAR(250) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY bank_confirmations_day (creditor_id, bank_day)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Whether the bank's files were late on the business date of a dunning run, of which the creditor is told once (E6b).
ALTER TABLE runs ADD COLUMN files_late TINYINT(1) NOT NULL DEFAULT 0;

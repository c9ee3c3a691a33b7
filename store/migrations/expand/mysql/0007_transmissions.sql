-- +goose Up

-- The bank's transmissions that were imported, once for each account in them. Another version is one whose content
-- differs, and that a person accepted (E4). The serial is the number where it is one of a series, else 0.
CREATE TABLE transmissions (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  payment_file_id BIGINT NOT NULL,
  owner_id BIGINT NOT NULL,
  creditor_id BIGINT NOT NULL,
  sender VARCHAR(40) NOT NULL,
  recipient VARCHAR(40) NOT NULL,
  number VARCHAR(60) NOT NULL,
  serial BIGINT NOT NULL,
  account VARCHAR(40) NOT NULL,
  content VARCHAR(64) NOT NULL,
  version INT NOT NULL,
  UNIQUE KEY transmissions_version (sender, recipient, number, creditor_id, account, version),
  KEY transmissions_serial (sender, recipient, serial)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The numbers that the transmissions have skipped, each with the file that showed it (E4). Those that came since
-- stand in transmissions too.
CREATE TABLE skipped_transmissions (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  payment_file_id BIGINT NOT NULL,
  owner_id BIGINT NOT NULL,
  sender VARCHAR(40) NOT NULL,
  recipient VARCHAR(40) NOT NULL,
  serial BIGINT NOT NULL,
  dismissed TINYINT(1) NOT NULL,
  UNIQUE KEY skipped_transmissions_serial (sender, recipient, serial, owner_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Whether the file is to be imported although one of its transmissions came before with other content.
ALTER TABLE payment_files ADD COLUMN accept_conflict TINYINT(1) NOT NULL DEFAULT 0 AFTER arrival;

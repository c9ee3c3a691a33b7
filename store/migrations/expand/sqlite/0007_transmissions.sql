-- +goose Up

-- The bank's transmissions that were imported, once for each account in them. Another version is one whose content
-- differs, and that a person accepted (E4). The serial is the number where it is one of a series, else 0.
CREATE TABLE transmissions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  payment_file_id INTEGER NOT NULL,
  owner_id INTEGER NOT NULL,
  creditor_id INTEGER NOT NULL,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  number TEXT NOT NULL,
  serial INTEGER NOT NULL,
  account TEXT NOT NULL,
  content TEXT NOT NULL,
  version INTEGER NOT NULL
);
CREATE UNIQUE INDEX transmissions_version ON transmissions (sender, recipient, number, creditor_id, account, version);
CREATE INDEX transmissions_serial ON transmissions (sender, recipient, serial);

-- The numbers that the transmissions have skipped, each with the file that showed it (E4). Those that came since
-- stand in transmissions too.
CREATE TABLE skipped_transmissions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  payment_file_id INTEGER NOT NULL,
  owner_id INTEGER NOT NULL,
  sender TEXT NOT NULL,
  recipient TEXT NOT NULL,
  serial INTEGER NOT NULL,
  dismissed BOOLEAN NOT NULL
);
CREATE UNIQUE INDEX skipped_transmissions_serial ON skipped_transmissions (sender, recipient, serial, owner_id);

-- Whether the file is to be imported although one of its transmissions came before with other content.
ALTER TABLE payment_files ADD COLUMN accept_conflict BOOLEAN NOT NULL DEFAULT FALSE;

-- +goose Up

-- What the debt collector tells of what was handed over (C1). identity tells a report from others of its hand-over and state.
CREATE TABLE collection_reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  hand_over_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  state TEXT NOT NULL,
  reference TEXT NOT NULL,
  identity TEXT NOT NULL,
  at DATE NOT NULL,
  amount INTEGER NOT NULL,
  divided BOOLEAN NOT NULL,
  principal INTEGER NOT NULL,
  interest INTEGER NOT NULL,
  fees INTEGER NOT NULL,
  reason TEXT NOT NULL,
  actor TEXT NOT NULL,
  entry_id INTEGER NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX collection_reports_once ON collection_reports (hand_over_id, state, identity);
CREATE INDEX collection_reports_state ON collection_reports (creditor_id, state, id);
CREATE INDEX collection_reports_invoice ON collection_reports (invoice_id, id);

-- The entries on claims that are handed over, of which the debt collector is told by a file (C2); of those in no file file_id is 0.
CREATE TABLE direct_entries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  hand_over_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  entry_id INTEGER NOT NULL,
  deleted BOOLEAN NOT NULL,
  kind TEXT NOT NULL,
  date DATE NOT NULL,
  amount INTEGER NOT NULL,
  balance INTEGER NOT NULL,
  file_id INTEGER NOT NULL DEFAULT 0,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX direct_entries_once ON direct_entries (entry_id, deleted);
CREATE INDEX direct_entries_file ON direct_entries (file_id, creditor_id, created_at);
CREATE INDEX direct_entries_creditor ON direct_entries (creditor_id, id);

-- The files that tell the debt collector of them. xml_sum and csv_sum are SHA-256 in the archive.
CREATE TABLE collector_files (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  day DATE NOT NULL,
  seller_id INTEGER NOT NULL,
  xml_sum TEXT NOT NULL,
  csv_sum TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt DATETIME NOT NULL,
  taken_by TEXT NOT NULL DEFAULT '',
  delivered_at DATETIME NULL,
  failure TEXT NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX collector_files_number ON collector_files (number);
CREATE UNIQUE INDEX collector_files_day ON collector_files (creditor_id, day);
CREATE INDEX collector_files_owed ON collector_files (state, next_attempt);

-- The hand-over of which the debt collector reported a payment, or 0.
ALTER TABLE entries ADD COLUMN hand_over_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE deleted_entries ADD COLUMN hand_over_id INTEGER NOT NULL DEFAULT 0;

-- What a creditor's collector has (C3).
CREATE INDEX hand_overs_creditor ON hand_overs (creditor_id, state, id);

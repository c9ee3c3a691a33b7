-- +goose Up

-- How what a creditor sends by a method leaves, where that is its own and not the installation's (Q7). A row never changes, so that what began to
-- leave by it ends by it; the one without replaced_at counts. settings are those that a person has set, as JSON, with their secrets.
CREATE TABLE creditor_ways (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  method TEXT NOT NULL,
  settings TEXT NOT NULL,
  created_at DATETIME NOT NULL,
  replaced_at DATETIME NULL
);
CREATE INDEX creditor_ways_creditor ON creditor_ways (creditor_id, replaced_at);

-- By which way something left, or may have: 0 is the installation's, -1 the creditor's folder in the installation's, and any other the row of
-- creditor_ways. unsure counts the attempts of which nothing says that they surely failed.
ALTER TABLE shipments ADD COLUMN way INTEGER NOT NULL DEFAULT 0;
ALTER TABLE shipments ADD COLUMN unsure INTEGER NOT NULL DEFAULT 0;
ALTER TABLE letter_batches ADD COLUMN way INTEGER NOT NULL DEFAULT 0;
ALTER TABLE hand_overs ADD COLUMN way INTEGER NOT NULL DEFAULT 0;
ALTER TABLE hand_overs ADD COLUMN unsure INTEGER NOT NULL DEFAULT 0;
ALTER TABLE collector_files ADD COLUMN way INTEGER NOT NULL DEFAULT 0;
ALTER TABLE collector_files ADD COLUMN unsure INTEGER NOT NULL DEFAULT 0;

-- Which creditors' folders are asked for receipts and reports.
CREATE INDEX letter_batches_way ON letter_batches (way, creditor_id);
CREATE INDEX hand_overs_way ON hand_overs (way, creditor_id);

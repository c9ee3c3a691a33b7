-- +goose Up

-- How what a creditor sends by a method leaves, where that is its own and not the installation's (Q7). A row never changes, so that what began to
-- leave by it ends by it; the one without replaced_at counts. settings are those that a person has set, as JSON, with their secrets.
CREATE TABLE creditor_ways (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  method VARCHAR(16) NOT NULL,
  settings TEXT NOT NULL,
  created_at DATETIME(6) NOT NULL,
  replaced_at DATETIME(6) NULL,
  KEY creditor_ways_creditor (creditor_id, replaced_at)
) DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin AUTO_ID_CACHE=1;

-- By which way something left, or may have: 0 is the installation's, -1 the creditor's folder in the installation's, and any other the row of
-- creditor_ways. unsure counts the attempts of which nothing says that they surely failed.
ALTER TABLE shipments ADD COLUMN way BIGINT NOT NULL DEFAULT 0, ADD COLUMN unsure INT NOT NULL DEFAULT 0, ALGORITHM=INSTANT;
ALTER TABLE letter_batches ADD COLUMN way BIGINT NOT NULL DEFAULT 0, ALGORITHM=INSTANT;
ALTER TABLE hand_overs ADD COLUMN way BIGINT NOT NULL DEFAULT 0, ADD COLUMN unsure INT NOT NULL DEFAULT 0, ALGORITHM=INSTANT;
ALTER TABLE collector_files ADD COLUMN way BIGINT NOT NULL DEFAULT 0, ADD COLUMN unsure INT NOT NULL DEFAULT 0, ALGORITHM=INSTANT;

-- Which creditors' folders are asked for receipts and reports.
ALTER TABLE letter_batches ADD KEY letter_batches_way (way, creditor_id), ALGORITHM=INPLACE, LOCK=NONE;
ALTER TABLE hand_overs ADD KEY hand_overs_way (way, creditor_id), ALGORITHM=INPLACE, LOCK=NONE;

-- +goose Up

-- What is remembered of each way out. Of a creditor's, by one method: how it refuses, and that it is paused (D107); what the creditor
-- lacked when a person was told (D108). Of creditor 0: by which kind of real way something has left (D105).
CREATE TABLE ways_out (
  creditor_id INTEGER NOT NULL,
  method TEXT NOT NULL,
  left_by TEXT NOT NULL DEFAULT '',
  refusal TEXT NOT NULL DEFAULT '',
  refused TEXT NOT NULL DEFAULT '',
  accepted_at DATETIME NULL,
  paused_since DATETIME NULL,
  next_trial DATETIME NULL,
  trials INTEGER NOT NULL DEFAULT 0,
  told TEXT NOT NULL DEFAULT '',
  told_at DATETIME NULL,
  lacks TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (creditor_id, method)
);

-- Why a shipment that is owed is kept back, or empty: refused, way_paused, way_missing or creditor_not_ready.
ALTER TABLE shipments ADD COLUMN kept_back TEXT NOT NULL DEFAULT '';

-- The kinds of ways by which a worker hands over, as "EMAIL=smtp PAPER=folder".
ALTER TABLE workers ADD COLUMN ways TEXT NOT NULL DEFAULT '';

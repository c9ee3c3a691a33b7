-- +goose Up

-- What is remembered of each way out. Of a creditor's, by one method: how it refuses, and that it is paused (D107); what the creditor
-- lacked when a person was told (D108). Of creditor 0: by which kind of real way something has left (D105).
CREATE TABLE ways_out (
  creditor_id BIGINT NOT NULL,
  method VARCHAR(16) NOT NULL,
  left_by VARCHAR(16) NOT NULL DEFAULT '',
  refusal VARCHAR(320) NOT NULL DEFAULT '',
  refused VARCHAR(120) NOT NULL DEFAULT '',
  accepted_at DATETIME(6) NULL,
  paused_since DATETIME(6) NULL,
  next_trial DATETIME(6) NULL,
  trials INT NOT NULL DEFAULT 0,
  told VARCHAR(320) NOT NULL DEFAULT '',
  told_at DATETIME(6) NULL,
  lacks VARCHAR(200) NOT NULL DEFAULT '',
  PRIMARY KEY (creditor_id, method)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Why a shipment that is owed is kept back, or empty: refused, way_paused, way_missing or creditor_not_ready.
ALTER TABLE shipments ADD COLUMN kept_back VARCHAR(20) NOT NULL DEFAULT '';

-- The kinds of ways by which a worker hands over, as "EMAIL=smtp PAPER=folder".
ALTER TABLE workers ADD COLUMN ways VARCHAR(120) NOT NULL DEFAULT '';

-- +goose Up

-- What became of a shipment (S1). receipt is what the channel answered; fallback_of is the shipment whose place it takes;
-- retried_at is when a person last had it sent again; reported_at is the moment of the report that gave it its state;
-- held_for is the customer whose letters are held, while it waits for that.
ALTER TABLE shipments
  ADD COLUMN delivered_at DATETIME(6) NULL,
  ADD COLUMN receipt VARCHAR(200) NOT NULL DEFAULT '',
  ADD COLUMN fallback_of BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN retried_at DATETIME(6) NULL,
  ADD COLUMN reported_at DATETIME(6) NULL,
  ADD COLUMN held_for BIGINT NOT NULL DEFAULT 0;
CREATE INDEX shipments_list ON shipments (creditor_id, id, state, method);

-- What mail servers, print shops and people told of shipments after they were handed over, each report once.
CREATE TABLE shipment_reports (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  shipment_id BIGINT NOT NULL,
  state VARCHAR(16) NOT NULL,
  at DATETIME(6) NOT NULL,
  reason VARCHAR(500) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY shipment_reports_once (shipment_id, state, at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Since when, and why, letters to a customer are held, because one came back.
ALTER TABLE customers
  ADD COLUMN letters_held_since DATETIME(6) NULL,
  ADD COLUMN letters_held_reason VARCHAR(500) NOT NULL DEFAULT '';

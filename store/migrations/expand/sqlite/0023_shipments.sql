-- +goose Up

-- What became of a shipment (S1). receipt is what the channel answered; fallback_of is the shipment whose place it takes;
-- retried_at is when a person last had it sent again; reported_at is the moment of the report that gave it its state;
-- held_for is the customer whose letters are held, while it waits for that.
ALTER TABLE shipments ADD COLUMN delivered_at DATETIME NULL;
ALTER TABLE shipments ADD COLUMN receipt TEXT NOT NULL DEFAULT '';
ALTER TABLE shipments ADD COLUMN fallback_of INTEGER NOT NULL DEFAULT 0;
ALTER TABLE shipments ADD COLUMN retried_at DATETIME NULL;
ALTER TABLE shipments ADD COLUMN reported_at DATETIME NULL;
ALTER TABLE shipments ADD COLUMN held_for INTEGER NOT NULL DEFAULT 0;
CREATE INDEX shipments_list ON shipments (creditor_id, id, state, method);

-- What mail servers, print shops and people told of shipments after they were handed over, each report once.
CREATE TABLE shipment_reports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  shipment_id INTEGER NOT NULL,
  state TEXT NOT NULL,
  at DATETIME NOT NULL,
  reason TEXT NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX shipment_reports_once ON shipment_reports (shipment_id, state, at);

-- Since when, and why, letters to a customer are held, because one came back.
ALTER TABLE customers ADD COLUMN letters_held_since DATETIME NULL;
ALTER TABLE customers ADD COLUMN letters_held_reason TEXT NOT NULL DEFAULT '';

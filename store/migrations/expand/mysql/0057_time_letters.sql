-- +goose Up

-- What the shipment tells of more time for its invoice, in JSON: the invoice goes with a letter that says so (N11). NULL of any other.
ALTER TABLE shipments ADD COLUMN more_time TEXT NULL;

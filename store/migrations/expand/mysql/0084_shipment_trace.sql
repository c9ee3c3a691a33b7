-- +goose Up

-- What made a shipment, as the W3C's traceparent says it, so that its leaving is told as part of the same trace (K7). Empty where nothing is told.
ALTER TABLE shipments ADD COLUMN trace_parent VARCHAR(55) NOT NULL DEFAULT '', ALGORITHM=INSTANT;

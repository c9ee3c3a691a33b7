-- +goose Up

-- Letters that go to a print shop together (S4a). The manifest is set in the transaction after which it may leave. Until then
-- nobody has got anything, and its letters can be taken out. From then on the batch is those letters and these bytes.
CREATE TABLE letter_batches (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  state TEXT NOT NULL,
  business_date DATE NOT NULL,
  manifest TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  next_attempt DATETIME NOT NULL,
  taken_by TEXT NOT NULL DEFAULT '',
  failure TEXT NOT NULL DEFAULT '',
  created_at DATETIME NOT NULL,
  handed_over_at DATETIME NULL
);
CREATE INDEX letter_batches_state ON letter_batches (state, creditor_id, next_attempt);

-- The batch that has the letter in hand, or 0.
ALTER TABLE shipments ADD COLUMN batch_id INTEGER NOT NULL DEFAULT 0;
CREATE INDEX shipments_batch ON shipments (batch_id, id) WHERE batch_id <> 0; -- nearly all are 0

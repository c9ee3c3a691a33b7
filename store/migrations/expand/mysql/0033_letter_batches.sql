-- +goose Up

-- Letters that go to a print shop together (S4a). The manifest is set in the transaction after which it may leave. Until then
-- nobody has got anything, and its letters can be taken out. From then on the batch is those letters and these bytes.
CREATE TABLE letter_batches (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  state VARCHAR(16) NOT NULL,
  business_date DATE NOT NULL,
  manifest MEDIUMTEXT NOT NULL,
  attempts INT NOT NULL DEFAULT 0,
  next_attempt DATETIME(6) NOT NULL,
  taken_by VARCHAR(32) NOT NULL DEFAULT '',
  failure VARCHAR(500) NOT NULL DEFAULT '',
  created_at DATETIME(6) NOT NULL,
  handed_over_at DATETIME(6) NULL,
  KEY letter_batches_state (state, creditor_id, next_attempt)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The batch that has the letter in hand, or 0.
ALTER TABLE shipments ADD COLUMN batch_id BIGINT NOT NULL DEFAULT 0;
CREATE INDEX shipments_batch ON shipments (batch_id, id);

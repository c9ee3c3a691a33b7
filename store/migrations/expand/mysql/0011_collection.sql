-- +goose Up

-- What each line of a notice is and when it was posted, so that its letter can show principal, interest and fees
-- apart. Lines of notices made before have neither.
ALTER TABLE overdue_notice_lines ADD COLUMN type VARCHAR(16) NOT NULL DEFAULT '', ADD COLUMN transaction_date DATE NULL;

-- A reminder in the place of a debt-collection warning, which the law leaves to agencies, says what can follow.
ALTER TABLE overdue_notices ADD COLUMN announces TINYINT(1) NOT NULL DEFAULT 0;

-- Why dunning is on hold: a dispute forbids fees (E2).
ALTER TABLE invoices ADD COLUMN hold_reason VARCHAR(16) NOT NULL DEFAULT '';
ALTER TABLE customers ADD COLUMN hold_reason VARCHAR(16) NOT NULL DEFAULT '';

-- What went to debt collection, and what of it the collector is owed: the bundle, or word that it is taken back.
CREATE TABLE hand_overs (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  invoice_id BIGINT NOT NULL,
  handed_over DATE NOT NULL,
  last_entry_id BIGINT NOT NULL,
  bundle VARCHAR(64) NOT NULL,
  state VARCHAR(16) NOT NULL,
  attempts INT NOT NULL,
  next_attempt DATETIME(6) NOT NULL,
  delivered_at DATETIME(6) NULL,
  taken_back DATE NULL,
  failure TEXT NOT NULL,
  created_at DATETIME(6) NOT NULL,
  KEY hand_overs_invoice (invoice_id, id),
  KEY hand_overs_owed (state, next_attempt)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What went before there were bundles is known to the collector.
INSERT INTO hand_overs (creditor_id, invoice_id, handed_over, last_entry_id, bundle, state, attempts, next_attempt, failure, created_at)
  SELECT creditor_id, id, handed_over, (SELECT COALESCE(MAX(e.id), 0) FROM entries e WHERE e.invoice_id = invoices.id), '', 'delivered', 0,
    created_at, '', created_at
  FROM invoices WHERE handed_over IS NOT NULL;

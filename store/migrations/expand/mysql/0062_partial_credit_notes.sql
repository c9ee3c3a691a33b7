-- +goose Up

-- A credit note credits a whole invoice, or the lines of its own (L27): an invoice may have several.
ALTER TABLE credit_notes
  ADD COLUMN partial BOOLEAN NOT NULL DEFAULT FALSE,
  ADD KEY credit_notes_of (invoice_id, id),
  DROP KEY credit_notes_invoice;

CREATE TABLE credit_note_lines (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  credit_note_id BIGINT NOT NULL,
  position INT NOT NULL,
  text TEXT NOT NULL,
  vat VARCHAR(16) NOT NULL,
  vat_percent INT NOT NULL,
  vat_exemption VARCHAR(1) NOT NULL,
  net BIGINT NOT NULL,
  gross BIGINT NOT NULL,
  UNIQUE KEY credit_note_lines_position (credit_note_id, position)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

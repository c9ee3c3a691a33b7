-- +goose Up

-- A credit note credits a whole invoice, or the lines of its own (L27): an invoice may have several.
ALTER TABLE credit_notes ADD COLUMN partial BOOLEAN NOT NULL DEFAULT FALSE;
CREATE INDEX credit_notes_of ON credit_notes (invoice_id, id);
DROP INDEX credit_notes_invoice;

CREATE TABLE credit_note_lines (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  credit_note_id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  text TEXT NOT NULL,
  vat TEXT NOT NULL,
  vat_percent INTEGER NOT NULL,
  vat_exemption TEXT NOT NULL,
  net INTEGER NOT NULL,
  gross INTEGER NOT NULL
);
CREATE UNIQUE INDEX credit_note_lines_position ON credit_note_lines (credit_note_id, position);

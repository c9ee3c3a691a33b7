-- +goose Up

-- The language of whoever has none (L24), how many lines an invoice may have (L28), and what stands on all documents: a text in the
-- footer, and the logo by its SHA-256 in the archive; empty: none (L19).
ALTER TABLE creditors
  ADD COLUMN language VARCHAR(2) NOT NULL DEFAULT 'nb',
  ADD COLUMN max_lines INT NOT NULL DEFAULT 8,
  ADD COLUMN footer_text VARCHAR(500) NOT NULL DEFAULT '',
  ADD COLUMN logo VARCHAR(64) NOT NULL DEFAULT '';
ALTER TABLE sellers
  ADD COLUMN footer_text VARCHAR(500) NOT NULL DEFAULT '',
  ADD COLUMN logo VARCHAR(64) NOT NULL DEFAULT '';

-- +goose Up

-- The language of whoever has none (L24), how many lines an invoice may have (L28), and what stands on all documents: a text in the
-- footer, and the logo by its SHA-256 in the archive; empty: none (L19).
ALTER TABLE creditors ADD COLUMN language TEXT NOT NULL DEFAULT 'nb';
ALTER TABLE creditors ADD COLUMN max_lines INTEGER NOT NULL DEFAULT 8;
ALTER TABLE creditors ADD COLUMN footer_text TEXT NOT NULL DEFAULT '';
ALTER TABLE creditors ADD COLUMN logo TEXT NOT NULL DEFAULT '';
ALTER TABLE sellers ADD COLUMN footer_text TEXT NOT NULL DEFAULT '';
ALTER TABLE sellers ADD COLUMN logo TEXT NOT NULL DEFAULT '';

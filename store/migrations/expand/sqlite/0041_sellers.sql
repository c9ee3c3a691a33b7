-- +goose Up

-- What documents show of their creditor, once for each content that a document was issued with (D112). content is the
-- SHA-256 of the rest. Rows are never changed.
CREATE TABLE sellers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  content TEXT NOT NULL,
  name TEXT NOT NULL,
  organisation_number TEXT NOT NULL,
  business_register BOOLEAN NOT NULL,
  vat_registered BOOLEAN NOT NULL,
  vat_known BOOLEAN NOT NULL,
  vat_exemption TEXT NOT NULL,
  address1 TEXT NOT NULL,
  address2 TEXT NOT NULL,
  postal_code TEXT NOT NULL,
  postal_name TEXT NOT NULL,
  country_code TEXT NOT NULL,
  email TEXT NOT NULL,
  phone TEXT NOT NULL,
  website TEXT NOT NULL,
  bank_account TEXT NOT NULL,
  iban TEXT NOT NULL,
  bic TEXT NOT NULL,
  ehf_default_reference TEXT NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX sellers_content ON sellers (creditor_id, content);

-- seller_id is 0 in documents from before. language is that of the document, empty in documents from before.
ALTER TABLE invoices ADD COLUMN seller_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE invoices ADD COLUMN language TEXT NOT NULL DEFAULT '';
ALTER TABLE credit_notes ADD COLUMN seller_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE credit_notes ADD COLUMN language TEXT NOT NULL DEFAULT '';
ALTER TABLE overdue_notices ADD COLUMN seller_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE overdue_notices ADD COLUMN language TEXT NOT NULL DEFAULT '';
ALTER TABLE statements ADD COLUMN seller_id INTEGER NOT NULL DEFAULT 0;
ALTER TABLE hand_overs ADD COLUMN seller_id INTEGER NOT NULL DEFAULT 0;

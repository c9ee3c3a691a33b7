-- +goose Up

-- What documents show of their creditor, once for each content that a document was issued with (D112). content is the
-- SHA-256 of the rest. Rows are never changed.
CREATE TABLE sellers (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  content VARCHAR(64) NOT NULL,
  name VARCHAR(100) NOT NULL,
  organisation_number VARCHAR(9) NOT NULL,
  business_register TINYINT(1) NOT NULL,
  vat_registered TINYINT(1) NOT NULL,
  vat_known TINYINT(1) NOT NULL,
  vat_exemption VARCHAR(1) NOT NULL,
  address1 VARCHAR(100) NOT NULL,
  address2 VARCHAR(100) NOT NULL,
  postal_code VARCHAR(16) NOT NULL,
  postal_name VARCHAR(60) NOT NULL,
  country_code VARCHAR(2) NOT NULL,
  email VARCHAR(254) NOT NULL,
  phone VARCHAR(40) NOT NULL,
  website VARCHAR(100) NOT NULL,
  bank_account VARCHAR(11) NOT NULL,
  iban VARCHAR(34) NOT NULL,
  bic VARCHAR(11) NOT NULL,
  ehf_default_reference VARCHAR(100) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY sellers_content (creditor_id, content)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- seller_id is 0 in documents from before. language is that of the document, empty in documents from before.
ALTER TABLE invoices ADD COLUMN seller_id BIGINT NOT NULL DEFAULT 0, ADD COLUMN language VARCHAR(2) NOT NULL DEFAULT '';
ALTER TABLE credit_notes ADD COLUMN seller_id BIGINT NOT NULL DEFAULT 0, ADD COLUMN language VARCHAR(2) NOT NULL DEFAULT '';
ALTER TABLE overdue_notices ADD COLUMN seller_id BIGINT NOT NULL DEFAULT 0, ADD COLUMN language VARCHAR(2) NOT NULL DEFAULT '';
ALTER TABLE statements ADD COLUMN seller_id BIGINT NOT NULL DEFAULT 0;
ALTER TABLE hand_overs ADD COLUMN seller_id BIGINT NOT NULL DEFAULT 0;

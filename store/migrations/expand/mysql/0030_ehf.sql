-- +goose Up

-- What EHF documents say (H1). ehf_default_reference: the buyer's reference where an invoice has none of its own.
ALTER TABLE creditors
  ADD COLUMN ehf_default_reference VARCHAR(100) NOT NULL DEFAULT '',
  -- A notice to a business that receives EHF Reminder goes by it besides paper.
  ADD COLUMN dunning_ehf_reminder TINYINT(1) NOT NULL DEFAULT 0;

-- What a line without VAT is: E (exempt), Z (zero-rated), or empty for what the creditor's vat_exemption says.
ALTER TABLE invoice_lines ADD COLUMN vat_exemption VARCHAR(1) NOT NULL DEFAULT '';

-- The SHA-256 of the document's stored EHF, in hex; empty until it is made (H2).
ALTER TABLE invoices ADD COLUMN ehf VARCHAR(64) NOT NULL DEFAULT '';
ALTER TABLE credit_notes ADD COLUMN ehf VARCHAR(64) NOT NULL DEFAULT '';
ALTER TABLE overdue_notices ADD COLUMN ehf VARCHAR(64) NOT NULL DEFAULT '';

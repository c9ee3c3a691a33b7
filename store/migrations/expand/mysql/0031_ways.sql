-- +goose Up

-- How documents reach whom they are for (S2, H4). fallback: the methods that are tried one after the other, such as
-- EHF>EMAIL>PAPER; empty for the default.
ALTER TABLE creditors ADD COLUMN fallback VARCHAR(20) NOT NULL DEFAULT '';

-- ehf_...: what the network said that the business with this organisation number receives: yes, no, unknown, or empty if it
-- was never asked.
ALTER TABLE customers
  ADD COLUMN fallback VARCHAR(20) NOT NULL DEFAULT '',
  ADD COLUMN ehf_organisation_number VARCHAR(9) NOT NULL DEFAULT '',
  ADD COLUMN ehf_invoice VARCHAR(7) NOT NULL DEFAULT '',
  ADD COLUMN ehf_credit_note VARCHAR(7) NOT NULL DEFAULT '',
  ADD COLUMN ehf_reminder VARCHAR(7) NOT NULL DEFAULT '',
  ADD COLUMN ehf_checked_at DATETIME(6) NULL;

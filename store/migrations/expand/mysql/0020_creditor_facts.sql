-- +goose Up

-- What documents say of the creditor (L8). business_register is NULL where the legal form in the name decides.
ALTER TABLE creditors ADD COLUMN phone VARCHAR(40) NOT NULL DEFAULT '';
ALTER TABLE creditors ADD COLUMN website VARCHAR(100) NOT NULL DEFAULT '';
ALTER TABLE creditors ADD COLUMN iban VARCHAR(34) NOT NULL DEFAULT '';
ALTER TABLE creditors ADD COLUMN bic VARCHAR(11) NOT NULL DEFAULT '';
ALTER TABLE creditors ADD COLUMN business_register TINYINT(1) NULL;
ALTER TABLE creditors ADD COLUMN vat_exemption VARCHAR(1) NOT NULL DEFAULT '';

-- What the last event said that is missing for dunning (L8).
ALTER TABLE creditors ADD COLUMN told_missing VARCHAR(200) NOT NULL DEFAULT '';

-- vat_known: somebody has said whether the creditor is registered for VAT (L9). Of a creditor that was there before,
-- it is known if it is registered, or if an event tells that somebody changed it back. vat_doubted: an event has told
-- that an invoice with VAT was issued while it was not known.
ALTER TABLE creditors ADD COLUMN vat_known TINYINT(1) NOT NULL DEFAULT 0;
ALTER TABLE creditors ADD COLUMN vat_doubted TINYINT(1) NOT NULL DEFAULT 0;
UPDATE creditors SET vat_known = 1 WHERE vat_registered = 1 OR id IN (
  SELECT creditor_id FROM events WHERE type = 'creditor.changed' AND data LIKE '%"vat_registered":{"was":true,"is":false}%');

-- forced: a person insisted on the hand-over, although the warning's deadline had not passed (L10).
ALTER TABLE hand_overs ADD COLUMN forced TINYINT(1) NOT NULL DEFAULT 0;

-- +goose Up

-- What documents say of the creditor (L8). business_register is NULL where the legal form in the name decides.
ALTER TABLE creditors ADD COLUMN phone TEXT NOT NULL DEFAULT '';
ALTER TABLE creditors ADD COLUMN website TEXT NOT NULL DEFAULT '';
ALTER TABLE creditors ADD COLUMN iban TEXT NOT NULL DEFAULT '';
ALTER TABLE creditors ADD COLUMN bic TEXT NOT NULL DEFAULT '';
ALTER TABLE creditors ADD COLUMN business_register BOOLEAN NULL;
ALTER TABLE creditors ADD COLUMN vat_exemption TEXT NOT NULL DEFAULT '';

-- What the last event said that is missing for dunning (L8).
ALTER TABLE creditors ADD COLUMN told_missing TEXT NOT NULL DEFAULT '';

-- vat_known: somebody has said whether the creditor is registered for VAT (L9). Of a creditor that was there before,
-- it is known if it is registered, or if an event tells that somebody changed it back. vat_doubted: an event has told
-- that an invoice with VAT was issued while it was not known.
ALTER TABLE creditors ADD COLUMN vat_known BOOLEAN NOT NULL DEFAULT 0;
ALTER TABLE creditors ADD COLUMN vat_doubted BOOLEAN NOT NULL DEFAULT 0;
UPDATE creditors SET vat_known = 1 WHERE vat_registered = 1 OR id IN (
  SELECT creditor_id FROM events WHERE type = 'creditor.changed' AND data LIKE '%"vat_registered":{"was":true,"is":false}%');

-- forced: a person insisted on the hand-over, although the warning's deadline had not passed (L10).
ALTER TABLE hand_overs ADD COLUMN forced BOOLEAN NOT NULL DEFAULT 0;

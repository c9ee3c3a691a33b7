-- +goose Up

-- A creditor is read whole with every request, so what few rows it has of its own are kept with it: its VAT
-- percents by date, as JSON (D14), and whether there are webhooks (E7).
ALTER TABLE creditors
  ADD COLUMN vat_rates TEXT NULL AFTER time_zone,
  ADD COLUMN has_webhooks TINYINT(1) NOT NULL DEFAULT 0;
UPDATE creditors SET vat_rates = (
  SELECT JSON_ARRAYAGG(JSON_OBJECT('name', name, 'percent', CONCAT(percent DIV 100, '.', LPAD(percent MOD 100, 2, '0')), 'from', CAST(from_date AS CHAR)))
  FROM vat_rates WHERE creditor_id = creditors.id);
UPDATE creditors SET has_webhooks = 1 WHERE id IN (SELECT creditor_id FROM webhooks);
DROP TABLE vat_rates;

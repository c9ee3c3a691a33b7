-- +goose Up

-- A creditor is read whole with every request, so what few rows it has of its own are kept with it: its VAT
-- percents by date, as JSON (D14), and whether there are webhooks (E7).
ALTER TABLE creditors ADD COLUMN vat_rates TEXT NULL;
ALTER TABLE creditors ADD COLUMN has_webhooks INTEGER NOT NULL DEFAULT 0;
UPDATE creditors SET vat_rates = (
  SELECT json_group_array(json_object('name', name, 'percent', printf('%d.%02d', percent / 100, percent % 100), 'from', substr(from_date, 1, 10)))
  FROM vat_rates WHERE creditor_id = creditors.id)
  WHERE id IN (SELECT creditor_id FROM vat_rates);
UPDATE creditors SET has_webhooks = 1 WHERE id IN (SELECT creditor_id FROM webhooks);
DROP TABLE vat_rates;

-- +goose Up

-- Payment plans (L15). instalments is JSON: due dates with amounts. sum is what was claimed when the plan was made, and last_entry_id the
-- newest entry of the invoice then: what the balance has fallen by since, without later charges, covers the instalments in order. The plan is a
-- letter too: language, seller_id and recipient_… are what it shows.
CREATE TABLE payment_plans (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  since DATE NOT NULL,
  sum INTEGER NOT NULL,
  last_entry_id INTEGER NOT NULL,
  instalments TEXT NOT NULL,
  state TEXT NOT NULL,
  ended_on DATE NULL,
  language TEXT NOT NULL,
  seller_id INTEGER NOT NULL,
  recipient_name1 TEXT NOT NULL,
  recipient_name2 TEXT NOT NULL,
  recipient_address1 TEXT NOT NULL,
  recipient_address2 TEXT NOT NULL,
  recipient_postal_code TEXT NOT NULL,
  recipient_postal_name TEXT NOT NULL,
  recipient_country_code TEXT NOT NULL,
  recipient_email TEXT NOT NULL,
  recipient_customer_number TEXT NOT NULL,
  recipient_organisation_number TEXT NOT NULL,
  pdf TEXT NOT NULL DEFAULT '',
  created_at DATETIME NOT NULL
);
CREATE INDEX payment_plans_state ON payment_plans (creditor_id, state, id);
CREATE INDEX payment_plans_invoice ON payment_plans (invoice_id, id);
CREATE INDEX payment_plans_customer ON payment_plans (customer_id, id);

-- The plan that runs for the invoice, or 0.
ALTER TABLE invoices ADD COLUMN plan_id INTEGER NOT NULL DEFAULT 0;

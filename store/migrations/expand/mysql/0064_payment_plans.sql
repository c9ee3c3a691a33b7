-- +goose Up

-- Payment plans (L15). instalments is JSON: due dates with amounts. sum is what was claimed when the plan was made, and last_entry_id the
-- newest entry of the invoice then: what the balance has fallen by since, without later charges, covers the instalments in order. The plan is a
-- letter too: language, seller_id and recipient_… are what it shows.
CREATE TABLE payment_plans (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL,
  invoice_id BIGINT NOT NULL,
  since DATE NOT NULL,
  sum BIGINT NOT NULL,
  last_entry_id BIGINT NOT NULL,
  instalments TEXT NOT NULL,
  state VARCHAR(16) NOT NULL,
  ended_on DATE NULL,
  language VARCHAR(2) NOT NULL,
  seller_id BIGINT NOT NULL,
  recipient_name1 VARCHAR(100) NOT NULL,
  recipient_name2 VARCHAR(100) NOT NULL,
  recipient_address1 VARCHAR(100) NOT NULL,
  recipient_address2 VARCHAR(100) NOT NULL,
  recipient_postal_code VARCHAR(16) NOT NULL,
  recipient_postal_name VARCHAR(60) NOT NULL,
  recipient_country_code VARCHAR(2) NOT NULL,
  recipient_email VARCHAR(254) NOT NULL,
  recipient_customer_number VARCHAR(40) NOT NULL,
  recipient_organisation_number VARCHAR(9) NOT NULL,
  pdf VARCHAR(64) NOT NULL DEFAULT '',
  created_at DATETIME(6) NOT NULL,
  KEY payment_plans_state (creditor_id, state, id),
  KEY payment_plans_invoice (invoice_id, id),
  KEY payment_plans_customer (customer_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The plan that runs for the invoice, or 0.
ALTER TABLE invoices ADD COLUMN plan_id BIGINT NOT NULL DEFAULT 0;

-- +goose Up

-- A repayment that is owed is due when it is asked for (D96): an invoice on which nothing else is owed is not overdue. stage is
-- models.Invoice.Stage. The key finds the few invoices with a repayment. SQLite changes no stored column, so the rows go to a
-- table of the same columns.
CREATE TABLE invoices_claimed (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  number INTEGER NOT NULL,
  issue_date DATE NOT NULL,
  due_date DATE NOT NULL,
  num_due_days INTEGER NOT NULL,
  gross INTEGER NOT NULL,
  net INTEGER NOT NULL,
  note TEXT NOT NULL,
  kid TEXT NOT NULL,
  bank_account TEXT NOT NULL,
  recipient_name1 TEXT NOT NULL,
  recipient_name2 TEXT NOT NULL,
  recipient_address1 TEXT NOT NULL,
  recipient_address2 TEXT NOT NULL,
  recipient_postal_code TEXT NOT NULL,
  recipient_postal_name TEXT NOT NULL,
  recipient_country_code TEXT NOT NULL,
  recipient_email TEXT NOT NULL,
  recipient_customer_number TEXT NOT NULL,
  search TEXT NOT NULL,
  balance INTEGER NOT NULL,
  notices INTEGER NOT NULL,
  warned BOOLEAN NOT NULL,
  deadline DATE NOT NULL,
  closed TEXT NOT NULL,
  handed_over DATE NULL,
  hold_held BOOLEAN NOT NULL,
  hold_until DATE NULL,
  hold_comment TEXT NOT NULL,
  pdf TEXT NOT NULL,
  created_at DATETIME NOT NULL,
  stage TEXT GENERATED ALWAYS AS (CASE
    WHEN closed = 'lost' THEN 'closed_lost'
    WHEN closed = 'other' THEN 'closed_other'
    WHEN handed_over IS NOT NULL THEN 'collection'
    WHEN balance <= 0 THEN 'paid'
    WHEN balance <= repayment_owed THEN 'repaying'
    WHEN warned = 1 THEN 'warned'
    WHEN notices > 0 THEN 'reminded'
    ELSE 'open' END) STORED,
  search_digit INTEGER NOT NULL DEFAULT 0,
  hold_reason TEXT NOT NULL DEFAULT '',
  your_reference TEXT NOT NULL DEFAULT '',
  order_number TEXT NOT NULL DEFAULT '',
  delivery_date DATE NULL,
  delivery_place TEXT NOT NULL DEFAULT '',
  recipient_organisation_number TEXT NOT NULL DEFAULT '',
  ehf TEXT NOT NULL DEFAULT '',
  repayment_owed INTEGER NOT NULL DEFAULT 0,
  seller_id INTEGER NOT NULL DEFAULT 0,
  language TEXT NOT NULL DEFAULT ''
);
INSERT INTO invoices_claimed (
  id, creditor_id, customer_id, number, issue_date, due_date, num_due_days, gross, net, note, kid, bank_account,
  recipient_name1, recipient_name2, recipient_address1, recipient_address2, recipient_postal_code,
  recipient_postal_name, recipient_country_code, recipient_email, recipient_customer_number, search, balance, notices,
  warned, deadline, closed, handed_over, hold_held, hold_until, hold_comment, pdf, created_at, search_digit,
  hold_reason, your_reference, order_number, delivery_date, delivery_place, recipient_organisation_number, ehf,
  repayment_owed, seller_id, language
) SELECT
  id, creditor_id, customer_id, number, issue_date, due_date, num_due_days, gross, net, note, kid, bank_account,
  recipient_name1, recipient_name2, recipient_address1, recipient_address2, recipient_postal_code,
  recipient_postal_name, recipient_country_code, recipient_email, recipient_customer_number, search, balance, notices,
  warned, deadline, closed, handed_over, hold_held, hold_until, hold_comment, pdf, created_at, search_digit,
  hold_reason, your_reference, order_number, delivery_date, delivery_place, recipient_organisation_number, ehf,
  repayment_owed, seller_id, language
FROM invoices;
UPDATE sqlite_sequence SET seq = COALESCE((SELECT seq FROM sqlite_sequence WHERE name = 'invoices'), 0) WHERE name = 'invoices_claimed';
DROP TABLE invoices;
ALTER TABLE invoices_claimed RENAME TO invoices;
CREATE UNIQUE INDEX invoices_number ON invoices (creditor_id, number);
CREATE INDEX invoices_customer ON invoices (customer_id);
CREATE INDEX invoices_list ON invoices (creditor_id, id, stage, deadline, issue_date);
CREATE INDEX invoices_stage ON invoices (creditor_id, stage, deadline, id, issue_date);
CREATE INDEX invoices_search ON invoices (creditor_id, search_digit, search);
CREATE INDEX invoices_credit ON invoices (creditor_id, customer_id, balance) WHERE balance < 0;
CREATE INDEX invoices_owing ON invoices (creditor_id, customer_id, balance) WHERE balance > 0;
CREATE INDEX invoices_balance ON invoices (creditor_id, balance, id, closed, due_date, customer_id) WHERE balance > 0;
CREATE INDEX invoices_gross ON invoices (creditor_id, gross);
CREATE INDEX invoices_repayment ON invoices (creditor_id, repayment_owed) WHERE repayment_owed > 0;

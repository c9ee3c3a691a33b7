-- +goose Up

-- The time that a customer was given for an invoice, and the days of which no interest is charged, in JSON (N11).
ALTER TABLE invoices ADD COLUMN more_time_since DATE NULL;
ALTER TABLE invoices ADD COLUMN more_time_until DATE NULL;
ALTER TABLE invoices ADD COLUMN more_time_reason TEXT NOT NULL DEFAULT '';
ALTER TABLE invoices ADD COLUMN interest_free TEXT NULL;

-- What a person did to stop dunning, of an invoice or, where invoice_id is 0, of a customer, and what came of it (N11). What stops it
-- now stands on the invoice and on the customer. until is what was set, last_day the last day on which it stops dunning.
CREATE TABLE standstills (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  hold_reason TEXT NOT NULL,
  comment TEXT NOT NULL,
  since DATETIME NULL,
  started_by TEXT NOT NULL,
  until DATE NULL,
  last_day DATE NOT NULL,
  ended_at DATETIME NULL,
  ended_by TEXT NOT NULL
);
CREATE INDEX standstills_last_day ON standstills (creditor_id, last_day, id);
CREATE INDEX standstills_customer ON standstills (customer_id, invoice_id);

-- The holds that there are. Who set one, and when, the last act on it says.
INSERT INTO standstills (creditor_id, customer_id, invoice_id, kind, hold_reason, comment, since, started_by, until, last_day, ended_at, ended_by)
SELECT i.creditor_id, i.customer_id, i.id, CASE WHEN i.hold_reason = 'dispute' THEN 'dispute' ELSE 'hold' END, i.hold_reason, i.hold_comment,
  a.at, COALESCE(a.actor, ''), i.hold_until, COALESCE(i.hold_until, '9999-12-31'), NULL, ''
FROM invoices i LEFT JOIN last_acts a ON a.creditor_id = i.creditor_id AND a.thing = 'hold' AND a.thing_id = i.id AND a.event = 'hold.set'
WHERE i.hold_held = 1;
INSERT INTO standstills (creditor_id, customer_id, invoice_id, kind, hold_reason, comment, since, started_by, until, last_day, ended_at, ended_by)
SELECT c.creditor_id, c.id, 0, CASE WHEN c.hold_reason = 'dispute' THEN 'dispute' ELSE 'hold' END, c.hold_reason, c.hold_comment,
  a.at, COALESCE(a.actor, ''), c.hold_until, COALESCE(c.hold_until, '9999-12-31'), NULL, ''
FROM customers c LEFT JOIN last_acts a ON a.creditor_id = c.creditor_id AND a.thing = 'customer_hold' AND a.thing_id = c.id AND a.event = 'hold.set'
WHERE c.hold_held = 1;

-- +goose Up

-- Audits that persons ask for (U5), and those of nights (U7), which have a day in night. in_all is how many letters there were when one
-- began, last_id the last invoice that was looked at, kinds the codes of the questions that were answered.
CREATE TABLE audits (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL DEFAULT 0,
  from_date DATE NULL,
  to_date DATE NULL,
  asked_by TEXT NOT NULL DEFAULT '',
  night DATE NULL,
  state TEXT NOT NULL,
  failure TEXT NOT NULL DEFAULT '',
  in_all INTEGER NOT NULL DEFAULT 0,
  letters INTEGER NOT NULL DEFAULT 0,
  checks INTEGER NOT NULL DEFAULT 0,
  unanswered INTEGER NOT NULL DEFAULT 0,
  kinds TEXT NULL,
  findings INTEGER NOT NULL DEFAULT 0,
  back INTEGER NOT NULL DEFAULT 0,
  last_id INTEGER NOT NULL DEFAULT 0,
  created_at DATETIME NOT NULL,
  done_at DATETIME NULL
);
CREATE INDEX audits_creditor ON audits (creditor_id, id);
CREATE INDEX audits_state ON audits (state, id);

-- What audits found (U4). back_fee and back_interest are øre that were charged unlawfully when the audit looked; invoice is a number. night is the
-- day of the night that found it first, held_for the reason for which its invoice was on hold from then on; empty if it was not (U7).
CREATE TABLE audit_findings (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  audit_id INTEGER NOT NULL,
  creditor_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  invoice INTEGER NOT NULL,
  notice_id INTEGER NOT NULL DEFAULT 0,
  hand_over_id INTEGER NOT NULL DEFAULT 0,
  class TEXT NOT NULL,
  code TEXT NOT NULL,
  row_names TEXT NULL,
  expected TEXT NOT NULL,
  found TEXT NOT NULL,
  back_fee INTEGER NOT NULL DEFAULT 0,
  back_interest INTEGER NOT NULL DEFAULT 0,
  night DATE NULL,
  held_for TEXT NOT NULL DEFAULT '',
  created_at DATETIME NOT NULL
);
CREATE INDEX audit_findings_audit ON audit_findings (audit_id, id);
CREATE INDEX audit_findings_invoice ON audit_findings (invoice_id);
CREATE INDEX audit_findings_customer ON audit_findings (customer_id);
CREATE INDEX audit_findings_class ON audit_findings (class, creditor_id, night);

-- What was booked to put a finding right (U6): fee and interest are what was taken off the invoice for it, in øre, expected
-- and found what the finding was.
CREATE TABLE audit_repayments (
  id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
  audit_id INTEGER NOT NULL,
  creditor_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  invoice_id INTEGER NOT NULL,
  notice_id INTEGER NOT NULL DEFAULT 0,
  code TEXT NOT NULL,
  expected TEXT NOT NULL,
  found TEXT NOT NULL,
  fee INTEGER NOT NULL,
  interest INTEGER NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE INDEX audit_repayments_audit ON audit_repayments (audit_id, id);
CREATE INDEX audit_repayments_invoice ON audit_repayments (invoice_id);
CREATE INDEX audit_repayments_customer ON audit_repayments (customer_id);

-- What a letter says that tells a customer what was wrong on an invoice, and how much comes back (U6): JSON, NULL for others.
ALTER TABLE shipments ADD COLUMN correction TEXT NULL;

-- How far the audits of a creditor's nights have come (U7): marks are the highest IDs that were seen of what grows, as JSON, up_to those of the
-- audit that is not done (audit_id; 0 if there is none), round_id the last notice that was looked at again. Creditors of before this release
-- begin with what is there now: purr audit looks at that.
CREATE TABLE audit_nights (
  creditor_id INTEGER NOT NULL PRIMARY KEY,
  day DATE NULL,
  audit_id INTEGER NOT NULL DEFAULT 0,
  marks TEXT NULL,
  up_to TEXT NULL,
  round_id INTEGER NOT NULL DEFAULT 0,
  round_up_to INTEGER NOT NULL DEFAULT 0
);
INSERT INTO audit_nights (creditor_id, marks) SELECT c.id, json_object(
  'events', COALESCE((SELECT MAX(e.id) FROM events e WHERE e.creditor_id = c.id), 0),
  'entries', COALESCE((SELECT MAX(e.id) FROM entries e WHERE e.creditor_id = c.id), 0),
  'notices', COALESCE((SELECT MAX(n.id) FROM overdue_notices n WHERE n.creditor_id = c.id), 0),
  'direct', COALESCE((SELECT MAX(d.id) FROM direct_entries d WHERE d.creditor_id = c.id), 0))
FROM creditors c;

-- Whose shipment a report tells of, so that a night finds the reports that came (U7); 0 in older ones.
ALTER TABLE shipment_reports ADD COLUMN creditor_id INTEGER NOT NULL DEFAULT 0;
CREATE INDEX shipment_reports_creditor ON shipment_reports (creditor_id, id);

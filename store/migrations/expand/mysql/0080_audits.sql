-- +goose Up

-- Audits that persons ask for (U5), and those of nights (U7), which have a day in night. in_all is how many letters there were when one
-- began, last_id the last invoice that was looked at, kinds the codes of the questions that were answered.
CREATE TABLE audits (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL DEFAULT 0,
  from_date DATE NULL,
  to_date DATE NULL,
  asked_by VARCHAR(200) NOT NULL DEFAULT '',
  night DATE NULL,
  state VARCHAR(16) NOT NULL,
  failure VARCHAR(500) NOT NULL DEFAULT '',
  in_all BIGINT NOT NULL DEFAULT 0,
  letters BIGINT NOT NULL DEFAULT 0,
  checks BIGINT NOT NULL DEFAULT 0,
  unanswered BIGINT NOT NULL DEFAULT 0,
  kinds TEXT NULL,
  findings BIGINT NOT NULL DEFAULT 0,
  back BIGINT NOT NULL DEFAULT 0,
  last_id BIGINT NOT NULL DEFAULT 0,
  created_at DATETIME(6) NOT NULL,
  done_at DATETIME(6) NULL,
  KEY audits_creditor (creditor_id, id),
  KEY audits_state (state, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What audits found (U4). back_fee and back_interest are øre that were charged unlawfully when the audit looked; invoice is a number. night is the
-- day of the night that found it first, held_for the reason for which its invoice was on hold from then on; empty if it was not (U7).
CREATE TABLE audit_findings (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  audit_id BIGINT NOT NULL,
  creditor_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL,
  invoice_id BIGINT NOT NULL,
  invoice BIGINT NOT NULL,
  notice_id BIGINT NOT NULL DEFAULT 0,
  hand_over_id BIGINT NOT NULL DEFAULT 0,
  class VARCHAR(8) NOT NULL,
  code VARCHAR(40) NOT NULL,
  row_names TEXT NULL,
  expected TEXT NOT NULL,
  found TEXT NOT NULL,
  back_fee BIGINT NOT NULL DEFAULT 0,
  back_interest BIGINT NOT NULL DEFAULT 0,
  night DATE NULL,
  held_for VARCHAR(24) NOT NULL DEFAULT '',
  created_at DATETIME(6) NOT NULL,
  KEY audit_findings_audit (audit_id, id),
  KEY audit_findings_invoice (invoice_id),
  KEY audit_findings_customer (customer_id),
  KEY audit_findings_class (class, creditor_id, night)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What was booked to put a finding right (U6): fee and interest are what was taken off the invoice for it, in øre, expected
-- and found what the finding was.
CREATE TABLE audit_repayments (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  audit_id BIGINT NOT NULL,
  creditor_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL,
  invoice_id BIGINT NOT NULL,
  notice_id BIGINT NOT NULL DEFAULT 0,
  code VARCHAR(40) NOT NULL,
  expected TEXT NOT NULL,
  found TEXT NOT NULL,
  fee BIGINT NOT NULL,
  interest BIGINT NOT NULL,
  created_at DATETIME(6) NOT NULL,
  KEY audit_repayments_audit (audit_id, id),
  KEY audit_repayments_invoice (invoice_id),
  KEY audit_repayments_customer (customer_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What a letter says that tells a customer what was wrong on an invoice, and how much comes back (U6): JSON, NULL for others.
ALTER TABLE shipments ADD COLUMN correction TEXT NULL;

-- How far the audits of a creditor's nights have come (U7): marks are the highest IDs that were seen of what grows, as JSON, up_to those of the
-- audit that is not done (audit_id; 0 if there is none), round_id the last notice that was looked at again. Creditors of before this release
-- begin with what is there now: purr audit looks at that.
CREATE TABLE audit_nights (
  creditor_id BIGINT NOT NULL PRIMARY KEY,
  day DATE NULL,
  audit_id BIGINT NOT NULL DEFAULT 0,
  marks TEXT NULL,
  up_to TEXT NULL,
  round_id BIGINT NOT NULL DEFAULT 0,
  round_up_to BIGINT NOT NULL DEFAULT 0
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
INSERT INTO audit_nights (creditor_id, marks) SELECT c.id, JSON_OBJECT(
  'events', COALESCE((SELECT MAX(e.id) FROM events e WHERE e.creditor_id = c.id), 0),
  'entries', COALESCE((SELECT MAX(e.id) FROM entries e WHERE e.creditor_id = c.id), 0),
  'notices', COALESCE((SELECT MAX(n.id) FROM overdue_notices n WHERE n.creditor_id = c.id), 0),
  'direct', COALESCE((SELECT MAX(d.id) FROM direct_entries d WHERE d.creditor_id = c.id), 0))
FROM creditors c;

-- Whose shipment a report tells of, so that a night finds the reports that came (U7); 0 in older ones.
ALTER TABLE shipment_reports ADD COLUMN creditor_id BIGINT NOT NULL DEFAULT 0, ADD KEY shipment_reports_creditor (creditor_id, id);

-- +goose Up

-- Audits that persons ask for (U5). in_all is how many letters there were when one began, last_id the last invoice that was looked at, kinds
-- the codes of the questions that were answered.
CREATE TABLE audits (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL DEFAULT 0,
  from_date DATE NULL,
  to_date DATE NULL,
  asked_by VARCHAR(200) NOT NULL DEFAULT '',
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

-- What audits found (U4). back_fee and back_interest are øre that were charged unlawfully when the audit looked; invoice is a number.
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
  created_at DATETIME(6) NOT NULL,
  KEY audit_findings_audit (audit_id, id),
  KEY audit_findings_invoice (invoice_id),
  KEY audit_findings_customer (customer_id)
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

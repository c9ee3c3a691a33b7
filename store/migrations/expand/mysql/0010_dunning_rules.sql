-- +goose Up

-- Figures of the law that the program does not know yet (E6h): a creditor's own, and those of creditor 0 for all.
CREATE TABLE dunning_rules (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  kind VARCHAR(20) NOT NULL,
  from_date DATE NOT NULL,
  value VARCHAR(20) NOT NULL,
  source VARCHAR(250) NOT NULL,
  set_by VARCHAR(150) NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY dunning_rules_from (creditor_id, kind, from_date)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- For which days without a figure a creditor has been warned (E6h).
CREATE TABLE dunning_rule_warnings (
  creditor_id BIGINT NOT NULL,
  kind VARCHAR(20) NOT NULL,
  from_date DATE NOT NULL,
  PRIMARY KEY (creditor_id, kind, from_date)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

ALTER TABLE creditors ADD COLUMN dunning_compensation TINYINT(1) NOT NULL DEFAULT 0;
ALTER TABLE creditors ADD COLUMN dunning_ceiling INT NULL;
ALTER TABLE overdue_notices ADD COLUMN compensation TINYINT(1) NOT NULL DEFAULT 0;

-- A run that would take more steps than the ceiling waits until a person approves it (E6f).
ALTER TABLE runs ADD COLUMN ceiling INT NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN approved_by VARCHAR(150) NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN approved_at DATETIME(6) NULL;

-- +goose Up

-- Figures of the law that the program does not know yet (E6h): a creditor's own, and those of creditor 0 for all.
CREATE TABLE dunning_rules (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  from_date DATE NOT NULL,
  value TEXT NOT NULL,
  source TEXT NOT NULL,
  set_by TEXT NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX dunning_rules_from ON dunning_rules (creditor_id, kind, from_date);

-- For which days without a figure a creditor has been warned (E6h).
CREATE TABLE dunning_rule_warnings (
  creditor_id INTEGER NOT NULL,
  kind TEXT NOT NULL,
  from_date DATE NOT NULL,
  PRIMARY KEY (creditor_id, kind, from_date)
);

ALTER TABLE creditors ADD COLUMN dunning_compensation BOOLEAN NOT NULL DEFAULT 0;
ALTER TABLE creditors ADD COLUMN dunning_ceiling INTEGER NULL;
ALTER TABLE overdue_notices ADD COLUMN compensation BOOLEAN NOT NULL DEFAULT 0;

-- A run that would take more steps than the ceiling waits until a person approves it (E6f).
ALTER TABLE runs ADD COLUMN ceiling INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN approved_by TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN approved_at DATETIME NULL;

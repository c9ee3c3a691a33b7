-- +goose Up

-- The workers that live (S6). Each adds one to its beats every two seconds; machine is the kernel that it runs on. A
-- row of work names the worker that has it in hand. When a worker has died, another one deletes its row here, and
-- what it had in hand is free again.
CREATE TABLE workers (
  id TEXT NOT NULL PRIMARY KEY,
  machine TEXT NOT NULL,
  beats INTEGER NOT NULL,
  created_at DATETIME NOT NULL
);

ALTER TABLE shipments ADD COLUMN taken_by TEXT NOT NULL DEFAULT '';
ALTER TABLE hand_overs ADD COLUMN taken_by TEXT NOT NULL DEFAULT '';
ALTER TABLE webhook_deliveries ADD COLUMN taken_by TEXT NOT NULL DEFAULT '';

-- Work goes round by creditor (S5).
CREATE INDEX shipments_turns ON shipments (state, creditor_id, next_attempt);

-- When each creditor's next e-mail may leave, where e-mails are bounded a second (S5).
CREATE TABLE mail_turns (
  creditor_id INTEGER NOT NULL PRIMARY KEY,
  next_at DATETIME NOT NULL
);

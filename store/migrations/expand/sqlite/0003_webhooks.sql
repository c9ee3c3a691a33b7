-- +goose Up

-- The addresses to which a creditor's events are posted (E7).
CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  url TEXT NOT NULL,
  description TEXT NOT NULL,
  enabled BOOLEAN NOT NULL,
  event_types TEXT NOT NULL,
  secret TEXT NOT NULL,
  old_secret TEXT NOT NULL,
  old_secret_until DATETIME NULL,
  created_at DATETIME NOT NULL
);
CREATE INDEX webhooks_creditor ON webhooks (creditor_id, id);

-- What is owed to the webhooks: an event each, written with the event.
CREATE TABLE webhook_deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  webhook_id INTEGER NOT NULL,
  event_id INTEGER NOT NULL,
  event_type TEXT NOT NULL,
  state TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  next_attempt DATETIME NOT NULL,
  delivered_at DATETIME NULL,
  response_status INTEGER NOT NULL,
  failure TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX webhook_deliveries_event ON webhook_deliveries (webhook_id, event_id);
CREATE INDEX webhook_deliveries_list ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_owed ON webhook_deliveries (state, webhook_id, next_attempt);

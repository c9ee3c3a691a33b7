-- +goose Up

-- The addresses to which a creditor's events are posted (E7).
CREATE TABLE webhooks (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  url VARCHAR(500) NOT NULL,
  description VARCHAR(500) NOT NULL,
  enabled TINYINT(1) NOT NULL,
  event_types TEXT NOT NULL,
  secret VARCHAR(100) NOT NULL,
  old_secret VARCHAR(100) NOT NULL,
  old_secret_until DATETIME(6) NULL,
  created_at DATETIME(6) NOT NULL,
  KEY webhooks_creditor (creditor_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- What is owed to the webhooks: an event each, written with the event.
CREATE TABLE webhook_deliveries (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  webhook_id BIGINT NOT NULL,
  event_id BIGINT NOT NULL,
  event_type VARCHAR(40) NOT NULL,
  state VARCHAR(16) NOT NULL,
  attempts INT NOT NULL,
  next_attempt DATETIME(6) NOT NULL,
  delivered_at DATETIME(6) NULL,
  response_status INT NOT NULL,
  failure TEXT NOT NULL,
  body MEDIUMTEXT NOT NULL,
  created_at DATETIME(6) NOT NULL,
  UNIQUE KEY webhook_deliveries_event (webhook_id, event_id),
  KEY webhook_deliveries_list (webhook_id, id),
  KEY webhook_deliveries_owed (state, webhook_id, next_attempt)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

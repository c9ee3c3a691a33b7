-- +goose Up

-- The events that have no ID yet (O15). An act writes its event here, in its own transaction. After the commit the
-- event moves to events, where it gets its ID, and its deliveries to webhooks are written. The ID here only orders the
-- events of one transaction.
CREATE TABLE new_events (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  creditor_id BIGINT NOT NULL,
  at DATETIME(6) NOT NULL,
  type VARCHAR(40) NOT NULL,
  actor VARCHAR(200) NOT NULL,
  invoice_id BIGINT NOT NULL,
  customer_id BIGINT NOT NULL,
  subject_id BIGINT NOT NULL,
  text VARCHAR(500) NOT NULL,
  data TEXT NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- One row. Whoever moves new events writes it first, so that one transaction at a time gives out IDs.
CREATE TABLE event_turns (
  id BIGINT NOT NULL PRIMARY KEY,
  turns BIGINT NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- +goose Up

-- The events that have no ID yet (O15). An act writes its event here, in its own transaction. After the commit the
-- event moves to events, where it gets its ID, and its deliveries to webhooks are written. The ID here only orders the
-- events of one transaction.
CREATE TABLE new_events (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  creditor_id INTEGER NOT NULL,
  at DATETIME NOT NULL,
  type TEXT NOT NULL,
  actor TEXT NOT NULL,
  invoice_id INTEGER NOT NULL,
  customer_id INTEGER NOT NULL,
  subject_id INTEGER NOT NULL,
  text TEXT NOT NULL,
  data TEXT NOT NULL
);

-- One row. Whoever moves new events writes it first, so that one transaction at a time gives out IDs.
CREATE TABLE event_turns (
  id INTEGER NOT NULL PRIMARY KEY,
  turns INTEGER NOT NULL
);

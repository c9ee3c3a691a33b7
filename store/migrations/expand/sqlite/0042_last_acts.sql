-- +goose Up

-- The last act on each thing that a person acts on: a hold, a closing, an unmatched payment and so on, and how many there have
-- been. A form carries the number, so that nobody undoes, or decides by, what is no longer so (D115).
CREATE TABLE last_acts (
  creditor_id INTEGER NOT NULL,
  thing TEXT NOT NULL,
  thing_id INTEGER NOT NULL,
  turn INTEGER NOT NULL,
  event TEXT NOT NULL,
  actor TEXT NOT NULL,
  at DATETIME NOT NULL,
  PRIMARY KEY (creditor_id, thing, thing_id)
);

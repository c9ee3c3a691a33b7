-- +goose Up

-- The last act on each thing that a person acts on: a hold, a closing, an unmatched payment and so on, and how many there have
-- been. A form carries the number, so that nobody undoes, or decides by, what is no longer so (D115).
CREATE TABLE last_acts (
  creditor_id BIGINT NOT NULL,
  thing VARCHAR(20) NOT NULL,
  thing_id BIGINT NOT NULL,
  turn BIGINT NOT NULL,
  event VARCHAR(64) NOT NULL,
  actor VARCHAR(200) NOT NULL,
  at DATETIME(6) NOT NULL,
  PRIMARY KEY (creditor_id, thing, thing_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

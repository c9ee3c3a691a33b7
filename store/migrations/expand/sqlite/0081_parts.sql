-- +goose Up

-- The processes that do purr's work, as all others see them (Q9). kind names what it does, schema_min and schema_max between which versions of the
-- schema it can work (K3a). It lives as long as seen_at grows.
CREATE TABLE parts (
  id TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  host TEXT NOT NULL,
  version TEXT NOT NULL,
  schema_min INTEGER NOT NULL,
  schema_max INTEGER NOT NULL,
  started_at DATETIME NOT NULL,
  seen_at DATETIME NOT NULL
);

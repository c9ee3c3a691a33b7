-- +goose Up

-- The processes that do purr's work, as all others see them (Q9). kind names what it does, schema_min and schema_max between which versions of the
-- schema it can work (K3a). It lives as long as seen_at grows.
CREATE TABLE parts (
  id VARCHAR(32) NOT NULL PRIMARY KEY,
  kind VARCHAR(32) NOT NULL,
  host VARCHAR(255) NOT NULL,
  version VARCHAR(100) NOT NULL,
  schema_min BIGINT NOT NULL,
  schema_max BIGINT NOT NULL,
  started_at DATETIME(6) NOT NULL,
  seen_at DATETIME(6) NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

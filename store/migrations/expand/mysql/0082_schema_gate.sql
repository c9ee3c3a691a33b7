-- +goose Up

-- The gate of the schema, one row with the ID 1 (K3a): programs whose own schema is below schema_min write nothing any more. raising is the same
-- while purr migrate --finish looks whether such a program still lives, else 0.
CREATE TABLE schema_gate (
  id INT NOT NULL PRIMARY KEY,
  schema_min BIGINT NOT NULL,
  raising BIGINT NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

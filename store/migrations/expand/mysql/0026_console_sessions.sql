-- +goose Up

-- The browsers that are signed in to the console (E10). hash is of the token in the browser's cookie; key_ids is a JSON
-- list of the API keys that were given, which each request reads again.
CREATE TABLE console_sessions (
  id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
  hash VARCHAR(64) NOT NULL,
  key_ids TEXT NOT NULL,
  created_at DATETIME(6) NOT NULL,
  seen_at DATETIME(6) NOT NULL,
  expires_at DATETIME(6) NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
CREATE UNIQUE INDEX console_sessions_hash ON console_sessions (hash);
CREATE INDEX console_sessions_expires ON console_sessions (expires_at);

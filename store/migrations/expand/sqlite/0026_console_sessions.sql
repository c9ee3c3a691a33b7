-- +goose Up

-- The browsers that are signed in to the console (E10). hash is of the token in the browser's cookie; key_ids is a JSON
-- list of the API keys that were given, which each request reads again.
CREATE TABLE console_sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  hash TEXT NOT NULL,
  key_ids TEXT NOT NULL,
  created_at DATETIME NOT NULL,
  seen_at DATETIME NOT NULL,
  expires_at DATETIME NOT NULL
);
CREATE UNIQUE INDEX console_sessions_hash ON console_sessions (hash);
CREATE INDEX console_sessions_expires ON console_sessions (expires_at);

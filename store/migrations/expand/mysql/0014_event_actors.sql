-- +goose Up

-- Who did what an event tells of (O8): an API key, a person at the command line, or the program itself. Events that
-- are older than this column do not say.
ALTER TABLE events ADD COLUMN actor VARCHAR(200) NOT NULL DEFAULT '';

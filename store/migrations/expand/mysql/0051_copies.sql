-- +goose Up

-- The document was sent once more, because a person asked for a copy (N4). What dunning goes by are originals alone.
ALTER TABLE shipments ADD COLUMN once_more BOOLEAN NOT NULL DEFAULT 0;

-- +goose Up

-- What a dunning run has done, kind by kind: done is the sum of the three. Runs made before have only done.
ALTER TABLE runs ADD COLUMN reminders INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN warnings INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN hand_overs INTEGER NOT NULL DEFAULT 0;
-- In øre.
ALTER TABLE runs ADD COLUMN fees INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN interest INTEGER NOT NULL DEFAULT 0;

-- +goose Up

-- What a dunning run has done, kind by kind: done is the sum of the three. Runs made before have only done.
ALTER TABLE runs
  ADD COLUMN reminders INT NOT NULL DEFAULT 0,
  ADD COLUMN warnings INT NOT NULL DEFAULT 0,
  ADD COLUMN hand_overs INT NOT NULL DEFAULT 0,
  -- In øre.
  ADD COLUMN fees BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN interest BIGINT NOT NULL DEFAULT 0;

-- +goose Up

-- Until when a shipment waits whose refusal is nobody's yet, without the time in which nothing ran (D107, D118).
ALTER TABLE shipments ADD COLUMN unclear_until DATETIME(6) NULL;
-- From when the patience with a batch of letters is reckoned (D118).
ALTER TABLE letter_batches ADD COLUMN patient_from DATETIME(6) NULL;
-- Trials of paused ways that a clock which was ahead has put off are looked for at every sweep (D117).
CREATE INDEX ways_out_next_trial ON ways_out (next_trial);

-- By which kind of real way the last document of each method left, where its receipt tells: so an upgrade that loses a setting sends
-- nothing to the folder (D105). The folder's receipts are names of files. Of a method of which something is remembered, a person's word
-- that the folder is meant too, nothing is changed. What left by SFTP as EHF or as a bundle has no receipt of its own.
INSERT INTO ways_out (creditor_id, method, left_by)
SELECT 0, 'EMAIL', 'smtp' FROM (SELECT receipt FROM shipments WHERE method = 'EMAIL' AND receipt <> '' ORDER BY id DESC LIMIT 1) AS latest
WHERE receipt LIKE '2__ %' AND NOT EXISTS (SELECT 1 FROM ways_out WHERE creditor_id = 0 AND method = 'EMAIL');

INSERT INTO ways_out (creditor_id, method, left_by)
SELECT 0, 'PAPER', CASE WHEN receipt LIKE 'batch-%' THEN 'sftp' ELSE 'ipp' END
FROM (SELECT receipt FROM shipments WHERE method = 'PAPER' AND receipt <> '' ORDER BY id DESC LIMIT 1) AS latest
WHERE (receipt LIKE 'batch-%' OR receipt LIKE 'job %') AND NOT EXISTS (SELECT 1 FROM ways_out WHERE creditor_id = 0 AND method = 'PAPER');

INSERT INTO ways_out (creditor_id, method, left_by)
SELECT 0, 'EHF', 'ap' FROM (SELECT receipt FROM shipments WHERE method = 'EHF' AND receipt <> '' ORDER BY id DESC LIMIT 1) AS latest
WHERE receipt LIKE '________-____-____-____-____________' AND NOT EXISTS (SELECT 1 FROM ways_out WHERE creditor_id = 0 AND method = 'EHF');

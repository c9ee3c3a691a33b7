-- +goose Up

-- Names are folded until nothing is left to replace (N1): Bøe is BOE. All words are made anew, at the end of this upgrade.
DELETE FROM words;
DELETE FROM settings WHERE name IN ('words_indexed_customers', 'words_indexed_payments');

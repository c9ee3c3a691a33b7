-- +goose Up

-- "Ås" is a name, and no kind of company (N1): Anders Ås is not only Anders. All words are made anew, at the end of this upgrade.
DELETE FROM words;
DELETE FROM settings WHERE name IN ('words_indexed_customers', 'words_indexed_payments');

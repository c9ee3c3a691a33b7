-- +goose Up

-- How many rows of a long list lay on each day when they were last counted, and between which IDs. What
-- came after the last of them is counted when it is asked for.
CREATE TABLE list_days (
  creditor_id INTEGER NOT NULL,
  list TEXT NOT NULL,
  day DATE NOT NULL,
  type TEXT NOT NULL,
  items INTEGER NOT NULL,
  first_id INTEGER NOT NULL,
  last_id INTEGER NOT NULL,
  PRIMARY KEY (creditor_id, list, day, type)
);

-- Every ten thousandth row of a long list, with how many come before it: from there a page far back is near.
CREATE TABLE list_marks (
  creditor_id INTEGER NOT NULL,
  list TEXT NOT NULL,
  id INTEGER NOT NULL,
  position INTEGER NOT NULL,
  PRIMARY KEY (creditor_id, list, id)
);

-- search_digit is 1 where the text that searches look in holds a digit: a number that is searched for can
-- be found only there.
ALTER TABLE invoices ADD COLUMN search_digit INTEGER NOT NULL DEFAULT 0;
UPDATE invoices SET search_digit = 1 WHERE search GLOB '*[0-9]*';
DROP INDEX invoices_creditor;
DROP INDEX invoices_stage;
DROP INDEX invoices_issue_date;
CREATE INDEX invoices_list ON invoices (creditor_id, id, stage, deadline, issue_date);
CREATE INDEX invoices_stage ON invoices (creditor_id, stage, deadline, id, issue_date);
CREATE INDEX invoices_search ON invoices (creditor_id, search_digit, search);

ALTER TABLE credit_notes ADD COLUMN search_digit INTEGER NOT NULL DEFAULT 0;
UPDATE credit_notes SET search_digit = 1 WHERE search GLOB '*[0-9]*';
CREATE INDEX credit_notes_search ON credit_notes (creditor_id, search_digit, search);

CREATE INDEX customers_search ON customers (creditor_id, search);

DROP INDEX entries_creditor;
DROP INDEX entries_date;
CREATE INDEX entries_list ON entries (creditor_id, id, transaction_date, type);
CREATE INDEX entries_type ON entries (creditor_id, type, id, transaction_date);

INSERT INTO list_days
  SELECT creditor_id, 'invoices', issue_date, '', COUNT(*), MIN(id), MAX(id) FROM invoices GROUP BY creditor_id, issue_date;
INSERT INTO list_days
  SELECT creditor_id, 'entries', transaction_date, type, COUNT(*), MIN(id), MAX(id) FROM entries GROUP BY creditor_id, transaction_date, type;
INSERT INTO list_marks
  SELECT creditor_id, 'invoices', id, n FROM
    (SELECT creditor_id, id, ROW_NUMBER() OVER (PARTITION BY creditor_id ORDER BY id) - 1 AS n FROM invoices) AS numbered
  WHERE n % 10000 = 0;
INSERT INTO list_marks
  SELECT creditor_id, 'entries', id, n FROM
    (SELECT creditor_id, id, ROW_NUMBER() OVER (PARTITION BY creditor_id ORDER BY id) - 1 AS n FROM entries) AS numbered
  WHERE n % 10000 = 0;

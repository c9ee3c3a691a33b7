-- +goose Up

-- How many rows of a long list lay on each day when they were last counted, and between which IDs. What
-- came after the last of them is counted when it is asked for.
CREATE TABLE list_days (
  creditor_id BIGINT NOT NULL,
  list VARCHAR(16) NOT NULL,
  day DATE NOT NULL,
  type VARCHAR(16) NOT NULL,
  items BIGINT NOT NULL,
  first_id BIGINT NOT NULL,
  last_id BIGINT NOT NULL,
  PRIMARY KEY (creditor_id, list, day, type)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- Every ten thousandth row of a long list, with how many come before it: from there a page far back is near.
CREATE TABLE list_marks (
  creditor_id BIGINT NOT NULL,
  list VARCHAR(16) NOT NULL,
  id BIGINT NOT NULL,
  position BIGINT NOT NULL,
  PRIMARY KEY (creditor_id, list, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;

-- The texts that searches look in are compared byte by byte, many times faster than as characters. search_digit
-- is 1 where one holds a digit: a number that is searched for can be found only there.
ALTER TABLE invoices ADD COLUMN search_digit TINYINT(1) NOT NULL DEFAULT 0 AFTER search;
UPDATE invoices SET search_digit = 1 WHERE search REGEXP '[0-9]';
ALTER TABLE invoices
  MODIFY COLUMN search VARBINARY(2000) NOT NULL,
  DROP KEY invoices_creditor,
  DROP KEY invoices_stage,
  DROP KEY invoices_issue_date,
  ADD KEY invoices_list (creditor_id, id, stage, deadline, issue_date),
  ADD KEY invoices_stage (creditor_id, stage, deadline, id, issue_date),
  ADD KEY invoices_search (creditor_id, search_digit, search);

ALTER TABLE credit_notes ADD COLUMN search_digit TINYINT(1) NOT NULL DEFAULT 0 AFTER search;
UPDATE credit_notes SET search_digit = 1 WHERE search REGEXP '[0-9]';
ALTER TABLE credit_notes
  MODIFY COLUMN search VARBINARY(2000) NOT NULL,
  ADD KEY credit_notes_search (creditor_id, search_digit, search);

ALTER TABLE customers
  MODIFY COLUMN search VARBINARY(2000) NOT NULL,
  ADD KEY customers_search (creditor_id, search);

ALTER TABLE entries
  DROP KEY entries_creditor,
  DROP KEY entries_date,
  ADD KEY entries_list (creditor_id, id, transaction_date, type),
  ADD KEY entries_type (creditor_id, type, id, transaction_date);

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

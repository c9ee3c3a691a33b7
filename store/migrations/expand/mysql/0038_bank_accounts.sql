-- +goose Up

-- The account that a creditor's own key asks for, until the operator says yes, and since when (D101). named_account is the last
-- account that was noted as named by a document.
ALTER TABLE creditors
  ADD COLUMN waiting_account VARCHAR(11) NOT NULL DEFAULT '',
  ADD COLUMN waiting_since DATETIME(6) NULL,
  ADD COLUMN named_account VARCHAR(11) NOT NULL DEFAULT '',
  ADD KEY creditors_waiting (waiting_account);

-- When the operator said yes to an account, and when it was noted that a document names it. Accounts from before have neither:
-- documents may name them in any case.
ALTER TABLE creditor_accounts
  ADD COLUMN approved_at DATETIME(6) NULL,
  ADD COLUMN named_at DATETIME(6) NULL;

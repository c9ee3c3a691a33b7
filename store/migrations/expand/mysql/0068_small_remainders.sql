-- +goose Up

-- Small remainders (L25). dunning_close_below is of how much principal a run closes an overdue invoice with less. written_off is the
-- principal that was left on an invoice that a run has closed for it, kept_open says that a person opened it again. free is the free
-- credit on an invoice, as models.Invoice.Free: who has some is found by its key. It is stored: MariaDB adds no column at once to a table that has a
-- key on a virtual one (K3a).
ALTER TABLE creditors ADD COLUMN dunning_close_below BIGINT NOT NULL DEFAULT 0;
ALTER TABLE invoices
  ADD COLUMN written_off BIGINT NOT NULL DEFAULT 0,
  ADD COLUMN kept_open BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE invoices
  ADD COLUMN free BIGINT GENERATED ALWAYS AS (CASE WHEN balance < written_off THEN written_off - balance ELSE 0 END) STORED;
ALTER TABLE invoices
  ADD KEY invoices_free (creditor_id, customer_id, free);

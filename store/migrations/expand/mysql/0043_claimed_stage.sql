-- +goose Up

-- A repayment that is owed is due when it is asked for (D96): an invoice on which nothing else is owed is not overdue. stage is
-- models.Invoice.Stage. The key finds the few invoices with a repayment.
ALTER TABLE invoices
  MODIFY COLUMN stage VARCHAR(16) GENERATED ALWAYS AS (CASE
    WHEN closed = 'lost' THEN 'closed_lost'
    WHEN closed = 'other' THEN 'closed_other'
    WHEN handed_over IS NOT NULL THEN 'collection'
    WHEN balance <= 0 THEN 'paid'
    WHEN balance <= repayment_owed THEN 'repaying'
    WHEN warned = 1 THEN 'warned'
    WHEN notices > 0 THEN 'reminded'
    ELSE 'open' END) STORED,
  ADD KEY invoices_repayment (creditor_id, repayment_owed);

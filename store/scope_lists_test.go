package store_test

import (
	"context"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// listTrials are the trials of what lists say of all their rows (rule N14).
var listTrials = map[string]trial{
	"PaymentSum": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return summed(tx.PaymentSum(ctx, c, models.PaymentOpen))
	},
	"SummedPayments": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		found, sum, err := tx.SummedPayments(ctx, c, 0, 10)
		return len(found) > 0 || sum.Number > 0, err
	},
	"PaymentFileSum": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return summed(tx.PaymentFileSum(ctx, c))
	},
	"RepaymentFileSum": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, _, err := h.repay(ctx, tx, models.RepaymentInFile); err != nil {
			return false, err
		}
		return summed(tx.RepaymentFileSum(ctx, c))
	},
	"StatementSum": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := h.addStatementLine(ctx, tx); err != nil {
			return false, err
		}
		return summed(tx.StatementSum(ctx, c, store.StatementFilter{}))
	},
	"RunSum": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return summed(tx.RunSum(ctx, c, models.RunDunning))
	},
	"ListedEvents": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		n, _, err := tx.ListedEvents(ctx, c, store.EventFilter{})
		return n > 0, err
	},
	"ListedShipments": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		n, _, err := tx.ListedShipments(ctx, c, store.ShipmentFilter{})
		return n > 0, err
	},
	"SummedInvoices": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		found, sum, err := tx.SummedInvoices(ctx, c, store.InvoiceFilter{Today: rows.Today}, store.NewestFirst, store.InvoiceMark{}, 10)
		return len(found) > 0 || sum.Number > 0, err
	},
	"CustomersBalance": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		sum, _, err := tx.CustomersBalance(ctx, c, "")
		return sum != 0, err
	},
}

func summed(sum store.ListSum, err error) (bool, error) { return sum.Number > 0, err }

package store_test

import (
	"context"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// repaymentTrials are the trials of free credit, of what is paid back, and of charges that are left.
var repaymentTrials = map[string]trial{
	"CustomerCredits": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := h.credit(ctx, tx); err != nil {
			return false, err
		}
		found, all, err := tx.CustomerCredits(ctx, c, everything)
		return len(found) > 0 || all.Customers > 0, err
	},
	"LookAtInvoices": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := tx.Log(ctx, models.Event{CreditorID: h.owner.ID, Type: models.EventHoldSet, InvoiceID: h.invoice.ID}); err != nil {
			return false, err
		}
		none, err := tx.LookAtInvoices(ctx, c+1000, []models.Invoice{h.invoice})
		if err != nil {
			return false, err
		}
		seen, err := tx.LookAtInvoices(ctx, c, []models.Invoice{h.invoice})
		return seen[h.invoice.ID] != none[h.invoice.ID], err
	},
	"LastWaiver": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		err := tx.Log(ctx, models.Event{
			CreditorID: h.owner.ID, Type: models.EventChargesWaived, InvoiceID: h.invoice.ID, Facts: models.Facts{"invoice_number": 1, "overdue_charge": "1.00", "interest": "0.00"},
		})
		if err != nil {
			return false, err
		}
		waived, _, err := tx.LastWaiver(ctx, c, h.invoice.ID)
		return waived.Type != "", err
	},
	"InvoicesOnlyCharges": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := h.onlyCharges(ctx, tx); err != nil {
			return false, err
		}
		found, total, _, err := tx.InvoicesOnlyCharges(ctx, c, everything)
		return len(found) > 0 || total > 0, err
	},
	"OwedOnlyCharges": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if err := h.onlyCharges(ctx, tx); err != nil {
			return false, err
		}
		return some(tx.OwedOnlyCharges(ctx, c))
	},
	"Repayment": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		r, _, err := h.repay(ctx, tx, models.RepaymentWaiting)
		if err != nil {
			return false, err
		}
		return reached(tx.Repayment(ctx, c, r.ID))
	},
	"Repayments": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, _, err := h.repay(ctx, tx, models.RepaymentWaiting); err != nil {
			return false, err
		}
		return counted(tx.Repayments(ctx, c, store.RepaymentFilter{CustomerID: h.customer.ID}, everything))
	},
	"NewestRepayments": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, _, err := h.repay(ctx, tx, models.RepaymentWaiting); err != nil {
			return false, err
		}
		found, total, _, err := tx.NewestRepayments(ctx, c, store.RepaymentFilter{}, everything)
		return len(found) > 0 || total > 0, err
	},
	"RepaymentsOfFile": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		_, f, err := h.repay(ctx, tx, models.RepaymentInFile)
		if err != nil {
			return false, err
		}
		return some(tx.RepaymentsOfFile(ctx, c, f.ID))
	},
	"OpenRepayments": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, _, err := h.repay(ctx, tx, models.RepaymentInFile); err != nil {
			return false, err
		}
		return some(tx.OpenRepayments(ctx, c, h.customer.ID))
	},
	"WaitingRepayments": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, _, err := h.repay(ctx, tx, models.RepaymentWaiting); err != nil {
			return false, err
		}
		return some(tx.WaitingRepayments(ctx, c, 10))
	},
	"Reserved": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, _, err := h.repay(ctx, tx, models.RepaymentWaiting); err != nil {
			return false, err
		}
		reserved, err := tx.Reserved(ctx, c, h.customer.ID)
		return len(reserved) > 0, err
	},
	"WaitingOnInvoices": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, _, err := h.repay(ctx, tx, models.RepaymentWaiting); err != nil {
			return false, err
		}
		return some(tx.WaitingOnInvoices(ctx, c, []int64{h.invoice.ID}))
	},
	"LockRepayments": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		r, _, err := h.repay(ctx, tx, models.RepaymentWaiting)
		if err != nil {
			return false, err
		}
		return some(tx.LockRepayments(ctx, c, r.ID))
	},
	"EntriesOfRepayments": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		r, _, err := h.repay(ctx, tx, models.RepaymentPaid)
		if err != nil {
			return false, err
		}
		found, of, err := tx.EntriesOfRepayments(ctx, c, []int64{r.ID})
		return len(found)+len(of) > 0, err
	},
	"DeleteRepaymentEntries": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		r, _, err := h.repay(ctx, tx, models.RepaymentPaid)
		if err != nil {
			return false, err
		}
		if err := tx.DeleteRepaymentEntries(ctx, c, []int64{r.ID}); err != nil {
			return false, err
		}
		left, _, err := tx.EntriesOfRepayments(ctx, h.owner.ID, []int64{r.ID})
		return len(left) == 0, err
	},
	"RepaymentFile": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		_, f, err := h.repay(ctx, tx, models.RepaymentInFile)
		if err != nil {
			return false, err
		}
		return reached(tx.RepaymentFile(ctx, c, f.ID))
	},
	"RepaymentFiles": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, _, err := h.repay(ctx, tx, models.RepaymentInFile); err != nil {
			return false, err
		}
		return counted(tx.RepaymentFiles(ctx, c, everything))
	},
	"NewestRepaymentFiles": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, _, err := h.repay(ctx, tx, models.RepaymentInFile); err != nil {
			return false, err
		}
		return some(tx.NewestRepaymentFiles(ctx, c, 10))
	},
	"RepaymentFilesByID": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		_, f, err := h.repay(ctx, tx, models.RepaymentInFile)
		if err != nil {
			return false, err
		}
		found, err := tx.RepaymentFilesByID(ctx, c, []int64{f.ID})
		return len(found) > 0, err
	},
	"RepaymentFileBytes": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		_, f, err := h.repay(ctx, tx, models.RepaymentInFile)
		if err != nil {
			return false, err
		}
		return reached(tx.RepaymentFileBytes(ctx, c, f.ID))
	},
	"NextRepaymentFile": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, _, err := h.repay(ctx, tx, models.RepaymentInFile); err != nil {
			return false, err
		}
		next, err := tx.NextRepaymentFile(ctx, c)
		return next > 1, err
	},
	"RepaymentFaults": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, _, err := h.repay(ctx, tx, models.RepaymentWaiting); err != nil { // nothing covers it
			return false, err
		}
		return some(tx.RepaymentFaults(ctx, c))
	},
}

// repay gives the customer a repayment in a state, and a file with it unless it waits. One that is paid has an entry.
func (h holdings) repay(ctx context.Context, tx *store.Tx, state models.RepaymentState) (r models.Repayment, f models.RepaymentFile, err error) {
	r = models.Repayment{CreditorID: h.owner.ID, CustomerID: h.customer.ID, InvoiceID: h.invoice.ID, Amount: 1, Account: "86011117947", State: state}
	if state != models.RepaymentWaiting {
		f = models.RepaymentFile{CreditorID: h.owner.ID, Number: 1, Account: "86011117947", State: models.RepaymentFileMade, Transactions: 1, Amount: 1}
		if err := tx.CreateRepaymentFile(ctx, &f); err != nil {
			return r, f, err
		}
		if err := tx.KeepRepaymentFile(ctx, models.RepaymentFileBytes{FileID: f.ID, CreditorID: h.owner.ID, Pain: []byte("x"), CSV: []byte("y")}); err != nil {
			return r, f, err
		}
		r.FileID = f.ID
	}
	if err := tx.CreateRepayment(ctx, &r); err != nil || state != models.RepaymentPaid {
		return r, f, err
	}
	entries := []models.Entry{{
		CreditorID: h.owner.ID, CustomerID: h.customer.ID, InvoiceID: h.invoice.ID, Type: models.EntryRepayment, Amount: 1, TransactionDate: rows.Today,
	}}
	if err := tx.CreateEntries(ctx, entries); err != nil {
		return r, f, err
	}
	return r, f, tx.CreateRepaymentEntries(ctx, []models.RepaymentEntry{{EntryID: entries[0].ID, RepaymentID: r.ID, CreditorID: h.owner.ID}})
}

// onlyCharges has only a fee be left on the invoice.
func (h holdings) onlyCharges(ctx context.Context, tx *store.Tx) error {
	e := models.Entry{CreditorID: h.owner.ID, CustomerID: h.customer.ID, InvoiceID: h.invoice.ID, TransactionDate: rows.Today}
	fee, paid := e, e
	fee.Type, fee.Amount = models.EntryOverdueCharge, 35_00
	paid.Type, paid.Amount = models.EntryPayment, -h.invoice.Gross
	if err := tx.CreateEntries(ctx, []models.Entry{fee, paid}); err != nil {
		return err
	}
	if err := tx.RefreshBalances(ctx, h.invoice.ID); err != nil {
		return err
	}
	return tx.Exec(ctx, "UPDATE invoices SET notices = 1, handed_over = NULL, stage = 'reminded' WHERE notices = 0 OR handed_over IS NOT NULL")
}

package console_test

import (
	"context"
	"fmt"
	"maps"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// otherAccount is a customer's.
const otherAccount = "15032080011"

func init() { maps.Copy(overtaken, overtakenWithCredit) }

// overtakenWithCredit are the acts on free credit and on charges that are left which somebody else is faster with (rules N9, N12).
var overtakenWithCredit = map[string]func(d *desks) form{
	"/customers/{id}/repay": func(d *desks) form {
		i := d.overpaid()
		f := d.formAt(fmt.Sprintf("customers/%d/repay", i.CustomerID)).typing("account", "1503 20 80011")
		d.orders(i)
		return f
	},
	"/invoices/{number}/move-credit": func(d *desks) form {
		i, to := d.overpaid(), d.invoice()
		f := d.formAt(fmt.Sprintf("invoices/%d/move-credit", i.Number)).typing("invoice", fmt.Sprint(to.Number))
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			_, err := ledger.TransferCredit(ctx, tx, d.creditor.ID, ledger.Transfer{FromID: i.ID, ToID: to.ID, Amount: 1_00, Actor: ola}, today)
			return err
		})
		return f
	},
	"/money/repayments/file": func(d *desks) form {
		d.orders(d.overpaid())
		f := d.formAt("money/repayments", "money/repayments/file")
		d.orders(d.overpaid())
		return f
	},
	"/money/repayments/{id}/withdraw": func(d *desks) form {
		r := d.orders(d.overpaid())
		f := d.formAt("money/repayments", fmt.Sprintf("money/repayments/%d/withdraw", r.ID))
		d.makesFile()
		return f
	},
	"/money/repayments/file/{id}/paid": func(d *desks) form {
		d.orders(d.overpaid())
		file := d.makesFile()
		f := d.formAt(fmt.Sprintf("money/repayments/file/%d/paid", file.ID))
		d.paysFile(file)
		return f
	},
	"/money/repayments/file/{id}/unpaid": func(d *desks) form {
		d.orders(d.overpaid())
		file := d.makesFile()
		d.paysFile(file)
		f := d.formAt("money/repayments", fmt.Sprintf("money/repayments/file/%d/unpaid", file.ID))
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			_, err := ledger.UnpayRepaymentFile(ctx, tx, d.creditor.ID, file.ID, today, ola)
			return err
		})
		d.paysFile(file)
		return f
	},
	"/money/repayments/file/{id}/withdraw": func(d *desks) form {
		d.orders(d.overpaid())
		file := d.makesFile()
		f := d.formAt("money/repayments", fmt.Sprintf("money/repayments/file/%d/withdraw", file.ID))
		d.paysFile(file)
		return f
	},
	"/money/charges": func(d *desks) form {
		i := d.onlyCharged()
		seen, err := d.db.LookAtInvoice(d.t.Context(), i)
		must(d.t, err)
		f := d.formAt("money/charges").typing("invoice", fmt.Sprintf("%d:%s", i.Number, seen))
		d.holds(i)
		return f
	},
	"/money/charges/restore": func(d *desks) form {
		i := d.onlyCharged()
		seen, err := d.db.LookAtInvoice(d.t.Context(), i)
		must(d.t, err)
		undo := d.undoOf(d.formAt("money/charges").typing("invoice", fmt.Sprintf("%d:%s", i.Number, seen), "comment", "kulanse"), "money/charges/restore")
		d.ola(func(ctx context.Context, tx *store.Tx) error {
			if _, err := ledger.RestoreCharges(ctx, tx, d.creditor.ID, i.ID, today, ola); err != nil {
				return err
			}
			_, err := ledger.WaiveChargesByHand(ctx, tx, d.creditor.ID, i.ID, ledger.Waiver{Actor: ola}, today)
			return err
		})
		return undo
	},
}

// overpaid returns an invoice on which 100 kroner too much were paid.
func (d *desks) overpaid() models.Invoice {
	d.t.Helper()
	i := d.invoice()
	for range 11 {
		d.pays(i)
	}
	return d.now(i)
}

// orders orders that a part of what was overpaid on an invoice is paid back.
func (d *desks) orders(i models.Invoice) (r models.Repayment) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) (err error) {
		r, err = ledger.OrderRepayment(ctx, tx, d.creditor, i.CustomerID, ledger.RepaymentOrder{Amount: 50_00, Account: otherAccount, Actor: ola})
		return err
	})
	return r
}

func (d *desks) makesFile() models.RepaymentFile {
	d.t.Helper()
	var made ledger.MadeRepaymentFile
	d.ola(func(ctx context.Context, tx *store.Tx) (err error) {
		made, err = ledger.MakeRepaymentFile(ctx, tx, d.creditor.ID, today, ola)
		return err
	})
	return made.File
}

func (d *desks) paysFile(f models.RepaymentFile) {
	d.t.Helper()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.PayRepaymentFile(ctx, tx, d.creditor.ID, f.ID, today, today, ola)
		return err
	})
}

// onlyCharged returns an invoice on which the fee of a reminder is left.
func (d *desks) onlyCharged() models.Invoice {
	d.t.Helper()
	i := d.invoice()
	d.ola(func(ctx context.Context, tx *store.Tx) error {
		fee := models.Entry{CreditorID: d.creditor.ID, CustomerID: i.CustomerID, InvoiceID: i.ID, Type: models.EntryOverdueCharge, Amount: 35_00, TransactionDate: today}
		if err := ledger.Post(ctx, tx, []models.Entry{fee}, ola); err != nil {
			return err
		}
		locked, err := tx.LockInvoice(ctx, d.creditor.ID, i.ID)
		if err != nil {
			return err
		}
		locked.Notices = 1
		return tx.UpdateInvoice(ctx, locked)
	})
	for range 10 {
		d.pays(i)
	}
	return d.now(i)
}

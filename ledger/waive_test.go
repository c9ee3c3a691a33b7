package ledger_test

import (
	"context"
	"testing"

	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func (a *account) waive(w ledger.Waiver) error {
	w.Actor = "Kari"
	return a.db.InTx(a.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.WaiveChargesByHand(ctx, tx, a.creditor.ID, a.id, w, rows.Today)
		return err
	})
}

func (a *account) restore(seen ...models.Seen) error {
	return a.db.InTx(a.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.RestoreCharges(ctx, tx, a.creditor.ID, a.id, rows.Today, "Kari", seen...)
		return err
	})
}

func (a *account) balance() models.Amount {
	a.t.Helper()
	i, err := a.db.Invoice(a.t.Context(), a.creditor.ID, a.id)
	must(a.t, err)
	return i.Balance
}

// TestN9WhatIsLeftOfChargesIsWaivedAndRestored waives a fee and interest of which a part is paid, takes that back, and tries both where
// they are not allowed.
func TestN9WhatIsLeftOfChargesIsWaivedAndRestored(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db, 1, 1)
		a := d.of[0].invoices[0]
		if err := a.waive(ledger.Waiver{}); codeOf(err) != "principal_owed" {
			t.Errorf("while the principal is owed: %v", err)
		}
		if err := a.restore(); codeOf(err) != "nothing_waived" {
			t.Errorf("what was not waived: %v", err)
		}
		a.charge(models.EntryOverdueCharge, 35_00)
		a.charge(models.EntryInterest, 20_00)
		a.bank(1000_00)
		a.bank(5_00) // of the interest
		d.proved()
		must(t, a.waive(ledger.Waiver{Comment: "kulanse"}))
		d.proved()
		if a.balance() != 0 {
			t.Errorf("waived, %s is owed", a.balance())
		}
		if err := a.waive(ledger.Waiver{}); codeOf(err) != "no_charges_left" {
			t.Errorf("waived twice: %v", err)
		}
		must(t, a.restore("1"))
		d.proved()
		if a.balance() != 50_00 {
			t.Errorf("restored, %s is owed", a.balance())
		}
		if err := a.restore(); codeOf(err) != "waiver_overtaken" {
			t.Errorf("restored twice: %v", err)
		}
		must(t, a.waive(ledger.Waiver{}))
		if err := a.restore("1"); codeOf(err) != "changed_meanwhile" {
			t.Errorf("by an old form: %v", err)
		}
		a.bank(1_00) // the debtor pays all the same
		if err := a.restore(); codeOf(err) != "waiver_overtaken" {
			t.Errorf("after a payment: %v", err)
		}
		d.proved()
	})
}

// TestN9ANoticeIsPaidWhenItsPrincipalIs counts an invoice as paid after a reminder on the day on which the principal was covered, though
// the fee is paid much later, or never.
func TestN9ANoticeIsPaidWhenItsPrincipalIs(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		paidOn := func(pays ...ledger.Payment) models.Date {
			a := open(t, db, c)
			i, err := db.Invoice(t.Context(), c.ID, a.id)
			must(t, err)
			rows.Write(t, db, func(tx *store.Tx) error {
				n := models.Notice{CreditorID: c.ID, InvoiceID: a.id, CustomerID: i.CustomerID, Sequence: 1, IssueDate: rows.Today - 20, DueDate: rows.Today}
				return tx.CreateNotices(t.Context(), []models.Notice{n}, [][]models.NoticeLine{{{Position: 1}}})
			})
			a.charge(models.EntryOverdueCharge, 35_00)
			for _, p := range pays {
				_, err := a.register(p)
				must(t, err)
			}
			results, err := db.NoticeResults(t.Context(), c.ID, store.Dates{}, 1)
			must(t, err)
			return results[0].Paid
		}
		soon, late := rows.Today-15, rows.Today
		for why, tt := range map[string]struct {
			pays []ledger.Payment
			want models.Date
		}{
			"the fee is left":        {[]ledger.Payment{{Amount: -1000_00, Date: soon}}, soon},
			"the fee is paid late":   {[]ledger.Payment{{Amount: -1000_00, Date: soon}, {Amount: -35_00, Date: late}}, soon},
			"the principal in parts": {[]ledger.Payment{{Amount: -400_00, Date: soon}, {Amount: -600_00, Date: late}}, late},
			"a part of it is owed":   {[]ledger.Payment{{Amount: -999_99, Date: soon}}, 0},
		} {
			if got := paidOn(tt.pays...); got != tt.want {
				t.Errorf("%s: it is paid on %s, want %s", why, got, tt.want)
			}
		}
	})
}

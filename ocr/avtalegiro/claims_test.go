package avtalegiro_test

import (
	"context"
	"errors"
	"testing"

	"purr/billing"
	"purr/dunning"
	"purr/ledger"
	acts "purr/ledger/avtalegiro"
	"purr/models"
	"purr/register"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestG3AClaimIsDrawn: from the mandate in the bank's file to the money.
func TestG3AClaimIsDrawn(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(d *desk) {
		t := d.t
		to := d.payer()
		draft, err := billing.DraftInvoice(t.Context(), d.db, d.creditor, billing.InvoiceRequest{
			CustomerID: to.ID, NumDueDays: 14, Method: models.ByEmail, Lines: []models.Line{{Text: "Strøm", UnitPrice: 100_0000, NumItems: 1000, VAT: models.VATHigh}},
		}, d.clock.Now())
		testkit.Must(t, err)
		i := d.issue(to, 14)
		if draft.Invoice.Drawn != i.Drawn || draft.Invoice.DrawnUntil != i.DrawnUntil {
			t.Errorf("the draft is drawn %t, until %s", draft.Invoice.Drawn, draft.Invoice.DrawnUntil)
		}
		if !i.Drawn || i.DrawnUntil != acts.DrawnUntil(i.DueDate) {
			t.Fatalf("the invoice is drawn %t, until %s", i.Drawn, i.DrawnUntil)
		}
		d.wants(i, models.ClaimOwed, "")
		if f := d.file(); f.ID != 0 {
			t.Fatal("a file was made before 13:00")
		}
		d.at(d.today(), 13, 0)
		f := d.file()
		if f.Claims != 1 || f.Number != 1 || f.Amount != i.Gross {
			t.Fatalf("the file is %+v", f)
		}
		if again := d.file(); again.ID != 0 {
			t.Fatal("a second file was made on the same day")
		}
		receipts := d.deliver(f)
		d.wants(i, models.ClaimSent, "")
		d.read(receipts)
		d.read(receipts) // a receipt that comes twice changes nothing
		d.wants(i, models.ClaimAccepted, "")
		d.at(i.DueDate, 20, 0)
		d.take(d.bank.Draw(i.DueDate))
		d.at(i.DueDate+1, 6, 0)
		d.settle()
		d.wants(i, models.ClaimPaid, "")
		d.calm()
	})
}

// TestG3WhatTakesAClaimBack before its last day.
func TestG3WhatTakesAClaimBack(t *testing.T) {
	t.Parallel()
	acting := []struct {
		reason string
		do     func(d *desk, i models.Invoice) error
		letter bool // the invoice is sent once more
	}{
		{models.ClaimInvoicePaid, func(d *desk, i models.Invoice) error { return d.pay(i, i.Gross) }, false},
		{models.ClaimCredited, func(d *desk, i models.Invoice) error { return d.pay(i, i.Gross/2) }, true},
		{models.ClaimClosed, func(d *desk, i models.Invoice) error {
			return d.db.InTx(d.t.Context(), func(ctx context.Context, tx *store.Tx) error {
				_, err := dunning.CloseInvoice(ctx, tx, d.creditor, i.ID, dunning.Closing{Reason: models.ClosedOther, Actor: "a test"})
				return err
			})
		}, false},
		{models.ClaimHold, func(d *desk, i models.Invoice) error { return d.hold(i) }, true},
	}
	eachDesk(t, func(d *desk) {
		t := d.t
		d.at(d.today(), 12, 0)
		var invoices []models.Invoice
		for range acting {
			invoices = append(invoices, d.issue(d.payer(), 21))
		}
		d.at(d.today(), 13, 0)
		d.read(d.deliver(d.file()))
		for n, a := range acting {
			testkit.Must(t, a.do(d, invoices[n]))
		}
		d.at(d.today()+1, 13, 0)
		f := d.file()
		if f.Cancellations != len(acting) || f.Claims != 0 {
			t.Fatalf("the file takes %d back and has %d claims", f.Cancellations, f.Claims)
		}
		d.read(d.deliver(f))
		for n, a := range acting {
			claim := d.wants(invoices[n], models.ClaimCancelled, a.reason)
			if claim.LetterOwed != a.letter {
				t.Errorf("%s: a letter is owed %t", a.reason, claim.LetterOwed)
			}
		}
		d.at(invoices[0].DueDate, 20, 0)
		if drawn := d.bank.Draw(invoices[0].DueDate); drawn != nil {
			t.Error("what was taken back was drawn")
		}
		d.calm()
	})
}

// TestG3aATooLateStop is refused, and the money comes.
func TestG3aATooLateStop(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(d *desk) {
		t := d.t
		i := d.issue(d.payer(), 14)
		d.at(d.today(), 13, 0)
		d.read(d.deliver(d.file()))
		d.at(acts.CancelBy(i.DueDate), 14, 0)
		err := d.hold(i)
		if refused, is := errors.AsType[*models.Error](err); !is || refused.Code != "too_late_to_cancel" {
			t.Errorf("the hold: %v", err)
		}
		testkit.Must(t, d.pay(i, i.Gross)) // a payment is never refused
		d.at(i.DueDate, 20, 0)
		d.take(d.bank.Draw(i.DueDate))
		now, err := d.db.Invoice(t.Context(), d.creditor.ID, i.ID)
		testkit.Must(t, err)
		if now.Free() != i.Gross {
			t.Errorf("%s is free credit, want %s", now.Free(), i.Gross)
		}
		d.calm()
	})
}

// TestG3aARejectedClaim makes an ordinary invoice: it is sent once more, with a day of its own.
func TestG3aARejectedClaim(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(d *desk) {
		t := d.t
		to := d.payer()
		i := d.issue(to, 14)
		d.bank.Limit(i.KID, i.Gross-1)
		d.at(d.today(), 13, 0)
		d.read(d.deliver(d.file()))
		claim := d.claim(i)
		if claim.State != models.ClaimRejected || claim.Reason == "" || !claim.LetterOwed {
			t.Fatalf("the claim is %+v", claim)
		}
		d.at(d.today()+1, 6, 0)
		d.settle()
		all, err := d.db.ShipmentsOf(t.Context(), i.Document())
		testkit.Must(t, err)
		last := all[len(all)-1]
		if len(all) != 2 || last.Role() != models.Original || last.Ordinary != d.today()+14 || last.Method != models.ByPaper {
			t.Errorf("the shipments are %+v", all)
		}
		now, err := d.db.Invoice(t.Context(), d.creditor.ID, i.ID)
		testkit.Must(t, err)
		if now.DrawnUntil != 0 || !now.Drawn {
			t.Errorf("it is drawn %t until %s", now.Drawn, now.DrawnUntil)
		}
		d.settle()
		if again, err := d.db.ShipmentsOf(t.Context(), i.Document()); err != nil || len(again) != 2 {
			t.Errorf("settling twice: %d shipments, %v", len(again), err)
		}
		d.calm()
	})
}

// TestG3aNoMoney two bank days after the due date: an event tells, and dunning goes on.
func TestG3aNoMoney(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(d *desk) {
		t := d.t
		i := d.issue(d.payer(), 14)
		d.bank.NoCover(i.KID)
		d.at(d.today(), 13, 0)
		d.read(d.deliver(d.file()))
		told := func() int {
			events, err := d.db.NewestEvents(t.Context(), d.creditor.ID, store.EventFilter{Type: models.EventClaimUnpaid}, 0, 10)
			testkit.Must(t, err)
			return len(events)
		}
		d.at(acts.DrawnUntil(i.DueDate), 6, 0)
		d.settle()
		if told() != 0 {
			t.Error("it was told before two bank days had passed")
		}
		d.at(acts.DrawnUntil(i.DueDate)+1, 6, 0)
		d.settle()
		d.settle()
		if told() != 1 {
			t.Errorf("it was told %d times", told())
		}
		d.calm()
	})
}

// TestG3WhoOwesNoClaim: nobody without a mandate, and nothing that is due too soon.
func TestG3WhoOwesNoClaim(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(d *desk) {
		t := d.t
		payer, other := d.payer(), rows.Customer(t, d.db, d.creditor)
		for _, i := range []models.Invoice{d.issue(other, 14), d.issue(payer, 8)} {
			if _, there, err := d.db.BankClaimOf(t.Context(), d.creditor.ID, i.ID); err != nil || there || i.Drawn {
				t.Errorf("invoice %d has a claim %t, %v", i.Number, there, err)
			}
		}
		i := d.issue(payer, 9)
		if !i.Drawn {
			t.Error("an invoice that is due in nine days owes no claim")
		}
		d.bank.End(d.creditor.BankAccount, d.kid(payer), d.today())
		d.at(d.today(), 12, 0)
		d.take(d.bank.MandateFile(d.creditor.BankAccount, false))
		d.at(d.today(), 13, 0)
		if f := d.file(); f.ID != 0 {
			t.Errorf("a claim left without a mandate: %+v", f)
		}
		d.wants(i, models.ClaimCancelled, models.ClaimMandateEnded)
		if again := d.issue(payer, 14); again.Drawn {
			t.Error("an invoice is drawn after the mandate's end")
		}
	})
}

// TestG3AFileThatCannotLeave until its hour is over: what the bank surely has not is owed again, what it may have is taken back.
func TestG3AFileThatCannotLeave(t *testing.T) {
	t.Parallel()
	for _, uncertain := range []bool{false, true} {
		eachDesk(t, func(d *desk) {
			t := d.t
			i, urgent := d.issue(d.payer(), 30), d.issue(d.payer(), 9)
			d.at(d.today(), 13, 0)
			f := d.file()
			d.write(func(ctx context.Context, tx *store.Tx) error {
				locked, err := tx.LockClaimFile(ctx, f.CreditorID, f.ID)
				if err != nil {
					return err
				}
				locked.Uncertain = uncertain
				return acts.GiveUp(ctx, tx, &locked)
			})
			d.at(d.today()+1, 13, 0)
			next := d.file()
			if !uncertain {
				d.wants(urgent, models.ClaimRejected, models.ClaimTooLate)
				if next.Claims != 1 || next.Number != 2 {
					t.Fatalf("the next file is %+v", next)
				}
				d.read(d.deliver(next))
				d.wants(i, models.ClaimAccepted, "")
				d.calm()
				return
			}
			if next.Claims != 0 || next.Cancellations != 2 {
				t.Fatalf("the next file is %+v", next)
			}
			d.deliver(next) // the bank knows nothing of what it takes back, and says so
			d.wants(i, models.ClaimCancelled, models.ClaimLost)
			d.wants(urgent, models.ClaimCancelled, models.ClaimLost)
		})
	}
}

// pay registers a payment of an invoice by hand.
func (d *desk) pay(i models.Invoice, amount models.Amount) error {
	return d.db.InTx(d.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.RegisterOnInvoice(ctx, tx, d.creditor.ID, i.ID, ledger.Payment{Amount: -amount, Date: d.today(), Actor: "a test"}, d.today())
		return err
	})
}

// hold stops dunning of an invoice.
func (d *desk) hold(i models.Invoice) error {
	return d.db.InTx(d.t.Context(), func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.HoldInvoice(ctx, tx, d.creditor, i.ID, models.Hold{Comment: "disputed"}, "a test")
		return err
	})
}

// TestD117AClockThatWasAhead keeps no claim from its day.
func TestD117AClockThatWasAhead(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(d *desk) {
		t := d.t
		monday := d.today()
		d.write(func(ctx context.Context, tx *store.Tx) error {
			return tx.NoteClaimsLookedAt(ctx, d.creditor.ID, monday+28)
		})
		i := d.issue(d.payer(), 14)
		d.at(monday, 13, 0)
		if f := d.file(); f.Claims != 1 {
			t.Errorf("the file is %+v", f)
		}
		d.wants(i, models.ClaimOwed, "")
	})
}

// TestG2ACustomerWhoIsDeleted leaves a mandate of nobody's.
func TestG2ACustomerWhoIsDeleted(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(d *desk) {
		to := d.payer()
		d.write(func(ctx context.Context, tx *store.Tx) error {
			return register.DeleteCustomer(ctx, tx, d.creditor.ID, to.ID, "a test")
		})
		all, _, err := d.db.Mandates(d.t.Context(), d.creditor.ID, store.Page{Number: 1, Size: 10})
		testkit.Must(d.t, err)
		if len(all) != 1 || all[0].CustomerID != 0 {
			d.t.Errorf("the mandates are %+v", all)
		}
	})
}

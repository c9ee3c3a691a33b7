package dunning_test

import (
	"context"
	"testing"

	"purr/billing"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// closedFor has 30.00 of the desk's invoice closed by a run of 1 April.
func (d *desk) closedFor(changes ...func(*models.Policy)) {
	d.t.Helper()
	d.on("2026-04-01")
	d.pay(d.invoice.ID, "970.00")
	d.policy(append(changes, closeBelow(50_00))...)
	if r := d.run(); r.Closed != 1 {
		d.t.Fatalf("the run closes %d", r.Closed)
	}
	d.free("0.00")
}

// lost checks what of the receivables was lost by closings, in all months.
func (d *desk) lost(want string) {
	d.t.Helper()
	if sum, err := d.db.WrittenOff(d.t.Context(), d.creditor.ID, store.Dates{}, d.creditor.DisplayZone()); err != nil || sum != kroner(want) {
		d.t.Errorf("%s is lost, %v, want %s", sum, err, want)
	}
}

func (d *desk) settle() {
	d.t.Helper()
	d.do(func(ctx context.Context, tx *store.Tx) error {
		today, err := d.creditor.Today(tx.Now)
		if err != nil {
			return err
		}
		_, err = ledger.MoveCredit(ctx, tx, d.creditor.ID, d.customer.ID, today, actor, nil)
		return err
	})
}

// takePaymentBack deletes the payment of an amount on the desk's invoice.
func (d *desk) takePaymentBack(amount string) {
	d.t.Helper()
	d.do(func(ctx context.Context, tx *store.Tx) error {
		entries, err := tx.EntriesOfInvoice(ctx, d.invoice.ID)
		if err != nil {
			return err
		}
		for _, e := range entries {
			if e.Amount == -kroner(amount) {
				return ledger.DeletePayment(ctx, tx, d.creditor.ID, e.ID, rows.Today, actor)
			}
		}
		return nil
	})
}

// owes checks what is owed on another invoice.
func (d *desk) owes(invoice models.Invoice, want string) {
	d.t.Helper()
	if i, err := d.db.Invoice(d.t.Context(), d.creditor.ID, invoice.ID); err != nil || i.Balance != kroner(want) {
		d.t.Errorf("invoice %d owes %s, %v, want %s", i.Number, i.Balance, err, want)
	}
}

// TestL25LateMoneyIsFreeCredit pays what a run has written off: nothing is opened, the money is free, settle moves it to another invoice
// and leaves the closed one as it is, and taken back it is taken from there.
func TestL25LateMoneyIsFreeCredit(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.closedFor()
		d.lost("30.00")
		d.pay(d.invoice.ID, "20.00")
		d.stands(models.StatusClosedOther, "10.00", 0)
		d.free("20.00")
		d.pay(d.invoice.ID, "10.00")
		d.stands(models.StatusClosedOther, "0.00", 0)
		d.free("30.00")
		d.proved()

		other := d.another("1500")
		d.settle()
		d.stands(models.StatusClosedOther, "30.00", 0)
		d.free("0.00")
		d.owes(other, "1470.00")
		if i := d.now(); i.RepaymentOwed != 0 || i.WrittenOff != 30_00 {
			t.Errorf("%s is a repayment, %s written off", i.RepaymentOwed, i.WrittenOff)
		}
		d.proved()

		d.takePaymentBack("20.00")
		d.stands(models.StatusClosedOther, "30.00", 0)
		d.owes(other, "1490.00")
		d.free("0.00")
		d.pay(d.invoice.ID, "100.00") // more than was written off
		d.stands(models.StatusClosedOther, "-70.00", 0)
		d.free("100.00")
		d.proved()
	})
}

// TestL25LateMoneyIsMovedByRuns lets the next run move late money where the policy says so, to an invoice of which the rest is small then:
// the same run closes that, as the plans said.
func TestL25LateMoneyIsMovedByRuns(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.closedFor(func(p *models.Policy) { p.SettleCredit = true })
		small := d.another("70")
		d.pay(d.invoice.ID, "30.00")
		d.on("2026-04-07")
		if got := d.planned("2026-04-07"); got != "2 close 40.00" {
			t.Errorf("the plan is %q", got)
		}
		if got := d.planned("2026-04-08"); got != "" {
			t.Errorf("the plan of the day after is %q", got)
		}
		d.foretold(1, "40.00")
		if r := d.run(); r.Closed != 1 {
			t.Errorf("the run closes %d", r.Closed)
		}
		d.owes(small, "40.00")
		d.free("0.00")
		d.stands(models.StatusClosedOther, "30.00", 0)
		d.proved()
	})
}

// TestL25WhatIsPaidOutOfLateMoney pays late money back, by hand and by a file, and takes it back then: more than was written off is owed,
// so the invoice is open again, and a repayment is owed on it.
func TestL25WhatIsPaidOutOfLateMoney(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.closedFor()
		d.refused("amount_too_large", func(ctx context.Context, tx *store.Tx) error {
			_, err := ledger.RegisterOnInvoice(ctx, tx, d.creditor.ID, d.invoice.ID, ledger.Payment{Amount: 1, Date: rows.Today, Actor: actor}, rows.Today)
			return err
		})
		d.pay(d.invoice.ID, "30.00")
		d.pay(d.invoice.ID, "-20.00")
		d.stands(models.StatusClosedOther, "20.00", 0)
		d.free("10.00")
		if i := d.now(); i.RepaymentOwed != 0 {
			t.Errorf("%s is owed as a repayment", i.RepaymentOwed)
		}
		d.proved()
		d.takePaymentBack("30.00")
		i := d.now()
		if i.Closed != models.NotClosed || i.Balance != 50_00 || i.RepaymentOwed != 20_00 || i.WrittenOff != 0 || i.KeptOpen {
			t.Errorf("it is closed %q with %s owed, of that %s as a repayment; %s written off", i.Closed, i.Balance, i.RepaymentOwed, i.WrittenOff)
		}
		d.free("0.00")
		if r := d.run(); r.Closed != 0 {
			t.Error("a run closes it with its repayment")
		}
		d.proved()
	})
}

// TestL25MoneyThatIsTakenBackOpensTheInvoice takes the payment back that had left so little: now all is owed, and the ladder goes on.
func TestL25MoneyThatIsTakenBackOpensTheInvoice(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.closedFor()
		d.takePaymentBack("970.00")
		d.stands(models.InvoiceOverdueChargeable, "1000.00", 0)
		d.lost("0.00")
		d.toldOf("invoice.reopened", "purrInvoice 1 reopened with 1000.00 owed: money was taken back, and it was closed for a small remainder")
		if r := d.run(); len(r.Documents) != 1 {
			t.Errorf("the run makes %d notices", len(r.Documents))
		}
		d.proved()
	})
}

// TestL25WhatIsCreditedNeedNotBeWrittenOff credits an invoice that a run has closed, in part and whole: the customer gets back what was paid
// for what is credited, and not a øre of what was not paid.
func TestL25WhatIsCreditedNeedNotBeWrittenOff(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why                  string
		late                 string
		settled              bool
		part, free, inTheEnd string
	}{
		{"nothing came since", "", false, "0.00", "970.00", "0.00"},
		{"the rest came since", "30.00", false, "30.00", "1000.00", "0.00"},
		{"a part of it came", "5.00", false, "5.00", "975.00", "0.00"},
		{"the rest was moved on", "30.00", true, "0.00", "970.00", "0.00"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			eachDesk(t, func(t *testing.T, d *desk) {
				d.closedFor()
				if tt.late != "" {
					d.pay(d.invoice.ID, tt.late)
				}
				if tt.settled {
					d.another("1500")
					d.settle()
				}
				d.credit(billing.CreditNoteRequest{Method: models.ByPaper, Lines: []billing.CreditLine{{Text: "Returned", Net: 10_00, VAT: models.VATNone}}})
				d.free(tt.part)
				d.proved()
				d.credit(billing.CreditNoteRequest{Method: models.ByPaper})
				d.free(tt.free)
				if i := d.now(); i.WrittenOff != 0 || i.Balance != kroner(tt.inTheEnd) {
					t.Errorf("%s is written off, %s owed", i.WrittenOff, i.Balance)
				}
				d.proved()
			})
		})
	}
}

func (d *desk) credit(r billing.CreditNoteRequest) {
	d.t.Helper()
	d.do(func(ctx context.Context, tx *store.Tx) error {
		_, err := billing.IssueCreditNote(ctx, tx, d.creditor, d.invoice.ID, r)
		return err
	})
}

// TestL25APersonOpensItAgain reopens what a run has closed: late money pays it, also what was moved on, and no run closes it again.
func TestL25APersonOpensItAgain(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.closedFor()
		d.pay(d.invoice.ID, "20.00")
		other := d.another("1500")
		d.settle()
		d.do(d.reopen)
		d.stands(models.InvoiceOverdueChargeable, "10.00", 0)
		d.owes(other, "1500.00")
		d.free("0.00")
		d.lost("0.00")
		if r := d.run(); r.Closed != 0 || d.now().Closed != models.NotClosed {
			t.Errorf("a run closes it again (%d)", r.Closed)
		}
		d.proved()
		d.pay(d.invoice.ID, "10.00")
		d.stands(models.InvoicePaid, "0.00", 0)
		d.proved()
	})
}

// TestL25AClosingWithdrawsWhatHasNotLeft closes an invoice whose reminder waits for the mail: the reminder is withdrawn, with what it
// charges.
func TestL25AClosingWithdrawsWhatHasNotLeft(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		n := d.remind()
		d.pay(d.invoice.ID, "970.00")
		d.policy(closeBelow(50_00))
		if r := d.run(); r.Closed != 1 {
			t.Errorf("the run closes %d", r.Closed)
		}
		d.stands(models.StatusClosedOther, "30.00", 0)
		if _, may := d.letterIsDue(n); may {
			t.Error("the reminder leaves")
		}
		d.proved()
	})
}

// TestL25WhatAPersonHasClosedIsPaidByLateMoney is as it was: what a person closes is not written off, so late money pays it.
func TestL25WhatAPersonHasClosedIsPaidByLateMoney(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.pay(d.invoice.ID, "970.00")
		d.do(d.close)
		d.pay(d.invoice.ID, "30.00")
		d.free("0.00")
		d.do(d.reopen)
		d.stands(models.InvoicePaid, "0.00", 0)
		if !d.now().KeptOpen {
			t.Error("a run may close it again")
		}
		d.proved()
	})
}

// TestL25NothingIsMovedToWhatIsWrittenOff moves credit of another invoice by hand.
func TestL25NothingIsMovedToWhatIsWrittenOff(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(_ *testing.T, d *desk) {
		d.closedFor()
		other := d.another("100")
		d.pay(other.ID, "150.00")
		d.settle()
		d.free("50.00")
		d.refused("amount_too_large", func(ctx context.Context, tx *store.Tx) error {
			_, err := ledger.TransferCredit(ctx, tx, d.creditor.ID, ledger.Transfer{FromID: other.ID, ToID: d.invoice.ID, Amount: 1, Actor: actor}, rows.Today)
			return err
		})
		d.stands(models.StatusClosedOther, "30.00", 0)
		d.proved()
	})
}

package dunning_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"purr/dunning"
	"purr/ledger"
	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
	"purr/test/testkit/rows"
)

func (d *desk) acknowledge(date string) func(ctx context.Context, tx *store.Tx) error {
	return func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.AcknowledgeInvoice(ctx, tx, d.creditor, d.invoice.ID, models.Acknowledgement{Date: day(date)}, actor)
		return err
	}
}

func (d *desk) unacknowledge(ctx context.Context, tx *store.Tx) error {
	return dunning.RemoveAcknowledgement(ctx, tx, d.creditor, d.invoice.ID, actor)
}

// lapses fails the test unless the desk's invoice lapses on a day.
func (d *desk) lapses(on, because string) {
	d.t.Helper()
	if got := d.now().LapsesOn; got != day(on) {
		d.t.Errorf("%s: it lapses on %s, want %s", because, got, on)
	}
}

// tells has the lapses be told on a day, and returns what was told of the desk's invoice by then.
func (d *desk) tells(on string) (told []string) {
	d.t.Helper()
	d.db = rows.On(d.db, day(on))
	must(d.t, dunning.TellLapses(d.t.Context(), d.db, d.creditor, day(on)))
	for _, text := range d.events() {
		if strings.HasPrefix(text, "invoice.lapses") {
			told = append(told, text)
		}
	}
	return told
}

// bank posts what a bank's file says of the desk's invoice: money in below zero.
func (d *desk) bank(date, amount string) {
	d.t.Helper()
	d.do(func(ctx context.Context, tx *store.Tx) error {
		if _, err := tx.LockInvoice(ctx, d.creditor.ID, d.invoice.ID); err != nil {
			return err
		}
		return ledger.Post(ctx, tx, []models.Entry{{
			CreditorID: d.creditor.ID, CustomerID: d.customer.ID, InvoiceID: d.invoice.ID, Type: models.EntryOCR, Amount: kroner(amount), TransactionDate: day(date),
		}}, "")
	})
}

// unpay deletes the last payment on the desk's invoice.
func (d *desk) unpay(ctx context.Context, tx *store.Tx) error {
	entries, err := tx.EntriesOfInvoice(ctx, d.invoice.ID)
	if err != nil {
		return err
	}
	today, err := d.creditor.Today(tx.Now)
	if err != nil {
		return err
	}
	return ledger.DeletePayment(ctx, tx, d.creditor.ID, entries[len(entries)-1].ID, today, actor)
}

// TestL26WhatMovesTheDayOfLapsing has an invoice that was due on 16 March 2026 be paid on, planned and acknowledged, and each taken back.
func TestL26WhatMovesTheDayOfLapsing(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(_ *testing.T, d *desk) {
		d.lapses("2029-03-16", "it is due on that day")
		d.remind()
		d.lapses("2029-03-16", "a reminder acknowledges nothing")
		d.pay(d.invoice.ID, "100")
		d.lapses("2029-03-30", "a part is paid")
		d.bank("2026-04-20", "-50.00")
		d.lapses("2029-04-20", "the bank brings another part")
		d.bank("2026-05-04", "50.00")
		d.lapses("2029-03-30", "the bank takes it back")
		d.on("2026-05-11")
		d.pay(d.invoice.ID, "20")
		d.lapses("2029-05-11", "the last payment counts")
		d.do(d.unpay)
		d.lapses("2029-03-30", "it is deleted")
		owed := d.now().Claimed().String()
		d.do(d.makePlan("2026-06-15 " + owed))
		d.lapses("2029-05-11", "a plan is agreed")
		d.do(d.endPlan)
		d.lapses("2029-03-30", "it is ended on the same day, by mistake made")
		d.do(d.makePlan("2026-06-15 " + owed))
		d.on("2026-06-01")
		d.do(d.endPlan)
		d.lapses("2029-05-11", "it is ended later, and was agreed")
		d.do(d.acknowledge("2026-05-31"))
		d.lapses("2029-05-31", "a person sets a day")
		d.do(d.acknowledge("2026-03-20"))
		d.lapses("2029-05-11", "he sets another, before the plan")
		d.do(d.unacknowledge)
		d.lapses("2029-05-11", "none is set")
	})
}

// TestL26WhatIsNotTheDebtorsActMovesNothing: credit that the creditor moves, and a credit note, acknowledge nothing; what settled an invoice
// counts once something is owed on it again.
func TestL26WhatIsNotTheDebtorsActMovesNothing(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(_ *testing.T, d *desk) {
		other := d.another("300.00")
		d.pay(other.ID, "700") // 400 too much
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := ledger.TransferCredit(ctx, tx, d.creditor.ID, ledger.Transfer{FromID: other.ID, ToID: d.invoice.ID, Amount: kroner("400"), Actor: actor}, day("2026-03-30"))
			return err
		})
		d.lapses("2029-03-16", "credit was moved to it")
		d.on("2026-05-11")
		d.pay(d.invoice.ID, "600")                           // which settles it
		d.do(func(ctx context.Context, tx *store.Tx) error { // and the money goes that the credit was made of
			entries, err := tx.EntriesOfInvoice(ctx, other.ID)
			if err != nil {
				return err
			}
			n := slices.IndexFunc(entries, func(e models.Entry) bool { return e.Amount == kroner("-700") })
			return ledger.DeletePayment(ctx, tx, d.creditor.ID, entries[n].ID, day("2026-05-11"), actor)
		})
		if got := d.now(); got.Balance != kroner("400") {
			d.t.Fatalf("%s is owed again, want 400.00", got.Balance)
		}
		d.lapses("2029-05-11", "what settled it was a payment")
	})
}

// TestL26AnUnmatchedPaymentCountsWhileItIsMatched, with the day on which the bank booked it, 30 March.
func TestL26AnUnmatchedPaymentCountsWhileItIsMatched(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(_ *testing.T, d *desk) {
		id := d.queue(0)
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := unmatched.Match(ctx, tx, d.creditor, id, []int64{d.invoice.ID}, actor)
			return err
		})
		d.lapses("2029-03-30", "a payment is matched with it")
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := unmatched.Unmatch(ctx, tx, d.creditor, id, actor)
			return err
		})
		d.lapses("2029-03-16", "it is unmatched")
	})
}

// TestL26ALapseIsToldOnceForEachDay: from 180 days before, whatever the days on which nobody looks, also by two at once, and again once the day
// has moved.
func TestL26ALapseIsToldOnceForEachDay(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		want := func(on string, texts ...string) {
			t.Helper()
			if got := d.tells(on); !slices.Equal(got, texts) {
				t.Errorf("by %s was told\n\t%s\nwant\n\t%s", on, strings.Join(got, "\n\t"), strings.Join(texts, "\n\t"))
			}
		}
		first := "invoice.lapses Invoice 1 with 1000.00 owed lapses on 2029-03-16"
		want("2028-09-16")
		d.db = rows.On(d.db, day("2028-09-17"))
		d.fourAtOnce(func(ctx context.Context) error { return dunning.TellLapses(ctx, d.db, d.creditor, day("2028-09-17")) })
		want("2028-09-17", first)
		want("2028-09-18", first)
		d.pay(d.invoice.ID, "100")
		d.lapses("2031-09-18", "a part is paid")
		want("2029-03-16", first)
		second := "invoice.lapses Invoice 1 with 900.00 owed lapses on 2031-09-18"
		want("2031-04-01", first, second) // ten days were missed
		d.do(d.acknowledge("2031-04-01"))
		d.do(d.unacknowledge)
		want("2031-04-02", first, second) // the day has moved and come back
		want("2032-01-01", first, second)
	})
}

// TestL26WhatIsToldOfLapses: whatever is claimed, also by the debt collector, also late; but nothing that is paid or closed.
func TestL26WhatIsToldOfLapses(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		paid, closed, reopened := d.another("100.00"), d.another("200.00"), d.another("300.00")
		closing := dunning.Closing{Reason: models.ClosedLost, Actor: actor}
		d.pay(paid.ID, "100")
		for _, i := range []models.Invoice{closed, reopened} {
			d.do(func(ctx context.Context, tx *store.Tx) error {
				_, err := dunning.CloseInvoice(ctx, tx, d.creditor, i.ID, closing)
				return err
			})
		}
		d.do(d.handOver)
		if got := d.tells("2030-01-01"); len(got) != 1 || !strings.HasPrefix(got[0], "invoice.lapses Invoice 1 ") {
			t.Errorf("told was %q, want the invoice with the debt collector", got)
		}
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.ReopenInvoice(ctx, tx, d.creditor, reopened.ID, actor)
			return err
		})
		if got := d.tells("2030-01-02"); len(got) != 2 || !strings.Contains(got[1], "Invoice 4 with 300.00 owed") {
			t.Errorf("told was %q, want the reopened invoice too", got)
		}
		told, err := d.db.ForToday(t.Context(), d.creditor.ID, day("2030-01-02"), d.db.Now())
		if err != nil || told.Lapses != 2 || told.Lapsing != kroner("1300") {
			t.Errorf("Today tells of %d that lapse, %s, %v", told.Lapses, told.Lapsing, err)
		}
	})
}

// TestL26ADayIsSetByAPerson, or refused: each act has one event, and a second press changes nothing.
func TestL26ADayIsSetByAPerson(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(_ *testing.T, d *desk) {
		d.do(d.unacknowledge)
		for range 2 {
			d.do(d.acknowledge("2026-03-20"))
		}
		d.do(d.acknowledge("2026-03-25"))
		for range 2 {
			d.do(d.unacknowledge)
		}
		d.logged(
			"invoice.acknowledged Invoice 1 was acknowledged on 2026-03-20, and lapses on 2029-03-20, by API key 1 (write)",
			"invoice.acknowledged Invoice 1 was acknowledged on 2026-03-25, and lapses on 2029-03-25, by API key 1 (write)",
			"invoice.acknowledgement_removed The day on which invoice 1 was acknowledged, 2026-03-25, was removed: it lapses on 2029-03-16, by API key 1 (write)",
		)
		d.refused("[date_in_future]", d.acknowledge("2026-03-31"))
		d.refused("[before_issue]", d.acknowledge("2026-03-01"))
		d.do(d.handOver)
		d.do(d.acknowledge("2026-03-02")) // the day of issue, of a claim that the debt collector has
		d.lapses("2029-03-16", "that is before it was due")
		d.do(d.close)
		d.refused("invoice_closed", d.acknowledge("2026-03-20"))
		d.do(d.unacknowledge)
		d.do(d.reopen)
		d.pay(d.invoice.ID, "1000")
		d.refused("invoice_paid", d.acknowledge("2026-03-20"))
	})
}

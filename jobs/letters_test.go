package jobs

import (
	"context"
	"strings"
	"testing"
	"time"

	"purr/dunning"
	"purr/law"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// letterOffice makes an office whose printer prints, and an invoice that has left.
func letterOffice(t *testing.T, o *office, changes ...func(*models.Creditor)) (*printer, models.Creditor, models.Invoice) {
	t.Helper()
	letters := newPrinter()
	o.worker.Dispatch.Channels[models.ByPaper] = letters
	o.work(t, 2)
	enabled := func(c *models.Creditor) { c.Policy.Enabled = true }
	c := rows.Creditor(t, o.db, append([]func(*models.Creditor){enabled}, changes...)...)
	invoice := rows.Invoice(t, o.db, c)
	o.settle(t)
	return letters, c, invoice
}

// planned returns why the plan of today leaves the only overdue invoice alone, or what it does to it.
func (o *office) planned(t *testing.T, c models.Creditor) string {
	t.Helper()
	today, err := c.Today(o.clock.Now())
	must(t, err)
	snapshot, err := dunning.TakeSnapshot(t.Context(), o.db, law.Default(), c, today)
	must(t, err)
	steps, _, err := snapshot.Plan(t.Context(), today, store.Page{Number: 1, Size: 10})
	must(t, err)
	if len(steps) != 1 {
		t.Fatalf("the plan has %d steps", len(steps))
	}
	return string(steps[0].Action) + " " + string(steps[0].Reason)
}

// stands checks what an invoice owes and which notices are in force, each with its day and deadline.
func (o *office) stands(t *testing.T, c models.Creditor, i models.Invoice, balance string, notices ...string) {
	t.Helper()
	now, err := o.db.Invoice(t.Context(), c.ID, i.ID)
	must(t, err)
	var got []string
	for _, n := range o.notices(t, i) {
		got = append(got, n.IssueDate.String()+" due "+n.DueDate.String())
	}
	if now.Balance.String() != balance || strings.Join(got, "; ") != strings.Join(notices, "; ") {
		t.Errorf("invoice %d owes %s with the notices %q, want %s with %q", i.Number, now.Balance, got, balance, notices)
	}
}

// The printer has no paper for 40 days. The reminder of 30 March is tried for 24 hours, on two days, and is then withdrawn.
// Nothing more happens until the printer works: then there is one reminder, of the day on which it leaves.
func TestL2PaperIsAwayFor40Days(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		letters, c, invoice := letterOffice(t, o, func(c *models.Creditor) { c.Policy.HandOverDays = new(1) })
		letters.empty.Store(true)
		o.sleepUntil(t, reminderDue)
		o.advance(t, 3*24*time.Hour)
		o.pass(t, 37) // 9 May, a Saturday
		o.stands(t, c, invoice, "1000.00")
		if got := o.planned(t, c); got != "none not_sent" {
			t.Errorf("the plan does %s", got)
		}
		wantLines(t, o.events(t, c, models.EventNoticeCreated, models.EventNoticeWithdrawn),
			"03-30 04:00:00 overdue_notice.created Reminder 1 on invoice 1: 1042.60 owed, of that fee 38.00 and interest 4.60, due 2026-04-13",
			"03-30 22:25:15 overdue_notice.withdrawn Reminder 1 on invoice 1 withdrawn before it was sent: its letter did not leave on 2026-03-30",
			"03-30 22:25:15 overdue_notice.created Reminder 1 on invoice 1: 1042.93 owed, of that fee 38.00 and interest 4.93, due 2026-04-14",
			"03-31 04:25:15 overdue_notice.withdrawn Reminder 1 on invoice 1 withdrawn before it was sent: its letter failed: the printer is not available; try again shortly: out of paper")
		letters.empty.Store(false)
		o.advance(t, 2*24*time.Hour) // Monday, 11 May
		o.stands(t, c, invoice, "1056.41", "2026-05-11 due 2026-05-25")
		if got := letters.all(); len(got) != 2 || !strings.HasPrefix(got[1], "overdue-notice-1-") {
			t.Errorf("the letters that left are %q", got)
		}
		o.prove(t, c)
	})
}

// A letter that leaves in the small hours of the next day has that day's date, fee, interest and deadline.
func TestL2ALetterThatLeavesAfterMidnightIsOfThatDay(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		letters, c, invoice := letterOffice(t, o, func(c *models.Creditor) { c.Policy.PostalDays = 3 })
		letters.empty.Store(true)
		o.sleepUntil(t, reminderDue)
		old := o.notices(t, invoice)[0]
		o.advance(t, 17*time.Hour+40*time.Minute)
		o.stands(t, c, invoice, "1042.60", "2026-03-30 due 2026-04-16")
		letters.empty.Store(false)
		o.advance(t, 2*time.Hour) // one hour past midnight in Oslo
		o.stands(t, c, invoice, "1042.93", "2026-03-31 due 2026-04-17")
		anew := o.notices(t, invoice)[0]
		if s := o.shipments(t, anew.Document()); s[0].State != models.ShipmentSent {
			t.Errorf("the letter is %s", s[0].State)
		}
		if got, found, err := o.db.ReplacementOf(t.Context(), old); err != nil || !found || got.ID != anew.ID {
			t.Errorf("notice %d took its place, %v", got.ID, err)
		}
		if run := o.runOf(t, c, models.RunDunning, models.DateOf(reminderDue)); run.Done != 1 {
			t.Errorf("the run did %d steps, want 1", run.Done)
		}
		o.prove(t, c)
	})
}

// A worker dies with the reminder in hand, before midnight. The next one does not send yesterday's letter.
func TestL2AKillBeforeMidnight(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		letters, c, invoice := letterOffice(t, o)
		letters.empty.Store(true)
		o.sleepUntil(t, reminderDue)
		id := o.shipments(t, o.notices(t, invoice)[0].Document())[0].ID
		dying := o.join(t)
		o.clock.Set(o.clock.Now().Add(time.Hour))
		o.takeFor(t, dying, id)
		letters.empty.Store(false)
		dying.die()
		o.clock.Set(o.clock.Now().Add(24 * time.Hour))
		o.holder.lookAround(t.Context())
		o.settle(t)
		o.stands(t, c, invoice, "1042.93", "2026-03-31 due 2026-04-14")
		if got := letters.all(); len(got) != 2 {
			t.Errorf("the letters that left are %q", got)
		}
	})
}

// A worker dies after the printer has the reminder, and is buried the day after: the letter left on its day.
func TestD94ALetterOfADeadWorkerLeftOnItsDay(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		letters, c, invoice := letterOffice(t, o)
		letters.empty.Store(true)
		o.sleepUntil(t, reminderDue)
		letter := o.shipments(t, o.notices(t, invoice)[0].Document())[0]
		dying := o.join(t)
		o.clock.Set(o.clock.Now().Add(time.Hour))
		s := o.takeFor(t, dying, letter.ID)
		at := o.clock.Now()
		_, err := dying.self.marks.set(mark{Kind: kindShip, CreditorID: c.ID, ID: s.ID, Attempt: s.Attempts, Receipt: "a file", At: at}, true)
		must(t, err)
		dying.die()
		o.clock.Set(o.clock.Now().Add(24 * time.Hour))
		o.holder.lookAround(t.Context())
		o.settle(t)
		o.stands(t, c, invoice, "1042.60", "2026-03-30 due 2026-04-13")
		if s := o.shipments(t, letter.Document())[0]; s.State != models.ShipmentSent || !s.SentAt.Equal(at) {
			t.Errorf("the letter is %s, sent at %v", s.State, s.SentAt)
		}
	})
}

// What a person asked for is issued anew as it was asked for, whatever automatic dunning would do.
func TestL2WhatAPersonAskedForIsIssuedAnewAsAsked(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		letters, c, invoice := letterOffice(t, o, func(c *models.Creditor) { c.Policy.Enabled = false })
		letters.empty.Store(true)
		o.sleepUntil(t, reminderDue)
		rows.Write(t, o.db, func(tx *store.Tx) error {
			_, err := dunning.IssueNotice(t.Context(), tx, law.Default(), c, invoice.ID, dunning.Request{AddFee: true, Warning: true, Comment: "as agreed", Actor: "a person"})
			return err
		})
		o.advance(t, 20*time.Hour)
		letters.empty.Store(false)
		o.advance(t, 2*time.Hour)
		o.stands(t, c, invoice, "1038.00", "2026-03-31 due 2026-04-14")
		if n := o.notices(t, invoice)[0]; !n.Warning || n.Comment != "as agreed" || n.AskedBy != "a person" {
			t.Errorf("the notice is %+v", n)
		}
	})
}

// An e-mail server refuses the invoice for good: no step is ever taken, by nobody. When a person has it sent at last, on the
// 60th day, the due date moves by as many days for the ladder and for interest.
func TestL1ALateInvoiceMovesItsDueDate(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		refused := &channel{take: func(context.Context, string) error {
			return models.Refuse(models.BlameRecipient, nil, "550 no such mailbox")
		}}
		o.worker.Dispatch.Channels[models.ByEmail] = refused
		o.worker.Dispatch.Channels[models.ByPaper] = newPrinter()
		o.work(t, 2)
		c := o.dunned(t, func(c *models.Creditor) { c.Policy.HandOverDays = new(1) })
		invoice := rows.Invoice(t, o.db, c, byEmail())
		o.settle(t)
		for _, days := range []int{15, 14, 15, 16} { // overdue; as on the days of a reminder and of a hand-over; 1 May
			o.pass(t, days)
			o.stands(t, c, invoice, "1000.00")
		}
		if got := o.planned(t, c); got != "none not_sent" {
			t.Errorf("the plan does %s", got)
		}
		for name, ask := range map[string]func(tx *store.Tx) error{
			"hand-over": func(tx *store.Tx) error {
				_, err := dunning.HandOverInvoice(t.Context(), tx, c, invoice.ID, "a person")
				return err
			},
			"notice": func(tx *store.Tx) error {
				_, err := dunning.IssueNotice(t.Context(), tx, law.Default(), c, invoice.ID, dunning.Request{})
				return err
			},
		} {
			if err := o.db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error { return ask(tx) }); rows.Faults(err) != "not_sent" {
				t.Errorf("a %s by hand: %v", name, err)
			}
		}
		id := o.shipments(t, invoice.Document())[0].ID
		rows.Write(t, o.db, func(tx *store.Tx) error {
			_, err := shipments.Retry(t.Context(), tx, id, shipments.Again{}, "a person")
			return err
		})
		refused.take = nil
		o.settle(t)
		o.stands(t, c, invoice, "1000.00")
		o.pass(t, 27) // 28 May, the 13th day after the moved due date
		o.stands(t, c, invoice, "1000.00")
		o.advance(t, 24*time.Hour)
		// 1000.00 × 12 % × 14 ÷ 365 = 4.602…
		o.stands(t, c, invoice, "1042.60", "2026-05-29 due 2026-06-12")
		o.prove(t, c)
	})
}

// A payment waits in the queue for a month. A person is told once, after ten days.
func TestL3APaymentThatWaitsLongIsTold(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		_, c, _ := letterOffice(t, o)
		rows.Write(t, o.db, func(tx *store.Tx) error {
			return tx.CreateUnmatchedPayments(t.Context(), []models.UnmatchedPayment{{
				CreditorID: c.ID, LineKey: []byte(strings.Repeat("1", 32)), Amount: 250_00, TransactionDate: rows.Today, Status: models.PaymentOpen,
			}})
		})
		o.pass(t, 9)
		wantLines(t, o.events(t, c, models.EventPaymentWaitingLong))
		o.advance(t, 2*24*time.Hour)
		o.pass(t, 19)
		wantLines(t, o.events(t, c, models.EventPaymentWaitingLong),
			"03-12 05:00:00 payment.waiting_long A payment of 250.00 has waited in the queue since 2026-03-02: match or dismiss it")
		counts, err := o.db.WaitingForPerson(t.Context())
		if err != nil || counts["payments_waiting_long"] != 1 {
			t.Errorf("waiting are %v, %v", counts, err)
		}
	})
}

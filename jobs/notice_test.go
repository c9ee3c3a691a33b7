package jobs

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// dunned makes a creditor with automatic dunning.
func (o *office) dunned(t *testing.T, changes ...func(*models.Creditor)) models.Creditor {
	t.Helper()
	return rows.Creditor(t, o.db, append(changes, func(c *models.Creditor) { c.Policy.Enabled = true })...)
}

// reminderDue is when invoices of rows.Start are reminded: on Monday, 30 March, at 06:00 in Oslo. They fall due on 16
// March.
var reminderDue = time.Date(2026, time.March, 30, 4, 0, 0, 0, time.UTC)

// sleepUntil moves the clock to just before a moment without running anything, and then does what falls due at it.
func (o *office) sleepUntil(t *testing.T, moment time.Time) {
	t.Helper()
	o.clock.Set(moment.Add(-time.Second))
	must(t, o.mover.Advance(t.Context(), moment))
}

// notices returns the notices of an invoice that are in force.
func (o *office) notices(t *testing.T, i models.Invoice) []models.Notice {
	t.Helper()
	found, err := o.db.NoticesOf(t.Context(), i.ID)
	must(t, err)
	return found
}

// printer is a channel for letters that can be out of paper.
type printer struct {
	channel
	empty atomic.Bool
}

// Check says whether the printer has paper.
func (p *printer) Check(ctx context.Context) error { return p.take(ctx, "") }

func newPrinter() *printer {
	p := &printer{}
	p.take = func(context.Context, string) error {
		if p.empty.Load() {
			return models.Unavailable("the printer", errors.New("out of paper"))
		}
		return nil
	}
	return p
}

func TestE6fANoticeThatAPaymentMadeNeedlessIsWithdrawn(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		letters := newPrinter()
		o.worker.Dispatch.Channels[models.ByPaper] = letters
		o.work(t, 2)
		c := o.dunned(t)
		invoice := rows.Invoice(t, o.db, c)
		o.settle(t) // the invoice itself leaves
		letters.empty.Store(true)
		o.sleepUntil(t, reminderDue)
		notice := o.notices(t, invoice)[0]
		if notice.Fee == 0 || notice.Interest == 0 {
			t.Fatalf("the reminder charges %s and %s", notice.Fee, notice.Interest)
		}
		payment := o.pay(t, invoice, 1000_00)
		o.advance(t, time.Hour)

		wantLines(t, o.events(t, c, models.EventNoticeCreated, models.EventNoticeWithdrawn),
			"03-30 04:00:00 overdue_notice.created Reminder 1 on invoice 1: 1042.60 owed, of that fee 38.00 and interest 4.60, due 2026-04-13",
			"03-30 04:00:05 overdue_notice.withdrawn Reminder 1 on invoice 1 withdrawn before it was sent: paid meanwhile")
		if s := o.shipments(t, notice.Document())[0]; s.State != models.ShipmentWithdrawn {
			t.Errorf("the letter is %s", s.State)
		}
		now, err := o.db.Invoice(t.Context(), c.ID, invoice.ID)
		must(t, err)
		if now.Balance != 0 || now.Notices != 0 || now.Deadline != invoice.DueDate {
			t.Errorf("the invoice owes %s after %d notices, due %s", now.Balance, now.Notices, now.Deadline)
		}
		o.prove(t, c)

		// The payment was a mistake: the invoice is overdue again, and its next reminder is number 1.
		letters.empty.Store(false)
		rows.Write(t, o.db, func(tx *store.Tx) error {
			return ledger.DeletePayment(t.Context(), tx, c.ID, payment.ID, models.DateOf(o.clock.Now()), "a test")
		})
		o.advance(t, 24*time.Hour)
		again := o.notices(t, invoice)
		if len(again) != 1 || again[0].Sequence != 1 || again[0].ID == notice.ID || again[0].Fee != notice.Fee {
			t.Errorf("the notices are %+v", again)
		}
		if got := letters.all(); len(got) != 2 || !strings.HasPrefix(got[0], "invoice-1-") || !strings.HasPrefix(got[1], "overdue-notice-1-") {
			t.Errorf("the letters that left are %q", got)
		}
		o.prove(t, c)
	})
}

func TestE6fWhatMakesANoticeNeedless(t *testing.T) {
	tests := []struct {
		name   string
		paid   models.Amount // of 1000.00 and the charges
		leaves bool
	}{
		{"nothing is paid", 0, true},
		{"one øre of the invoice is left", 999_99, true},
		{"the invoice is paid without the charges", 1000_00, false},
		{"the invoice is paid with the charges", 1042_60, false},
	}
	eachOffice(t, func(t *testing.T, o *office) {
		letters := newPrinter()
		o.worker.Dispatch.Channels[models.ByPaper] = letters
		o.work(t, 2)
		c := o.dunned(t)
		invoices := make([]models.Invoice, len(tests))
		for i := range tests {
			invoices[i] = rows.Invoice(t, o.db, c)
		}
		o.settle(t)
		letters.empty.Store(true)
		o.sleepUntil(t, reminderDue)
		for i, tt := range tests {
			if tt.paid > 0 {
				o.pay(t, invoices[i], tt.paid)
			}
		}
		letters.empty.Store(false)
		o.advance(t, time.Hour)
		for i, tt := range tests {
			if stands := len(o.notices(t, invoices[i])) == 1; stands != tt.leaves {
				t.Errorf("%s: the notice stands is %t", tt.name, stands)
			}
		}
		if got := len(letters.all()); got != len(invoices)+2 {
			t.Errorf("%d letters left", got)
		}
		o.prove(t, c)
	})
}

func TestE6fALetterThatIsBeingDispatchedIsNotWithdrawn(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		letters := newPrinter()
		o.worker.Dispatch.Channels[models.ByPaper] = letters
		c := o.dunned(t)
		o.work(t, 2)
		invoice := rows.Invoice(t, o.db, c)
		o.settle(t)
		letters.empty.Store(true)
		o.sleepUntil(t, reminderDue)
		notice := o.notices(t, invoice)[0]
		o.clock.Set(o.clock.Now().Add(time.Minute))

		begun, goOn := make(chan struct{}), make(chan struct{})
		o.worker.Dispatch.Channels[models.ByPaper] = &channel{take: func(context.Context, string) error {
			close(begun)
			<-goOn
			return nil
		}}
		first := make(chan error, 1)
		go func() { first <- o.worker.ship(t.Context(), shipPayload{CreditorID: c.ID}) }()
		<-begun
		o.pay(t, invoice, 1000_00)
		must(t, o.worker.ship(t.Context(), shipPayload{CreditorID: c.ID})) // Redis has forgotten that somebody is dispatching it
		close(goOn)
		must(t, <-first)
		must(t, o.worker.ship(t.Context(), shipPayload{CreditorID: c.ID}))

		if s := o.shipments(t, notice.Document())[0]; s.State != models.ShipmentSent || len(o.notices(t, invoice)) != 1 {
			t.Errorf("the letter is %s, and %d notices stand", s.State, len(o.notices(t, invoice)))
		}
		now, err := o.db.Invoice(t.Context(), c.ID, invoice.ID)
		must(t, err)
		if now.Balance != notice.Fee+notice.Interest {
			t.Errorf("%s is owed", now.Balance)
		}
		o.prove(t, c)
	})
}

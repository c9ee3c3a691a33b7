package dunning_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

const actor = "API key 1 (write)"

// desk is a creditor with an invoice of 1000 kroner due on Monday, 16 March, and the day on which a person acts.
type desk struct {
	t        *testing.T
	db       *store.DB
	creditor models.Creditor
	customer models.Customer
	invoice  models.Invoice
}

// eachDesk runs the test on each database, 14 days after the invoice fell due, and then verifies the books.
func eachDesk(t *testing.T, test func(t *testing.T, d *desk)) {
	t.Helper()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		d := openDesk(t, db)
		test(t, d)
		differences, err := ledger.Verify(t.Context(), db, d.creditor)
		if err != nil || len(differences) > 0 {
			t.Errorf("the books: %v, %v", differences, err)
		}
	})
}

// openDesk opens a desk on Monday, 30 March.
func openDesk(t *testing.T, db *store.DB) *desk {
	t.Helper()
	d := &desk{t: t, db: db, creditor: rows.Creditor(t, db)}
	d.customer = rows.Customer(t, db, d.creditor)
	d.invoice = rows.Invoice(t, db, d.creditor, rows.To(d.customer))
	d.on("2026-03-30")
	return d
}

// on moves the desk to another day. What is owed leaves before.
func (d *desk) on(date string) {
	d.t.Helper()
	rows.Send(d.t, d.db, d.creditor)
	d.db = rows.On(d.db, day(date))
}

// letterIsDue does what happens when the letter of a notice is due.
func (d *desk) letterIsDue(n models.Notice) (leaves models.Notice, may bool) {
	d.t.Helper()
	d.do(func(ctx context.Context, tx *store.Tx) (err error) {
		leaves, may, err = dunning.Renew(ctx, tx, law.Default(), d.creditor.ID, n.ID)
		return err
	})
	return leaves, may
}

func (d *desk) do(act func(ctx context.Context, tx *store.Tx) error) {
	d.t.Helper()
	rows.Write(d.t, d.db, func(tx *store.Tx) error { return act(d.t.Context(), tx) })
}

// refused expects an act to be refused, with the codes.
func (d *desk) refused(want string, act func(ctx context.Context, tx *store.Tx) error) {
	d.t.Helper()
	err := d.db.InTx(d.t.Context(), func(_ context.Context, tx *store.Tx) error { return act(d.t.Context(), tx) })
	if got := codes(err); got != want {
		d.t.Errorf("refused for %q, want %q", got, want)
	}
}

func (d *desk) close(ctx context.Context, tx *store.Tx) error {
	cl := dunning.Closing{Reason: models.ClosedLost, Comment: "moved away", Actor: actor}
	_, err := dunning.CloseInvoice(ctx, tx, d.creditor, d.invoice.ID, cl)
	return err
}

func (d *desk) reopen(ctx context.Context, tx *store.Tx) error {
	_, err := dunning.ReopenInvoice(ctx, tx, d.creditor, d.invoice.ID, actor)
	return err
}

func (d *desk) handOver(ctx context.Context, tx *store.Tx) error {
	_, err := dunning.HandOverInvoice(ctx, tx, d.creditor, d.invoice.ID, actor)
	return err
}

// remind sends a notice with a fee and interest.
func (d *desk) remind() models.Notice {
	d.t.Helper()
	var n models.Notice
	d.do(func(ctx context.Context, tx *store.Tx) (err error) {
		n, err = dunning.IssueNotice(ctx, tx, law.Default(), d.creditor, d.invoice.ID, dunning.Request{AddFee: true, AddInterest: true})
		return err
	})
	return n
}

// letter changes the letter of a notice.
func (d *desk) letter(n models.Notice, change func(tx *store.Tx, s *models.Shipment)) {
	d.t.Helper()
	d.do(func(ctx context.Context, tx *store.Tx) error {
		letters, err := tx.ShipmentsOf(ctx, n.Document())
		if err != nil {
			return err
		}
		change(tx, &letters[0])
		return tx.UpdateShipment(ctx, letters[0])
	})
}

func (d *desk) now() models.Invoice {
	d.t.Helper()
	i, err := d.db.Invoice(d.t.Context(), d.creditor.ID, d.invoice.ID)
	if err != nil {
		d.t.Fatal(err)
	}
	return i
}

// stands expects a status, a balance and a number of notices in force.
func (d *desk) stands(status models.Status, balance string, notices int) {
	d.t.Helper()
	i := d.now()
	if got := i.Status(day("2026-03-30")); got != status || i.Balance != kroner(balance) || i.Notices != notices {
		d.t.Errorf("the invoice is %s with %s owed after %d notices, want %s with %s after %d", got, i.Balance, i.Notices, status, balance, notices)
	}
}

// logged expects the last events to be these, each "type text".
func (d *desk) logged(want ...string) {
	d.t.Helper()
	events, err := d.db.Events(d.t.Context(), d.creditor.ID, 0, 1000)
	if err != nil {
		d.t.Fatal(err)
	}
	var got []string
	for _, e := range events[max(0, len(events)-len(want)):] {
		got = append(got, string(e.Type)+" "+e.Text)
		if e.CustomerID != d.customer.ID || e.InvoiceID != 0 && e.InvoiceID != d.invoice.ID {
			d.t.Errorf("%s is about customer %d and invoice %d", e.Type, e.CustomerID, e.InvoiceID)
		}
	}
	if !slices.Equal(got, want) {
		d.t.Errorf("the log ends with\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(want, "\n\t"))
	}
}

func TestE2ClosingAndReopening(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(_ *testing.T, d *desk) {
		d.do(d.close)
		d.stands(models.StatusClosedLost, "1000.00", 0)
		d.refused("invoice_closed", d.close)
		d.refused("invoice_closed", d.handOver)
		d.do(d.reopen)
		d.stands(models.InvoiceOverdueChargeable, "1000.00", 0)
		d.refused("invoice_open", d.reopen)
		d.do(d.handOver)
		d.stands(models.DebtCollection, "1000.00", 0)
		d.refused("invoice_handed_over", d.handOver)
		d.do(d.close)
		d.stands(models.StatusClosedLost, "1000.00", 0)
		d.do(d.reopen) // neither closed nor handed over
		d.stands(models.InvoiceOverdueChargeable, "1000.00", 0)
		d.logged(
			`invoice.closed Invoice 1 closed (lost) with 1000.00 owed, by API key 1 (write): moved away`,
			`invoice.reopened Invoice 1 reopened with 1000.00 owed, by API key 1 (write)`,
			`invoice.handed_over Invoice 1 handed over to debt collection with 1000.00 owed, by API key 1 (write)`,
			"collection_bundle.withdrawn The collection bundle of invoice 1 will not be delivered: the invoice is closed",
			`invoice.closed Invoice 1 closed (lost) with 1000.00 owed, by API key 1 (write): moved away`,
			`invoice.reopened Invoice 1 reopened with 1000.00 owed, by API key 1 (write)`,
		)
	})
}

// TestE2ActsAtOnce closes an invoice six times at once: one succeeds. A run at the same time sends its reminder before
// that or not at all.
func TestE2ActsAtOnce(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.creditor.Policy.Enabled = true
		var all sync.WaitGroup
		var closed, refused atomic.Int32
		for range 6 {
			all.Go(func() {
				switch err := d.db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error { return d.close(t.Context(), tx) }); codes(err) {
				case "":
					closed.Add(1)
				case "invoice_closed":
					refused.Add(1)
				default:
					t.Error(err)
				}
			})
		}
		all.Go(func() {
			if _, err := dunning.Run(t.Context(), d.db, law.Default(), d.creditor, day("2026-03-30")); err != nil {
				t.Error(err)
			}
		})
		all.Wait()
		if closed.Load() != 1 || refused.Load() != 5 {
			t.Errorf("%d closed it, %d were refused", closed.Load(), refused.Load())
		}
		d.stands(models.StatusClosedLost, "1000.00", 0) // a reminder's letter had not left
	})
}

func TestE2ClosingIsRefusedForWhatItSays(t *testing.T) {
	t.Parallel()
	tests := map[string]dunning.Closing{
		"[invalid_reason]":          {},
		"[invalid_reason too_long]": {Reason: "gone", Comment: strings.Repeat("x", 501)},
	}
	for want, cl := range tests {
		if got := codes(cl.Validate()); got != want {
			t.Errorf("%+v is refused for %s, want %s", cl, got, want)
		}
	}
}

// TestE2ClosingWithdrawsWhatHasNotLeft closes an invoice whose notice's letter is in each state. A letter that has not left
// is withdrawn, with what it would have charged.
func TestE2ClosingWithdrawsWhatHasNotLeft(t *testing.T) {
	t.Parallel()
	underWay := func(_ *store.Tx, s *models.Shipment) { s.Attempts, s.TakenBy = 1, "a worker" }
	tests := []struct {
		why    string
		letter func(tx *store.Tx, s *models.Shipment)
		asked  bool // whether it is about to leave once more
		stays  bool
	}{
		{"not yet handed to the printer", func(*store.Tx, *models.Shipment) {}, false, true},
		{"due for another attempt", func(tx *store.Tx, s *models.Shipment) { s.Attempts, s.NextAttempt = 3, tx.Now }, false, true},
		{"failed for good", func(_ *store.Tx, s *models.Shipment) { s.Attempts, s.State = 9, models.ShipmentFailed }, false, true},
		{"sent", func(tx *store.Tx, s *models.Shipment) {
			s.Attempts, s.State, s.SentAt = 1, models.ShipmentSent, &tx.Now
		}, false, false},
		{"perhaps at the printer", underWay, false, false},
		{"at the printer in vain", underWay, true, true},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			eachDesk(t, func(t *testing.T, d *desk) {
				n := d.remind()
				d.letter(n, tt.letter)
				d.do(d.close)
				if tt.asked {
					d.letter(n, func(_ *store.Tx, s *models.Shipment) { s.TakenBy = "" })
					d.letterIsDue(n)
				}
				if !tt.stays {
					d.stands(models.StatusClosedLost, "1042.60", 1)
					return
				}
				d.stands(models.StatusClosedLost, "1000.00", 0)
				letters, err := d.db.ShipmentsOf(t.Context(), n.Document())
				if err != nil || letters[0].State != models.ShipmentWithdrawn {
					t.Errorf("the letter is %s, %v", letters[0].State, err)
				}
				d.do(d.reopen)
				if again := d.remind(); again.Sequence != 1 || again.Fee != n.Fee || again.Interest != n.Interest {
					t.Errorf("reopened and reminded again it has notice %d with %s and %s", again.Sequence, again.Fee, again.Interest)
				}
			})
		})
	}
}

func TestE2ClosingWithdrawsTheLastNoticeFirst(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(_ *testing.T, d *desk) {
		first := d.remind() // due on 13 April
		d.on("2026-04-27")
		second := d.remind()
		d.letter(first, func(_ *store.Tx, s *models.Shipment) { s.State, s.SentAt = models.ShipmentSent, new(s.CreatedAt) })
		d.do(d.close)
		d.stands(models.StatusClosedLost, (1000_00 + first.Fee + first.Interest).String(), 1)
		if i := d.now(); i.Deadline != first.DueDate {
			d.t.Errorf("the deadline is %s, want the first notice's", i.Deadline)
		}
		d.logged(
			"overdue_notice.withdrawn Reminder 2 on invoice 1 withdrawn before it was sent: the invoice is closed",
			`invoice.closed Invoice 1 closed (lost) with 1042.60 owed, by API key 1 (write): moved away`,
		)
		d.do(d.reopen)
		if again := d.remind(); again.Sequence != second.Sequence {
			d.t.Errorf("the next notice has number %d", again.Sequence)
		}
	})
}

func TestE2ClosingWithdrawsTwoLettersThatNeverLeft(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(_ *testing.T, d *desk) {
		first := d.remind()
		d.on("2026-04-27")
		d.remind()
		d.letter(first, func(_ *store.Tx, s *models.Shipment) { s.State = models.ShipmentFailed })
		d.do(d.close)
		d.stands(models.StatusClosedLost, "1000.00", 0)
	})
}

// TestE6fWithdrawingAnEarlierNoticeLeavesTheLaterOne withdraws a first notice, whose letter failed, after the second was
// sent and everything paid: the second stays in force.
func TestE6fWithdrawingAnEarlierNoticeLeavesTheLaterOne(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		first := d.remind()
		d.on("2026-04-27")
		second := d.remind()
		d.letter(second, func(tx *store.Tx, s *models.Shipment) { s.State, s.SentAt = models.ShipmentSent, &tx.Now })
		owed := d.now().Balance
		d.do(func(ctx context.Context, tx *store.Tx) error {
			today := day("2026-04-27")
			if _, err := ledger.RegisterOnInvoice(ctx, tx, d.creditor.ID, d.invoice.ID, ledger.Payment{Amount: -owed, Date: today}, today); err != nil {
				return err
			}
			_, _, err := dunning.Renew(ctx, tx, law.Default(), d.creditor.ID, first.ID)
			return err
		})
		if i := d.now(); i.Notices != 2 || i.Deadline != second.DueDate {
			t.Errorf("the invoice has %d notices, the last due on %s", i.Notices, i.Deadline)
		}
	})
}

func TestL1HandingOverByHandWaitsForTheLetter(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(_ *testing.T, d *desk) {
		n := d.remind()
		d.refused("not_sent", d.handOver)
		d.letter(n, func(_ *store.Tx, s *models.Shipment) { s.State = models.ShipmentReturned })
		d.refused("not_sent", d.handOver)
		d.letter(n, func(tx *store.Tx, s *models.Shipment) { s.State, s.SentAt = models.ShipmentDelivered, &tx.Now })
		d.on("2026-04-27")
		second := d.remind()
		d.letter(n, func(_ *store.Tx, s *models.Shipment) { s.State = models.ShipmentReturned })
		d.letter(second, func(_ *store.Tx, s *models.Shipment) { s.State = models.ShipmentFailed })
		d.do(func(ctx context.Context, tx *store.Tx) error {
			return dunning.WithdrawFailed(ctx, tx, d.creditor.ID, second.ID, "the printer is gone")
		})
		d.refused("not_sent", d.handOver) // the last notice is the first one again
		d.letter(n, func(_ *store.Tx, s *models.Shipment) { s.State = models.ShipmentDelivered })
		d.do(d.handOver)
		d.stands(models.DebtCollection, "1042.60", 1)
	})
}

// The print house tells after the hand-over that the letter never left: nobody owes what it charged.
func TestL2ALetterThatFailsAfterTheHandOver(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		n := d.remind()
		d.letter(n, func(tx *store.Tx, s *models.Shipment) { s.State, s.SentAt = models.ShipmentSent, &tx.Now })
		d.do(d.handOver)
		for range 2 {
			d.do(func(ctx context.Context, tx *store.Tx) error {
				return dunning.WithdrawFailed(ctx, tx, d.creditor.ID, n.ID, "lost in the mail room")
			})
		}
		d.letter(n, func(_ *store.Tx, s *models.Shipment) { s.State = models.ShipmentFailed })
		d.stands(models.DebtCollection, "1000.00", 0)
		d.logged("invoice.handed_over Invoice 1 handed over to debt collection with 1042.60 owed, by "+actor,
			"overdue_notice.withdrawn Reminder 1 on invoice 1 withdrawn before it was sent: its letter failed: lost in the mail room."+
				" Tell the debt collector, who has the invoice since 2026-03-30: 1000.00 is owed")
		h, found, err := d.db.LastHandOver(t.Context(), d.invoice.ID)
		if err != nil || !found {
			t.Fatal(found, err)
		}
		entries, err := d.db.EntriesOfInvoice(t.Context(), d.invoice.ID)
		if err != nil || h.LastEntryID != entries[len(entries)-1].ID {
			t.Errorf("the bundle that is not made yet ends with entry %d of %+v, %v", h.LastEntryID, entries, err)
		}
		if got := codes(dunning.CanSendAgain(d.now(), n)); got != "invoice_handed_over" {
			t.Errorf("the letter may be sent again, or is refused for %q", got)
		}
		d.do(d.reopen)
		if got := codes(dunning.CanSendAgain(d.now(), n)); got != "" {
			t.Errorf("after the reopening it is refused for %q", got)
		}
		d.on("2026-04-27")
		d.enable()
		if d.dunned("2026-04-27") {
			t.Error("the step is taken again before its letter is sent again")
		}
	})
}

func TestE2PaymentsAreTakenAsOnOthers(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(d *desk, ctx context.Context, tx *store.Tx) error{"closed": (*desk).close, "handed over": (*desk).handOver} {
		t.Run(name, func(t *testing.T) {
			eachDesk(t, func(_ *testing.T, d *desk) {
				n := d.remind()
				d.letter(n, func(tx *store.Tx, s *models.Shipment) { s.State, s.SentAt = models.ShipmentSent, &tx.Now })
				d.do(func(ctx context.Context, tx *store.Tx) error { return end(d, ctx, tx) })
				status := d.now().Status(day("2026-03-30"))
				pay := func(p ledger.Payment) {
					p.Date = day("2026-03-30")
					d.do(func(ctx context.Context, tx *store.Tx) error {
						_, err := ledger.RegisterOnInvoice(ctx, tx, d.creditor.ID, d.invoice.ID, p, p.Date)
						return err
					})
				}
				pay(ledger.Payment{Amount: -n.Fee, Type: models.EntryOverdueCharge})
				pay(ledger.Payment{Amount: -500_00})
				d.stands(status, "504.60", 1)
				rows.CreditNote(d.t, d.db, d.creditor, d.invoice)
				d.stands(status, "0.00", 1)
			})
		})
	}
}

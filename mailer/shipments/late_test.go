package shipments_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// dunned sends o's invoice, and a notice 30 days later with a fee and days to pay besides the 14. o's shipment is the notice's letter then, at noon in Oslo.
func (o *office) dunned(t *testing.T, days int) (invoice models.Invoice, n models.Notice) {
	t.Helper()
	o.send(t)
	s, err := o.db.Shipment(t.Context(), o.id)
	testkit.Must(t, err)
	o.creditor.Policy.DaysToPay = 14 + days
	rows.Write(t, o.db, func(tx *store.Tx) error { return tx.UpdateCreditor(t.Context(), &o.creditor) })
	o.clock.Set(oslo(1, 12, 0))
	n = o.remind(t, s.DocumentID)
	invoice, err = o.db.Invoice(t.Context(), o.creditor.ID, s.DocumentID)
	testkit.Must(t, err)
	return invoice, n
}

// remind has a notice with a fee issued, and sends it.
func (o *office) remind(t *testing.T, invoiceID int64) (n models.Notice) {
	t.Helper()
	rows.Write(t, o.db, func(tx *store.Tx) (err error) {
		n, err = dunning.IssueNotice(t.Context(), tx, law.Default(), o.creditor, invoiceID, dunning.Request{AddFee: true, Warning: o.warns, Actor: "Kari"})
		return err
	})
	o.id = o.shipmentOf(t, n.Document())
	o.send(t)
	return n
}

// oslo is a moment of April in Oslo.
func oslo(day, hour, minute int) time.Time {
	return time.Date(2026, 4, day, hour-2, minute, 0, 0, time.UTC)
}

// stand returns how an invoice stands: its status today, what it owes, its deadline, and its notices with their deadlines.
func (o *office) stand(t *testing.T, i models.Invoice) string {
	t.Helper()
	now, err := o.db.Invoice(t.Context(), o.creditor.ID, i.ID)
	testkit.Must(t, err)
	today, err := o.creditor.Today(o.clock.Now())
	testkit.Must(t, err)
	notices, err := o.db.NoticesOf(t.Context(), i.ID)
	testkit.Must(t, err)
	said := []string{string(now.Status(today)), now.Balance.String(), now.Deadline.String()}
	for _, n := range notices {
		said = append(said, n.IssueDate.String()+" until "+n.RunsUntil().String())
	}
	differences, err := ledger.Verify(t.Context(), o.db, o.creditor)
	if err != nil || len(differences) > 0 {
		t.Errorf("the books: %v, %v", differences, err)
	}
	return strings.Join(said, " ")
}

// takeAll takes all that is due, and has it leave.
func (o *office) takeAll(t *testing.T) {
	t.Helper()
	rows.Write(t, o.db, func(tx *store.Tx) error {
		due, err := tx.DueShipmentIDs(t.Context(), o.creditor.ID, tx.Common, 100, models.ByPaper)
		if err != nil {
			return err
		}
		taken, err := shipments.TakeAll(t.Context(), tx, shipments.SecondLook{Rules: law.Default()}, due, "a worker")
		if err != nil {
			return err
		}
		for _, s := range taken {
			if _, err := shipments.Record(t.Context(), tx, s, "a receipt", nil); err != nil {
				return err
			}
		}
		return nil
	})
}

// TestD94WhatBecomesOfANoticeWhoseLetterLeftLate has a warning of 1 April told of in every situation. It is due on 15 April, or
// with some days more; the invoice owes 1000.00, and the fee is 38.00.
func TestD94WhatBecomesOfANoticeWhoseLetterLeftLate(t *testing.T) {
	const as = "debt_collection_notice_sent 1038.00 "
	type situation func(t *testing.T, o *office, i models.Invoice)
	sent := func(at time.Time) situation {
		return func(t *testing.T, o *office, _ models.Invoice) { t.Helper(); o.tell(t, models.ShipmentSent, at, "") }
	}
	on := func(at time.Time) situation {
		return func(_ *testing.T, o *office, _ models.Invoice) { o.clock.Set(at) }
	}
	act := func(do func(t *testing.T, tx *store.Tx, o *office, i models.Invoice) error) situation {
		return func(t *testing.T, o *office, i models.Invoice) {
			t.Helper()
			rows.Write(t, o.db, func(tx *store.Tx) error { return do(t, tx, o, i) })
		}
	}
	pay := func(amount models.Amount) situation {
		return act(func(t *testing.T, tx *store.Tx, o *office, i models.Invoice) error {
			today, err := o.creditor.Today(tx.Now)
			testkit.Must(t, err)
			_, err = ledger.RegisterOnInvoice(t.Context(), tx, o.creditor.ID, i.ID, ledger.Payment{Amount: -amount, Date: today}, today)
			return err
		})
	}
	handOver := act(func(t *testing.T, tx *store.Tx, o *office, i models.Invoice) error {
		t.Helper()
		_, err := dunning.HandOverInvoice(t.Context(), tx, o.creditor, i.ID, "Kari")
		return err
	})
	closing := act(func(t *testing.T, tx *store.Tx, o *office, i models.Invoice) error {
		t.Helper()
		_, err := dunning.CloseInvoice(t.Context(), tx, o.creditor, i.ID, dunning.Closing{Reason: models.ClosedLost, Actor: "Kari"})
		return err
	})
	for _, tt := range []struct {
		why  string
		more int // days to pay besides 14
		do   []situation
		want string
	}{
		{"it left on its day", 0, []situation{on(oslo(2, 9, 0)), sent(oslo(1, 23, 59))}, as + "2026-04-15 2026-04-01 until 2026-04-15"},
		{"a minute past midnight in Oslo, when it is the day before in Greenwich", 1, []situation{on(oslo(2, 9, 0)), sent(oslo(2, 0, 1))}, as + "2026-04-17 2026-04-01 until 2026-04-17"},
		{"with just 14 days left it stands", 3, []situation{on(oslo(4, 9, 0)), sent(oslo(4, 8, 0))}, as + "2026-04-21 2026-04-01 until 2026-04-21"},
		{"with 13 days it is issued anew at once", 3, []situation{on(oslo(6, 9, 0)), sent(oslo(5, 8, 0))}, as + "2026-04-23 2026-04-06 until 2026-04-23"},
		{"of two reports the later one counts", 9, []situation{on(oslo(6, 9, 0)), sent(oslo(3, 8, 0)), sent(oslo(5, 8, 0)), sent(oslo(4, 8, 0))}, as + "2026-04-28 2026-04-01 until 2026-04-28"},
		{"told twice is told once", 9, []situation{on(oslo(6, 9, 0)), sent(oslo(3, 8, 0)), sent(oslo(3, 8, 0))}, as + "2026-04-26 2026-04-01 until 2026-04-26"},
		{"what is told after it was issued anew changes nothing", 0, []situation{on(oslo(6, 9, 0)), sent(oslo(3, 8, 0)), sent(oslo(3, 9, 0)), sent(oslo(4, 9, 0))}, as + "2026-04-20 2026-04-06 until 2026-04-20"},
		{"a day to come is today", 9, []situation{on(oslo(3, 9, 0)), sent(oslo(20, 8, 0))}, as + "2026-04-26 2026-04-01 until 2026-04-26"},
		{"a day before it was handed over is its day", 0, []situation{on(oslo(3, 9, 0)), sent(time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC))}, as + "2026-04-15 2026-04-01 until 2026-04-15"},
		{"told after its arrival", 9, []situation{on(oslo(8, 9, 0)), func(t *testing.T, o *office, _ models.Invoice) {
			t.Helper()
			o.tell(t, models.ShipmentDelivered, oslo(7, 8, 0), "")
		}, sent(oslo(5, 8, 0))}, as + "2026-04-28 2026-04-01 until 2026-04-28"},
		{
			"where all is paid no charge is touched and nobody is written to", 0,
			[]situation{on(oslo(6, 9, 0)), pay(1038_00), sent(oslo(5, 8, 0))},
			"invoice_paid 0.00 2026-04-19 2026-04-01 until 2026-04-19",
		},
		{"where only the fee is left it is taken back", 0, []situation{on(oslo(6, 9, 0)), pay(1000_00), sent(oslo(5, 8, 0))}, "invoice_paid 0.00 2026-03-16"},
		{"what is closed gets no other notice", 0, []situation{on(oslo(6, 9, 0)), closing, sent(oslo(5, 8, 0))}, "closed_lost 1000.00 2026-03-16"},
		{"what is handed over stays so without its charges", 0, []situation{on(oslo(20, 9, 0)), handOver, sent(oslo(5, 8, 0))}, "debt_collection 1000.00 2026-03-16"},
		{"and with them if the printed days were enough", 4, []situation{on(oslo(20, 9, 0)), handOver, sent(oslo(3, 8, 0))}, "debt_collection 1038.00 2026-04-21 2026-04-01 until 2026-04-21"},
		{"the hand-over waits for the day on which it counts", 2, []situation{on(oslo(19, 9, 0)), sent(oslo(3, 8, 0)), func(t *testing.T, o *office, i models.Invoice) {
			t.Helper()
			err := o.db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
				_, err := dunning.HandOverInvoice(t.Context(), tx, o.creditor, i.ID, "Kari")
				return err
			})
			if rows.Faults(err) != "deadline_running" || !strings.Contains(err.Error(), "2026-04-19") {
				t.Errorf("handed over on the last day: %v", err)
			}
		}, on(oslo(20, 9, 0)), handOver}, "debt_collection 1038.00 2026-04-19 2026-04-01 until 2026-04-19"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			eachOffice(t, func(t *testing.T, o *office) {
				o.warns = true
				i, _ := o.dunned(t, tt.more)
				letter := o.id
				for _, do := range tt.do {
					o.id = letter
					do(t, o, i)
					o.takeAll(t)
				}
				if got := o.stand(t, i); got != tt.want {
					t.Errorf("it is %q, want %q", got, tt.want)
				}
			})
		})
	}
}

// TestD94ASecondFeeWaits: the next fee counts from the day until which the first notice runs. Where it was charged before
// anybody told that the first letter had left too late, the first notice goes, and the second stays.
func TestD94ASecondFeeWaits(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		i, first := o.dunned(t, 4) // due on 19 April
		o.clock.Set(oslo(3, 12, 0))
		o.tell(t, models.ShipmentSent, o.clock.Now(), "")
		o.clock.Set(oslo(4, 12, 0).AddDate(0, 1, 0)) // 4 May: 13 days after 21 April
		err := o.db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			_, err := dunning.IssueNotice(t.Context(), tx, law.Default(), o.creditor, i.ID, dunning.Request{AddFee: true})
			return err
		})
		if rows.Faults(err) != "too_early_for_charge" {
			t.Errorf("a second fee on 4 May: %v", err)
		}
		o.clock.Set(oslo(5, 12, 0).AddDate(0, 1, 0))
		letter := o.id
		o.remind(t, i.ID)
		if got := o.stand(t, i); got != "overdue_notice_sent 1076.00 2026-05-23 2026-04-01 until 2026-04-21 2026-05-05 until 2026-05-23" {
			t.Errorf("it is %q", got)
		}
		o.id = letter
		o.tell(t, models.ShipmentSent, oslo(7, 12, 0), "") // 12 days before it is due
		o.takeAll(t)
		if got := o.stand(t, i); got != "overdue_notice_sent 1038.00 2026-05-23 2026-05-05 until 2026-05-23" {
			t.Errorf("it is %q", got)
		}
		if n, err := o.db.Notice(t.Context(), o.creditor.ID, first.ID); err != nil || n.Withdrawn == 0 || n.DueDate != rows.Day("2026-04-19") {
			t.Errorf("the first notice is %+v, %v", n, err)
		}
	})
}

// TestD98AnInvoiceThatTurnsOutNotToHaveLeft has an invoice of 2 March, due on 16 March, with a reminder of 1 April.
func TestD98AnInvoiceThatTurnsOutNotToHaveLeft(t *testing.T) {
	const withdrawn, stands = "invoice_overdue_chargeable 1000.00 2026-03-16", "overdue_notice_sent 1038.00 2026-04-15 2026-04-01 until 2026-04-15"
	for _, tt := range []struct {
		why   string
		state models.ShipmentState
		at    time.Time
		want  string
	}{
		{"it came back before the reminder", models.ShipmentReturned, oslo(1, 11, 59), withdrawn},
		{"it came back after the reminder", models.ShipmentReturned, oslo(1, 12, 1), stands},
		{"it failed, as is told after the reminder", models.ShipmentFailed, oslo(2, 8, 0), withdrawn},
		{"it left after the reminder", models.ShipmentSent, oslo(2, 8, 0), withdrawn},
		{"it left late, on the day of the reminder", models.ShipmentSent, oslo(1, 8, 0), stands},
	} {
		t.Run(tt.why, func(t *testing.T) {
			eachOffice(t, func(t *testing.T, o *office) {
				original := o.id
				i, _ := o.dunned(t, 0)
				o.clock.Set(oslo(2, 12, 0))
				o.id = original
				o.tell(t, tt.state, tt.at, "unknown at the address")
				if got := o.stand(t, i); got != tt.want {
					t.Errorf("it is %q, want %q", got, tt.want)
				}
				if tt.want != withdrawn || tt.state == models.ShipmentSent {
					return
				}
				o.tell(t, tt.state, tt.at, "unknown at the address")
				o.moves(t, o.customer(t), "Nyveien 7") // what came back is not sent to the old address again (rule N8)
				rows.Write(t, o.db, func(tx *store.Tx) error {
					_, err := shipments.Retry(t.Context(), tx, original, shipments.Again{}, "Kari")
					return err
				})
				c := o.customer(t)
				rows.Write(t, o.db, func(tx *store.Tx) error { return tx.ReleaseLetters(t.Context(), o.creditor.ID, c.ID) })
				c.LettersHeld = models.LettersHeld{}
				rows.Write(t, o.db, func(tx *store.Tx) error { return tx.UpdateCustomer(t.Context(), &c) })
				o.takeAll(t) // it leaves on 2 April, 31 days late, and is due on 16 April
				err := o.db.View(t.Context(), func(v store.View) error {
					late, err := dunning.InvoiceLate(t.Context(), v, o.creditor, i)
					if late != 31 {
						t.Errorf("it left %d days late", late)
					}
					return err
				})
				testkit.Must(t, err)
				if got := o.stand(t, i); got != withdrawn {
					t.Errorf("when it has left it is %q", got)
				}
			})
		})
	}
}

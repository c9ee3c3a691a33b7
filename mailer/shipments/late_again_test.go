package shipments_test

import (
	"strings"
	"testing"
	"time"

	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// write does something in a transaction, as of the creditor's today.
func (o *office) write(t *testing.T, do func(tx *store.Tx, today models.Date) error) {
	t.Helper()
	rows.Write(t, o.db, func(tx *store.Tx) error {
		today, err := o.creditor.Today(tx.Now)
		testkit.Must(t, err)
		return do(tx, today)
	})
}

// book books money on an invoice as of a day, and returns its entry. Money that comes is below zero.
func (o *office) book(t *testing.T, i models.Invoice, amount models.Amount, on models.Date) (e models.Entry) {
	t.Helper()
	o.write(t, func(tx *store.Tx, today models.Date) (err error) {
		e, err = ledger.RegisterOnInvoice(t.Context(), tx, o.creditor.ID, i.ID, ledger.Payment{Amount: amount, Date: on}, today)
		return err
	})
	return e
}

// invoiceOf returns the invoice that the office's shipment is of.
func (o *office) invoiceOf(t *testing.T) models.Invoice {
	t.Helper()
	s, err := o.db.Shipment(t.Context(), o.id)
	testkit.Must(t, err)
	i, err := o.db.Invoice(t.Context(), o.creditor.ID, s.DocumentID)
	testkit.Must(t, err)
	return i
}

// dun has a notice with fee and interest issued, by a person or, without an actor, as automatic dunning does it, and sends it.
func (o *office) dun(t *testing.T, i models.Invoice, actor string) {
	t.Helper()
	var n models.Notice
	rows.Write(t, o.db, func(tx *store.Tx) (err error) {
		n, err = dunning.IssueNotice(t.Context(), tx, law.Default(), o.creditor, i.ID, dunning.Request{AddFee: true, AddInterest: true, Actor: actor})
		return err
	})
	o.id = o.shipmentOf(t, n.Document())
	o.send(t)
}

// told returns the texts of the events of a type.
func (o *office) told(t *testing.T, kind models.EventType) (texts []string) {
	t.Helper()
	testkit.Must(t, o.db.NumberEvents(t.Context()))
	all, err := o.db.Events(t.Context(), o.creditor.ID, 0, 1000)
	testkit.Must(t, err)
	for _, e := range all {
		if e.Type == kind {
			texts = append(texts, e.Text)
		}
	}
	return texts
}

// verified returns what verify says of letters that left late and invoices that have not left.
func (o *office) verified(t *testing.T) string {
	t.Helper()
	var all []string
	testkit.Must(t, dunning.LeftWrong(t.Context(), o.db, func(_ models.Creditor, text string) { all = append(all, text) }))
	return strings.Join(all, "\n")
}

// TestD98L1ANoticeOnAnInvoiceThatLeftLate has an invoice of 2 March, due on 16 March, that left on 9 March, as a receipt tells after a
// notice: it is due on 23 March. The fee is 38.00, and the interest of a day 0.329.
func TestD98L1ANoticeOnAnInvoiceThatLeftLate(t *testing.T) {
	for _, tt := range []struct {
		why    string
		policy func(p *models.Policy)
		on     int // of April
		actor  string
		want   string
		then   string // what it owes with 400.00 of 26 March
	}{
		{"the run would have waited until 6 April", func(*models.Policy) {}, 1, "", "invoice_overdue_chargeable 1000.00 2026-03-16", "600.00"},
		{"and would have taken it on 7 April, with interest of 15 days and not of 22", func(*models.Policy) {}, 7, "", "overdue_notice_sent 1042.93 2026-04-21 2026-04-07 until 2026-04-21", "641.36"},
		{"a policy that waits 7 days has no fee on the ninth", func(p *models.Policy) { p.FirstNoticeDays = 7 }, 1, "", "overdue_notice_sent 1002.96 2026-04-15 2026-04-01 until 2026-04-15", "602.17"},
		{"on 6 April it has one, though that is Easter Monday", func(p *models.Policy) { p.FirstNoticeDays = 7 }, 6, "", "overdue_notice_sent 1042.60 2026-04-20 2026-04-06 until 2026-04-20", "641.16"},
		{"what a person asked for counts from the printed due date, but for interest", func(*models.Policy) {}, 1, "Kari", "overdue_notice_sent 1040.96 2026-04-15 2026-04-01 until 2026-04-15", "640.17"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			eachOffice(t, func(t *testing.T, o *office) {
				tt.policy(&o.creditor.Policy)
				rows.Write(t, o.db, func(tx *store.Tx) error { return tx.UpdateCreditor(t.Context(), &o.creditor) })
				original := o.id
				o.send(t)
				i := o.invoiceOf(t)
				o.clock.Set(oslo(tt.on, 12, 0))
				o.dun(t, i, tt.actor)
				o.clock.Set(oslo(tt.on+1, 12, 0))
				o.id = original
				for _, hour := range []time.Duration{11, 12} {
					o.tell(t, models.ShipmentSent, rows.Day("2026-03-09").Time().Add(hour*time.Hour), "")
					if got := o.stand(t, i); got != tt.want {
						t.Errorf("it is %q, want %q", got, tt.want)
					}
				}
				got := o.told(t, models.EventNoticeRecalculated)
				if stands := strings.Contains(tt.want, " until "); len(got) == 1 != stands || stands && !strings.Contains(got[0], "because the invoice left on 2026-03-09 only") {
					t.Errorf("it is told %q", got)
				}
				o.book(t, i, -400_00, rows.Day("2026-03-26")) // three days after it was due
				if now, err := o.db.Invoice(t.Context(), o.creditor.ID, i.ID); err != nil || now.Balance.String() != tt.then {
					t.Errorf("with money of 26 March it owes %s, %v; want %s", now.Balance, err, tt.then)
				}
			})
		})
	}
}

// TestD94TheSecondFeeThatCameTooEarly: the first notice is due on 19 April, and the second has its fee on 3 May. Told later that the first
// left on 5 April, it counts until 23 April, so that no fee is allowed before 7 May.
func TestD94TheSecondFeeThatCameTooEarly(t *testing.T) {
	for _, tt := range []struct {
		why  string
		paid models.Amount
		want string
	}{
		{"it is reversed", 0, "overdue_notice_sent 1038.00 2026-05-21 2026-04-01 until 2026-04-23 2026-05-03 until 2026-05-21"},
		{"also where it is paid", 1076_00, "invoice_paid -38.00 2026-05-21 2026-04-01 until 2026-04-23 2026-05-03 until 2026-05-21"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			eachOffice(t, func(t *testing.T, o *office) {
				i, _ := o.dunned(t, 4)
				letter := o.id
				o.clock.Set(oslo(3, 12, 0).AddDate(0, 1, 0))
				o.remind(t, i.ID)
				if tt.paid > 0 {
					o.book(t, i, -tt.paid, rows.Day("2026-05-03"))
				}
				o.id = letter
				o.tell(t, models.ShipmentSent, oslo(5, 12, 0), "")
				if got := o.stand(t, i); got != tt.want {
					t.Errorf("it is %q, want %q", got, tt.want)
				}
				if got := o.told(t, models.EventNoticeRecalculated); len(got) != 1 || !strings.Contains(got[0], "the letter of the notice before it left on 2026-04-05 only") {
					t.Errorf("it is told %q", got)
				}
				if got := o.verified(t); got != "" {
					t.Errorf("verify says %q", got)
				}
			})
		})
	}
}

// TestD94D98ARunsHandOverWithoutAWarning: a run's hand-over goes with the warning that bore it, unless the collector may have the bundle.
// A person's stays for a person.
func TestD94D98ARunsHandOverWithoutAWarning(t *testing.T) {
	const anew, with = "debt_collection_notice_sent 1038.00 2026-05-04 2026-04-20 until 2026-05-04", "debt_collection 1000.00 2026-03-16"
	lateBy := func(day int) func(t *testing.T, o *office, _ int64) {
		return func(t *testing.T, o *office, _ int64) {
			t.Helper()
			o.tell(t, models.ShipmentSent, oslo(day, 8, 0), "")
		}
	}
	invoiceFailed := func(t *testing.T, o *office, original int64) {
		t.Helper()
		o.id = original
		o.tell(t, models.ShipmentFailed, oslo(20, 8, 0), "lost")
	}
	for _, tt := range []struct {
		why      string
		more     int // days to pay besides 14
		actor    string
		attempts int
		then     func(t *testing.T, o *office, original int64)
		want     string
		state    models.HandOverState
		waits    bool // for a person
	}{
		{"its letter left too late, and the step is taken anew", 0, "", 0, lateBy(5), anew, models.HandOverEnded, false},
		{"it ran until 21 April", 4, "", 0, lateBy(3), "debt_collection_notice_sent 1038.00 2026-04-21 2026-04-01 until 2026-04-21", models.HandOverEnded, false},
		{"its invoice had not left", 0, "", 0, invoiceFailed, "invoice_overdue_chargeable 1000.00 2026-03-16", models.HandOverEnded, false},
		{"the collector may have the bundle", 0, "", 1, lateBy(5), with, models.BundleOwed, true},
		{"a person's stays", 0, "Kari", 0, lateBy(5), with, models.BundleOwed, true},
		{"also where the invoice had not left", 0, "Kari", 0, invoiceFailed, with, models.BundleOwed, true},
	} {
		t.Run(tt.why, func(t *testing.T) {
			eachOffice(t, func(t *testing.T, o *office) {
				o.warns = true
				original := o.id
				i, _ := o.dunned(t, tt.more)
				o.clock.Set(oslo(20, 9, 0))
				o.write(t, func(tx *store.Tx, _ models.Date) error {
					if _, err := dunning.HandOverInvoice(t.Context(), tx, o.creditor, i.ID, tt.actor); err != nil {
						return err
					}
					h, _, err := tx.LastHandOver(t.Context(), i.ID)
					h.Attempts = tt.attempts
					testkit.Must(t, err)
					return tx.UpdateHandOver(t.Context(), h)
				})
				tt.then(t, o, original)
				o.takeAll(t)
				if got := o.stand(t, i); got != tt.want {
					t.Errorf("it is %q, want %q", got, tt.want)
				}
				h, _, err := o.db.LastHandOver(t.Context(), i.ID)
				if err != nil || h.State != tt.state {
					t.Errorf("the bundle is %s, %v", h.State, err)
				}
				told, err := o.db.ForToday(t.Context(), o.creditor.ID, rows.Today, rows.Start)
				if err != nil || len(told.Unwarned) == 1 != tt.waits {
					t.Errorf("for a person wait %d, %v", len(told.Unwarned), err)
				}
				if got := len(o.told(t, models.EventInvoiceReopened)) == 1; got != (tt.state == models.HandOverEnded) {
					t.Errorf("reopened is %t", got)
				}
			})
		})
	}
}

// TestD94ARepaymentIsNoClaim: all that the notice asks for is paid, and what is still owed is a repayment: the notice stays.
func TestD94ARepaymentIsNoClaim(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		i, _ := o.dunned(t, 0)
		o.clock.Set(oslo(6, 9, 0))
		today := rows.Day("2026-04-06")
		mistaken := o.book(t, i, -5000_00, today)
		o.book(t, i, 3962_00, today) // the surplus is paid out
		o.write(t, func(tx *store.Tx, today models.Date) error {
			return ledger.DeletePayment(t.Context(), tx, o.creditor.ID, mistaken.ID, today, "Kari")
		})
		o.book(t, i, -1038_00, today)
		before := o.stand(t, i)
		o.tell(t, models.ShipmentSent, oslo(5, 8, 0), "")
		o.takeAll(t)
		if got, want := o.stand(t, i), strings.ReplaceAll(before, "2026-04-15", "2026-04-19"); got != want || !strings.Contains(got, "3962.00") {
			t.Errorf("it is %q, want %q", got, want)
		}
	})
}

// TestD98WhatVerifyNamesIsWithdrawnWhenItIsToldAgain has a notice of an earlier release on an invoice that failed.
func TestD98WhatVerifyNamesIsWithdrawnWhenItIsToldAgain(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		original := o.id
		i, _ := o.dunned(t, 0)
		o.clock.Set(oslo(2, 12, 0))
		o.write(t, func(tx *store.Tx, _ models.Date) error {
			s, err := tx.LockShipment(t.Context(), original)
			s.State, s.ReportedAt = models.ShipmentFailed, new(oslo(2, 8, 0))
			testkit.Must(t, err)
			return tx.UpdateShipment(t.Context(), s)
		})
		if got := o.verified(t); !strings.HasPrefix(got, "Reminder 1 on invoice 1, of 2026-04-01, charges a fee of 38.00 and interest of 0.00, and the invoice failed.") ||
			!strings.Contains(got, " failed --at 2026-04-02T06:00:01Z)") {
			t.Errorf("verify says %q", got)
		}
		o.id = original
		o.tell(t, models.ShipmentFailed, oslo(2, 8, 0).Add(time.Second), "")
		if got := o.stand(t, i); got != "invoice_overdue_chargeable 1000.00 2026-03-16" {
			t.Errorf("it is %q", got)
		}
		if got := o.verified(t); got != "" {
			t.Errorf("verify says %q", got)
		}
	})
}

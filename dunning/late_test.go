package dunning_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// leftOn writes what an earlier release knew of a letter: that it was sent on a day, and no more.
func (d *desk) leftOn(n models.Notice, on string) {
	d.t.Helper()
	d.letter(n, func(_ *store.Tx, s *models.Shipment) {
		s.State, s.SentAt = models.ShipmentSent, new(day(on).Time().Add(12*time.Hour))
	})
}

// countsUntil writes until when a notice counts, and nothing that follows from it.
func (d *desk) countsUntil(n models.Notice, until string) {
	d.t.Helper()
	d.do(func(ctx context.Context, tx *store.Tx) error { return tx.SetCountsUntil(ctx, n.ID, day(until)) })
}

// original changes the invoice's original.
func (d *desk) original(change func(s *models.Shipment)) {
	d.t.Helper()
	d.do(func(ctx context.Context, tx *store.Tx) error {
		originals, err := tx.ShipmentsOf(ctx, d.invoice.Document())
		if err != nil {
			return err
		}
		change(&originals[0])
		return tx.UpdateShipment(ctx, originals[0])
	})
}

// leftWrong returns what is said of late letters of an earlier release, up to what is to be done.
func (d *desk) leftWrong() string {
	d.t.Helper()
	var all []string
	err := dunning.LeftWrong(d.t.Context(), d.db, func(c models.Creditor, text string) {
		if c.ID != d.creditor.ID {
			d.t.Errorf("creditor %d: %s", c.ID, text)
		}
		all = append(all, text)
	})
	if err != nil {
		d.t.Fatal(err)
	}
	return strings.Join(all, "\n")
}

// TestD94WhatAnEarlierReleaseLeft has letters of 30 March that left on 2 April under an earlier release: every step still
// waits for the day until which they ran, and what came too early is told of, with what to do.
func TestD94WhatAnEarlierReleaseLeft(t *testing.T) {
	t.Parallel()
	const warn = "Debt-collection warning 1 on invoice 1, due 2026-04-13, left on 2026-04-02 only and ran until 2026-04-16: "
	warning := func(d *desk) (n models.Notice) {
		d.do(func(ctx context.Context, tx *store.Tx) (err error) {
			n, err = dunning.IssueNotice(ctx, tx, law.Default(), d.creditor, d.invoice.ID, dunning.Request{AddFee: true, Warning: true})
			return err
		})
		return n
	}
	says := func(d *desk, want string) {
		d.t.Helper()
		if got := d.leftWrong(); got != want && (want == "" || !strings.HasPrefix(got, want)) {
			d.t.Errorf("it says %q, want %q", got, want)
		}
	}
	t.Run("a second fee waits", func(t *testing.T) {
		t.Parallel()
		eachDesk(t, func(_ *testing.T, d *desk) {
			n := d.remind()
			d.on("2026-04-29")
			says(d, "")
			d.leftOn(n, "2026-04-02")
			says(d, strings.Replace(warn, "Debt-collection warning", "Reminder", 1)+"it leaves fewer than 14 days to pay")
			d.refused("[too_early_for_charge]", func(ctx context.Context, tx *store.Tx) error {
				_, err := dunning.IssueNotice(ctx, tx, law.Default(), d.creditor, d.invoice.ID, dunning.Request{AddFee: true})
				return err
			})
		})
	})
	t.Run("a second fee came too early", func(t *testing.T) {
		t.Parallel()
		eachDesk(t, func(_ *testing.T, d *desk) {
			n := d.remind()
			d.on("2026-04-29")
			second := d.remind()
			says(d, "")
			d.leftOn(n, "2026-04-02")
			says(d, strings.Replace(warn, "Debt-collection warning", "Reminder", 1)+"the fee of the next notice, of 2026-04-29, came too early. Reverse its 38.00")
			d.do(func(ctx context.Context, tx *store.Tx) error {
				_, err := ledger.RegisterOnInvoice(ctx, tx, d.creditor.ID, d.invoice.ID,
					ledger.Payment{Type: models.EntryOverdueCharge, Amount: -(n.Fee + second.Fee), Date: day("2026-04-29")}, day("2026-04-29"))
				return err
			})
			says(d, "")
		})
	})
	t.Run("a second fee stays too early when the first notice says until when it counts", func(t *testing.T) {
		t.Parallel()
		eachDesk(t, func(_ *testing.T, d *desk) {
			n := d.remind()
			d.on("2026-04-29")
			d.remind()
			d.leftOn(n, "2026-04-02")
			d.countsUntil(n, "2026-04-16")
			says(d, strings.Replace(warn, "Debt-collection warning", "Reminder", 1)+"the fee of the next notice, of 2026-04-29, came too early.")
		})
	})
	t.Run("a hand-over stays too early when the warning says until when it counts", func(t *testing.T) {
		t.Parallel()
		eachDesk(t, func(_ *testing.T, d *desk) {
			n := warning(d)
			d.on("2026-04-16")
			d.do(d.handOver)
			d.leftOn(n, "2026-04-02")
			d.countsUntil(n, "2026-04-16")
			says(d, warn+"it was handed over too early, on 2026-04-16.")
		})
	})
	t.Run("a hand-over waits", func(t *testing.T) {
		t.Parallel()
		eachDesk(t, func(_ *testing.T, d *desk) {
			n := warning(d)
			d.on("2026-04-16")
			d.leftOn(n, "2026-04-02")
			d.refused("deadline_running", d.handOver)
		})
	})
	t.Run("a hand-over came too early", func(t *testing.T) {
		t.Parallel()
		eachDesk(t, func(_ *testing.T, d *desk) {
			n := warning(d)
			d.on("2026-04-16")
			d.do(d.handOver)
			says(d, "")
			d.leftOn(n, "2026-04-02")
			says(d, warn+"it was handed over too early, on 2026-04-16.")
			d.do(d.reopen)
			says(d, warn+"it leaves fewer than 14 days to pay")
		})
	})
}

// TestD98VerifyNamesNoticesOnInvoicesThatHaveNotLeft has a notice of 30 March that an earlier release left in force.
func TestD98VerifyNamesNoticesOnInvoicesThatHaveNotLeft(t *testing.T) {
	t.Parallel()
	const charges = "Reminder 1 on invoice 1, of 2026-03-30, charges a fee of 38.00 and interest of 4.60, and the invoice "
	at := func(date string) *time.Time { return new(day(date).Time()) }
	for _, tt := range []struct {
		why   string
		state models.ShipmentState
		at    *time.Time
		taken bool // back, by a person
		want  string
	}{
		{"it failed", models.ShipmentFailed, nil, false, charges + "failed. To have it withdrawn, tell of the invoice again (purr shipments report "},
		{"it came back before the notice", models.ShipmentReturned, at("2026-03-20"), false, charges + "had come back. To have it withdrawn"},
		{"it came back after the notice", models.ShipmentReturned, at("2026-04-01"), false, ""},
		{"it has arrived", models.ShipmentDelivered, nil, false, ""},
		{"the charges are reversed", models.ShipmentFailed, nil, true, ""},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			eachDesk(t, func(t *testing.T, d *desk) {
				n := d.remind()
				d.original(func(s *models.Shipment) { s.State, s.ReportedAt = tt.state, tt.at })
				if tt.taken {
					for kind, amount := range map[models.EntryType]models.Amount{models.EntryOverdueCharge: n.Fee, models.EntryInterest: n.Interest} {
						d.do(func(ctx context.Context, tx *store.Tx) error {
							_, err := ledger.RegisterOnInvoice(ctx, tx, d.creditor.ID, d.invoice.ID, ledger.Payment{Type: kind, Amount: -amount, Date: n.IssueDate}, n.IssueDate)
							return err
						})
					}
				}
				if got := d.leftWrong(); !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
					t.Errorf("it says %q, want %q", got, tt.want)
				}
			})
		})
	}
}

package dunning_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"purr/dunning"
	"purr/dunning/law"
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

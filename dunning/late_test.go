package dunning_test

import (
	"context"
	"fmt"
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

// lateAndPaidFor has a notice whose letter left on a day, as was told when all was paid. Then the payment is taken back.
func (d *desk) lateAndPaidFor(n models.Notice, left string) {
	d.t.Helper()
	owed := d.now().Balance
	d.pay(d.invoice.ID, owed.String())
	d.leftOn(n, left)
	d.do(func(ctx context.Context, tx *store.Tx) error {
		again, err := dunning.LetterLeft(ctx, tx, d.creditor, n.ID, day(left))
		if again {
			d.t.Error("a letter is owed anew although nothing is")
		}
		return err
	})
	d.stands("invoice_paid", "0.00", 1)
	d.takePaymentBack(owed.String())
}

// TestD94NothingBuildsOnALetterThatGaveNoTime has a notice of 30 March, due on 13 April, whose letter left on 2 April. Nothing was owed
// when that was told, so it stood; then the bank took the payment back. The letter never gave 14 days: no second fee and no hand-over
// builds on it.
func TestD94NothingBuildsOnALetterThatGaveNoTime(t *testing.T) {
	t.Parallel()
	warns := dunning.Request{AddFee: true, Warning: true, Actor: actor}
	issue := func(d *desk, r dunning.Request) (n models.Notice) {
		d.do(func(ctx context.Context, tx *store.Tx) (err error) {
			n, err = dunning.IssueNotice(ctx, tx, law.Default(), d.creditor, d.invoice.ID, r)
			return err
		})
		return n
	}
	notices := func(d *desk) string {
		all, err := d.db.NoticesOf(d.t.Context(), d.invoice.ID)
		if err != nil {
			d.t.Fatal(err)
		}
		var said []string
		for _, n := range all {
			said = append(said, fmt.Sprintf("%d of %s fee %s", n.Sequence, n.IssueDate, n.Fee))
		}
		return strings.Join(said, ", ")
	}
	anew := func(d *desk, want, sum string) {
		d.t.Helper()
		if got := notices(d); got != want || d.now().Balance != kroner(sum) {
			d.t.Errorf("there stand %s with %s owed, want %s with %s", got, d.now().Balance, want, sum)
		}
	}
	for _, joint := range []bool{false, true} {
		t.Run(fmt.Sprintf("the run begins the ladder anew, joint letters %t", joint), func(t *testing.T) {
			t.Parallel()
			eachDesk(t, func(t *testing.T, d *desk) {
				d.policy(func(p *models.Policy) { p.Enabled, p.AddInterest, p.JointLetters = true, false, joint })
				d.run()
				all, err := d.db.NoticesOf(t.Context(), d.invoice.ID)
				must(t, err)
				d.lateAndPaidFor(all[0], "2026-04-02")
				d.on("2026-04-29")
				if result := d.run(); result.Steps() != 0 {
					t.Errorf("%d steps before the letter's deadline has passed by 14 days", result.Steps())
				}
				d.on("2026-04-30")
				foretold := d.planned("2026-04-30")
				d.run()
				anew(d, "1 of 2026-04-30 fee 38.00", "1038.00")
				if foretold != "1 reminder 1038.00" {
					t.Errorf("foretold was %q", foretold)
				}
				if d.run(); notices(d) != "1 of 2026-04-30 fee 38.00" {
					t.Errorf("after another run there are %s", notices(d))
				}
			})
		})
	}
	t.Run("a person's notice takes its place", func(t *testing.T) {
		t.Parallel()
		eachDesk(t, func(t *testing.T, d *desk) {
			d.lateAndPaidFor(d.remind(), "2026-04-02")
			d.on("2026-04-20")
			var seen models.Notice
			err := d.db.View(t.Context(), func(v store.View) (err error) {
				seen, err = dunning.PreviewNotice(t.Context(), v, law.Default(), d.creditor, d.customer, d.now(), day("2026-04-20"), warns)
				return err
			})
			must(t, err)
			n := issue(d, warns)
			anew(d, "1 of 2026-04-20 fee 38.00", "1038.00")
			if seen.Sequence != n.Sequence || seen.Fee != n.Fee || seen.Gross != n.Gross {
				t.Errorf("seen was notice %d with %s of %s, issued %d with %s of %s", seen.Sequence, seen.Fee, seen.Gross, n.Sequence, n.Fee, n.Gross)
			}
		})
	})
	t.Run("a warning bears no hand-over, but by force", func(t *testing.T) {
		t.Parallel()
		eachDesk(t, func(_ *testing.T, d *desk) {
			d.lateAndPaidFor(issue(d, warns), "2026-04-02")
			d.on("2026-05-20")
			d.refused("deadline_running", d.handOver)
			d.do(func(ctx context.Context, tx *store.Tx) error {
				_, err := dunning.ForceHandOver(ctx, tx, d.creditor, d.invoice.ID, actor)
				return err
			})
		})
	})
	t.Run("where it is paid again nothing is withdrawn", func(t *testing.T) {
		t.Parallel()
		eachDesk(t, func(_ *testing.T, d *desk) {
			d.enable()
			d.lateAndPaidFor(d.remind(), "2026-04-02")
			d.pay(d.invoice.ID, d.now().Balance.String())
			d.on("2026-05-20")
			d.run()
			d.stands("invoice_paid", "0.00", 1)
		})
	})
}

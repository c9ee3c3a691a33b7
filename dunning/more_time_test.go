package dunning_test

import (
	"context"
	"slices"
	"testing"

	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

func (d *desk) giveTime(until string, waive bool) func(ctx context.Context, tx *store.Tx) error {
	return func(ctx context.Context, tx *store.Tx) error {
		r := models.MoreTimeRequest{Reason: "wages on the 15th", WaiveInterest: waive}
		if until != "" {
			r.Until = day(until)
		}
		_, err := dunning.GiveMoreTime(ctx, tx, d.creditor, d.invoice.ID, r, actor)
		return err
	}
}

func (d *desk) endTime(ctx context.Context, tx *store.Tx) error {
	return dunning.EndMoreTime(ctx, tx, d.creditor, d.invoice.ID, actor)
}

// standing returns what stands still, or is over: kind, invoice, until, last day, sum, who ended it.
func (d *desk) standing(ended bool) (told []string) {
	d.t.Helper()
	today, err := d.creditor.Today(d.db.Now())
	must(d.t, err)
	f := store.StandstillFilter{Today: today, Ended: ended}
	found, err := d.db.Standstills(d.t.Context(), d.creditor.ID, f, store.StandstillMark{}, 100)
	must(d.t, err)
	for _, s := range found {
		told = append(told, string(s.Kind)+" "+s.Until.String()+" "+s.LastDay.String()+" "+s.Owed.String()+" "+s.EndedBy)
	}
	sums, err := d.db.StandstillSums(d.t.Context(), d.creditor.ID, f)
	must(d.t, err)
	if sums.Number != int64(len(found)) {
		d.t.Errorf("%d are counted of %d", sums.Number, len(found))
	}
	return append(told, sums.Owed.String())
}

// TestN11MoreTimeHoldsTheNextStepUntilItsDay gives time for an invoice that is due for a reminder.
func TestN11MoreTimeHoldsTheNextStepUntilItsDay(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.enable()
		reminded := func(on string) bool {
			steps := d.planOf(on)
			return len(steps) == 1 && steps[0].Action == dunning.Remind
		}
		if !reminded("2026-03-30") {
			t.Fatal("the invoice is not due for a step")
		}
		for range 2 { // the second press changes nothing
			d.do(d.giveTime("2026-04-20", false))
		}
		if reminded("2026-03-30") || reminded("2026-04-20") || !reminded("2026-04-21") {
			t.Error("the step is not taken on the day after the time")
		}
		if i := d.now(); i.MoreTime != (models.MoreTime{Since: day("2026-03-30"), Until: day("2026-04-20"), Reason: "wages on the 15th"}) || i.InterestFree != nil {
			t.Errorf("the invoice has %+v, free on %v", i.MoreTime, i.InterestFree)
		}
		if d.dunned("2026-04-10") {
			t.Error("the run takes a step")
		}
		d.do(d.giveTime("2026-05-04", false))
		if got := d.standing(false); len(got) != 2 || got[0] != "more_time 2026-05-04 2026-05-04 1000.00 " {
			t.Errorf("what stands still: %q", got)
		}
		if got := d.standing(true); len(got) != 2 || got[0] != "more_time 2026-04-20 2026-04-09 1000.00 "+actor {
			t.Errorf("what is over: %q", got)
		}
		for range 2 {
			d.do(d.endTime)
		}
		d.logged(
			`more_time.given More time for invoice 1, until 2026-04-20, by API key 1 (write): wages on the 15th`,
			`more_time.given More time for invoice 1, until 2026-05-04, by API key 1 (write): wages on the 15th`,
			`more_time.ended The time given for invoice 1, until 2026-05-04, ended, by API key 1 (write)`,
		)
		if !d.dunned("2026-04-13") || d.now().MoreTime != (models.MoreTime{}) {
			t.Error("the time was ended, and no step is taken")
		}
	})
}

func TestN11MoreTimeIsRefused(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.refused("[required]", d.giveTime("", true))
		d.refused("[date_in_past]", d.giveTime("2026-03-29", true))
		d.refused("[out_of_range]", d.giveTime("2027-03-31", true))
		stranger := func(ctx context.Context, tx *store.Tx) error {
			other := d.creditor
			other.ID += 7
			_, err := dunning.GiveMoreTime(ctx, tx, other, d.invoice.ID, models.MoreTimeRequest{Until: day("2026-04-20")}, actor)
			return err
		}
		d.refused("not_found", stranger)
		d.do(d.close)
		d.refused("invoice_closed", d.giveTime("2026-04-20", true))
		d.do(d.reopen)
		d.do(d.handOver)
		d.refused("invoice_handed_over", d.giveTime("2026-04-20", true))
		d.do(d.reopen)
		d.pay(d.invoice.ID, "1000.00")
		d.refused("invoice_paid", d.giveTime("2026-04-20", true))
		if i := d.now(); i.MoreTime != (models.MoreTime{}) || i.InterestFree != nil {
			t.Errorf("the invoice has %+v", i)
		}
	})
}

// TestN11WaivedDaysAreNotCharged waives the interest of three weeks, takes the last of them back, and has a notice sent later.
func TestN11WaivedDaysAreNotCharged(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		told  string
		ended bool
		want  models.Periods
	}{
		{"until its day", false, models.Periods{{From: day("2026-03-30"), To: day("2026-04-20")}}},
		{"until it is ended", true, models.Periods{{From: day("2026-03-30"), To: day("2026-04-12")}}},
	} {
		t.Run(tt.told, func(t *testing.T) {
			eachDesk(t, func(t *testing.T, d *desk) {
				d.do(d.giveTime("2026-04-20", true))
				d.on("2026-04-13")
				if tt.ended {
					d.do(d.endTime)
				}
				invoice := d.now()
				if len(invoice.InterestFree) != 1 || invoice.InterestFree[0] != tt.want[0] {
					t.Errorf("free of interest are %v", invoice.InterestFree)
				}
				d.on("2026-05-04")
				n := d.remind()
				want := law.Default().Interest(law.Claim{
					DueDate: invoice.DueDate, Entries: []models.Entry{invoiced("1000.00", "2026-03-02")}, Free: tt.want,
				}, day("2026-05-04"))
				all := law.Default().Interest(law.Claim{DueDate: invoice.DueDate, Entries: []models.Entry{invoiced("1000.00", "2026-03-02")}}, day("2026-05-04"))
				if n.Interest != want.Amount || n.Interest >= all.Amount || n.Interest == 0 {
					t.Errorf("the notice charges %s, want %s of %s", n.Interest, want.Amount, all.Amount)
				}
			})
		})
	}
}

// TestN11WhatStandsStill has a hold and a dispute beside more time: each is listed, and the invoice's sum counts once.
func TestN11WhatStandsStill(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		hold := func(h models.Hold) {
			d.do(func(ctx context.Context, tx *store.Tx) error {
				_, err := dunning.HoldInvoice(ctx, tx, d.creditor, d.invoice.ID, h, actor)
				return err
			})
		}
		d.another("500.00")
		hold(models.Hold{Until: day("2026-04-02")})
		hold(models.Hold{Reason: models.HoldDispute, Comment: "wrong colour"})
		d.do(d.giveTime("2026-04-20", false))
		same := func(got []string, want ...string) {
			t.Helper()
			if len(got) != len(want) {
				t.Errorf("got %q, want %q", got, want)
				return
			}
			for n := range want {
				if got[n] != want[n] {
					t.Errorf("got %q, want %q", got, want)
				}
			}
		}
		same(d.standing(false), "more_time 2026-04-20 2026-04-20 1000.00 ", "dispute  9999-12-31 1000.00 ", "1000.00")
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.HoldCustomer(ctx, tx, d.creditor, d.customer.ID, models.Hold{Until: day("2026-04-03")}, actor)
			return err
		})
		same(d.standing(false), "hold 2026-04-03 2026-04-03 1500.00 ", "more_time 2026-04-20 2026-04-20 1000.00 ", "dispute  9999-12-31 1000.00 ", "1500.00")
		same(d.standing(true), "hold 2026-04-02 2026-03-29 1000.00 "+actor, "1000.00")
		d.do(func(ctx context.Context, tx *store.Tx) error {
			return dunning.ReleaseInvoice(ctx, tx, d.creditor, d.invoice.ID, actor)
		})
		d.on("2026-04-21")
		same(d.standing(false), "0.00")
		same(d.standing(true), "more_time 2026-04-20 2026-04-20 1000.00 ", "hold 2026-04-03 2026-04-03 1500.00 ", "dispute  2026-03-29 1000.00 "+actor, "hold 2026-04-02 2026-03-29 1000.00 "+actor, "1500.00")
	})
}

// told returns the letters of more time of the desk's invoice: method, state, until, owed.
func (d *desk) told() (told []string) {
	d.t.Helper()
	all, err := d.db.ShipmentsOf(d.t.Context(), d.invoice.Document())
	must(d.t, err)
	for _, s := range all {
		if s.Role() == models.TellsOfTime {
			told = append(told, string(s.Method)+" "+string(s.State)+" "+s.MoreTime.Until.String()+" "+s.MoreTime.Owed.String())
		}
	}
	return told
}

// TestN11ALetterTellsOfTheTimeOnce: none for the same time while one is owed or has left, and none that is no longer so.
func TestN11ALetterTellsOfTheTimeOnce(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.on("2026-03-30")
		give := func(until string, waive bool, reason string, by models.ShipmentMethod) func(ctx context.Context, tx *store.Tx) error {
			return func(ctx context.Context, tx *store.Tx) error {
				r := models.MoreTimeRequest{Until: day(until), Reason: reason, WaiveInterest: waive, Method: by}
				_, err := dunning.GiveMoreTime(ctx, tx, d.creditor, d.invoice.ID, r, actor)
				return err
			}
		}
		told := func(want ...string) {
			t.Helper()
			if got := d.told(); !slices.Equal(got, want) {
				t.Errorf("it was told by %q, want %q", got, want)
			}
		}
		becomes := func(state models.ShipmentState) {
			t.Helper()
			d.do(func(ctx context.Context, tx *store.Tx) error {
				all, err := tx.ShipmentsOf(ctx, d.invoice.Document())
				if err != nil {
					return err
				}
				s, err := tx.LockShipment(ctx, all[len(all)-1].ID)
				s.State = state
				if err != nil {
					return err
				}
				return tx.UpdateShipment(ctx, s)
			})
		}
		d.refused("[invalid_shipment_method]", give("2026-04-20", false, "", models.ByEHF))
		d.do(give("2026-04-20", false, "", ""))
		told()
		d.do(give("2026-04-20", false, "", models.ByPaper)) // the same time, and now with a letter
		d.do(give("2026-04-20", false, "", models.ByPaper))
		told("PAPER owed 2026-04-20 1000.00")
		becomes(models.ShipmentFailed)
		d.do(give("2026-04-20", false, "", models.ByPaper))
		told("PAPER withdrawn 2026-04-20 1000.00", "PAPER owed 2026-04-20 1000.00")
		becomes(models.ShipmentSent)
		d.do(give("2026-04-20", false, "called again", models.ByPaper)) // what it said is so
		told("PAPER withdrawn 2026-04-20 1000.00", "PAPER sent 2026-04-20 1000.00")
		d.do(give("2026-04-20", true, "", models.ByPaper)) // no interest, and it said that interest runs
		told("PAPER withdrawn 2026-04-20 1000.00", "PAPER sent 2026-04-20 1000.00", "PAPER owed 2026-04-20 1000.00")
		d.do(d.endTime)
		told("PAPER withdrawn 2026-04-20 1000.00", "PAPER sent 2026-04-20 1000.00", "PAPER withdrawn 2026-04-20 1000.00")
		d.do(give("2026-04-22", false, "", models.ByEmail))
		d.do(give("2026-04-27", false, "", ""))
		d.do(d.endTime)
		d.logged(
			"more_time.given More time for invoice 1, until 2026-04-20, by API key 1 (write)",
			"more_time.given More time for invoice 1, until 2026-04-20, with a letter on paper, by API key 1 (write)",
			"more_time.given More time for invoice 1, until 2026-04-20, with a letter on paper, by API key 1 (write)",
			"more_time.given More time for invoice 1, until 2026-04-20, by API key 1 (write): called again",
			"more_time.given More time for invoice 1, until 2026-04-20, without interest, with a letter on paper, by API key 1 (write)",
			"more_time.ended The time given for invoice 1, until 2026-04-20, ended, its letter withdrawn before it left, by API key 1 (write)",
			"more_time.given More time for invoice 1, until 2026-04-22, with a letter by e-mail, by API key 1 (write)",
			"more_time.given More time for invoice 1, until 2026-04-27, the letter of the time before withdrawn before it left, by API key 1 (write)",
			"more_time.ended The time given for invoice 1, until 2026-04-27, ended, by API key 1 (write)",
		)
		if found, err := ledger.Verify(t.Context(), d.db, d.creditor); err != nil || len(found) > 0 {
			t.Errorf("the books: %v, %v", found, err)
		}
		if i := d.now(); i.Notices != 0 || i.Deadline != d.invoice.Deadline || i.Balance != d.invoice.Balance {
			t.Errorf("the invoice became %+v", i)
		}
	})
}

// TestN11ALetterNeedsAnAddress of its kind; without it nothing is changed.
func TestN11ALetterNeedsAnAddress(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(_ *testing.T, d *desk) {
		d.on("2026-03-30")
		d.do(func(ctx context.Context, tx *store.Tx) error {
			c, err := tx.LockCustomer(ctx, d.creditor.ID, d.invoice.CustomerID)
			c.Recipient.Email, c.Recipient.Address1 = "", ""
			if err != nil {
				return err
			}
			return tx.UpdateCustomer(ctx, &c)
		})
		for by, want := range map[models.ShipmentMethod]string{
			models.ByEmail: "email_required", models.ByPaper: "address_required",
		} {
			d.refused(want, func(ctx context.Context, tx *store.Tx) error {
				_, err := dunning.GiveMoreTime(ctx, tx, d.creditor, d.invoice.ID, models.MoreTimeRequest{Until: day("2026-04-20"), Method: by}, actor)
				return err
			})
		}
		if i := d.now(); i.MoreTime != (models.MoreTime{}) {
			d.t.Errorf("the invoice has %+v", i.MoreTime)
		}
	})
}

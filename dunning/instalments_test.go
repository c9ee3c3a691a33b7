package dunning_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
)

// TestL15UntilWhenAnInstalmentIsWaitedFor: a due date that is no bank day moves to the next, and three bank days follow.
func TestL15UntilWhenAnInstalmentIsWaitedFor(t *testing.T) {
	t.Parallel()
	for due, want := range map[string]string{
		"2026-11-02": "2026-11-05", // Monday to Thursday
		"2026-11-04": "2026-11-09", // Wednesday to Monday
		"2026-11-06": "2026-11-11", // Friday
		"2026-11-07": "2026-11-12", // Saturday counts from Monday
		"2026-11-08": "2026-11-12",
		"2026-04-01": "2026-04-09", // Maundy Thursday, Good Friday and Easter Monday lie between
		"2026-04-02": "2026-04-10",
		"2026-05-17": "2026-05-21", // a Sunday
		"2026-12-23": "2026-12-30", // banks settle neither on Christmas Eve nor on the two days after it
		"2026-12-24": "2026-12-31",
	} {
		if got := dunning.WaitUntil(day(due)); got != day(want) {
			t.Errorf("what is due on %s is waited for until %s, want %s", due, got, want)
		}
	}
}

// thirds is a plan of 900.00 in three parts, due on Mondays in November.
func thirds() store.Plan {
	return store.Plan{PaymentPlan: models.PaymentPlan{
		ID: 1, Sum: 900_00, LastEntryID: 10, State: models.PlanRunning,
		Instalments: models.Instalments{{DueDate: day("2026-11-02"), Amount: 300_00}, {DueDate: day("2026-11-09"), Amount: 300_00}, {DueDate: day("2026-11-16"), Amount: 300_00}},
	}}
}

// TestL15WhatBecomesOfAPlan is the rule: of a plan, what is claimed, what was charged since, and a day.
func TestL15WhatBecomesOfAPlan(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why              string
		claimed, charged string
		on               string
		want             models.PlanState
		next             int
	}{
		{"nothing is due yet", "900", "0", "2026-11-02", models.PlanRunning, 0},
		{"the first is waited for until Thursday", "900", "0", "2026-11-05", models.PlanRunning, 0},
		{"on Friday it was missed", "900", "0", "2026-11-06", models.PlanBroken, 0},
		{"a part of it is missing", "600.01", "0", "2026-11-06", models.PlanBroken, 0},
		{"it is covered", "600", "0", "2026-11-06", models.PlanRunning, 1},
		{"the second is waited for", "600", "0", "2026-11-12", models.PlanRunning, 1},
		{"the second was missed", "600", "0", "2026-11-13", models.PlanBroken, 1},
		{"two were paid at once, before", "300", "0", "2026-11-19", models.PlanRunning, 2},
		{"the last was missed", "299", "0", "2026-11-20", models.PlanBroken, 2},
		{"all is paid", "0", "0", "2026-11-20", models.PlanKept, 0},
		{"all is paid before anything is due", "0", "0", "2026-11-01", models.PlanKept, 0},
		{"more is paid than was owed", "-50", "0", "2026-11-20", models.PlanKept, 0},
		{"a fee that came since is no part of the plan", "638", "38", "2026-11-06", models.PlanRunning, 1},
		{"and does not keep it from being kept", "38", "38", "2026-11-20", models.PlanKept, 0},
		{"a fee of before that was taken back is as good as paid", "600", "-38", "2026-11-06", models.PlanRunning, 1},
		{"a payment that was taken back leaves more than was owed", "1200", "0", "2026-11-05", models.PlanRunning, 0},
		{"and is missed in time", "1200", "0", "2026-11-06", models.PlanBroken, 0},
	} {
		p := thirds()
		p.Charged = kroner(tt.charged)
		state, next := dunning.PlanOn(p, kroner(tt.claimed), day(tt.on))
		if state != tt.want || next != tt.next {
			t.Errorf("%s: %s, instalment %d; want %s, %d", tt.why, state, next, tt.want, tt.next)
		}
		sum := models.Amount(0)
		for n, i := range dunning.InstalmentsOf(p, kroner(tt.claimed)) {
			if sum += i.Covered; n == next && state == models.PlanBroken && (i.Covered >= i.Amount || day(tt.on) <= i.WaitUntil) {
				t.Errorf("%s: missed is %+v", tt.why, i)
			}
		}
		if most := kroner("900"); sum > most || state == models.PlanKept && tt.claimed != "0" && tt.charged == "0" && sum != most {
			t.Errorf("%s: %s is covered", tt.why, sum)
		}
	}
}

// TestL15WhatCoversAnInstalment: payments since the plan cover the instalments in order; what is taken back uncovers the last.
func TestL15WhatCoversAnInstalment(t *testing.T) {
	t.Parallel()
	entry := func(id int64, amount string) models.Entry { return models.Entry{ID: id, Amount: kroner(amount)} }
	for _, tt := range []struct {
		why     string
		claimed string
		entries []models.Entry
		want    string
	}{
		{"nothing since", "900", []models.Entry{entry(9, "1000"), entry(10, "-100")}, "0.00[] 0.00[] 0.00[]"},
		{"one payment over two", "500", []models.Entry{entry(10, "-100"), entry(11, "-400")}, "300.00[11:300.00] 100.00[11:100.00] 0.00[]"},
		{"two payments in one", "600", []models.Entry{entry(11, "-100"), entry(12, "-200")}, "300.00[11:100.00 12:200.00] 0.00[] 0.00[]"},
		{"the last is taken back", "800", []models.Entry{entry(11, "-100"), entry(12, "-200"), entry(13, "200")}, "100.00[11:100.00] 0.00[] 0.00[]"},
		{"a part is taken back", "700", []models.Entry{entry(11, "-100"), entry(12, "-200"), entry(13, "100")}, "200.00[11:100.00 12:100.00] 0.00[] 0.00[]"},
		{"more than the plan", "-100", []models.Entry{entry(11, "-1000")}, "300.00[11:300.00] 300.00[11:300.00] 300.00[11:300.00]"},
	} {
		p := thirds()
		var got []string
		for _, i := range dunning.CoveredBy(dunning.InstalmentsOf(p, kroner(tt.claimed)), p, tt.entries) {
			var by []string
			for _, c := range i.By {
				by = append(by, fmt.Sprintf("%d:%s", c.Entry.ID, c.Amount))
			}
			got = append(got, fmt.Sprintf("%s%v", i.Covered, by))
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%s: %s, want %s", tt.why, s, tt.want)
		}
	}
}

// TestL15TheReasonComesAfterHoldAndBeforeTheQueue is rule L12's order.
func TestL15TheReasonComesAfterHoldAndBeforeTheQueue(t *testing.T) {
	t.Parallel()
	s := dunning.State{Invoice: unreminded("2026-10-01"), Plan: thirds(), LikelyPayer: true}
	s.Invoice.Balance = 900_00
	on := func(date string) string {
		d := dunning.Decide(s, policy(), law.Default(), day(date))
		return string(d.Action) + " " + string(d.Reason)
	}
	got := []string{on("2026-11-05"), on("2026-11-06")}
	s.LikelyPayer = false
	got = append(got, on("2026-11-05"), on("2026-11-06"))
	s.Invoice.Hold = models.Hold{Held: true}
	got = append(got, on("2026-11-05"))
	want := []string{"none payment_plan", "none payment_in_queue", "none payment_plan", "reminder ", "none hold"}
	if !slices.Equal(got, want) {
		t.Errorf("decided is %q, want %q", got, want)
	}
}

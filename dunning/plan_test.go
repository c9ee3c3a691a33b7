package dunning_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"purr/dunning"
	"purr/models"
	"purr/store"
)

// TestE6ThePlanOfADayIsWhatItsRunDoes lets anything happen in an office, and holds on every day the plan against the
// run, entry by entry, and then plans and a forecast of the next weeks against the runs of these, in which nothing
// is paid.
func TestE6ThePlanOfADayIsWhatItsRunDoes(t *testing.T) {
	tryModel(t, func(t *testing.T, rt *rapid.T, db *store.DB) {
		o := openOffice(t, rt, db)
		for range one(o, "days", 1, 3, 8) {
			o.live()
			plan := o.plan(o.today)
			o.isWhole(plan)
			due, err := o.snapshot().CountSteps(t.Context())
			if err != nil {
				rt.Fatal(err)
			}
			done := o.run()
			o.same(tell(plan), done)
			if n := len(done); due.Steps() != n {
				rt.Fatalf("%+v is due, and %d steps were taken", due, n)
			}
			o.to(o.today + one(o, "days pass", models.Date(1), 2, 7, 14))
		}
		o.foresees(one(o, "days ahead", 5, 10, 10, 60))
	})
}

// foresees holds plans and a forecast against the runs that then come.
func (o *office) foresees(days int) {
	plans := map[models.Date][]dunning.Step{}
	for on := o.today; on < o.today+models.Date(days); on++ {
		plans[on] = o.plan(on)
	}
	forecast := o.forecast(days)
	for n, foreseen := range forecast[0].Days {
		if n > 0 && o.file.ID != 0 {
			o.fileComes()
		}
		o.isWhole(plans[o.today])
		planned := tell(plans[o.today])
		o.same(planned, o.run())
		want := dunning.ForecastDay{Date: o.today}
		for _, s := range plans[o.today] {
			want.Add(s)
		}
		if foreseen != want {
			o.Fatalf("of %s\n%+v is foreseen, and\n%+v planned", o.today, foreseen, want)
		}
		o.to(o.today + 1)
	}
}

// forecast makes a forecast, and one under another policy, which is to be that of a creditor who has it.
func (o *office) forecast(days int) []dunning.Forecast {
	other, own := o.policy(), o.creditor.Policy
	both, err := o.snapshot().Forecast(o.t.Context(), days, other)
	if err != nil {
		o.Fatal(err)
	}
	o.creditor.Policy = other
	alone, err := o.snapshot().Forecast(o.t.Context(), days)
	o.creditor.Policy = own
	if err != nil || !slices.Equal(both[1].Days, alone[0].Days) {
		o.Fatalf("under another policy it is foreseen, beside the creditor's:\n%+v\nand alone:\n%+v, %v", both[1].Days, alone[0].Days, err)
	}
	return both
}

// isWhole holds that a plan of today lists each overdue invoice, in order, and says why one is left alone.
func (o *office) isWhole(plan []dunning.Step) {
	var overdue, listed []int64
	for _, id := range o.invoices {
		i := o.now(id)
		if i.Balance > 0 && i.Closed == models.NotClosed && i.HandedOver == 0 && (i.DueDate < o.today || i.Notices > 0) {
			overdue = append(overdue, id)
		}
	}
	for _, s := range plan {
		listed = append(listed, s.Invoice.ID)
		if (s.Action == dunning.Nothing) != (s.Reason != "") || s.On != o.today {
			o.Fatalf("of invoice %d it is planned on %s: %s, %q", s.Invoice.ID, s.On, s.Action, s.Reason)
		}
	}
	if !slices.Equal(listed, overdue) {
		o.Fatalf("the plan of %s lists %v, and %v are overdue", o.today, listed, overdue)
	}
}

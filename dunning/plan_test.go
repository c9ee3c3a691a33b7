package dunning_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/dunning"
	"purr/models"
	"purr/store"
)

// TestE6ThePlanOfADayIsWhatItsRunDoes lets anything happen to some invoices, and compares the plan of every day with its
// run, step by step. Then it compares plans and a forecast of the next weeks with the runs of these, in which nothing is
// paid.
func TestE6ThePlanOfADayIsWhatItsRunDoes(t *testing.T) {
	tryModel(t, func(t *testing.T, rt *rapid.T, db *store.DB) {
		m := newModel(t, rt, db)
		for range one(m, "days", 1, 3, 8) {
			m.live()
			plan := m.plan(m.today)
			m.isWhole(plan)
			due, err := m.snapshot().CountSteps(t.Context())
			if err != nil {
				rt.Fatal(err)
			}
			done := m.run()
			m.same(tell(plan), done)
			isClosing := func(line string) bool { return strings.Contains(line, ": closed with") } // no step (rule L25)
			if n := len(slices.DeleteFunc(done, isClosing)); due.Steps() != n {
				rt.Fatalf("%+v is due, and %d steps were taken", due, n)
			}
			m.to(m.today + one(m, "days pass", models.Date(1), 2, 7, 14))
		}
		m.foresees(one(m, "days ahead", 5, 10, 10, 60))
	})
}

// foresees compares plans and a forecast with the runs that follow.
func (m *model) foresees(days int) {
	plans := map[models.Date][]dunning.Step{}
	for on := m.today; on < m.today+models.Date(days); on++ {
		plans[on] = m.plan(on)
	}
	for _, id := range m.invoices {
		m.runsIts(id, plans)
	}
	forecast := m.forecast(days)
	for n, foreseen := range forecast[0].Days {
		if n > 0 && m.file.ID != 0 {
			m.fileComes()
		}
		m.isWhole(plans[m.today])
		planned := tell(plans[m.today])
		m.same(planned, m.run())
		want := dunning.ForecastDay{Date: m.today}
		for _, s := range plans[m.today] {
			want.Add(s)
		}
		if foreseen != want {
			m.Fatalf("of %s\n%+v is foreseen, and\n%+v planned", m.today, foreseen, want)
		}
		m.to(m.today + 1)
	}
}

// runsIts compares the course of an invoice with plans of the coming days: of each day the same step, or the same reason as
// long as the course says.
func (m *model) runsIts(id int64, plans map[models.Date][]dunning.Step) {
	course := m.course(id)
	steps := map[models.Date]dunning.Step{}
	for _, s := range course.Steps {
		steps[s.On] = s
	}
	for on := m.today; on < m.today+models.Date(len(plans)); on++ {
		var planned dunning.Step
		for _, s := range plans[on] {
			if s.Invoice.ID == id {
				planned = s
			}
		}
		foreseen, is := steps[on]
		if is != (planned.Reason == "" && planned.Action != "" || planned.Action == dunning.Waive) || is && !reflect.DeepEqual(foreseen, planned) {
			m.Fatalf("of invoice %d on %s it is foreseen:\n%+v\nand planned:\n%+v", id, on, foreseen, planned)
		}
		listed := course.Today.Reason.Listed() && course.Today.Action == dunning.Nothing
		if on == m.today && !is && listed != (planned.Action != "") || on <= course.Until && listed && planned.Reason != course.Today.Reason {
			m.Fatalf("of invoice %d on %s it is said: %q until %s, and planned: %+v", id, on, course.Today.Reason, course.Until, planned)
		}
		if on == course.Until+1 && listed && on > m.today && planned.Reason == course.Today.Reason {
			m.Fatalf("of invoice %d on %s it is planned: %q, which should end the day before", id, on, planned.Reason)
		}
	}
}

func (m *model) course(id int64) (c dunning.Course) {
	err := m.db.View(m.t.Context(), func(v store.View) error {
		standing, err := v.StandingOf(m.t.Context(), m.creditor.ID, id, m.today)
		if err != nil {
			return err
		}
		c, err = dunning.ReadCourse(m.t.Context(), v, m.rules, m.creditor, standing, m.today)
		return err
	})
	if err != nil {
		m.Fatal(err)
	}
	return c
}

// forecast returns a forecast and one under another policy, which must be the same as that of a creditor with the policy.
func (m *model) forecast(days int) []dunning.Forecast {
	other, own := m.policy(), m.creditor.Policy
	both, err := m.snapshot().Forecast(m.t.Context(), days, other)
	if err != nil {
		m.Fatal(err)
	}
	m.creditor.Policy = other
	alone, err := m.snapshot().Forecast(m.t.Context(), days)
	m.creditor.Policy = own
	if err != nil || !slices.Equal(both[1].Days, alone[0].Days) {
		m.Fatalf("under another policy it is foreseen, beside the creditor's:\n%+v\nand alone:\n%+v, %v", both[1].Days, alone[0].Days, err)
	}
	return both
}

// isWhole checks that a plan of today lists each overdue invoice, in order, and says why an invoice gets no step.
func (m *model) isWhole(plan []dunning.Step) {
	var overdue, listed []int64
	for _, id := range m.invoices {
		i := m.now(id)
		if i.Balance > 0 && i.Closed == models.NotClosed && i.HandedOver == 0 && (i.DueDate < m.today || i.Notices > 0) {
			overdue = append(overdue, id)
		}
	}
	for _, s := range plan {
		listed = append(listed, s.Invoice.ID)
		if (s.Action == dunning.Nothing) != (s.Reason != "") || s.On != m.today {
			m.Fatalf("of invoice %d it is planned on %s: %s, %q", s.Invoice.ID, s.On, s.Action, s.Reason)
		}
	}
	if !slices.Equal(listed, overdue) {
		m.Fatalf("the plan of %s lists %v, and %v are overdue", m.today, listed, overdue)
	}
}

package runs_test

import (
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/jobs/runs"
	"purr/law"
	"purr/models"
	"purr/models/zone"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// reminderDay is the day on which an invoice of rows.Today can first be charged a fee, and is reminded.
const reminderDay = 28

// office is a database with what makes its runs, on a test clock that stands at rows.Start.
type office struct {
	db    *store.DB
	clock *clock.Test
	runs  *runs.Runs
}

func eachOffice(t *testing.T, test func(t *testing.T, o *office)) {
	t.Helper()
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		t.Parallel()
		o := &office{clock: clock.NewTest(rows.Start)}
		o.db = rows.Open(t, databaseURL).WithClock(o.clock)
		o.runs = &runs.Runs{DB: o.db, Rules: law.Default(), Clock: o.clock, Log: slog.New(slog.DiscardHandler)}
		test(t, o)
	})
}

// dunned makes a creditor with automatic dunning, who has a number of invoices of rows.Today.
func (o *office) dunned(t *testing.T, invoices int, changes ...func(*models.Creditor)) models.Creditor {
	t.Helper()
	c := rows.Creditor(t, o.db, append(changes, func(c *models.Creditor) { c.Policy.Enabled = true })...)
	o.invoices(t, c, invoices)
	return c
}

func (o *office) invoices(t *testing.T, c models.Creditor, n int) {
	t.Helper()
	for range n {
		rows.Invoice(t, rows.On(o.db, rows.Today), c)
	}
	rows.Send(t, o.db, c)
}

// oslo sets the clock to a time of the day that is some days after rows.Today, in Oslo.
func (o *office) oslo(t *testing.T, days, hour, minute int) models.Date {
	t.Helper()
	zone, err := zone.Load("Europe/Oslo")
	if err != nil {
		t.Fatal(err)
	}
	o.clock = clock.NewTest(time.Date(2026, time.March, 2+days, hour, minute, 0, 0, zone)) // which may be back
	o.db = o.db.WithClock(o.clock)
	o.runs.DB, o.runs.Clock = o.db, o.clock
	return rows.Today + models.Date(days)
}

func (o *office) make(t *testing.T, c models.Creditor, kind models.RunKind, date models.Date) runs.Result {
	t.Helper()
	result, err := o.runs.Make(t.Context(), c.ID, kind, date)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// wantRun expects the state of a run, and how many things it did.
func (o *office) wantRun(t *testing.T, c models.Creditor, kind models.RunKind, date models.Date, state models.RunState, done int) models.Run {
	t.Helper()
	run, found, err := o.db.RunOf(t.Context(), c.ID, kind, date)
	if err != nil || !found || run.State != state || run.Done != done {
		t.Errorf("the %s run of %s is %q, having done %d (found: %t, %v), want %q and %d", kind, date, run.State, run.Done, found, err, state, done)
	}
	return run
}

// wantEvents expects the creditor's events of some types, in order, each as "TYPE INVOICE".
func (o *office) wantEvents(t *testing.T, c models.Creditor, types []models.EventType, want ...string) {
	t.Helper()
	events, err := o.db.Events(t.Context(), c.ID, 0, 1000)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range events {
		if slices.Contains(types, e.Type) {
			got = append(got, fmt.Sprintf("%s %d", e.Type, e.InvoiceID))
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the events are %q, want %q", got, want)
	}
}

// TestE6fAPersonsRunJustAfterMidnight has a person make the run before the day's status run has fallen due. No
// event is lost, and the run's steps count for the day. The next run takes the steps that fall due later in the
// day.
func TestE6fAPersonsRunJustAfterMidnight(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := o.dunned(t, 2)
		o.make(t, c, models.RunStatus, o.oslo(t, reminderDay-1, 0, 6))
		today := o.oslo(t, reminderDay, 0, 2)
		if got := o.make(t, c, models.RunDunning, today); len(got.Documents) != 2 || got.Waits != nil {
			t.Errorf("the run did %+v, want two notices", got)
		}
		told := []models.EventType{models.EventInvoiceChargeable, models.EventNoticeCreated}
		want := []string{"invoice.chargeable 1", "invoice.chargeable 2", "overdue_notice.created 1", "overdue_notice.created 2"}
		o.wantEvents(t, c, told, want...)
		o.wantRun(t, c, models.RunStatus, today, models.RunDone, 2)
		o.wantRun(t, c, models.RunDunning, today, models.RunDone, 2)

		// The worker's own runs of the day: the status run is made already, the dunning run finds nothing more.
		o.oslo(t, reminderDay, 6, 0)
		o.make(t, c, models.RunStatus, today)
		if got := o.make(t, c, models.RunDunning, today); len(got.Documents) != 0 {
			t.Errorf("made again the run did %+v", got)
		}
		o.wantEvents(t, c, told, want...)

		o.invoices(t, c, 1)
		o.oslo(t, reminderDay, 9, 0)
		if got := o.make(t, c, models.RunDunning, today); len(got.Documents) != 1 {
			t.Errorf("after one more fell due the run did %+v, want one notice", got)
		}
		o.wantEvents(t, c, told, append(want, "overdue_notice.created 3")...)
		run := o.wantRun(t, c, models.RunDunning, today, models.RunDone, 3)
		if !run.FinishedAt.Equal(o.clock.Now()) {
			t.Errorf("the run was finished at %s", run.FinishedAt)
		}
	})
}

func TestE6fARunAboveItsCeilingWaitsAndGoesOnOnceItIsRaised(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := o.dunned(t, 3, func(c *models.Creditor) { c.DunningCeiling = new(2) })
		today := o.oslo(t, reminderDay, 5, 0)
		for range 2 {
			got := o.make(t, c, models.RunDunning, today)
			if got.Waits == nil || got.Waits.Totals.Steps() != 3 || got.Waits.Ceiling != 2 || len(got.Documents) != 0 {
				t.Errorf("the run did %+v, want it to wait", got)
			}
			o.wantRun(t, c, models.RunDunning, today, models.RunWaiting, 0)
		}
		told := []models.EventType{models.EventRunWaiting, models.EventNoticeCreated}
		o.wantEvents(t, c, told, "dunning.run_waiting 0")

		rows.Write(t, o.db, func(tx *store.Tx) error {
			c.DunningCeiling = new(3)
			return tx.UpdateCreditor(t.Context(), &c)
		})
		if got := o.make(t, c, models.RunDunning, today); got.Waits != nil || len(got.Documents) != 3 {
			t.Errorf("below the ceiling the run did %+v, want three notices", got)
		}
		o.wantRun(t, c, models.RunDunning, today, models.RunDone, 3)
	})
}

func TestE6fARunThatStillWaitsWhenItsDayIsOverIsNotDone(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := o.dunned(t, 3, func(c *models.Creditor) { c.DunningCeiling = new(2) })
		today := o.oslo(t, reminderDay, 5, 0)
		o.make(t, c, models.RunDunning, today)
		o.oslo(t, reminderDay+1, 0, 1)
		o.make(t, c, models.RunDunning, today)
		o.wantRun(t, c, models.RunDunning, today, models.RunWaiting, 0)
	})
}

// TestE6fMissedDates: a run records the dates between the run before and itself, once.
func TestE6fMissedDates(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := o.dunned(t, 0)
		for _, kind := range []models.RunKind{models.RunStatus, models.RunVerify, models.RunDunning} {
			o.make(t, c, kind, o.oslo(t, 0, 7, 0))
			for range 2 {
				o.make(t, c, kind, o.oslo(t, 3, 7, 0))
			}
			o.make(t, c, kind, o.oslo(t, 4, 7, 0))
			for day, state := range []models.RunState{models.RunDone, models.RunMissed, models.RunMissed, models.RunDone, models.RunDone} {
				run := o.wantRun(t, c, kind, rows.Today+models.Date(day), state, 0)
				if state == models.RunMissed && run.CaughtUpBy != rows.Today+3 {
					t.Errorf("the %s run of %s is caught up by %s", kind, run.BusinessDate, run.CaughtUpBy)
				}
			}
			if _, found, err := o.db.RunOf(t.Context(), c.ID, kind, rows.Today-1); found || err != nil {
				t.Errorf("there is a %s run of the day before the first (%v)", kind, err)
			}
			if _, err := o.runs.Make(t.Context(), c.ID, kind, rows.Today+1); err != nil {
				t.Error(err)
			}
			o.wantRun(t, c, kind, rows.Today+1, models.RunMissed, 0)
		}
	})
}

// owed reports whether a run must still be begun.
func (o *office) owed(t *testing.T, c models.Creditor, kind models.RunKind, date models.Date, due time.Time) (bool, error) {
	t.Helper()
	ids, err := o.db.CreditorsWithoutRun(t.Context(), c.TimeZone, kind, date, due, 10)
	return slices.Contains(ids, c.ID), err
}

// TestE6fWhatIsOwed: the run of a day is owed until it is made, and a dunning run that was made before it fell due is
// owed once more.
func TestE6fWhatIsOwed(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := o.dunned(t, 1)
		today := o.oslo(t, reminderDay, 0, 2)
		due := o.clock.Now().Add(6*time.Hour - 2*time.Minute)
		want := func(kind models.RunKind, want bool) {
			t.Helper()
			if got, err := o.owed(t, c, kind, today, due); err != nil || got != want {
				t.Errorf("at %s the %s run is owed: %t (%v), want %t", o.clock.Now(), kind, got, err, want)
			}
		}
		want(models.RunDunning, true)
		o.make(t, c, models.RunDunning, today)
		want(models.RunStatus, false)
		want(models.RunDunning, true)
		o.oslo(t, reminderDay, 6, 0)
		o.make(t, c, models.RunDunning, today)
		want(models.RunDunning, false)
	})
}

// TestO12ARunIsBegunOnItsOwnDayOnly: neither a later date nor an earlier one that had no run leaves a row.
func TestO12ARunIsBegunOnItsOwnDayOnly(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := o.dunned(t, 1)
		o.oslo(t, reminderDay, 6, 0)
		for _, date := range []models.Date{rows.Today + reminderDay + 1, math.MaxInt32} {
			if _, err := o.runs.Make(t.Context(), c.ID, models.RunDunning, date); !errors.Is(err, runs.ErrFuture) {
				t.Errorf("a run of the future: %v", err)
			}
		}
		for _, date := range []models.Date{rows.Today, 0, -5} {
			if got := o.make(t, c, models.RunDunning, date); len(got.Documents) != 0 {
				t.Errorf("a run of %d made %+v", date, got)
			}
		}
		if _, made, err := o.db.LastRun(t.Context(), c.ID, models.RunDunning, math.MaxInt32); made || err != nil {
			t.Errorf("there is a run (%v)", err)
		}
	})
}

// TestO12AClockThatWasAheadStopsNoDunning: a clock jumps ahead by 60 days, runs are made, and it comes back. The days
// until then have their runs all the same, and so has the day that it jumped to.
func TestO12AClockThatWasAheadStopsNoDunning(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		const ahead = 60
		c := o.dunned(t, 0)
		day := func(n int) models.Date { return o.oslo(t, n, 13, 0) }
		o.make(t, c, models.RunDunning, day(0))
		o.make(t, c, models.RunDunning, day(ahead))
		o.wantRun(t, c, models.RunDunning, day(1), models.RunMissed, 0)
		future, err := o.db.RunsAfterOf(t.Context(), []int64{c.ID}, day(1))
		if err != nil || len(future) == 0 {
			t.Errorf("%d runs are in the future, %v", len(future), err)
		}
		o.invoices(t, c, 1)
		for _, n := range []int{1, 2, reminderDay, ahead} {
			today := day(n)
			if owed, err := o.owed(t, c, models.RunDunning, today, o.clock.Now()); err != nil || !owed {
				t.Errorf("on day %d no run is owed (%v)", n, err)
			}
			notices := len(o.make(t, c, models.RunDunning, today).Documents)
			if want := n == reminderDay; (notices == 1) != want {
				t.Errorf("on day %d %d notices were made", n, notices)
			}
			o.wantRun(t, c, models.RunDunning, today, models.RunDone, notices)
		}
		o.wantRun(t, c, models.RunDunning, rows.Today+3, models.RunMissed, 0)
	})
}

func TestAKindOfRunThatDoesNotExist(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		if _, err := o.runs.Make(t.Context(), o.dunned(t, 0).ID, "laundry", rows.Today); models.KindOf(err) != models.KindInvalid {
			t.Errorf("it was not refused: %v", err)
		}
	})
}

// TestAQuietNightAsksLittle counts the statements of the runs of a small creditor on a day on which nothing falls due. Thousands of
// creditors may have such nights.
func TestAQuietNightAsksLittle(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := o.dunned(t, 2)
		kinds := []models.RunKind{models.RunStatus, models.RunVerify, models.RunDunning}
		for _, kind := range kinds {
			o.make(t, c, kind, o.oslo(t, 1, 7, 0))
		}
		o.oslo(t, 2, 7, 0)
		for n, most := range []int64{9, 39, 14} { // of the second, four are the audit's (rule U7)
			var asked store.Queries
			if _, err := o.runs.Make(asked.Counting(t.Context()), c.ID, kinds[n], rows.Today+2); err != nil {
				t.Fatal(err)
			}
			if asked.Count() > most {
				t.Errorf("the %s run asked the database %d times, want at most %d", kinds[n], asked.Count(), most)
			}
		}
	})
}

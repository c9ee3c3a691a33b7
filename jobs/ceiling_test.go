package jobs

import (
	"context"
	"strings"
	"testing"
	"time"

	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// crowded makes a creditor with a ceiling of two steps and three invoices, which are due for a reminder together.
func (o *office) crowded(t *testing.T) models.Creditor {
	t.Helper()
	c := o.dunned(t, func(c *models.Creditor) { c.DunningCeiling = new(2) })
	for range 3 {
		rows.Invoice(t, o.db, c)
	}
	rows.Send(t, o.db, c)
	return c
}

// approve approves a run, with the number of steps that Kari has seen if it is given.
func (o *office) approve(t *testing.T, c models.Creditor, run models.Run, seen ...int) error {
	t.Helper()
	a := dunning.Approval{RunID: run.ID, Actor: "Kari"}
	if len(seen) > 0 {
		a.Steps = &seen[0]
	}
	return o.db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
		_, err := dunning.ApproveRun(t.Context(), tx, law.Default(), c, a)
		return err
	})
}

func TestE6fALargeRunWaitsUntilAPersonApprovesIt(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c := o.crowded(t)
		o.sleepUntil(t, reminderDue)
		o.advance(t, time.Hour)
		run := o.runOf(t, c, models.RunDunning, rows.Today+reminderDay)
		if run.State != models.RunWaiting || run.Ceiling != 2 || run.Done != 0 {
			t.Errorf("the run is %+v", run)
		}
		waiting := "03-30 04:00:00 dunning.run_waiting The dunning run of 2026-03-30 waits to be approved: it would send 3 notices and hand over 0 invoices, together more than 2"
		told := []models.EventType{models.EventRunWaiting, models.EventRunApproved, models.EventNoticeCreated}
		wantLines(t, o.events(t, c, told...), waiting)
		counts, err := o.db.WaitingForPerson(t.Context())
		must(t, err)
		if counts["waiting_dunning_runs"] != 1 {
			t.Errorf("waiting for a person are %v", counts)
		}

		if err := o.approve(t, c, run, 4); models.KindOf(err) != models.KindConflict || !strings.Contains(err.Error(), "now take 3 steps, not 4") {
			t.Errorf("approved what was not seen: %v", err)
		}
		must(t, o.approve(t, c, run, 3))
		o.settle(t)
		run = o.runOf(t, c, models.RunDunning, rows.Today+reminderDay)
		if run.State != models.RunDone || run.Done != 3 || run.ApprovedBy != "Kari" || run.ApprovedAt == nil {
			t.Errorf("after the approval the run is %+v", run)
		}
		reminded := ": 1042.60 owed, of that fee 38.00 and interest 4.60, due 2026-04-13"
		wantLines(t, sorted(o.events(t, c, told...)),
			waiting,
			"03-30 05:00:00 dunning.run_approved The dunning run of 2026-03-30 approved by Kari, above 2 steps",
			"03-30 05:00:00 overdue_notice.created Reminder 1 on invoice 1"+reminded,
			"03-30 05:00:00 overdue_notice.created Reminder 1 on invoice 2"+reminded,
			"03-30 05:00:00 overdue_notice.created Reminder 1 on invoice 3"+reminded)
		if err := o.approve(t, c, run); models.KindOf(err) != models.KindConflict {
			t.Errorf("approved twice: %v", err)
		}
		o.prove(t, c)
	})
}

func TestE6fARunThatNobodyApprovesIsTheNextDays(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c := o.crowded(t)
		o.sleepUntil(t, reminderDue)
		first := o.runOf(t, c, models.RunDunning, rows.Today+reminderDay)
		o.advance(t, 20*time.Hour) // past midnight
		if err := o.approve(t, c, first); models.KindOf(err) != models.KindConflict {
			t.Errorf("approved on another day: %v", err)
		}
		o.advance(t, 4*time.Hour)
		first = o.runOf(t, c, models.RunDunning, rows.Today+reminderDay)
		second := o.runOf(t, c, models.RunDunning, rows.Today+reminderDay+1)
		if first.State != models.RunMissed || first.CaughtUpBy != second.BusinessDate || second.State != models.RunWaiting {
			t.Errorf("the runs are %+v and %+v", first, second)
		}

		// The third day's run is not above the ceiling any more.
		rows.Write(t, o.db, func(tx *store.Tx) error {
			c.DunningCeiling = new(3)
			return tx.UpdateCreditor(t.Context(), &c)
		})
		o.advance(t, 24*time.Hour)
		third := o.runOf(t, c, models.RunDunning, rows.Today+reminderDay+2)
		if third.State != models.RunDone || third.Done != 3 || third.ApprovedAt != nil {
			t.Errorf("below the ceiling the run is %+v", third)
		}
	})
}

// TestE6fTheCeilingFollowsTheRunsBefore tests the default: five times the largest of the last ten runs that took a step,
// and at least a hundred.
func TestE6fTheCeilingFollowsTheRunsBefore(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		tests := []struct {
			steps []int // of the runs before, day by day
			own   *int
			want  int
			why   string
		}{
			{nil, nil, 100, "a hundred for a first run"},
			{[]int{3}, nil, 100, "a hundred after small ones"},
			{[]int{21}, nil, 105, "five times a larger one"},
			{[]int{500, 21, 0, 0, 40, 0}, nil, 2500, "days on which nothing was due do not count"},
			{[]int{500, 1, 2, 3, 4, 5, 6, 7, 8, 9, 30}, nil, 150, "what was eleven runs ago does not count"},
			{[]int{500}, new(7), 7, "the creditor's own takes its place"},
			{[]int{500}, new(0), 0, "which may be none: every run is asked for"},
		}
		for _, tt := range tests {
			t.Run(tt.why, func(t *testing.T) {
				c := o.dunned(t, func(c *models.Creditor) { c.DunningCeiling = tt.own })
				rows.Write(t, o.db, func(tx *store.Tx) error {
					var runs []models.Run
					for i, steps := range tt.steps {
						runs = append(runs, models.Run{CreditorID: c.ID, Kind: models.RunDunning, BusinessDate: rows.Today + models.Date(i), State: models.RunDone, Done: steps})
					}
					return tx.CreateRuns(t.Context(), runs)
				})
				got, err := dunning.Ceiling(t.Context(), o.db, c, rows.Today+models.Date(len(tt.steps)))
				if err != nil || got != tt.want {
					t.Errorf("it is %d (%v), want %d", got, err, tt.want)
				}
			})
		}
	})
}

// TestE6hACreditorIsWarnedOnceForEachHalfYear lets the last known figures expire.
func TestE6hACreditorIsWarnedOnceForEachHalfYear(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c := o.dunned(t)
		quiet := rows.Creditor(t, o.db)
		for _, date := range []time.Time{
			time.Date(2026, time.December, 2, 8, 0, 0, 0, time.UTC), // 29 days before the end
			time.Date(2026, time.December, 4, 8, 0, 0, 0, time.UTC),
			time.Date(2026, time.December, 20, 8, 0, 0, 0, time.UTC),
			time.Date(2027, time.January, 4, 8, 0, 0, 0, time.UTC),
			time.Date(2027, time.July, 1, 8, 0, 0, 0, time.UTC),
		} {
			o.sleepUntil(t, date)
		}
		wantLines(t, o.events(t, c, models.EventRulesEnding),
			"12-04 07:59:59 dunning_rules.ending Dunning rules: the rate of late interest is known until 2026-12-31: after that day the last one, 12.25, goes on unless the next is set",
			"12-04 07:59:59 dunning_rules.ending Dunning rules: the inkassosats (of which fees are a fraction) is known until 2026-12-31: after that day the last one, 750, goes on unless the next is set",
			"12-04 07:59:59 dunning_rules.ending Dunning rules: the act on debt collection is known until 2026-12-31: after that day the last one, 1988, goes on unless the next is set",
			"07-01 07:59:59 dunning_rules.ending Dunning rules: the rate of late interest is not known for the days after 2026-12-31: the last one, 12.25, goes on",
			"07-01 07:59:59 dunning_rules.ending Dunning rules: the inkassosats (of which fees are a fraction) is not known for the days after 2026-12-31: the last one, 750, goes on",
			"07-01 07:59:59 dunning_rules.ending Dunning rules: the act on debt collection is not known for the days after 2026-12-31: the last one, 1988, goes on")
		wantLines(t, o.events(t, quiet, models.EventRulesEnding))
	})
}

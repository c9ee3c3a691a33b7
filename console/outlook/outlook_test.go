package outlook

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"purr/dunning"
	"purr/internal/clock"
	"purr/jobs/runs"
	"purr/law"
	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// stepping is a clock that goes on by a step each time it is asked.
type stepping struct {
	mu   sync.Mutex
	now  time.Time
	step time.Duration
}

func (c *stepping) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(c.step)
	return c.now
}

// goesOnBy sets the step.
func (c *stepping) goesOnBy(step time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.step = step
}

func TestE6TheOutlookKeepsWhatTookLong(t *testing.T) {
	t.Parallel()
	db := rows.On(rows.Open(t, testkit.SQLite(t)), rows.Today+30)
	c := rows.Creditor(t, db, func(c *models.Creditor) { c.Policy.Enabled = true })
	wall := &stepping{now: rows.Start}
	o := New(&runs.Runs{DB: db, Rules: law.Default(), Clock: clock.NewTest(rows.Start.AddDate(0, 0, 30)), Log: slog.New(slog.DiscardHandler)}, wall)
	counted := 0
	ask := func(of models.Creditor) {
		t.Helper()
		_, asOf, err := o.ask(t.Context(), of, question{creditorID: of.ID}, time.Minute, func(context.Context, *dunning.Snapshot) (any, error) {
			counted++
			return counted, nil
		})
		if err != nil || asOf.IsZero() {
			t.Fatal(asOf, err)
		}
	}
	for _, step := range []struct {
		why   string
		takes time.Duration
		do    func()
		want  int
	}{
		{"the first time", time.Millisecond, func() { ask(c) }, 1},
		{"what was quick is counted again", time.Millisecond, func() { ask(c) }, 2},
		{"what is slow", 10 * time.Second, func() { ask(c) }, 3},
		{"is kept", 10 * time.Second, func() { ask(c) }, 3},
		{"but not for another policy", 10 * time.Second, func() { other := c; other.Policy = models.Firm.Apply(c.Policy); ask(other) }, 4},
		{"nor when it was to be forgotten", 10 * time.Second, func() { o.Forget(c.ID); ask(c) }, 5},
		{"nor for longer than ten minutes", 11 * time.Minute, func() { ask(c) }, 6},
	} {
		wall.goesOnBy(step.takes)
		if step.do(); counted != step.want {
			t.Fatalf("%s: it was counted %d times, want %d", step.why, counted, step.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := o.Plan(ctx, c, rows.Today+30); err == nil {
		t.Error("it answered one who had gone away")
	}
}

// TestE6TheOutlookCountsToTheEnd: who asked has gone before the figures were counted. The next one gets them.
func TestE6TheOutlookCountsToTheEnd(t *testing.T) {
	t.Parallel()
	db := rows.Open(t, testkit.SQLite(t))
	c := rows.Creditor(t, db)
	wall := &stepping{now: rows.Start, step: time.Second}
	o := New(&runs.Runs{DB: db, Rules: law.Default(), Clock: clock.NewTest(rows.Start), Log: slog.New(slog.DiscardHandler)}, wall)
	ctx, goes := context.WithCancel(t.Context())
	counted := 0
	count := func(counting context.Context, _ *dunning.Snapshot) (any, error) {
		counted++
		goes()
		return counted, counting.Err()
	}
	if _, _, err := o.ask(ctx, c, question{creditorID: c.ID}, time.Minute, count); err != nil && !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	figures, _, err := o.ask(t.Context(), c, question{creditorID: c.ID}, time.Minute, count)
	if err != nil || figures != 1 || counted != 1 {
		t.Errorf("it answered %v after counting %d times, %v", figures, counted, err)
	}
	if _, _, err := o.ask(t.Context(), c, question{creditorID: c.ID, days: 1}, time.Minute, func(context.Context, *dunning.Snapshot) (any, error) { panic("oh no") }); err == nil {
		t.Error("a panic is no error")
	}
}

func TestE6TheOutlookForecastsUnderPresets(t *testing.T) {
	t.Parallel()
	db := rows.Open(t, testkit.SQLite(t))
	c := rows.Creditor(t, db, func(c *models.Creditor) { c.Policy.Enabled = true })
	rows.Invoice(t, db, c)
	rows.Send(t, db, c)
	o := New(&runs.Runs{DB: rows.On(db, rows.Today), Rules: law.Default(), Clock: clock.NewTest(rows.Start), Log: slog.New(slog.DiscardHandler)}, clock.System{})
	found, _, err := o.Forecast(t.Context(), c, 40, models.Gentle, models.Firm)
	if err != nil || len(found) != 3 {
		t.Fatal(found, err)
	}
	now, gentle, firm := found[0].Total(), found[1].Total(), found[2].Total()
	if now.Reminders != 1 || gentle.Reminders != 1 || gentle.Fees != 0 || firm.Warnings != 1 || firm.Fees == 0 {
		t.Errorf("now %+v, gentle %+v, firm %+v", now, gentle, firm)
	}
	sums, err := o.Plan(t.Context(), c, rows.Today+28)
	if err != nil || sums.Reminders != 1 {
		t.Errorf("%+v, %v", sums, err)
	}
}

// TestE6TheOutlookShowsOlderFiguresAtOnce asks when the figures are out of date, and while they are counted anew.
func TestE6TheOutlookShowsOlderFiguresAtOnce(t *testing.T) {
	t.Parallel()
	db := rows.Open(t, testkit.SQLite(t))
	c := rows.Creditor(t, db)
	wall := &stepping{now: rows.Start, step: time.Second}
	o := New(&runs.Runs{DB: db, Rules: law.Default(), Clock: clock.NewTest(rows.Start), Log: slog.New(slog.DiscardHandler)}, wall)
	counting, goOn := make(chan struct{}), make(chan struct{})
	ask := func(ctx context.Context, figures int) (any, error) {
		got, _, err := o.ask(ctx, c, question{creditorID: c.ID}, time.Minute, func(context.Context, *dunning.Snapshot) (any, error) {
			if figures > 1 {
				close(counting)
				<-goOn
			}
			return figures, nil
		})
		return got, err
	}
	if got, err := ask(t.Context(), 1); got != 1 || err != nil {
		t.Fatal(got, err)
	}
	wall.goesOnBy(2 * time.Minute) // what was counted is out of date
	if got, err := ask(t.Context(), 2); got != 1 || err != nil {
		t.Errorf("before it is counted anew it answers %v, %v", got, err)
	}
	<-counting
	wall.goesOnBy(time.Minute)
	if got, err := ask(t.Context(), 3); got != 1 || err != nil { // a second count would close the channel again
		t.Errorf("while it is counted anew it answers %v, %v", got, err)
	}
	close(goOn)
	wall.goesOnBy(time.Second)
	testkit.Eventually(t, "the new figures", func() (bool, any) {
		got, err := ask(t.Context(), 1)
		return got == 2 && err == nil, got
	})
	o.Forget(c.ID)
	counting, goOn = make(chan struct{}), make(chan struct{})
	hurried, cancel := context.WithCancel(t.Context())
	go func() {
		<-counting
		cancel()
	}()
	if got, err := ask(hurried, 3); !errors.Is(err, context.Canceled) {
		t.Errorf("after an act it answers %v, %v", got, err)
	}
	close(goOn)
}

// TestE6TheOutlookKeepsAsManyLinesAsItMay counts the plans of several days, of more lines than are kept.
func TestE6TheOutlookKeepsAsManyLinesAsItMay(t *testing.T) {
	t.Parallel()
	o := &Outlook{kept: map[question]*answer{}}
	for day := range models.Date(4) {
		o.kept[question{date: day}] = &answer{last: counted{ended: rows.Start.Add(time.Duration(day)), lines: keepLines / 2}}
		o.kept[question{days: int(day) + 1}] = &answer{}
	}
	if o.bound(); len(o.kept) != 6 || o.kept[question{date: 1}] != nil || o.kept[question{date: 2}] == nil {
		t.Errorf("it keeps %d", len(o.kept))
	}
	o.kept[question{date: 9}] = &answer{last: counted{ended: rows.Start.Add(time.Hour), lines: 2 * keepLines}}
	if o.bound(); len(o.kept) != 5 || o.kept[question{date: 9}] == nil {
		t.Errorf("with one that is too long it keeps %d", len(o.kept))
	}
}

package runs

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"sync"
	"time"

	"purr/clock"
	"purr/dunning"
	"purr/models"
	"purr/unmatched"
)

// How long figures are kept that took long to count. What is counted quickly is counted at each call.
const (
	quick        = 100 * time.Millisecond
	keepSums     = time.Minute
	keepForecast = 10 * time.Minute
	keepFactor   = 20 // figures are kept for so many times as long as it took to count them, and no longer than the above
	keepMost     = 256
	countLimit   = 10 * time.Minute // then the counting is given up
)

// Outlook says what the coming dunning runs will do. Counting reads every overdue invoice of a creditor, so it keeps
// what took long, for a while, and says as of when the figures are. It is safe for concurrent use.
type Outlook struct {
	runs *Runs
	wall clock.Clock

	mu   sync.Mutex
	kept map[question]*answer
}

// NewOutlook returns an outlook on the runs that r makes. It measures by wall how long counting takes.
func NewOutlook(r *Runs, wall clock.Clock) *Outlook {
	return &Outlook{runs: r, wall: wall, kept: map[question]*answer{}}
}

// question is what was asked for.
type question struct {
	creditorID int64
	date       models.Date // of a plan
	days       int         // of a forecast
	with       string      // the presets of a forecast
}

// answer is what was counted. Whoever holds turn counts it.
type answer struct {
	turn     chan struct{}
	creditor models.Creditor // as it was
	today    models.Date
	asOf     time.Time // by the program's clock; zero if nothing was counted
	until    time.Time // by the wall
	figures  any
}

// Snapshot reads what dunning looks at today for a creditor. It first finds the likely payers in the queue of unmatched
// payments, as a run does: they are not dunned.
func (r *Runs) Snapshot(ctx context.Context, c models.Creditor) (*dunning.Snapshot, error) {
	today, err := c.Today(r.Clock.Now())
	if err != nil {
		return nil, err
	}
	rules, err := dunning.RulesFor(ctx, r.Rules, r.DB, c.ID)
	if err != nil {
		return nil, err
	}
	if err := unmatched.FindLikelyPayers(ctx, r.DB, c); err != nil {
		return nil, err
	}
	return dunning.TakeSnapshot(ctx, r.DB, rules, c, today)
}

// Sums returns the sums of the plan of a day, and as of when they are: at most a minute ago.
func (o *Outlook) Sums(ctx context.Context, c models.Creditor, date models.Date) (dunning.Sums, time.Time, error) {
	figures, asOf, err := o.ask(ctx, c, question{creditorID: c.ID, date: date}, keepSums, func(ctx context.Context, s *dunning.Snapshot) (any, error) {
		return s.Sums(ctx, date)
	})
	if err != nil {
		return dunning.Sums{}, time.Time{}, err
	}
	return figures.(dunning.Sums), asOf, nil //nolint:errcheck // the question decides the type
}

// Forecast returns a forecast under the creditor's policy and one under each preset, and as of when they are: at most ten
// minutes ago. days is at most dunning.MaxForecastDays.
func (o *Outlook) Forecast(ctx context.Context, c models.Creditor, days int, presets ...models.Preset) ([]dunning.Forecast, time.Time, error) {
	q := question{creditorID: c.ID, days: days}
	var others []models.Policy
	for _, n := range presets {
		others, q.with = append(others, n.Apply(c.Policy)), q.with+" "+string(n)
	}
	figures, asOf, err := o.ask(ctx, c, q, keepForecast, func(ctx context.Context, s *dunning.Snapshot) (any, error) {
		return s.Forecast(ctx, days, others...)
	})
	if err != nil {
		return nil, time.Time{}, err
	}
	return figures.([]dunning.Forecast), asOf, nil //nolint:errcheck // the question decides the type
}

// SwitchingOn returns what dunning would do to the invoices that are overdue today if it were switched on under a policy
// (dunning.Snapshot.SwitchingOn), at most ten minutes ago.
func (o *Outlook) SwitchingOn(ctx context.Context, c models.Creditor, preset models.Preset) ([]dunning.Backlog, error) {
	q := question{creditorID: c.ID, days: SwitchingDays, with: "switched on " + string(preset)}
	figures, _, err := o.ask(ctx, c, q, keepForecast, func(ctx context.Context, s *dunning.Snapshot) (any, error) {
		return s.SwitchingOn(ctx, preset.Apply(c.Policy), SwitchingDays)
	})
	if err != nil {
		return nil, err
	}
	return figures.([]dunning.Backlog), nil //nolint:errcheck // the question decides the type
}

// SwitchingDays is for how many days SwitchingOn looks ahead.
const SwitchingDays = 30

// Forget forgets what was counted for a creditor. Call it after an act whose effect on the plan a person wants to see.
func (o *Outlook) Forget(creditorID int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for q := range o.kept {
		if q.creditorID == creditorID {
			delete(o.kept, q)
		}
	}
}

// counter counts the figures of a question.
type counter func(context.Context, *dunning.Snapshot) (any, error)

// ask answers a question with what is kept, or counts. Of those who ask the same thing at once, one counts. Who asks waits no
// longer than its context allows, but what has begun is counted to its end: of a creditor with very many overdue invoices the
// next who asks gets it.
func (o *Outlook) ask(ctx context.Context, c models.Creditor, q question, keep time.Duration, count counter) (any, time.Time, error) {
	today, err := c.Today(o.runs.Clock.Now())
	if err := errors.Join(err, ctx.Err()); err != nil {
		return nil, time.Time{}, err
	}
	a := o.answerTo(q)
	select {
	case a.turn <- struct{}{}:
	case <-ctx.Done():
		return nil, time.Time{}, ctx.Err()
	}
	if o.wall.Now().Before(a.until) && a.today == today && reflect.DeepEqual(a.creditor, c) {
		defer func() { <-a.turn }()
		return a.figures, a.asOf, nil
	}
	type counted struct {
		figures any
		asOf    time.Time
		err     error
	}
	done := make(chan counted, 1)
	go func() {
		defer func() { <-a.turn }()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), countLimit)
		defer cancel()
		err := o.count(ctx, a, c, today, keep, count)
		done <- counted{a.figures, a.asOf, err}
	}()
	select {
	case is := <-done:
		return is.figures, is.asOf, is.err
	case <-ctx.Done():
		return nil, time.Time{}, ctx.Err()
	}
}

// count counts anew and keeps what took long. The caller has the answer's turn.
func (o *Outlook) count(ctx context.Context, a *answer, c models.Creditor, today models.Date, keep time.Duration, count counter) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while counting what the coming runs do: %v\n%s", p, debug.Stack())
		}
	}()
	began, asOf := o.wall.Now(), o.runs.Clock.Now()
	snapshot, err := o.runs.Snapshot(ctx, c)
	if err != nil {
		return err
	}
	figures, err := count(ctx, snapshot)
	if err != nil {
		return err
	}
	a.creditor, a.today, a.asOf, a.figures, a.until = c, today, asOf, figures, time.Time{}
	ended := o.wall.Now()
	if took := ended.Sub(began); took >= quick {
		a.until = ended.Add(min(keep, keepFactor*took))
	}
	return nil
}

// answerTo returns the kept answer to a question, which may still be empty.
func (o *Outlook) answerTo(q question) *answer {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.kept[q] == nil {
		if len(o.kept) >= keepMost {
			clear(o.kept) // nobody looks at so many at once
		}
		o.kept[q] = &answer{turn: make(chan struct{}, 1)}
	}
	return o.kept[q]
}

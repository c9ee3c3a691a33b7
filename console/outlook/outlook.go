// Package outlook counts what the coming dunning runs will do, apart from the pages that show it, and keeps what took long to count.
// It knows nothing of HTTP.
package outlook

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"runtime/debug"
	"sync"
	"time"

	"purr/dunning"
	"purr/internal/clock"
	"purr/jobs/runs"
	"purr/law"
	"purr/models"
	"purr/store"
)

// How long figures are kept that took long to count. What is counted quickly is counted at each call.
const (
	quick        = 100 * time.Millisecond
	slow         = time.Second // nobody waits so long: older figures are shown
	keepSums     = time.Minute
	keepForecast = 10 * time.Minute
	keepFactor   = 20               // figures are kept for so many times as long as it took to count them, and no longer than the above
	keepOlder    = 10 * time.Minute // older figures than this are not shown, not even while they are counted anew
	keepMost     = 256
	keepLines    = 500_000          // of all plans that are kept, some 140 bytes each
	countLimit   = 10 * time.Minute // then the counting is given up
)

// Outlook says what the coming dunning runs will do. Counting reads every overdue invoice of a creditor, so it keeps
// what took long, for a while, and says as of when the figures are. Figures that are out of date and took very long are shown
// at once, up to an age, and counted anew behind. Otherwise who asks waits, as long as its context allows: the counting goes on
// without it, and the next who asks gets what was counted. It is safe for concurrent use.
type Outlook struct {
	runs *runs.Runs
	wall clock.Clock

	mu   sync.Mutex
	kept map[question]*answer
}

// New returns an outlook on the runs that r makes. It measures by wall how long counting takes.
func New(r *runs.Runs, wall clock.Clock) *Outlook {
	return &Outlook{runs: r, wall: wall, kept: map[question]*answer{}}
}

// question is what was asked for.
type question struct {
	creditorID int64
	date       models.Date // of a plan
	days       int         // of a forecast
	with       string      // the presets of a forecast
}

// answer is what was counted last. Whoever holds turn counts anew.
type answer struct {
	turn chan struct{}
	last counted // under the outlook's lock
}

// counted are the figures of a question. The zero value was never counted.
type counted struct {
	creditor models.Creditor // as it was
	today    models.Date
	asOf     time.Time // by the program's clock
	ended    time.Time // by the wall, as until
	until    time.Time // the figures are kept so long
	took     time.Duration
	figures  any
	lines    int // of a plan
}

// isOf reports whether the figures are of the creditor, as it is, and of the day.
func (n counted) isOf(c models.Creditor, today models.Date) bool {
	return n.today == today && reflect.DeepEqual(n.creditor, c)
}

// Plan is the plan of a day, as it was counted.
type Plan struct {
	dunning.Sums
	Outdated []law.Warning // figures of the law that are known for a few weeks more, or no longer (rule E6h)
	Spared   int           // customers who are not dunned because a payment in the queue may be theirs (rule L3)
	RunDone  bool          // today's run is made (dunning.Snapshot.RunDone)
	AsOf     time.Time     // at most ten minutes ago
}

// Plan returns the plan of a day.
func (o *Outlook) Plan(ctx context.Context, c models.Creditor, date models.Date) (Plan, error) {
	figures, asOf, err := o.ask(ctx, c, question{creditorID: c.ID, date: date}, keepSums, func(ctx context.Context, s *dunning.Snapshot) (any, error) {
		sums, err := s.Sums(ctx, date)
		if err != nil {
			return nil, err
		}
		return Plan{Sums: sums, Outdated: s.Warnings(date), Spared: s.Spared(), RunDone: s.RunDone()}, nil
	})
	if err != nil {
		return Plan{}, err
	}
	plan := figures.(Plan) //nolint:errcheck // the question decides the type
	plan.AsOf = asOf
	return plan, nil
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

// ask answers a question with what is kept, or counts. Of those who ask the same thing at once, one counts. What has begun is
// counted to its end.
func (o *Outlook) ask(ctx context.Context, c models.Creditor, q question, keep time.Duration, count counter) (any, time.Time, error) {
	today, err := c.Today(o.runs.Clock.Now())
	if err := errors.Join(err, ctx.Err()); err != nil {
		return nil, time.Time{}, err
	}
	a := o.answerTo(q)
	begin := func() <-chan error { // by the holder of the turn
		done := make(chan error, 1)
		go func() {
			defer func() { <-a.turn }()
			done <- o.count(context.WithoutCancel(ctx), a, c, today, keep, count)
		}()
		return done
	}
	if last := o.lastOf(a); last.took >= slow && o.mayShow(last, c, today) {
		if !o.wall.Now().Before(last.until) {
			select {
			case a.turn <- struct{}{}:
				begin()
			default: // they are being counted
			}
		}
		return last.figures, last.asOf, nil
	}
	select {
	case a.turn <- struct{}{}:
	case <-ctx.Done():
		return o.older(ctx, a, c, today)
	}
	if last := o.lastOf(a); o.wall.Now().Before(last.until) && last.isOf(c, today) {
		<-a.turn
		return last.figures, last.asOf, nil
	}
	select {
	case err := <-begin():
		if err != nil {
			return nil, time.Time{}, err
		}
		last := o.lastOf(a)
		return last.figures, last.asOf, nil
	case <-ctx.Done():
		return o.older(ctx, a, c, today)
	}
}

// older returns the figures that were counted last, if they may be shown. Else it fails as the context did.
func (o *Outlook) older(ctx context.Context, a *answer, c models.Creditor, today models.Date) (any, time.Time, error) {
	last := o.lastOf(a)
	if !o.mayShow(last, c, today) {
		return nil, time.Time{}, ctx.Err()
	}
	return last.figures, last.asOf, nil
}

// mayShow reports whether the figures are of the creditor, as it is, and of the day, and not too old.
func (o *Outlook) mayShow(last counted, c models.Creditor, today models.Date) bool {
	return last.figures != nil && last.isOf(c, today) && o.wall.Now().Sub(last.ended) <= keepOlder
}

func (o *Outlook) lastOf(a *answer) counted {
	o.mu.Lock()
	defer o.mu.Unlock()
	return a.last
}

// count counts anew and keeps what took long. Who asked may have gone: what took long, or failed, is in the log. Its statements
// are not those of the request, which may get what another one had counted. The caller has the answer's turn.
func (o *Outlook) count(ctx context.Context, a *answer, c models.Creditor, today models.Date, keep time.Duration, count counter) (err error) {
	var asked store.Queries
	ctx, cancel := context.WithTimeout(asked.Counting(ctx), countLimit)
	defer cancel()
	began, asOf := o.wall.Now(), o.runs.Clock.Now()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic while counting what the coming runs do: %v\n%s", p, debug.Stack())
		}
		if err != nil {
			o.runs.Log.Error("what the coming runs do could not be counted", "creditor", c.ID, "error", err)
		}
	}()
	snapshot, err := o.runs.Snapshot(ctx, c)
	if err != nil {
		return err
	}
	figures, err := count(ctx, snapshot)
	if err != nil {
		return err
	}
	fresh := counted{creditor: c, today: today, asOf: asOf, ended: o.wall.Now(), figures: figures, lines: linesOf(figures)}
	if fresh.took = fresh.ended.Sub(began); fresh.took >= quick {
		fresh.until = fresh.ended.Add(min(keep, keepFactor*fresh.took))
		o.runs.Log.Info("what the coming runs do was counted", "creditor", c.ID, "took", fresh.took, "queries", asked.Count())
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	a.last = fresh
	o.bound()
	return nil
}

// linesOf returns how many lines the figures hold. Those of a forecast and the like are few.
func linesOf(figures any) (n int) {
	plan, _ := figures.(Plan)
	for _, lines := range plan.Lines {
		n += len(lines)
	}
	return n
}

// bound forgets plans, the one first that was counted first, until those that are kept have keepLines lines at most. It keeps
// the last one, whatever its length. The caller holds the lock.
func (o *Outlook) bound() {
	for {
		lines, plans, first, at := 0, 0, question{}, time.Time{}
		for q, a := range o.kept {
			if a.last.lines == 0 {
				continue
			}
			lines, plans = lines+a.last.lines, plans+1
			if at.IsZero() || a.last.ended.Before(at) {
				first, at = q, a.last.ended
			}
		}
		if lines <= keepLines || plans == 1 {
			return
		}
		delete(o.kept, first)
	}
}

// answerTo returns the kept answer to a question, which may still be empty.
func (o *Outlook) answerTo(q question) *answer {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.kept[q] == nil {
		now := o.wall.Now()
		maps.DeleteFunc(o.kept, func(_ question, a *answer) bool { return a.last.figures != nil && now.Sub(a.last.ended) > keepOlder })
		if len(o.kept) >= keepMost {
			clear(o.kept) // nobody looks at so many at once
		}
		o.kept[q] = &answer{turn: make(chan struct{}, 1)}
	}
	return o.kept[q]
}

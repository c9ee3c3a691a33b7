package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"purr/mailer"
	"purr/models"
	"purr/runs"
	"purr/shipments"
	"purr/store"
)

const kindRun = "run"

// runPayload names a run: one creditor's job of one business date.
type runPayload struct {
	CreditorID int64
	Kind       models.RunKind
	Date       models.Date
}

func runTask(r models.Run) task {
	return task{
		kind: kindRun, key: fmt.Sprintf("%s:%d:%s", r.Kind, r.CreditorID, r.BusinessDate),
		payload: runPayload{r.CreditorID, r.Kind, r.BusinessDate}, timeout: 6 * time.Hour,
	}
}

// run makes the run of a business date, and has its notices sent. The first letters leave while a long run still decides.
//
// queued by: the sweep, once the run has fallen due by the schedule.
func (w *Worker) run(ctx context.Context, p runPayload) error {
	if p.Kind == models.RunDunning {
		if err := w.retryLetters(ctx, p.CreditorID); err != nil {
			return err
		}
	}
	making := *w.Runs
	making.Made = w.whileDeciding()
	result, err := making.Make(ctx, p.CreditorID, p.Kind, p.Date)
	if errors.Is(err, store.ErrHeld) {
		return nil // the sweep asks for it again
	}
	if err != nil {
		return err // the sweep finds the notices that were made
	}
	if len(result.Documents) > 0 {
		w.Queue.hint(ctx, shipTask(shipPayload{CreditorID: p.CreditorID}))
	}
	return nil
}

// whileDeciding returns what queues the first lane of a creditor's shipments again and again while a run goes on. Once Redis does
// not take it, it is left to the sweep: the run does not wait for Redis.
func (w *Worker) whileDeciding() func(ctx context.Context, creditorID int64) {
	away := false
	return func(ctx context.Context, creditorID int64) {
		if away {
			return
		}
		if _, err := w.Queue.add(ctx, shipTask(shipPayload{CreditorID: creditorID})); err != nil {
			away = true
			w.Log.Warn("the letters of a run were not queued; the sweep will", "creditor", creditorID, "error", err)
		}
	}
}

// retryLetters has the letters sent again that were given up, if the channel says that it works again (rule L2).
func (w *Worker) retryLetters(ctx context.Context, creditorID int64) error {
	letters, can := w.Channels[models.ByPaper].(mailer.Checker)
	if w.Shop != nil {
		letters, can = w.Shop, true
	}
	if !can {
		return nil
	}
	return shipments.RetryGivenUp(ctx, w.DB, creditorID, letters.Check)
}

// dueRuns returns the runs of today that have fallen due and are not made. It asks once for all creditors.
func (s *Scheduler) dueRuns(ctx context.Context) (due []models.Run, err error) {
	creditors, err := s.DB.CreditorZones(ctx)
	if err != nil {
		return nil, err
	}
	type fallen struct {
		payload runPayload
		at      time.Time
	}
	var all []fallen
	var ids []int64
	var dates []models.Date
	now := s.Clock.Now()
	fallsOf := fallsAt(now)
	for _, creditor := range creditors {
		falls, err := fallsOf(creditor)
		if err != nil {
			return nil, err
		}
		for _, f := range falls {
			if !f.at.After(now) {
				all = append(all, fallen{runPayload{creditor.ID, f.kind, f.today}, f.at})
				ids, dates = append(ids, creditor.ID), append(dates, f.today)
			}
		}
	}
	slices.Sort(dates)
	found, err := s.DB.RunsOn(ctx, slices.Compact(ids), slices.Compact(dates))
	if err != nil {
		return nil, err
	}
	begun := map[runPayload]models.Run{}
	for _, r := range found {
		begun[runPayload{r.CreditorID, r.Kind, r.BusinessDate}] = r
	}
	for _, f := range all {
		owed, err := runs.Owed(ctx, s.DB, begun[f.payload], f.at)
		if err != nil {
			return nil, err
		}
		if owed {
			due = append(due, models.Run{CreditorID: f.payload.CreditorID, Kind: f.payload.Kind, BusinessDate: f.payload.Date})
		}
	}
	return due, nil
}

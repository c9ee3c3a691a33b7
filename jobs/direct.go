package jobs

import (
	"context"
	"log/slog"
	"strconv"
	"time"

	"purr/dunning/collection"
	"purr/jobs/tasks"
	"purr/mailer/dispatch"
	"purr/models"
	"purr/store"
)

const (
	kindDirect = "direct"
	kindTell   = "tell_collector"
)

// directKind makes the files that tell the debt collector what came without it (rule C2).
func directKind() kind {
	return kind{
		name: kindDirect, queue: queueName, within: time.Hour, owes: store.DirectToTell,
		do: func(w *Worker) handler { return handle(known(w, ofOneCreditor(w, w.direct))) },
		due: func(s *Scheduler, is owing) []owed {
			return when(is.there(kindDirect), each(s.dueDirect, directTask))
		},
		next: func(ctx context.Context, s *Scheduler) (time.Time, bool, error) { return s.nextDirect(ctx) },
	}
}

// directPayload names a creditor.
type directPayload struct{ CreditorID int64 }

func directTask(u store.Untold) tasks.Task {
	return directKind().task(strconv.FormatInt(u.CreditorID, 10), directPayload{u.CreditorID})
}

// direct makes the file of the last bank day at whose 16:00 something had come on a creditor's claims.
//
// queued by: the sweep.
func (w *Worker) direct(ctx context.Context, p directPayload) error {
	return w.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.RefuseIfHeld(ctx); err != nil {
			return err
		}
		return w.Bundles.TellDirect(ctx, tx, p.CreditorID)
	})
}

// dueDirect returns the creditors whose next file for the collector is to be made. A creditor whose days cannot be reckoned holds up no
// other: it is told by its runs (rule D102).
func (s *Scheduler) dueDirect(ctx context.Context) (due []store.Untold, err error) {
	all, err := s.DB.Untold(ctx)
	if err != nil {
		return nil, err
	}
	for _, u := range all {
		zone, err := models.Creditor{TimeZone: u.TimeZone}.Location()
		if err != nil {
			continue
		}
		if day, cut := collection.LastCut(s.Clock.Now(), zone); u.Since.Before(cut) && u.LastDay < day && len(due) < sweepMost {
			due = append(due, u)
		}
	}
	return due, nil
}

// nextDirect returns when the next file for the collector is to be made, and false if there is nothing to tell.
func (s *Scheduler) nextDirect(ctx context.Context) (next time.Time, found bool, err error) {
	all, err := s.DB.Untold(ctx)
	if err != nil {
		return time.Time{}, false, err
	}
	for _, u := range all {
		zone, err := models.Creditor{TimeZone: u.TimeZone}.Location()
		if err != nil {
			continue
		}
		if at := collection.NextCut(s.Clock.Now(), zone); !found || at.Before(next) {
			next, found = at, true
		}
	}
	return next, found, nil
}

// tellKind delivers them.
func tellKind() kind {
	return kind{
		name: kindTell, queue: queueName, within: collectWithin, owes: store.LeasedCollectorFiles.Due(), rows: &store.LeasedCollectorFiles, oldest: &store.CollectorFileAge,
		do: func(w *Worker) handler { return handle(untilTheSweep(w, known(w, w.tellCollector))) },
		due: func(s *Scheduler, is owing) []owed {
			return when(is.there(kindTell), each(s.dueCollectorFiles, tellTask))
		},
		accepted: func(ctx context.Context, tx *store.Tx, log *slog.Logger, worker string, m mark) error {
			taken := models.CollectorFile{ID: m.ID, CreditorID: m.CreditorID, Attempts: m.Attempt, TakenBy: worker}
			return dispatch.RecordCollectorFile(ctx, tx, log, taken, nil)
		},
	}
}

// tellPayload names a file for the collector.
type tellPayload struct{ CreditorID, FileID int64 }

func tellTask(f models.CollectorFile) tasks.Task {
	return tellKind().task(strconv.FormatInt(f.ID, 10), tellPayload{f.CreditorID, f.ID})
}

// tellCollector delivers a file to the debt collector. If the channel is away, the sweep tries it again, with growing pauses and without
// end.
//
// queued by: the sweep.
func (w *Worker) tellCollector(ctx context.Context, p tellPayload) error {
	var f *dispatch.CollectorFile
	_, err := w.underLease(ctx, leased{
		take: func(ctx context.Context, tx *store.Tx, worker string) (taken bool, err error) {
			f, taken, err = w.Bundles.TakeFile(ctx, tx, p.CreditorID, p.FileID, worker)
			return taken, err
		},
		do: func(ctx context.Context, stillOurs func() error) error { return f.Send(ctx, stillOurs) },
		accepted: func() (mark, bool) {
			return mark{Kind: kindTell, CreditorID: f.CreditorID, ID: f.ID, Attempt: f.Attempts}, true
		},
		record: func(ctx context.Context, tx *store.Tx, failure error) error { return f.Record(ctx, tx, failure) },
	})
	return err
}

// dueCollectorFiles returns the files whose delivery to the debt collector is due.
func (s *Scheduler) dueCollectorFiles(ctx context.Context) ([]models.CollectorFile, error) {
	return s.DB.OwedCollectorFiles(ctx, s.DB.Common(), sweepMost)
}

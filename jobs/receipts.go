package jobs

import (
	"context"
	"errors"
	"slices"
	"time"

	"purr/jobs/tasks"
	"purr/mailer/shipments"
	"purr/mailer/shipments/receipts"
	"purr/models"
	"purr/store"
)

const kindReceipts = "receipts"

func receiptsKind() kind {
	return kind{
		name: kindReceipts, queue: lettersQueue, within: time.Hour,
		do:   func(w *Worker) handler { return handle(w.receipts) },
		due:  func(s *Scheduler, _ owing) []owed { return []owed{s.owedReceipts} },
		next: func(ctx context.Context, s *Scheduler) (time.Time, bool, error) { return s.nextReceipts(ctx) },
	}
}

// receiptsPayload names a way out by the method of its shipments.
type receiptsPayload struct{ Method models.ShipmentMethod }

func receiptsTask(m models.ShipmentMethod) tasks.Task {
	return receiptsKind().task(string(m), receiptsPayload{m})
}

// receipts reads what is told of the shipments of a way out (rule S4a). If that fails, they are read the next time.
//
// queued by: the sweep.
func (w *Worker) receipts(ctx context.Context, p receiptsPayload) error {
	i := slices.IndexFunc(w.Receipts, func(way *receipts.Way) bool { return way.Method == p.Method })
	if i < 0 {
		w.Log.Warn("receipts are left to other workers: give all of them the same settings", "method", p.Method)
		return nil
	}
	way, due := w.Receipts[i], false
	if err := w.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.RefuseIfHeld(ctx); err != nil {
			return err
		}
		at, err := receiptsDue(ctx, tx, way, tx.Now)
		if due = err == nil && !at.After(tx.Now); !due {
			return err
		}
		return tx.SetSetting(ctx, receiptsSetting(way), tx.Now.Add(way.Every).UTC().Format(time.RFC3339Nano))
	}); err != nil || !due {
		return err
	}
	failure := way.Read(ctx, w.DB, w.Log)
	if failure != nil {
		w.Log.Warn("receipts could not be read; they are read the next time", "method", way.Method, "folder", way.String(), "error", failure)
	}
	return w.tellOfReports(ctx, way.Method.ReportsWork(), failure)
}

// tellOfReports tells the creditors for whom alone reports could not be kept, and those for whom they can be again: all receipts were
// read, unless something was away (rule D102).
func (w *Worker) tellOfReports(ctx context.Context, work models.CreditorWork, failure error) error {
	ill := map[int64]bool{}
	failures, _ := errors.AsType[shipments.Failures](failure)
	for _, f := range failures {
		if ill[f.CreditorID] {
			continue
		}
		ill[f.CreditorID] = true
		if _, err := noteFault(ctx, w.DB, f.CreditorID, work, f.Err); err != nil {
			return err
		}
	}
	if models.KindOf(failure) == models.KindUnavailable || ctx.Err() != nil {
		return ctx.Err()
	}
	faults, err := w.DB.CreditorFaults(ctx, faultsMost)
	if err != nil {
		return err
	}
	for _, f := range faults {
		if f.Work != work || ill[f.CreditorID] {
			continue
		}
		if _, err := noteFault(ctx, w.DB, f.CreditorID, work, nil); err != nil {
			return err
		}
	}
	return nil
}

// receiptsSetting returns the key of the setting with the moment from which a way's receipts are read next.
func receiptsSetting(w *receipts.Way) string {
	return w.Method.Key() + "_receipts_due"
}

// settings is a database, or a transaction on one.
type settings interface {
	Setting(ctx context.Context, key string) (string, error)
}

// receiptsDue returns from when on a way's receipts are to be read: zero if they never were.
func receiptsDue(ctx context.Context, from settings, w *receipts.Way, now time.Time) (time.Time, error) {
	return nextLook(ctx, from, receiptsSetting(w), w.Every, now)
}

// nextLook returns from when on a folder is to be looked at that is looked at every so often, as a setting has it: zero if it never was.
func nextLook(ctx context.Context, from settings, setting string, every time.Duration, now time.Time) (time.Time, error) {
	value, err := from.Setting(ctx, setting)
	if err != nil || value == "" {
		return time.Time{}, err
	}
	at, err := time.Parse(time.RFC3339Nano, value)
	if err == nil && at.After(now.Add(every+models.ClockSlack)) {
		return time.Time{}, nil // a clock that was ahead has put it off (rule D117)
	}
	return at, err
}

// owedReceipts returns the reading of the receipts that are due.
func (s *Scheduler) owedReceipts(ctx context.Context) (due []tasks.Task, err error) {
	for _, way := range s.Receipts {
		if !way.MayHaveFiles() {
			continue
		}
		at, err := receiptsDue(ctx, s.DB, way, s.Clock.Now())
		if err != nil {
			return nil, err
		}
		if !at.After(s.Clock.Now()) {
			due = append(due, receiptsTask(way.Method))
		}
	}
	return due, nil
}

// nextReceipts returns when receipts are read next, and false if there are none to read.
func (s *Scheduler) nextReceipts(ctx context.Context) (next time.Time, found bool, err error) {
	for _, way := range s.Receipts {
		if !way.MayHaveFiles() {
			continue
		}
		at, err := receiptsDue(ctx, s.DB, way, s.Clock.Now())
		if err != nil {
			return time.Time{}, false, err
		}
		if !found || at.Before(next) {
			next, found = at, true
		}
	}
	return next, found, nil
}

package jobs

import (
	"context"
	"errors"
	"fmt"

	"purr/jobs/runs"
	"purr/models"
	"purr/store"
)

// ofOneCreditor does work for one creditor, and keeps whether it fails (rule D102). What fails for one alone is told once, is tried
// again as before, and holds up no other.
func ofOneCreditor[P onesWork](w *Worker, do func(context.Context, P) error) func(context.Context, P) error {
	return func(ctx context.Context, p P) error {
		err := do(ctx, p)
		creditorID, work := p.work()
		if _, failure := noteFault(context.WithoutCancel(ctx), w.DB, creditorID, work, err); failure != nil {
			w.Log.Error("it could not be noted whether a creditor's work fails", "creditor", creditorID, "work", work, "error", failure)
		}
		return err
	}
}

// onesWork is the payload of a task for one creditor, of whose kind there is one at a time.
type onesWork interface {
	work() (creditorID int64, work models.CreditorWork)
}

func (p runPayload) work() (int64, models.CreditorWork) { return p.CreditorID, p.Kind.Work() }

func (p suggestPayload) work() (int64, models.CreditorWork) {
	return p.CreditorID, models.WorkSuggestions
}

func (p claimsPayload) work() (int64, models.CreditorWork) {
	return p.CreditorID, models.WorkClaims
}

func (p directPayload) work() (int64, models.CreditorWork) {
	return p.CreditorID, models.WorkDirect
}

// alone keeps that work for a creditor fails, and reports whether the others can go on.
func (s *Scheduler) alone(ctx context.Context, creditorID int64, work models.CreditorWork, err error) bool {
	if !ofTheCreditor(err) || ctx.Err() != nil {
		return false
	}
	fresh, failure := noteFault(ctx, s.DB, creditorID, work, err)
	if !s.failed("note of a creditor's fault", failure) && fresh {
		s.Log.Error("work for a creditor fails; that of the others goes on", "creditor", creditorID, "work", work, "error", err)
	}
	return true
}

// ofTheCreditor reports whether work failed for what one creditor has, and not because something was away or a task was forged.
func ofTheCreditor(err error) bool {
	kind := models.KindOf(err)
	return err != nil && kind != models.KindUnavailable && !errors.Is(err, runs.ErrFuture) && !errors.Is(err, store.ErrHeld) &&
		!errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
}

// noteFault keeps that work for a creditor has failed, or has succeeded, and tells if that is news. It reports whether it is.
func noteFault(ctx context.Context, db *store.DB, creditorID int64, work models.CreditorWork, failure error) (fresh bool, err error) {
	if failure != nil && !ofTheCreditor(failure) {
		return false, nil
	}
	was, err := db.HasFault(ctx, creditorID, work)
	if err != nil || was == (failure != nil) {
		return false, err
	}
	return true, db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if failure == nil {
			return endFault(ctx, tx, creditorID, work)
		}
		return beginFault(ctx, tx, creditorID, work, failure.Error())
	})
}

func beginFault(ctx context.Context, tx *store.Tx, creditorID int64, work models.CreditorWork, reason string) error {
	there, err := tx.CreditorExists(ctx, creditorID)
	if err != nil || !there {
		return err // a forged task names creditors that there are not
	}
	fresh, err := tx.KeepFault(ctx, creditorID, work, reason)
	if err != nil || !fresh {
		return err
	}
	reason = models.Foreign(reason, models.MaxReason)
	return tx.Log(ctx, models.Event{
		CreditorID: creditorID, Type: models.EventDegraded, SubjectID: creditorID,
		Text:  fmt.Sprintf("Work for this creditor fails (%s), that of the others goes on: %s", work, reason),
		Facts: models.Facts{"work": work, "failure": reason},
	})
}

func endFault(ctx context.Context, tx *store.Tx, creditorID int64, work models.CreditorWork) error {
	since, was, err := tx.EndFault(ctx, creditorID, work)
	if err != nil || !was {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: creditorID, Type: models.EventRecovered, SubjectID: creditorID,
		Text:  fmt.Sprintf("Work for this creditor succeeds again (%s)", work),
		Facts: models.Facts{"work": work, "since": since},
	})
}

// faultsMost is the most creditors of one unknown time zone that one sweep tells of.
const faultsMost = 1000

// tellOfDays tells the creditors of unknown time zones that their days cannot be reckoned, and those whose zone was set right that they
// can.
func (s *Scheduler) tellOfDays(ctx context.Context, unknown []store.CreditorZone) error {
	ill := map[int64]bool{}
	for _, zone := range unknown {
		_, why := models.Creditor{TimeZone: zone.TimeZone}.Location()
		ids, err := s.DB.CreditorsIn(ctx, zone.TimeZone, faultsMost)
		if err != nil {
			return err
		}
		for _, id := range ids {
			ill[id] = true
			s.alone(ctx, id, models.WorkDays, why)
		}
	}
	faults, err := s.DB.CreditorFaults(ctx, faultsMost)
	if err != nil {
		return err
	}
	for _, f := range faults {
		if f.Work == models.WorkDays && !ill[f.CreditorID] {
			_, err := noteFault(ctx, s.DB, f.CreditorID, f.Work, nil)
			s.failed("note of a creditor's fault", err)
		}
	}
	return nil
}

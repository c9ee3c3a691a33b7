package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"purr/jobs/runs"
	"purr/models"
)

// forged says that a task names what there is not, or asks for what no act of ours and no sweep would queue: it is forged, outdated or made
// by a wrong clock (rule O12). Only the check of a payload makes it. What fails later, of whatever kind, may be a fault of ours, and is
// tried again.
type forged struct{ why error }

func (f forged) Error() string { return f.why.Error() }
func (f forged) Unwrap() error { return f.why }

// isForged reports whether a task is to be dropped: another try would end the same way.
func isForged(err error) bool {
	_, is := errors.AsType[forged](err)
	return is
}

// payload is what a task names.
type payload interface {
	// check fails with models.KindNotFound, models.KindInvalid or forged if the payload names what there is not.
	check(ctx context.Context, w *Worker) error
}

// known does the work of a task whose payload names what there is. Lanes need no such check: one finds nothing to do, whatever it is.
func known[P payload](w *Worker, do func(context.Context, P) error) func(context.Context, P) error {
	return func(ctx context.Context, p P) error {
		err := p.check(ctx, w)
		if kind := models.KindOf(err); err != nil && (kind == models.KindNotFound || kind == models.KindInvalid) {
			return forged{err}
		}
		if err != nil {
			return err
		}
		return do(ctx, p)
	}
}

func (p collectPayload) check(ctx context.Context, w *Worker) error {
	_, err := w.DB.HandOver(ctx, p.CreditorID, p.HandOverID)
	return err
}

func (p directPayload) check(ctx context.Context, w *Worker) error {
	_, err := w.DB.Creditor(ctx, p.CreditorID)
	return err
}

func (p claimsPayload) check(ctx context.Context, w *Worker) error {
	_, err := w.DB.Creditor(ctx, p.CreditorID)
	return err
}

func (p claimFilePayload) check(ctx context.Context, w *Worker) error {
	_, err := w.DB.ClaimFile(ctx, p.CreditorID, p.FileID)
	return err
}

func (p tellPayload) check(ctx context.Context, w *Worker) error {
	_, err := w.DB.CollectorFile(ctx, p.CreditorID, p.FileID)
	return err
}

func (p importPayload) check(ctx context.Context, w *Worker) error {
	_, err := w.DB.PaymentFile(ctx, p.FileID)
	return err
}

func (p suggestPayload) check(ctx context.Context, w *Worker) error {
	_, err := w.DB.Creditor(ctx, p.CreditorID)
	return err
}

func (p runPayload) check(ctx context.Context, w *Worker) error {
	creditor, err := w.DB.Creditor(ctx, p.CreditorID)
	if err != nil {
		return err
	}
	if !slices.Contains(models.RunKinds, p.Kind) {
		return forged{fmt.Errorf("there is no kind of run %q", p.Kind)}
	}
	if today, err := creditor.Today(w.Runs.Clock.Now()); err == nil && p.Date > today {
		return runs.ErrFuture
	}
	return nil // that its days cannot be reckoned is the creditor's fault, and is kept (rule D102)
}

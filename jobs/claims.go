package jobs

import (
	"context"
	"log/slog"
	"strconv"
	"time"

	"purr/jobs/tasks"
	"purr/ledger/avtalegiro"
	"purr/mailer/dispatch"
	"purr/models"
	"purr/store"
)

const (
	kindClaims    = "claims"
	kindClaimFile = "claim_file"
	kindAnswers   = "claim_receipts"
)

// claimsKind looks at the claims of AvtaleGiro each bank day, and makes the day's files (rule G3).
func claimsKind() kind {
	return kind{
		name: kindClaims, queue: queueName, within: time.Hour, owes: store.ClaimsToLookAt,
		do: func(w *Worker) handler { return handle(known(w, ofOneCreditor(w, w.claims))) },
		due: func(s *Scheduler, is owing) []owed {
			return when(is.there(kindClaims), each(s.dueClaims, claimsTask))
		},
		next: func(ctx context.Context, s *Scheduler) (time.Time, bool, error) { return s.nextClaims(ctx) },
	}
}

// claimsPayload names a creditor.
type claimsPayload struct{ CreditorID int64 }

func claimsTask(c store.Claimant) tasks.Task {
	return claimsKind().task(strconv.FormatInt(c.CreditorID, 10), claimsPayload{c.CreditorID})
}

// claims looks at a creditor's claims for today, and makes the file.
//
// queued by: the sweep.
func (w *Worker) claims(ctx context.Context, p claimsPayload) error {
	return w.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.RefuseIfHeld(ctx); err != nil {
			return err
		}
		_, err := avtalegiro.MakeFile(ctx, tx, p.CreditorID)
		return err
	})
}

// dueClaims returns the creditors whose claims are to be looked at now.
func (s *Scheduler) dueClaims(ctx context.Context) (due []store.Claimant, err error) {
	all, err := s.DB.Claimants(ctx)
	if err != nil {
		return nil, err
	}
	for _, c := range all {
		_, is, err := avtalegiro.Due(s.Clock.Now(), c.LastDay)
		if err != nil {
			return nil, err
		}
		if is && len(due) < sweepMost {
			due = append(due, c)
		}
	}
	return due, nil
}

// nextClaims returns when claims are to be looked at next, and false if nobody is paid by AvtaleGiro.
func (s *Scheduler) nextClaims(ctx context.Context) (next time.Time, found bool, err error) {
	all, err := s.DB.Claimants(ctx)
	if err != nil {
		return time.Time{}, false, err
	}
	for _, c := range all {
		day, err := avtalegiro.FileDay(s.Clock.Now(), c.LastDay)
		if err != nil {
			return time.Time{}, false, err
		}
		at, err := avtalegiro.Moment(day, models.ClaimHour)
		if err != nil {
			return time.Time{}, false, err
		}
		if !found || at.Before(next) {
			next, found = at, true
		}
	}
	return next, found, nil
}

// claimFileKind delivers them.
func claimFileKind() kind {
	return kind{
		name: kindClaimFile, queue: queueName, within: collectWithin, owes: store.LeasedClaimFiles.Due(), rows: &store.LeasedClaimFiles, oldest: &store.ClaimFileAge,
		do: func(w *Worker) handler { return handle(untilTheSweep(w, known(w, w.claimFile))) },
		due: func(s *Scheduler, is owing) []owed {
			return when(is.there(kindClaimFile), each(s.dueClaimFiles, claimFileTask))
		},
		accepted: func(ctx context.Context, tx *store.Tx, log *slog.Logger, worker string, m mark) error {
			taken := models.ClaimFile{ID: m.ID, CreditorID: m.CreditorID, Attempts: m.Attempt, TakenBy: worker}
			return dispatch.RecordClaimFile(ctx, tx, log, taken, nil, false)
		},
	}
}

// claimFilePayload names a file of claims.
type claimFilePayload struct{ CreditorID, FileID int64 }

func claimFileTask(f models.ClaimFile) tasks.Task {
	return claimFileKind().task(strconv.FormatInt(f.ID, 10), claimFilePayload{f.CreditorID, f.ID})
}

// claimFile delivers a file of claims to the bank. If the bank's folder is away, the sweep tries it again, until its last hour is over.
//
// queued by: the sweep.
func (w *Worker) claimFile(ctx context.Context, p claimFilePayload) error {
	var f *dispatch.ClaimFile
	_, err := w.underLease(ctx, leased{
		take: func(ctx context.Context, tx *store.Tx, worker string) (taken bool, err error) {
			f, taken, err = w.Claims.Take(ctx, tx, p.CreditorID, p.FileID, worker)
			return taken, err
		},
		do: func(ctx context.Context, stillOurs func() error) error { return f.Send(ctx, stillOurs) },
		accepted: func() (mark, bool) {
			return mark{Kind: kindClaimFile, CreditorID: f.CreditorID, ID: f.ID, Attempt: f.Attempts}, true
		},
		record: func(ctx context.Context, tx *store.Tx, failure error) error { return f.Record(ctx, tx, failure) },
	})
	return err
}

// dueClaimFiles returns the files of claims whose delivery is due.
func (s *Scheduler) dueClaimFiles(ctx context.Context) ([]models.ClaimFile, error) {
	return s.DB.OwedClaimFiles(ctx, s.DB.Common(), sweepMost)
}

// answersKind reads what the bank answers in receipts (rule G3a).
func answersKind() kind {
	return kind{
		name: kindAnswers, queue: lettersQueue, within: time.Hour,
		do:   func(w *Worker) handler { return handle(w.claimReceipts) },
		due:  func(s *Scheduler, _ owing) []owed { return []owed{s.owedAnswers} },
		next: func(ctx context.Context, s *Scheduler) (time.Time, bool, error) { return s.nextAnswers(ctx) },
	}
}

// answersPayload is empty: there is one folder.
type answersPayload struct{}

// answersDueSetting is the setting with the moment from which the folder of receipts is read next.
const answersDueSetting = "claim_receipts_due"

// claimReceipts reads the bank's receipts. What fails is read the next time.
//
// queued by: the sweep.
func (w *Worker) claimReceipts(ctx context.Context, _ answersPayload) error {
	folder, due := w.ClaimReceipts, false
	if folder == nil {
		return nil
	}
	if err := w.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.RefuseIfHeld(ctx); err != nil {
			return err
		}
		at, err := nextLook(ctx, tx, answersDueSetting, folder.Every, tx.Now)
		if due = err == nil && !at.After(tx.Now); !due {
			return err
		}
		return tx.SetSetting(ctx, answersDueSetting, tx.Now.Add(folder.Every).UTC().Format(time.RFC3339Nano))
	}); err != nil || !due {
		return err
	}
	if err := folder.Read(ctx, w.Log); err != nil {
		w.Log.Warn("the bank's receipts could not be read; they are read the next time", "folder", folder.String(), "error", err)
	}
	return ctx.Err()
}

// owedAnswers returns the reading of the folder, if it is due.
func (s *Scheduler) owedAnswers(ctx context.Context) ([]tasks.Task, error) {
	at, there, err := s.nextAnswers(ctx)
	if err != nil || !there || at.After(s.Clock.Now()) {
		return nil, err
	}
	return []tasks.Task{answersKind().task("folder", answersPayload{})}, nil
}

// nextAnswers returns when the folder is read next, and false if nothing may lie there.
func (s *Scheduler) nextAnswers(ctx context.Context) (time.Time, bool, error) {
	folder := s.ClaimReceipts
	if folder == nil || !folder.MayHaveFiles() {
		return time.Time{}, false, nil
	}
	at, err := nextLook(ctx, s.DB, answersDueSetting, folder.Every, s.Clock.Now())
	return at, err == nil, err
}

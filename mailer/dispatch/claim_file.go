package dispatch

import (
	"bytes"
	"context"
	"log/slog"

	"purr/internal/remote"
	acts "purr/ledger/avtalegiro"
	"purr/mailer/shipments"
	"purr/models"
	"purr/ocr/avtalegiro"
	"purr/store"
)

// ClaimFiles brings files of claims of AvtaleGiro to the bank.
type ClaimFiles struct {
	shipments.Part
	Files *avtalegiro.Files
	To    remote.Place // the bank's folder, or the outbox
	Log   *slog.Logger
}

// ClaimFile is a file of claims, as a worker has it in hand (rule G3).
type ClaimFile struct {
	models.ClaimFile
	of        *ClaimFiles
	before    bool // an earlier attempt may have delivered it
	uncertain bool // an attempt, this one too, may have
}

// Take takes a file of claims for a worker, and reports false if it is not due, or may not leave now: files arrive before 14:00 of a bank
// day, by the way that they have left by before (rule D105). One whose last hour is over is given up.
func (s *ClaimFiles) Take(ctx context.Context, tx *store.Tx, creditorID, fileID int64, worker string) (f *ClaimFile, taken bool, err error) {
	f = &ClaimFile{of: s}
	may, missing, err := shipments.FileWay(ctx, tx, s.Part, models.Claims)
	if err != nil {
		return f, false, err
	}
	if _, err := tx.LockCreditor(ctx, creditorID); err != nil { // who changes claims has locked their creditor
		return f, false, err
	}
	f.ClaimFile, err = tx.LockClaimFile(ctx, creditorID, fileID)
	if err != nil || f.State != models.ClaimFileOwed || f.TakenBy != "" || f.NextAttempt.After(tx.Common) {
		return f, false, err
	}
	inTime, next, over, err := acts.MayDeliver(tx.Now, f.DeliverBy)
	switch {
	case err != nil:
		return f, false, err
	case over:
		return f, false, acts.GiveUp(ctx, tx, &f.ClaimFile)
	case !inTime:
		f.NextAttempt = tx.Common.Add(next.Sub(tx.Now))
		return f, false, tx.UpdateClaimFile(ctx, f.ClaimFile)
	case missing:
		f.Failure, f.NextAttempt = models.KeptMissing, tx.Common.Add(shipments.MissingPause)
		return f, false, tx.UpdateClaimFile(ctx, f.ClaimFile)
	case !may:
		return f, false, nil // another part may, and does
	}
	f.Attempts++
	f.TakenBy, f.before, f.uncertain = worker, f.Uncertain, true
	f.Uncertain = true // unless the result says otherwise
	return f, true, tx.UpdateClaimFile(ctx, f.ClaimFile)
}

// Send makes the file and gives it to the bank, if stillOurs returns nil.
func (f *ClaimFile) Send(ctx context.Context, stillOurs func() error) error {
	f.uncertain = f.before
	content, err := f.of.Files.Content(ctx, f.ClaimFile)
	if err != nil {
		return err
	}
	to, err := f.of.To.Open(ctx)
	if err != nil {
		return err
	}
	defer to.Close()
	if err := stillOurs(); err != nil {
		return err
	}
	f.uncertain = true
	return to.Put(avtalegiro.Name(f.ClaimFile), bytes.NewReader(content))
}

// Record records the result of Send.
func (f *ClaimFile) Record(ctx context.Context, tx *store.Tx, failure error) error {
	if failure == nil && f.of.Ways.Real(models.Claims) {
		if err := shipments.NoteLeft(ctx, tx, models.Claims, f.of.Ways.Of(models.Claims)); err != nil {
			return err
		}
	}
	return RecordClaimFile(ctx, tx, f.of.Log, f.ClaimFile, failure, f.uncertain)
}

// RecordClaimFile records the result of the delivery of a file of claims. uncertain says of a failure that the bank may have it nevertheless.
func RecordClaimFile(ctx context.Context, tx *store.Tx, log *slog.Logger, taken models.ClaimFile, failure error, uncertain bool) error {
	if _, err := tx.LockCreditor(ctx, taken.CreditorID); err != nil {
		return err
	}
	f, err := tx.LockClaimFile(ctx, taken.CreditorID, taken.ID)
	if err != nil {
		return err
	}
	if lost := f.TakenBy != taken.TakenBy || f.Attempts != taken.Attempts; lost && failure != nil {
		return nil //nolint:nilerr // the failure is that of a worker that no longer has it in hand
	}
	f.TakenBy = ""
	if failure != nil && f.State == models.ClaimFileOwed {
		f.Failure, f.NextAttempt = failure.Error(), tx.Common.Add(models.RetryPause(f.Attempts))
		f.Uncertain = uncertain
		log.Warn("a file of AvtaleGiro could not be delivered and will be tried again",
			"file", f.Number, "attempt", f.Attempts, "next", f.NextAttempt, "error", failure)
		return tx.UpdateClaimFile(ctx, f)
	}
	if failure != nil {
		return tx.UpdateClaimFile(ctx, f)
	}
	log.Info("a file of AvtaleGiro was delivered", "file", f.Number, "creditor", f.CreditorID, "claims", f.Claims, "cancellations", f.Cancellations)
	return acts.Delivered(ctx, tx, &f, tx.Now)
}

package ocr

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"purr/models"
	"purr/store"
)

// post posts a batch of payments. done is the number of file lines that have been read.
func (r *reading) post(ctx context.Context, payments []payment, done int) error {
	err := r.postOnce(ctx, payments, done)
	if errors.Is(err, store.ErrDuplicate) {
		// A line came before in another file. Or no creditor has its account: then nothing is locked, and another
		// process may just have posted it. The next try finds it in both cases.
		r.cautious = true
		err = r.postOnce(ctx, payments, done)
	}
	if err != nil {
		return err
	}
	if r.im.progress != nil {
		r.im.progress(done, r.content.lineCount())
	}
	return nil
}

// postOnce posts a batch and records the progress of the file, in one transaction. It skips payments that another
// process has posted from the same file meanwhile.
func (r *reading) postOnce(ctx context.Context, payments []payment, done int) error {
	first := done - len(payments)
	return r.update(ctx, models.FileImporting, func(ctx context.Context, tx *store.Tx, f *models.PaymentFile) error {
		if f.LinesDone >= done {
			return nil
		}
		if f.LinesDone < first {
			return fmt.Errorf("payment file %d: %d transactions are posted where %d were", f.ID, f.LinesDone, first)
		}
		groups := byCreditor(payments[f.LinesDone-first:])
		for _, creditorID := range slices.Sorted(maps.Keys(groups)) {
			if err := r.postFor(ctx, tx, creditorID, groups[creditorID]); err != nil {
				return err
			}
		}
		f.LinesDone = done
		return nil
	})
}

func byCreditor(payments []payment) map[int64][]payment {
	groups := map[int64][]payment{}
	for _, p := range payments {
		groups[p.CreditorID] = append(groups[p.CreditorID], p)
	}
	return groups
}

// finish completes the import when all lines are posted. It adds each section's ignored transactions to the creditor's
// part, and writes each creditor an event with the totals.
func (r *reading) finish(ctx context.Context) error {
	err := r.update(ctx, models.FileImporting, func(ctx context.Context, tx *store.Tx, f *models.PaymentFile) error {
		for _, s := range r.content.sections {
			if err := r.finishSection(ctx, tx, s); err != nil {
				return err
			}
		}
		f.State, f.FinishedAt = models.FileImported, &tx.Now
		parts, err := tx.FileParts(ctx, f.ID)
		if err != nil {
			return err
		}
		for _, part := range parts {
			if err := r.logPart(ctx, tx, *f, part); err != nil {
				return err
			}
			if err := r.logAhead(ctx, tx, *f, part.CreditorID); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.im.log.Info("a payment file was imported", "file", r.file.ID, "source", r.file.Source, "transactions", r.file.LinesDone)
	return nil
}

// finishSection counts a section's ignored transactions. It records the date up to which the bank's files cover the
// account: the day on which the file came at most (rule D110). Dunning waits for that date, so finishSection runs after the last
// payment is posted (rule E6b).
func (r *reading) finishSection(ctx context.Context, tx *store.Tx, s section) error {
	creditorID := r.recipient(s.account)
	part, err := partOf(ctx, tx, r.file.ID, creditorID)
	if err != nil {
		return err
	}
	s.addIgnored(&part)
	if r.owners[s.account] == creditorID {
		part.LatestDate = max(part.LatestDate, min(s.latest, r.day))
		if err := r.keepMandates(ctx, tx, creditorID, s); err != nil {
			return err
		}
	}
	return tx.SaveFilePart(ctx, &part)
}

// logPart writes the event with the totals of a creditor's part of a file.
func (r *reading) logPart(ctx context.Context, tx *store.Tx, file models.PaymentFile, part models.PaymentFilePart) error {
	return tx.Log(ctx, models.Event{
		CreditorID: part.CreditorID, Type: models.EventFileImported, Actor: r.im.actor, SubjectID: file.ID,
		Text: fmt.Sprintf("Payment file %s: %d transactions of %s; %d matched, %d unmatched, %d duplicates, %d ignored",
			file.Filename, part.Transactions, part.Amount, part.Matched, part.Unmatched, part.Duplicates, part.Ignored),
		Facts: models.Facts{
			"filename": file.Filename, "transactions": part.Transactions, "amount": part.Amount,
			"matched": part.Matched, "unmatched": part.Unmatched, "duplicates": part.Duplicates, "ignored": part.Ignored,
		},
	})
}

// logAhead tells a creditor that its part of the file has payments dated after the day on which the file came (rule D110).
func (r *reading) logAhead(ctx context.Context, tx *store.Tx, file models.PaymentFile, creditorID int64) error {
	latest := models.Date(0)
	for _, s := range r.content.sections {
		if r.recipient(s.account) == creditorID {
			latest = max(latest, s.latest)
		}
	}
	if latest <= r.day {
		return nil
	}
	return tx.Log(ctx, models.Event{
		CreditorID: creditorID, Type: models.EventFileDatedAhead, Actor: r.im.actor, SubjectID: file.ID,
		Text:  fmt.Sprintf("Payment file %s came on %s and has payments dated up to %s", file.Filename, r.day, latest),
		Facts: models.Facts{"filename": file.Filename, "received": r.day, "latest": latest},
	})
}

// partOf returns a creditor's part of a file, a new one if it has none yet.
func partOf(ctx context.Context, tx *store.Tx, fileID, creditorID int64) (models.PaymentFilePart, error) {
	parts, err := tx.FileParts(ctx, fileID)
	if err != nil {
		return models.PaymentFilePart{}, err
	}
	for _, part := range parts {
		if part.CreditorID == creditorID {
			return part, nil
		}
	}
	return models.PaymentFilePart{PaymentFileID: fileID, CreditorID: creditorID}, nil
}

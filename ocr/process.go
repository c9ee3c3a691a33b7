package ocr

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"purr/models"
	"purr/store"
)

// Process imports a received file, and continues an import that was broken off. It checks the file, takes its
// identity, posts it batch by batch and finishes it. For an imported file it only posts what has become possible
// since. It does nothing with a duplicate or a rejected file. If an earlier import of the same content was broken off,
// Process goes on with that one, and returns it (rule D110).
func (im *Importer) Process(ctx context.Context, fileID int64) (models.PaymentFile, error) {
	file, err := im.db.PaymentFile(ctx, fileID)
	switch {
	case err != nil:
		return models.PaymentFile{}, err
	case file.State == models.FileImported:
		return file, im.catchUp(ctx, file)
	case !file.UnderWay():
		return file, nil
	}
	defer im.underWay.begin(fileID)()
	r, err := im.open(ctx, file)
	if faults, is := errors.AsType[models.FileFaults](err); is {
		err = r.reject(ctx, faults)
	} else if err == nil {
		defer r.close()
		err = r.process(ctx)
	}
	if err != nil {
		return file, err
	}
	return r.file, nil
}

// process imports a file without faults.
func (r *reading) process(ctx context.Context) error {
	if r.file.State == models.FileReceived {
		if err := r.identify(ctx); err != nil {
			return err
		}
	}
	if r.file.State != models.FileImporting {
		return nil
	}
	// From here on no account of the file is taken from its creditor (rule D101).
	owners, err := r.im.db.AccountOwners(ctx)
	if err != nil {
		return err
	}
	r.owners = owners
	if err := r.eachBatch(r.file.LinesDone, func(payments []payment, done int) error { return r.post(ctx, payments, done) }); err != nil {
		return err
	}
	return r.finish(ctx)
}

// update changes the file in one transaction, if its state is from. If another process has changed the state, update
// only reads the file.
func (r *reading) update(ctx context.Context, from models.FileState, change func(ctx context.Context, tx *store.Tx, f *models.PaymentFile) error) error {
	var updated models.PaymentFile
	err := r.im.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		f, err := tx.LockPaymentFile(ctx, r.file.ID)
		if err != nil {
			return err
		}
		updated = f
		if f.State != from {
			return nil
		}
		if err := change(ctx, tx, &updated); err != nil {
			return err
		}
		return tx.UpdatePaymentFile(ctx, updated)
	})
	if err != nil {
		return err
	}
	r.file = updated
	return nil
}

// reject records the faults of the file. It posts nothing.
func (r *reading) reject(ctx context.Context, faults models.FileFaults) error {
	err := r.update(ctx, models.FileReceived, func(ctx context.Context, tx *store.Tx, f *models.PaymentFile) error {
		r.content.describe(f)
		f.State, f.FinishedAt, f.Faults = models.FileRejected, &tx.Now, models.FileFindings(faults)
		if f.OwnerID == 0 {
			return nil
		}
		return tx.Log(ctx, models.Event{
			CreditorID: f.OwnerID, Type: models.EventFileRejected, Actor: r.im.actor, SubjectID: f.ID,
			Text:  fmt.Sprintf("Payment file %s rejected: %s", f.Filename, faults[0]),
			Facts: models.Facts{"filename": f.Filename, "faults": len(faults), "first": faults[0]},
		})
	})
	if err != nil {
		return err
	}
	r.im.log.Warn("a payment file was rejected", "file", r.file.ID, "faults", len(faults), "first", faults[0].Code, "line", faults[0].Line)
	return nil
}

// mostWarnings is the most warnings kept of a file: the database's column holds no more.
const mostWarnings = 200

// codeUnassigned is the warning of an account that no creditor has (rule E4).
const codeUnassigned = "unassigned_account"

// describe copies to f what the file says about itself, its warnings and further warnings.
func (c *content) describe(f *models.PaymentFile, further ...models.FileFinding) {
	// A rejected file may hold any bytes.
	f.Format, f.Sender, f.TransmissionNumber, f.RecipientUnit = c.format, printable(c.sender), printable(c.number), printable(c.unit)
	for _, s := range c.sections {
		f.LatestDate = max(f.LatestDate, s.latest)
	}
	f.Warnings = append(slices.Clone(c.warnings), further...)
	slices.SortStableFunc(f.Warnings, func(a, b models.FileFinding) int { return cmp.Compare(a.Line, b.Line) })
	if more := len(f.Warnings) - mostWarnings; more > 0 {
		f.Warnings = append(f.Warnings[:mostWarnings], models.FileFinding{Code: "more_warnings", Text: fmt.Sprintf("and %d more warnings", more)})
	}
}

// unassigned returns a warning for each section whose account no creditor has.
func (r *reading) unassigned() (notes models.FileFindings) {
	for _, s := range r.content.sections {
		if r.recipient(s.account) == 0 {
			notes = append(notes, models.FileFinding{Line: s.line, Code: codeUnassigned, Text: "no creditor has the account " + printable(s.account)})
		}
	}
	return notes
}

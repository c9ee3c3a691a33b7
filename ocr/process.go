package ocr

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"purr/models"
	"purr/store"
)

// Process brings a file that was received to its end, from wherever an earlier try was broken off:
// checked, claimed, posted batch by batch, closed. For one that was imported it does what the import owes since; on
// another at its end it does nothing.
func (im *Importer) Process(ctx context.Context, fileID int64) (models.PaymentFile, error) {
	file, err := im.db.PaymentFile(ctx, fileID)
	switch {
	case err != nil:
		return file, err
	case file.State == models.FileImported:
		return file, im.catchUp(ctx, file)
	case !file.UnderWay():
		return file, nil
	}
	raw, err := im.archive.Get(file.SHA256)
	if err != nil {
		return file, err
	}
	defer func() { _ = raw.Close() }() // it was only read
	content, err := check(raw, models.DateOf(file.ReceivedAt))
	var faults models.FileFaults
	switch {
	case errors.As(err, &faults):
		return im.reject(ctx, file, faults, content)
	case err != nil:
		return file, fmt.Errorf("read payment file %d: %w", file.ID, err)
	}
	owners, err := im.db.AccountOwners(ctx)
	if err != nil {
		return file, err
	}
	if file.State == models.FileReceived {
		if file, err = im.claim(ctx, file, content, owners); err != nil || file.State != models.FileImporting {
			return file, err
		}
	}
	p := im.newPosting(file, content, owners)
	if err := rewound(raw, p.findRepeats); err != nil {
		return file, err
	}
	if err := rewound(raw, func(r io.Reader) error { return p.postAll(ctx, r) }); err != nil {
		return file, err
	}
	return p.finish(ctx)
}

// rewound reads from the beginning.
func rewound(raw io.ReadSeeker, read func(io.Reader) error) error {
	if _, err := raw.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read a payment file again: %w", err)
	}
	return read(raw)
}

// reject notes every fault of a file, of which nothing is posted.
func (im *Importer) reject(ctx context.Context, file models.PaymentFile, faults models.FileFaults, c *content) (models.PaymentFile, error) {
	err := im.db.InTx(ctx, func(tx *store.Tx) error {
		f, err := tx.LockPaymentFile(ctx, file.ID)
		if err != nil || f.State != models.FileReceived {
			file = f
			return err
		}
		describe(&f, c, nil)
		f.State, f.FinishedAt, f.Faults = models.FileRejected, &tx.Now, models.FileNotes(faults)
		file = f
		if err := tx.UpdatePaymentFile(ctx, f); err != nil || f.OwnerID == 0 {
			return err
		}
		return tx.Log(ctx, models.Event{
			CreditorID: f.OwnerID, Type: models.EventFileRejected, Actor: im.actor, SubjectID: f.ID,
			Text: fmt.Sprintf("Payment file %s rejected: %s", f.Filename, faults[0]),
		})
	})
	if err == nil {
		im.log.Warn("a payment file was rejected", "file", file.ID, "faults", len(faults), "first", faults[0].Code, "line", faults[0].Line)
	}
	return file, err
}

// claim takes the file's identity and its transmissions, so that its content is posted once, or finds that another
// file has them.
func (im *Importer) claim(
	ctx context.Context, file models.PaymentFile, c *content, owners map[string]int64,
) (models.PaymentFile, error) {
	if twice := repeats(c.transmissions); len(twice) > 0 {
		return im.reject(ctx, file, twice, c)
	}
	for range claimAttempts {
		first, found, err := im.firstOf(ctx, file, c.identity)
		if err != nil {
			return file, err
		}
		if found {
			return im.duplicate(ctx, file, first, c, owners)
		}
		claimed, err := im.setIdentity(ctx, file, c, owners)
		var conflicts models.FileFaults
		switch {
		case errors.As(err, &conflicts):
			return im.reject(ctx, file, conflicts, c)
		case !errors.Is(err, store.ErrDuplicate):
			return claimed, err
		}
		// Another process was faster, with the same content or the same transmission: now it is known.
	}
	return file, fmt.Errorf("payment file %d: its transmissions were taken %d times meanwhile", file.ID, claimAttempts)
}

// claimAttempts is how often a file is claimed against others with the same transmission that come at that moment.
const claimAttempts = 20

// scoped tells files apart that different creditors posted: each gets its own part of the same file.
func scoped(ownerID int64, content string) string { return fmt.Sprintf("%d:%s", ownerID, content) }

// firstOf finds the live file with the content that the same creditor posted, or that came for all.
func (im *Importer) firstOf(ctx context.Context, file models.PaymentFile, content string) (models.PaymentFile, bool, error) {
	first, found, err := im.db.LiveFile(ctx, scoped(file.OwnerID, content))
	if err != nil || found || file.OwnerID == 0 {
		return first, found, err
	}
	if first, found, err = im.db.LiveFile(ctx, scoped(0, content)); err != nil || !found {
		return first, false, err
	}
	// The file that came for all is this creditor's first only if the creditor has a part in it.
	_, err = im.db.PaymentFileOf(ctx, file.OwnerID, first.ID)
	if models.KindOf(err) == models.KindNotFound {
		return first, false, nil
	}
	return first, err == nil, err
}

func (im *Importer) setIdentity(
	ctx context.Context, file models.PaymentFile, c *content, owners map[string]int64,
) (models.PaymentFile, error) {
	err := im.db.InTx(ctx, func(tx *store.Tx) error {
		f, err := tx.LockPaymentFile(ctx, file.ID)
		if err != nil || f.State != models.FileReceived {
			file = f
			return err
		}
		odd, err := takeTransmissions(ctx, tx, f, c, owners)
		if err != nil {
			return err
		}
		describe(&f, c, owners, odd...)
		mine := scoped(f.OwnerID, c.identity)
		f.State, f.Identity = models.FileImporting, &mine
		file = f
		return tx.UpdatePaymentFile(ctx, f)
	})
	return file, err
}

// duplicate notes that the file's content came before.
func (im *Importer) duplicate(
	ctx context.Context, file, first models.PaymentFile, c *content, owners map[string]int64,
) (models.PaymentFile, error) {
	err := im.db.InTx(ctx, func(tx *store.Tx) error {
		f, err := tx.LockPaymentFile(ctx, file.ID)
		if err != nil || f.State != models.FileReceived {
			file = f
			return err
		}
		describe(&f, c, owners)
		f.State, f.DuplicateOf, f.FinishedAt, f.Identity = models.FileDuplicate, first.ID, &tx.Now, nil
		file = f
		if err := tx.UpdatePaymentFile(ctx, f); err != nil {
			return err
		}
		parts := duplicateParts(f, c, owners)
		for _, creditorID := range slices.Sorted(maps.Keys(parts)) {
			part := parts[creditorID]
			if err := tx.SaveFilePart(ctx, &part); err != nil {
				return err
			}
			if err := tx.Log(ctx, models.Event{
				CreditorID: part.CreditorID, Type: models.EventFileDuplicate, Actor: im.actor, SubjectID: f.ID,
				Text: fmt.Sprintf("Payment file %s has been imported before, as file %d", f.Filename, first.ID),
			}); err != nil {
				return err
			}
		}
		return nil
	})
	return file, err
}

// duplicateParts counts every transaction of the file as a duplicate, for the creditor it is of.
func duplicateParts(file models.PaymentFile, c *content, owners map[string]int64) map[int64]models.PaymentFilePart {
	parts := map[int64]models.PaymentFilePart{}
	for _, s := range c.sections {
		creditorID := recipientOf(file, s.account, owners)
		part := parts[creditorID]
		part.PaymentFileID, part.CreditorID = file.ID, creditorID
		part.Transactions += s.transactions
		part.Amount += s.amount
		part.Ignored += s.ignored
		part.IgnoredAmount += s.ignoredAmount
		part.Duplicates += s.transactions - s.ignored
		part.DuplicatesAmount += s.amount - s.ignoredAmount
		parts[creditorID] = part
	}
	return parts
}

// recipientOf returns the creditor in whose part what an account received belongs: who posted the file,
// else whose account it is, else nobody.
func recipientOf(file models.PaymentFile, account string, owners map[string]int64) int64 {
	if file.OwnerID != 0 {
		return file.OwnerID
	}
	return owners[account]
}

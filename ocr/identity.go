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

// identityTries is how often a file tries to take its transmissions while other files take theirs.
const identityTries = 20

// identify takes the file's identity and its transmissions, so that its content is posted once. If another file has
// the identity, this file is a duplicate. If a transmission came before with other content, this file is rejected.
func (r *reading) identify(ctx context.Context) error {
	if twice := repeats(r.content.transmissions); len(twice) > 0 {
		return r.reject(ctx, twice)
	}
	for range identityTries {
		before, err := r.before(ctx)
		if err != nil {
			return err
		}
		switch {
		case len(before) > 0 && before[0].ID == r.file.ID: // another call has identified this file meanwhile
			r.file = before[0]
			return nil
		case len(before) > 0:
			return r.again(ctx, before)
		}
		err = r.update(ctx, models.FileReceived, func(ctx context.Context, tx *store.Tx, f *models.PaymentFile) error {
			warnings, err := r.takeTransmissions(ctx, tx)
			if err != nil {
				return err
			}
			r.content.describe(f, append(warnings, r.unassigned()...)...)
			identity := r.identity(f.OwnerID)
			f.State, f.Identity = models.FileImporting, &identity
			return nil
		})
		if conflicts, is := errors.AsType[models.FileFaults](err); is {
			return r.reject(ctx, conflicts)
		}
		if !errors.Is(err, store.ErrDuplicate) {
			return err
		}
		// Another process was faster with the same content or transmission: the next try finds it.
	}
	return fmt.Errorf("payment file %d: other files took its transmissions %d times meanwhile", r.file.ID, identityTries)
}

// identity returns the identity of the content for a creditor: each creditor may post the same file. The ownerID is
// zero for a file of all creditors.
func (r *reading) identity(ownerID int64) string {
	return fmt.Sprintf("%d:%s", ownerID, r.content.identity)
}

// before returns the earlier files with the same content: the one of the same creditor, or the one for all creditors with a part
// for this one. A file for all creditors also came before if each of them has posted it (rule L21). It returns none if this is the
// first.
func (r *reading) before(ctx context.Context) ([]models.PaymentFile, error) {
	ownerID := r.file.OwnerID
	first, found, err := r.im.db.LiveFile(ctx, r.identity(ownerID))
	if err != nil || found {
		return []models.PaymentFile{first}, err
	}
	if ownerID == 0 {
		return r.postedByEach(ctx)
	}
	first, found, err = r.im.db.LiveFile(ctx, r.identity(0))
	if err != nil || !found {
		return nil, err
	}
	_, err = r.im.db.PaymentFileOf(ctx, ownerID, first.ID)
	if models.KindOf(err) == models.KindNotFound {
		return nil, nil
	}
	return []models.PaymentFile{first}, err
}

// postedByEach returns the files with the same content of the accounts' creditors, that of the first account first. It returns
// none if the creditor of any account has not posted this content, or if an account has none.
func (r *reading) postedByEach(ctx context.Context) (before []models.PaymentFile, err error) {
	for _, s := range r.content.sections {
		creditorID := r.recipient(s.account)
		if creditorID == 0 {
			return nil, nil
		}
		posted, found, err := r.im.db.LiveFile(ctx, r.identity(creditorID))
		if err != nil || !found {
			return nil, err
		}
		if !slices.ContainsFunc(before, func(f models.PaymentFile) bool { return f.ID == posted.ID }) {
			before = append(before, posted)
		}
	}
	return before, nil
}

// duplicate records that the content came before, in the first file. It counts every transaction as a duplicate, in
// the part of its creditor.
func (r *reading) duplicate(ctx context.Context, first models.PaymentFile) error {
	return r.update(ctx, models.FileReceived, func(ctx context.Context, tx *store.Tx, f *models.PaymentFile) error {
		r.content.describe(f, r.unassigned()...)
		f.State, f.DuplicateOf, f.FinishedAt, f.Identity = models.FileDuplicate, first.ID, &tx.Now, nil
		parts := map[int64]models.PaymentFilePart{}
		for _, s := range r.content.sections {
			creditorID := r.recipient(s.account)
			part := parts[creditorID]
			part.PaymentFileID, part.CreditorID = f.ID, creditorID
			s.addIgnored(&part)
			asDuplicate.addTo(&part, s.transactions-s.ignored, s.amount-s.ignoredAmount)
			parts[creditorID] = part
		}
		for _, creditorID := range slices.Sorted(maps.Keys(parts)) {
			part := parts[creditorID]
			if err := tx.SaveFilePart(ctx, &part); err != nil {
				return err
			}
			if err := tx.Log(ctx, models.Event{
				CreditorID: part.CreditorID, Type: models.EventFileDuplicate, Actor: r.im.actor, SubjectID: f.ID,
				Text:  fmt.Sprintf("Payment file %s has been imported before, as file %d", f.Filename, first.ID),
				Facts: models.Facts{"filename": f.Filename, "duplicate_of": first.ID},
			}); err != nil {
				return err
			}
		}
		return nil
	})
}

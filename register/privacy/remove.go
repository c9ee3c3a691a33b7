package privacy

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"purr/internal/clock"
	"purr/models"
	"purr/store"
	"purr/store/archive"
)

// Remover removes what is owed since customers were forgotten: kept files, what lies in folders, and what the database's own file still
// holds. Each may be done twice, so it goes on wherever it was killed, and several may work at once.
type Remover struct {
	DB      *store.DB
	Archive *archive.Archive
	Folders Folders
	Log     *slog.Logger
}

// removedAtOnce is how many removals are read at a time.
const removedAtOnce = 5000

// retry is how long what could not be removed waits.
const retry = 10 * time.Second

// errWaits is why a bank's file stays for another day: it is still being read, or a payment of it waits for a person or for an account.
var errWaits = errors.New("a payment of the file waits")

// Remove does what is due, and brings the list of who was forgotten up to date before. What fails is told in the log and waits for a
// moment; the rest goes on. It returns how much was removed.
func (r *Remover) Remove(ctx context.Context) (done int, err error) {
	if err := KeepList(ctx, r.DB, r.Folders.Data); err != nil {
		return 0, err
	}
	for {
		due, err := r.DB.RemovalsDue(ctx, r.DB.Common(), removedAtOnce)
		if err != nil || len(due) == 0 {
			return done, err
		}
		if err := r.removeAll(ctx, due); err != nil {
			return done, err
		}
		done += len(due)
	}
}

// removeAll does removals that are due, those of a kind together.
func (r *Remover) removeAll(ctx context.Context, due []models.Removal) error {
	for _, kind := range models.RemovalKinds {
		var of []models.Removal
		for _, d := range due {
			if d.Kind == kind {
				of = append(of, d)
			}
		}
		if len(of) == 0 {
			continue
		}
		failed, err := r.removeKind(ctx, kind, of)
		if err != nil {
			return err
		}
		if err := r.record(ctx, of, failed); err != nil {
			return err
		}
	}
	return nil
}

// removeKind does removals of a kind. It returns why some of them failed, by ID.
func (r *Remover) removeKind(ctx context.Context, kind models.RemovalKind, of []models.Removal) (failed map[int64]error, err error) {
	failed = map[int64]error{}
	switch kind {
	case models.RemoveKept:
		for _, d := range of {
			failed[d.ID] = r.dropKept(ctx, d.SHA256)
		}
	case models.RemovePaymentFile, models.RemoveAccounts, models.RemoveClaims:
		for _, d := range of {
			failed[d.ID] = r.dropShared(ctx, d)
		}
	case models.RemoveFolders:
		whose, err := r.whose(ctx, of)
		if err != nil {
			return nil, err
		}
		if err := r.Folders.remove(ctx, whose); err != nil {
			for _, d := range of {
				failed[d.ID] = err
			}
		}
	case models.RemovePages:
		if err := r.DB.RewritePages(ctx); err != nil {
			for _, d := range of {
				failed[d.ID] = err
			}
		}
	}
	return failed, ctx.Err()
}

// record notes which removals are done, and puts off those that failed.
func (r *Remover) record(ctx context.Context, of []models.Removal, failed map[int64]error) error {
	var done []int64
	until := r.DB.Common().Add(retry)
	for _, d := range of {
		if failed[d.ID] == nil {
			done = append(done, d.ID)
			continue
		}
		if errors.Is(failed[d.ID], errWaits) {
			continue
		}
		r.Log.Warn("what is owed since a customer was forgotten could not be removed; it is tried again", "removal", d.ID, "kind", d.Kind, "customer", d.CustomerID, "error", failed[d.ID])
	}
	return r.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, d := range of {
			at := until
			if errors.Is(failed[d.ID], errWaits) {
				at = at.Add(24 * time.Hour)
			}
			if failed[d.ID] != nil {
				if err := tx.PutRemovalOff(ctx, d.ID, at); err != nil {
					return err
				}
			}
		}
		return tx.RemovalsDone(ctx, done)
	})
}

// dropKept removes a kept file, unless another row names the same bytes.
func (r *Remover) dropKept(ctx context.Context, sum string) error {
	kept, err := r.DB.IsKept(ctx, sum)
	if err != nil || kept {
		return err
	}
	return r.Archive.Remove(sum, clock.System{}.Now().Add(time.Minute))
}

// dropShared removes a file that several customers share.
func (r *Remover) dropShared(ctx context.Context, d models.Removal) error {
	if d.Kind == models.RemovePaymentFile {
		waits, err := r.DB.FileWaits(ctx, d.Subject)
		if err != nil {
			return err
		}
		if waits {
			return errWaits
		}
	}
	var sum string
	if err := r.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		sum, err = tx.NoteRemoved(ctx, d)
		return err
	}); err != nil || sum == "" {
		return err
	}
	if err := r.Folders.removeCopies(ctx, sum); err != nil {
		return err
	}
	return r.dropKept(ctx, sum)
}

// whose returns the names that files outside of the database have of customers.
func (r *Remover) whose(ctx context.Context, of []models.Removal) (names, error) {
	n := names{shipments: map[int64]bool{}, handOvers: map[int64]bool{}}
	for _, d := range of {
		ids, err := r.DB.ShipmentsOfCustomer(ctx, d.CustomerID)
		if err != nil {
			return names{}, err
		}
		for _, id := range ids {
			n.shipments[id] = true
		}
		if ids, err = r.DB.HandOversOfCustomer(ctx, d.CustomerID); err != nil {
			return names{}, err
		}
		for _, id := range ids {
			n.handOvers[id] = true
		}
	}
	return n, nil
}

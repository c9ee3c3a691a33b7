package store_test

import (
	"context"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// direct writes an entry of which the owner's collector is to be told, and returns its ID.
func direct(ctx context.Context, tx *store.Tx, h holdings, fileID int64) (int64, error) {
	entries := []models.DirectEntry{{
		CreditorID: h.owner.ID, HandOverID: h.handOver.ID, InvoiceID: h.invoice.ID, EntryID: h.entry.ID + 1_000, Kind: models.DirectBank, Date: rows.Today, Amount: 1, FileID: fileID,
	}}
	if err := tx.CreateDirectEntries(ctx, entries); err != nil {
		return 0, err
	}
	written, err := tx.DirectEntriesBefore(ctx, h.owner.ID, rows.Start.AddDate(10, 0, 0))
	if err != nil || len(written) == 0 {
		return 0, err
	}
	return written[0].ID, nil
}

// toCollector writes a file of the owner's for the collector.
func toCollector(ctx context.Context, tx *store.Tx, h holdings) (models.CollectorFile, error) {
	f := models.CollectorFile{CreditorID: h.owner.ID, Day: rows.Today}
	return f, tx.CreateCollectorFile(ctx, &f)
}

// collectionTrials are of what the debt collector has, tells and is told.
var collectionTrials = map[string]trial{
	"CollectionReports": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		err := tx.CreateCollectionReport(ctx, &models.CollectionReport{CreditorID: h.owner.ID, HandOverID: h.handOver.ID, InvoiceID: h.invoice.ID, State: models.CollectionReceived, At: rows.Today})
		if err != nil {
			return false, err
		}
		found, err := tx.CollectionReports(ctx, c, []int64{h.handOver.ID})
		return len(found) > 0, err
	},
	"HandOversByID": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.HandOversByID(ctx, c, []int64{h.handOver.ID})
		return len(found) > 0, err
	},
	"LastHandOvers": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.LastHandOvers(ctx, c, []int64{h.invoice.ID})
		return len(found) > 0, err
	},
	"InvoicesNumbered": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		found, err := tx.InvoicesNumbered(ctx, c, []int64{h.invoice.Number})
		return found[h.invoice.Number].ID == h.invoice.ID, err
	},
	"Collections": func(ctx context.Context, tx *store.Tx, _ holdings, c int64) (bool, error) {
		return counted(tx.Collections(ctx, c, store.CollectionFilter{}, everything))
	},
	"DirectEntriesBefore": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := direct(ctx, tx, h, 0); err != nil {
			return false, err
		}
		found, err := tx.DirectEntriesBefore(ctx, c, rows.Start.AddDate(10, 0, 0))
		return len(found) > 0, err
	},
	"DirectEntriesOf": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := direct(ctx, tx, h, 7); err != nil {
			return false, err
		}
		found, err := tx.DirectEntriesOf(ctx, c, 7)
		return len(found) > 0, err
	},
	"DirectEntry": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := direct(ctx, tx, h, 0); err != nil {
			return false, err
		}
		_, found, err := tx.DirectEntry(ctx, c, h.entry.ID+1_000)
		return found, err
	},
	"ForgetDirectEntry": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := direct(ctx, tx, h, 0); err != nil {
			return false, err
		}
		return tx.ForgetDirectEntry(ctx, c, h.entry.ID+1_000)
	},
	"DropDirectEntries": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		id, err := direct(ctx, tx, h, 0)
		if err != nil {
			return false, err
		}
		if err := tx.DropDirectEntries(ctx, c, []int64{id}); err != nil {
			return false, err
		}
		left, err := tx.DirectEntriesBefore(ctx, h.owner.ID, rows.Start.AddDate(10, 0, 0))
		return len(left) == 0, err
	},
	"PutIntoCollectorFile": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		id, err := direct(ctx, tx, h, 0)
		if err != nil {
			return false, err
		}
		if err := tx.PutIntoCollectorFile(ctx, c, 7, []int64{id}); err != nil {
			return false, err
		}
		left, err := tx.DirectEntriesBefore(ctx, h.owner.ID, rows.Start.AddDate(10, 0, 0))
		return len(left) == 0, err
	},
	"CollectorFile": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		f, err := toCollector(ctx, tx, h)
		if err != nil {
			return false, err
		}
		return reached(tx.CollectorFile(ctx, c, f.ID))
	},
	"LockCollectorFile": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		f, err := toCollector(ctx, tx, h)
		if err != nil {
			return false, err
		}
		return reached(tx.LockCollectorFile(ctx, c, f.ID))
	},
	"CollectorFiles": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := toCollector(ctx, tx, h); err != nil {
			return false, err
		}
		found, err := tx.CollectorFiles(ctx, c, 10)
		return len(found) > 0, err
	},
	"HasCollectorFile": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		if _, err := toCollector(ctx, tx, h); err != nil {
			return false, err
		}
		return tx.HasCollectorFile(ctx, c, rows.Today)
	},
	"SetCollectorSum": func(ctx context.Context, tx *store.Tx, h holdings, c int64) (bool, error) {
		f, err := toCollector(ctx, tx, h)
		if err != nil {
			return false, err
		}
		return reached(tx.SetCollectorSum(ctx, c, f.ID, true, "sum"))
	},
}

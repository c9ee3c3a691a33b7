package ocr

import (
	"context"
	"time"

	"purr/internal/clock"
	"purr/store"
)

// settled is how old the bytes of a file must be before they are removed. A file with the same bytes that is coming at
// this moment has no row yet, and keeps them.
const settled = time.Minute

// KeepRejected sets how long the raw bytes of rejected files are kept (rule O13). Zero keeps them for ever. Call it
// before the importer is used.
func (im *Importer) KeepRejected(d time.Duration) { im.keepRejected = d }

// RemoveRejected removes the raw bytes of the files that were rejected too long ago. Their rows, which say what was wrong
// with them, stay. It returns the moment of rejection before which nothing is kept, or zero if everything is.
func (im *Importer) RemoveRejected(ctx context.Context) (before time.Time, err error) {
	const most = 500 // at once
	if im.keepRejected == 0 {
		return time.Time{}, nil
	}
	before = im.db.Now().Add(-im.keepRejected)
	for {
		files, err := im.db.ExpiredFiles(ctx, before, most)
		if err != nil || len(files) == 0 {
			return before, err
		}
		kept, err := im.db.KeptBesides(ctx, files)
		if err != nil {
			return before, err
		}
		ids := make([]int64, len(files))
		for i, f := range files {
			ids[i] = f.ID
			if kept[f.SHA256] {
				continue
			}
			if err := im.archive.Remove(f.SHA256, clock.System{}.Now().Add(-settled)); err != nil {
				return before, err
			}
		}
		if err := im.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.SetFilesRemoved(ctx, ids) }); err != nil {
			return before, err
		}
		im.log.Info("the raw bytes of files that were rejected long ago are removed", "files", len(files), "before", before)
	}
}

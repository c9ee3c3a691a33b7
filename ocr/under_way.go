package ocr

import (
	"context"
	"sync"
	"time"

	"purr/models"
	"purr/store"
)

// underWay are the files that this program is importing at the moment.
type underWay struct {
	mu    sync.Mutex
	files map[int64]*importing // by ID
}

// importing is a file that some calls of Process work on.
type importing struct {
	calls int
	ended chan struct{} // closed when the last of the calls has ended
}

// begin notes that a call works on a file. end is called when it does no longer.
func (u *underWay) begin(fileID int64) (end func()) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.files[fileID] == nil {
		u.files[fileID] = &importing{ended: make(chan struct{})}
	}
	f := u.files[fileID]
	f.calls++
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		if f.calls--; f.calls == 0 {
			close(f.ended)
			delete(u.files, fileID)
		}
	}
}

// wait waits until nobody here works on the file.
func (u *underWay) wait(ctx context.Context, fileID int64) error {
	u.mu.Lock()
	f := u.files[fileID]
	u.mu.Unlock()
	if f == nil {
		return nil
	}
	select {
	case <-f.ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// ended waits until a file's import has ended, in this program or in another one, or was broken off: until it has posted nothing for a
// while. It returns the file as it is then.
func (im *Importer) ended(ctx context.Context, fileID int64) (models.PaymentFile, error) {
	if err := im.underWay.wait(ctx, fileID); err != nil {
		return models.PaymentFile{}, err
	}
	f, err := im.db.PaymentFile(ctx, fileID)
	const looks = 100
	for n := 0; err == nil && f.UnderWay() && n < looks; n++ {
		select {
		case <-time.After(im.stalled / looks):
		case <-ctx.Done():
			return f, ctx.Err()
		}
		done := f.LinesDone
		if f, err = im.db.PaymentFile(ctx, fileID); err == nil && f.LinesDone != done {
			n = 0
		}
	}
	return f, err
}

// again says what a file is whose content came before, in one file or in one of each creditor. If the earlier imports ended, it is
// a duplicate. If one was broken off, whoever brought it, this arrival is no file of its own: it goes on with each such import, and
// becomes the first (rule D110).
func (r *reading) again(ctx context.Context, before []models.PaymentFile) error {
	var begun []models.PaymentFile
	for _, f := range before {
		f, err := r.im.ended(ctx, f.ID)
		if err != nil {
			return err
		}
		if !f.UnderWay() {
			continue
		}
		if f, err = r.im.Process(ctx, f.ID); err != nil {
			return err
		}
		begun = append(begun, f)
	}
	if len(begun) == 0 {
		return r.duplicate(ctx, before[0])
	}
	arrival := r.file
	r.file = begun[0]
	return r.im.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.DropArrival(ctx, arrival) })
}

package inbound

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"purr/internal/remote"
	"purr/models"
	"purr/ocr"
	"purr/store"
)

// After says what happens to a file in the bank's folder after its import.
type After string

// What happens to an imported file.
const (
	AfterLeave  After = "leave"  // it stays as it is
	AfterMove   After = "move"   // it is moved to the folder "fetched" beside it
	AfterDelete After = "delete" // it is deleted
)

// BankFolder is a folder on the bank's SFTP server with payment files to import. It is safe for concurrent use, also
// by several processes: a lease lets one of them poll it at a time.
type BankFolder struct {
	db       *store.DB
	importer *ocr.Importer
	server   *remote.Server
	after    After
	every    time.Duration
	log      *slog.Logger
	pause    func(context.Context) error // waits for files that are still being written
}

// NewBankFolder returns the folder on the server. It is due for a poll once in every duration.
func NewBankFolder(db *store.DB, im *ocr.Importer, server *remote.Server, after After, every time.Duration, log *slog.Logger) *BankFolder {
	return &BankFolder{db: db, importer: im, server: server, after: after, every: every, log: log, pause: pause}
}

// pause waits for the time that a complete file must be unchanged.
func pause(ctx context.Context) error {
	timer := time.NewTimer(completeAfter)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Name returns the folder's URL, without any secret.
func (b *BankFolder) Name() string { return b.server.String() }

// Due returns when the next poll is due, zero if there was none yet.
func (b *BankFolder) Due(ctx context.Context) (time.Time, error) {
	folders, err := b.db.BankFolders(ctx)
	if err != nil {
		return time.Time{}, err
	}
	return folders[b.Name()].Due(b.db.Now(), b.every), nil
}

const (
	// leaseTime is how long a lease on the folder lasts. The poll renews it every leaseRenewed. Two polls at once cost
	// time but do no harm.
	leaseTime    = models.BankLease
	leaseRenewed = 20 * time.Second
	// growingPause is the pause after a poll that found a file still being written.
	growingPause = time.Minute
	// longUnreachable is how long polls must fail before an event tells the creditors.
	longUnreachable = 24 * time.Hour
	// longFailures is how many polls must have failed besides: a machine that slept has tried once.
	longFailures = 3
	// recordTimeout is how long the recording of a poll's result may take, even while the program stops.
	recordTimeout = 10 * time.Second
)

// ErrPolling is the error of a poll that does not start because another poll goes on.
var ErrPolling = models.Conflict("fetching", "another process is polling the bank's folder at this moment; try again shortly")

var errNotDue = errors.New("the bank's folder is not to be polled yet")

// PollIfDue polls the folder. It does nothing if the next poll is not due or another poll goes on.
func (b *BankFolder) PollIfDue(ctx context.Context) error {
	check, err := b.lease(ctx, false)
	if errors.Is(err, ErrPolling) || errors.Is(err, errNotDue) || errors.Is(err, store.ErrHeld) {
		return nil
	}
	if err != nil {
		return err
	}
	_, _, err = b.poll(ctx, check)
	return err
}

// Poll imports the new files of the folder now. It returns the result and the files, the oldest first. It fails with
// ErrPolling if another poll goes on. If the bank cannot be reached, the result says so, and Poll returns no error.
func (b *BankFolder) Poll(ctx context.Context) (models.BankPoll, []models.PaymentFile, error) {
	check, err := b.lease(ctx, true)
	if err != nil {
		return models.BankPoll{}, nil, err
	}
	return b.poll(ctx, check)
}

// update locks the folder's row, changes it and writes it. Nothing is written if change fails.
func (b *BankFolder) update(ctx context.Context, change func(ctx context.Context, tx *store.Tx, folder *models.BankFolder) error) error {
	return b.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		folder, err := tx.LockBankFolder(ctx, b.Name())
		if err != nil {
			return err
		}
		if err := change(ctx, tx, &folder); err != nil {
			return err
		}
		return tx.UpdateBankFolder(ctx, folder)
	})
}

// lease takes the lease on the folder and records the beginning of a poll. It fails with ErrPolling if another process
// has the lease. It fails with errNotDue if the poll is not due, unless now is set, and with store.ErrHeld while the
// installation is held.
func (b *BankFolder) lease(ctx context.Context, now bool) (models.BankPoll, error) {
	var check models.BankPoll
	err := b.update(ctx, func(ctx context.Context, tx *store.Tx, folder *models.BankFolder) error {
		if err := tx.RefuseIfHeld(ctx); err != nil {
			return err
		}
		switch {
		case folder.Leased(tx.Now):
			return ErrPolling
		case !now && folder.Due(tx.Now, b.every).After(tx.Now):
			return errNotDue
		}
		until := tx.Now.Add(leaseTime)
		folder.LeasedUntil = &until
		check = models.BankPoll{Remote: b.Name()}
		return tx.BeginBankPoll(ctx, &check)
	})
	return check, err
}

// keepLease renews the lease until stop is called.
func (b *BankFolder) keepLease(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var renewing sync.WaitGroup
	renewing.Go(func() {
		tick := time.NewTicker(leaseRenewed)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				err := b.update(ctx, func(_ context.Context, tx *store.Tx, folder *models.BankFolder) error {
					until := tx.Now.Add(leaseTime)
					folder.LeasedUntil = &until
					return nil
				})
				if err != nil && ctx.Err() == nil {
					b.log.Warn("the lease on the bank's folder could not be renewed", "folder", b.Name(), "error", err)
				}
			case <-ctx.Done():
				return
			}
		}
	})
	return func() {
		cancel()
		renewing.Wait()
	}
}

// poll polls the leased folder and records the result.
func (b *BankFolder) poll(ctx context.Context, check models.BankPoll) (models.BankPoll, []models.PaymentFile, error) {
	p := poll{BankFolder: b}
	stop := b.keepLease(ctx)
	failure := p.run(ctx)
	stop()
	stopped := ctx.Err()
	check.Found, check.Files, check.OK = p.found, len(p.taken), failure == nil && stopped == nil
	switch {
	case stopped != nil:
		check.Failure = "stopped: " + stopped.Error()
	case failure != nil:
		const most = 10_000 // bytes; the database keeps no more
		check.Failure = asText(failure.Error()[:min(len(failure.Error()), most)])
	}
	recording, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTimeout)
	defer cancel()
	var recorded models.BankFolder
	err := b.update(recording, func(_ context.Context, tx *store.Tx, folder *models.BankFolder) error {
		folder.LeasedUntil = nil
		if stopped == nil { // if the program stops, the folder stays due for the next process
			b.setNext(folder, p, failure, check.StartedAt, tx.Now)
		}
		check.EndedAt = &tx.Now
		if err := tellCreditors(recording, tx, folder, check); err != nil {
			return err
		}
		recorded = *folder
		return tx.UpdateBankPoll(recording, check)
	})
	switch {
	case err != nil || stopped != nil:
		return check, p.taken, errors.Join(stopped, err)
	case failure != nil:
		b.log.Warn("polling the bank's folder failed and will be tried again",
			"folder", b.Name(), "failures", recorded.Failures, "since", *recorded.FailingSince, "next", recorded.NextPoll, "error", failure)
	case check.Found > 0:
		b.log.Info("files came from the bank's folder", "folder", b.Name(), "found", check.Found, "imported", check.Files)
	}
	return check, p.taken, nil
}

// setNext sets when the next poll is due. If the bank is away, the pauses grow with each failure. If the bank refuses
// the login, the pause is the usual one: too many tries could lock us out.
func (b *BankFolder) setNext(folder *models.BankFolder, p poll, failure error, started, now time.Time) {
	pause := b.every
	if failure == nil {
		if p.growing {
			pause = min(pause, growingPause)
		}
		folder.Failures, folder.FailingSince, folder.Told, folder.LastSuccess = 0, nil, false, &started
		folder.NextPoll = now.Add(pause)
		return
	}
	folder.Failures++
	if folder.FailingSince == nil {
		folder.FailingSince = &started
	}
	if models.KindOf(failure) == models.KindUnavailable {
		pause = min(b.every, models.RetryPause(folder.Failures))
	}
	folder.NextPoll = now.Add(pause)
}

// tellCreditors writes one event for each creditor, once, after the bank's folder was unreachable for long.
func tellCreditors(ctx context.Context, tx *store.Tx, folder *models.BankFolder, check models.BankPoll) error {
	if folder.Failures < longFailures || folder.Told || tx.Now.Before(folder.FailingSince.Add(longUnreachable)) {
		return nil
	}
	folder.Told = true
	zones, err := tx.ZoneOfEach(ctx)
	if err != nil {
		return err
	}
	events := make([]models.Event, 0, len(zones))
	for _, id := range slices.Sorted(maps.Keys(zones)) {
		since := folder.FailingSince.In(models.Creditor{TimeZone: zones[id]}.DisplayZone()).Format("2006-01-02 15:04")
		events = append(events, models.Event{
			CreditorID: id, Type: models.EventBankUnreachable, SubjectID: folder.ID,
			Text:  fmt.Sprintf("No files could be fetched from %s since %s: %s", folder.Remote, since, check.Failure),
			Facts: models.Facts{"remote": folder.Remote, "since": since, "failure": check.Failure},
		})
	}
	return tx.Log(ctx, events...)
}

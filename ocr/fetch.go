package ocr

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"purr/models"
	"purr/remote"
	"purr/store"
)

// After says what becomes of a file at the bank once it is fetched.
type After string

// What becomes of a fetched file.
const (
	AfterLeave  After = "leave"  // it stays as it is
	AfterMove   After = "move"   // it is moved to the folder "fetched" beside it
	AfterDelete After = "delete" // it is deleted
)

// Fetcher fetches payment files from a folder at the bank by SFTP. It is safe for concurrent use, also by several
// processes, of which one at a time looks into the folder.
type Fetcher struct {
	db       *store.DB
	importer *Importer
	server   *remote.Server
	after    After
	every    time.Duration
	log      *slog.Logger
	pause    func(context.Context) error // between two looks at a file that may still be growing
}

// NewFetcher returns what fetches files from the server's folder, each time that a duration has passed.
func NewFetcher(im *Importer, server *remote.Server, after After, every time.Duration) *Fetcher {
	return &Fetcher{db: im.db, importer: im, server: server, after: after, every: every, log: im.log, pause: settle}
}

// settle waits as long as a file's size must not have changed.
func settle(ctx context.Context) error {
	timer := time.NewTimer(completeAfter)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Remote returns the folder's URL, without any secret.
func (f *Fetcher) Remote() string { return f.server.String() }

// Due returns the moment from which on the folder is to be looked into, zero where it never was.
func (f *Fetcher) Due(ctx context.Context) (time.Time, error) {
	folders, err := f.db.BankFolders(ctx)
	return folders[f.Remote()].Due(), err
}

const (
	// fetchLease is for how long the folder is nobody else's once it is claimed, or claimed again, which whoever looks
	// into it does every leaseKept. If two should look into it at once, that costs time and does no harm.
	fetchLease = time.Minute
	leaseKept  = 20 * time.Second
	// growingPause is when a folder is looked into again in which a file was still being written.
	growingPause = time.Minute
	// longUnreachable is for how long looking must have failed for the creditors to be told.
	longUnreachable = 24 * time.Hour
	// noteWithin is how long it may take to note how a look went, also when the program is being stopped.
	noteWithin = 10 * time.Second
)

// ErrFetching is the error of a look into the folder that is not begun because another goes on.
var ErrFetching = models.Conflict("fetching", "another process is looking into the bank's folder at this moment; try again shortly")

// FetchDue looks into the folder, and imports what is new there, unless it is too early or somebody else does.
func (f *Fetcher) FetchDue(ctx context.Context) error {
	check, claimed, err := f.claim(ctx, false)
	if err != nil || !claimed {
		return err
	}
	_, _, err = f.fetch(ctx, check)
	return err
}

// Fetch looks into the folder now, and returns how that went and the files that it took, oldest first. It fails with
// ErrFetching where somebody else looks into it. That the bank is away is no error of Fetch: the check says so.
func (f *Fetcher) Fetch(ctx context.Context) (models.BankCheck, []models.PaymentFile, error) {
	check, claimed, err := f.claim(ctx, true)
	if err == nil && !claimed {
		err = ErrFetching
	}
	if err != nil {
		return check, nil, err
	}
	return f.fetch(ctx, check)
}

// claim takes the folder, and reports false where somebody else has it or, unless it is wanted now, it is too early.
func (f *Fetcher) claim(ctx context.Context, now bool) (check models.BankCheck, claimed bool, err error) {
	err = f.db.InTx(ctx, func(tx *store.Tx) error {
		folder, err := tx.LockBankFolder(ctx, f.Remote())
		claimed = err == nil && !folder.Claimed(tx.Now) && (now || !folder.NextCheck.After(tx.Now))
		if !claimed {
			return err
		}
		until := tx.Now.Add(fetchLease)
		folder.ClaimedUntil = &until
		if err := tx.UpdateBankFolder(ctx, folder); err != nil {
			return err
		}
		check = models.BankCheck{Remote: f.Remote()}
		return tx.BeginBankCheck(ctx, &check)
	})
	return check, claimed, err
}

// hold keeps the folder claimed until stop is called.
func (f *Fetcher) hold(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var holding sync.WaitGroup
	holding.Go(func() {
		tick := time.NewTicker(leaseKept)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				if err := f.claimAgain(ctx); err != nil && ctx.Err() == nil {
					f.log.Warn("the bank's folder could not be claimed again", "folder", f.Remote(), "error", err)
				}
			case <-ctx.Done():
				return
			}
		}
	})
	return func() {
		cancel()
		holding.Wait()
	}
}

func (f *Fetcher) claimAgain(ctx context.Context) error {
	return f.db.InTx(ctx, func(tx *store.Tx) error {
		folder, err := tx.LockBankFolder(ctx, f.Remote())
		if err != nil {
			return err
		}
		until := tx.Now.Add(fetchLease)
		folder.ClaimedUntil = &until
		return tx.UpdateBankFolder(ctx, folder)
	})
}

// fetch looks into the claimed folder and notes how that went.
func (f *Fetcher) fetch(ctx context.Context, check models.BankCheck) (models.BankCheck, []models.PaymentFile, error) {
	v := visit{Fetcher: f}
	release := f.hold(ctx)
	failure := v.look(ctx)
	release()
	check.Found, check.Files = v.found, len(v.taken)
	ended, cancel := context.WithTimeout(context.WithoutCancel(ctx), noteWithin)
	defer cancel()
	if ctx.Err() != nil {
		check.Failure = "stopped: " + ctx.Err().Error()
		return check, v.taken, errors.Join(ctx.Err(), f.note(ended, &check, f.stopped))
	}
	if failure != nil {
		check.Failure = shortened(failure.Error())
		return check, v.taken, f.note(ended, &check, func(folder *models.BankFolder, now time.Time) { f.failed(folder, check, failure, now) })
	}
	check.OK = true
	return check, v.taken, f.note(ended, &check, func(folder *models.BankFolder, now time.Time) { f.succeeded(folder, check, v.growing, now) })
}

// shortened returns as much of a text as the database keeps.
func shortened(text string) string {
	const most = 10_000 // bytes
	return printable(text[:min(len(text), most)])
}

// note keeps how a check went, and lets go of the folder.
func (f *Fetcher) note(ctx context.Context, check *models.BankCheck, change func(folder *models.BankFolder, now time.Time)) error {
	return f.db.InTx(ctx, func(tx *store.Tx) error {
		folder, err := tx.LockBankFolder(ctx, f.Remote())
		if err != nil {
			return err
		}
		folder.ClaimedUntil = nil
		change(&folder, tx.Now)
		if folder.Failures > 0 && !folder.Told && !tx.Now.Before(folder.FailingSince.Add(longUnreachable)) {
			folder.Told = true
			if err := f.tell(ctx, tx, folder, *check); err != nil {
				return err
			}
		}
		if err := tx.UpdateBankFolder(ctx, folder); err != nil {
			return err
		}
		check.EndedAt = &tx.Now
		return tx.UpdateBankCheck(ctx, *check)
	})
}

// stopped leaves a folder as it was found: whoever runs next looks into it at once.
func (f *Fetcher) stopped(*models.BankFolder, time.Time) {}

func (f *Fetcher) succeeded(folder *models.BankFolder, check models.BankCheck, growing bool, now time.Time) {
	folder.Failures, folder.FailingSince, folder.Told = 0, nil, false
	folder.LastSuccess = &check.StartedAt
	folder.NextCheck = now.Add(f.every)
	if growing {
		folder.NextCheck = now.Add(min(f.every, growingPause))
	}
	if check.Found > 0 {
		f.log.Info("files were fetched from the bank", "folder", folder.Remote, "found", check.Found, "taken", check.Files)
	}
}

// failed has a bank that is away tried again with growing pauses. One that refuses is not pressed: it may shut us out.
func (f *Fetcher) failed(folder *models.BankFolder, check models.BankCheck, failure error, now time.Time) {
	folder.Failures++
	if folder.FailingSince == nil {
		folder.FailingSince = &check.StartedAt
	}
	pause := f.every
	if models.KindOf(failure) == models.KindUnavailable {
		pause = min(pause, models.RetryPause(folder.Failures))
	}
	folder.NextCheck = now.Add(pause)
	f.log.Warn("looking into the bank's folder failed and will be tried again",
		"folder", folder.Remote, "failures", folder.Failures, "since", *folder.FailingSince, "next", folder.NextCheck, "error", failure)
}

// tell tells all creditors that the bank has been away for long.
func (f *Fetcher) tell(ctx context.Context, tx *store.Tx, folder models.BankFolder, check models.BankCheck) error {
	creditors, err := tx.Creditors(ctx)
	if err != nil {
		return err
	}
	for _, c := range creditors {
		zone, err := c.Location()
		if err != nil {
			return err
		}
		event := models.Event{
			CreditorID: c.ID, Type: models.EventBankUnreachable, SubjectID: folder.ID,
			Text: fmt.Sprintf("No files could be fetched from %s since %s: %s", folder.Remote, folder.FailingSince.In(zone).Format("2006-01-02 15:04"), check.Failure),
		}
		if err := tx.Log(ctx, event); err != nil {
			return err
		}
	}
	return nil
}

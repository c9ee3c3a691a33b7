package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"purr/internal/clock"
	"purr/models"
)

// fullFor is how long the database counts as full after a transaction found no room. The small row of Probe may fit where
// others do not.
const fullFor = 15 * time.Second

// noRoom is when and why the disk of the database took nothing.
type noRoom struct {
	at  time.Time
	why error
}

// noteFull remembers when a transaction could not write to the disk.
func (db *DB) noteFull(err error) {
	if err != nil && isFull(err) {
		db.full.Store(&noRoom{clock.System{}.Now(), db.diskTrouble(err)})
	}
}

// diskTrouble says what is wrong with the disk of the database, as far as it is known: it is full, read-only (rule D114), or fails.
// SQLite hardly tells them apart, so the disk is asked; MySQL repeats what its system told.
func (db *DB) diskTrouble(err error) error {
	cause := serverErrno(err)
	if code, is := sqliteCode(err); is && code&sqlitePrimary == sqliteFull {
		cause = syscall.ENOSPC
	}
	if db.file != "" && cause == nil {
		cause = diskSays(db.file)
	}
	switch {
	case cause == nil:
		return errors.New("its disk fails")
	case errors.Is(cause, syscall.EROFS):
		return errors.New("its disk is read-only")
	case errors.Is(cause, syscall.ENOSPC), errors.Is(cause, syscall.EDQUOT):
		return errors.New("its disk is full")
	}
	return fmt.Errorf("its disk fails: %w", cause)
}

// diskSays returns what the system says of writing to a file and beside it, where SQLite keeps its log; nil if it is possible.
func diskSays(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err == nil {
		err = file.Close()
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	trial, err := os.CreateTemp(filepath.Dir(path), ".trial-*")
	if err != nil {
		return err
	}
	_, err = trial.Write(make([]byte, 8<<10)) // an empty file needs no room
	return errors.Join(err, trial.Sync(), trial.Close(), os.Remove(trial.Name()))
}

// Probe writes a small row, and fails if the database cannot keep it: it does not answer, it or its disk is read-only, its disk is
// full or was a moment ago (rule O6).
func (db *DB) Probe(ctx context.Context) error {
	if last := db.full.Load(); last != nil && (clock.System{}).Now().Sub(last.at) < fullFor {
		return models.Unavailable("the database", last.why)
	}
	return db.InTx(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.SetSetting(ctx, "readyz", tx.Now.UTC().Format(time.RFC3339))
	})
}

// ClockAhead returns by how much the clock of this machine is ahead of the database's, negative if it is behind (rule O16).
// An SQLite file has the clock of this machine.
func (db *DB) ClockAhead(ctx context.Context) (time.Duration, error) {
	if db.dialect == dialectSQLite {
		return 0, nil
	}
	asked := clock.System{}.Now()
	var theirs time.Time
	err := db.View(ctx, func(v View) (err error) {
		theirs, err = scan[time.Time](v.with(ctx).Raw("SELECT " + serverTime))
		return err
	})
	if err != nil {
		return 0, err
	}
	answered := clock.System{}.Now()
	return asked.Add(answered.Sub(asked) / 2).Sub(theirs), nil
}

// Age asks since when the oldest of some rows has been owed.
type Age struct {
	Name, table, column string // the column says since when a row is owed
	where               string
	args                []any
}

// The ages that are told of (rule O6).
var (
	ShipmentAge = Age{"shipment", "shipments", "created_at", "state = ? AND held_for = 0", anyOf(models.ShipmentOwed)}
	HandOverAge = Age{"hand_over", "hand_overs", "created_at", "state IN (?, ?)", anyOf(owedHandOvers...)}
	FileAge     = Age{"payment_file", "payment_files", "received_at", "state IN (?, ?)", anyOf(underWay...)}
	DeliveryAge = Age{"webhook_delivery", "webhook_deliveries", "created_at", "state = ?", anyOf(models.DeliveryPending)}
	RunAge      = Age{"run", "runs", "started_at", "state = ?", anyOf(models.RunStarted)}
)

// OldestOwed returns since when the oldest of the rows of each age has been owed, by the age's name. The time is zero if none is owed.
func (r reads) OldestOwed(ctx context.Context, ages ...Age) (map[string]time.Time, error) {
	oldest := map[string]time.Time{}
	for _, a := range ages {
		first := r.with(ctx).Table(a.table).Select("MIN(id)").Where(a.where, a.args...) // the index of states has the IDs
		since, err := scan[[]time.Time](r.with(ctx).Table(a.table).Select(a.column).Where("id = (?)", first))
		if err != nil {
			return nil, err
		}
		if oldest[a.Name] = (time.Time{}); len(since) > 0 {
			oldest[a.Name] = since[0]
		}
	}
	return oldest, nil
}

// LastRuns returns when the latest finished run of each kind began.
func (r reads) LastRuns(ctx context.Context) (map[models.RunKind]time.Time, error) {
	last := make(map[models.RunKind]time.Time)
	for _, kind := range []models.RunKind{models.RunStatus, models.RunVerify, models.RunDunning} {
		run, found, err := readFirst[models.Run](r.with(ctx).Where("kind = ? AND state = ?", kind, models.RunDone).Order("id DESC"))
		if err != nil {
			return nil, err
		}
		if found {
			last[kind] = run.StartedAt
		}
	}
	return last, nil
}

// LastBankFile returns when the latest payment file came, and false if none ever did.
func (r reads) LastBankFile(ctx context.Context) (time.Time, bool, error) {
	file, found, err := readFirst[models.PaymentFile](r.with(ctx).Where("state = ?", models.FileImported).Order("id DESC"))
	if err != nil {
		return time.Time{}, false, err
	}
	return file.ReceivedAt, found, nil
}

// CountShipments counts the shipments by state. It reads the whole index: do not ask often.
func (r reads) CountShipments(ctx context.Context) (map[models.ShipmentState]int64, error) {
	return countStates(r.with(ctx).Model(&models.Shipment{}))
}

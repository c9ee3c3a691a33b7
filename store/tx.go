package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"purr/internal/tracing"
	"purr/models"
)

// Tx is a transaction under way. All writing methods are on it. Reads on it see its own writes.
type Tx struct {
	reads
	// Now is the moment of the transaction. It is read once, so that everything written has the same time.
	Now time.Time
	// Common is the same moment by the clock that all machines share: the database's (rule O16). What several machines
	// compare, such as when a shipment is due, is in common time. On SQLite and with a test clock it is Now.
	Common time.Time

	sellers     *knownSellers
	sellersMade map[sellerKey]int64 // by this transaction
}

// attempts is how often a transaction is tried before its error is returned. Each pause between attempts is twice as
// long as the one before.
const (
	attempts   = 8
	firstPause = 5 * time.Millisecond
)

// InTx runs do in a transaction and commits when do returns nil. When the database asks for it (a deadlock, a lock
// time-out, a certification failure at commit), InTx rolls back and runs do again; so it does, once, when the connection
// is lost before the commit. So do must change nothing outside the transaction. A panic in do rolls back and continues.
// Transactions do not nest. With all its attempts, a transaction ends within 20 seconds, with models.KindUnavailable if it
// had to be given up (rule O7): the context that do is given ends with that time, so its statements are asked under it.
func (db *DB) InTx(ctx context.Context, do func(ctx context.Context, tx *Tx) error) error {
	ctx, span := tracing.Step(ctx, "transaction")
	err := db.inTx(ctx, do)
	span.End(err)
	return err
}

func (db *DB) inTx(ctx context.Context, do func(ctx context.Context, tx *Tx) error) error {
	if db.limit == 0 {
		return db.repeat(ctx, do)
	}
	limited, cancel := context.WithTimeout(ctx, db.limit)
	defer cancel()
	err := db.repeat(limited, do)
	if err != nil && limited.Err() != nil && ctx.Err() == nil && models.KindOf(err) == models.KindInternal {
		return models.Unavailable("the database", fmt.Errorf("gave up after %s: %w", db.limit, err))
	}
	return err
}

// repeat runs a transaction until it succeeds, or fails for another reason than the others that run.
func (db *DB) repeat(ctx context.Context, do func(ctx context.Context, tx *Tx) error) error {
	for attempt := 1; ; attempt++ {
		committing, err := db.once(ctx, do)
		db.noteFull(err)
		if !isTransient(err) && (committing || attempt > 1 || !isLost(err)) {
			return classify(err, "")
		}
		if attempt == attempts {
			return models.Unavailable("the database", fmt.Errorf("gave up after %d attempts: %w", attempts, err))
		}
		if stopped := pause(ctx, firstPause<<(attempt-1)); stopped != nil {
			return fmt.Errorf("%w after %d attempts: %w", stopped, attempt, err)
		}
	}
}

// once tries a transaction once. It reports whether it came to the commit: then a lost connection leaves open whether the
// server has committed.
func (db *DB) once(ctx context.Context, do func(ctx context.Context, tx *Tx) error) (committing bool, err error) {
	g := db.writer.WithContext(ctx).Begin()
	if g.Error != nil {
		return false, g.Error
	}
	done := false
	defer func() {
		if !done { // do panicked or failed
			_ = g.Rollback()
		}
	}()
	if err := do(ctx, db.tx(g)); err != nil {
		return false, err
	}
	if err := db.mayCommit(ctx, reads{db: g}); err != nil {
		return false, err
	}
	done = true
	err = g.Commit().Error
	if errors.Is(err, sql.ErrTxDone) { // the end of the context has already rolled back
		err = ctx.Err()
	}
	return true, err
}

func (db *DB) tx(g *gorm.DB) *Tx {
	now := db.clock.Now()
	return &Tx{reads: reads{db: g}, Now: now, Common: db.common(now), sellers: db.sellers}
}

// Common returns the moment by the clock that all machines share (see Tx.Common).
func (db *DB) Common() time.Time { return db.common(db.clock.Now()) }

func (db *DB) common(now time.Time) time.Time {
	if db.lead == nil {
		return now
	}
	return now.Add(time.Duration(db.lead.Load()))
}

// pause waits, and returns early with the context's error.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// forUpdate locks the rows that the query finds until the transaction ends. SQLite needs no lock: there a writing
// transaction is alone from its beginning.
func forUpdate(g *gorm.DB) *gorm.DB { return g.Clauses(clause.Locking{Strength: "UPDATE"}) }

// View is the database as it was at one moment. Its queries agree with each other: a balance with its entries, a
// status with its notices (rules D26, D33).
type View struct{ reads }

// View calls read with a view of the database as it is at read's first query.
func (db *DB) View(ctx context.Context, read func(v View) error) error {
	tx, err := db.db.Statement.ConnPool.(gorm.TxBeginner).BeginTx(ctx, nil) //nolint:errcheck // a pool begins transactions
	if err != nil {
		return classify(err, "")
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	return read(View{reads{db: db.db, view: tx, prepared: db.prepared}})
}

// View returns what the transaction sees, its own writes included.
func (tx *Tx) View() View { return View{tx.reads} }

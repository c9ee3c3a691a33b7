package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"purr/models"
)

// Tx is a transaction under way. All writing methods are on it. Reads on it see its own writes.
type Tx struct {
	reads
	// Now is the moment of the transaction: read once, so that all it writes bears the same time.
	Now time.Time
}

// attempts is how often a transaction is begun before its error is given back. Each pause between two is
// twice as long as the one before.
const (
	attempts   = 8
	firstPause = 5 * time.Millisecond
)

// InTx runs do in a transaction and commits when it returns nil. When the database asks for it (a
// deadlock, a lock time-out, a certification failure at commit) everything is rolled back and do runs
// again, so do must change nothing outside the transaction. A panic in do rolls back and goes on.
// Transactions do not nest.
func (db *DB) InTx(ctx context.Context, do func(tx *Tx) error) error {
	for attempt := 1; ; attempt++ {
		err := db.once(ctx, do)
		if !isTransient(err) {
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

func (db *DB) once(ctx context.Context, do func(tx *Tx) error) error {
	g := db.writer.WithContext(ctx).Begin()
	if g.Error != nil {
		return g.Error
	}
	done := false
	defer func() {
		if !done { // do panicked or failed
			_ = g.Rollback()
		}
	}()
	if err := do(&Tx{reads{g}, db.clock.Now()}); err != nil {
		return err
	}
	done = true
	if err := g.Commit().Error; err != nil {
		// A connection that broke at commit leaves open whether it happened. Rolling back is harmless.
		_ = g.Rollback()
		if errors.Is(err, sql.ErrTxDone) { // the end of the context has rolled back already
			return ctx.Err()
		}
		return err
	}
	return nil
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

// insert writes new rows: a pointer to one, or to a slice of them.
func (tx *Tx) insert(ctx context.Context, rows any) error {
	return classify(tx.with(ctx).Create(rows).Error, "")
}

// insertIgnoring writes a row unless one with its key exists, and reports whether it wrote it.
func (tx *Tx) insertIgnoring(ctx context.Context, row any) (bool, error) {
	err := tx.insert(ctx, row)
	if errors.Is(err, ErrDuplicate) {
		return false, nil
	}
	return err == nil, err
}

// forUpdate locks what the query finds until the transaction ends. SQLite, where a writing transaction
// is alone from its beginning, needs no lock.
func forUpdate(g *gorm.DB) *gorm.DB { return g.Clauses(clause.Locking{Strength: "UPDATE"}) }

// update sets the named columns of the row that the conditions find.
func (tx *Tx) update(ctx context.Context, model any, columns map[string]any, where string, args ...any) error {
	return classify(tx.with(ctx).Model(model).Where(where, args...).UpdateColumns(columns).Error, "")
}

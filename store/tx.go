package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"time"

	mysqldriver "github.com/go-sql-driver/mysql"
	"gorm.io/gorm"
	"gorm.io/gorm/callbacks"
	"gorm.io/gorm/clause"

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
// had to be given up (rule O7).
func (db *DB) InTx(ctx context.Context, do func(tx *Tx) error) error {
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
func (db *DB) repeat(ctx context.Context, do func(tx *Tx) error) error {
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
func (db *DB) once(ctx context.Context, do func(tx *Tx) error) (committing bool, err error) {
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
	if err := do(db.tx(ctx, g)); err != nil {
		return false, err
	}
	done = true
	err = g.Commit().Error
	if errors.Is(err, sql.ErrTxDone) { // the end of the context has already rolled back
		err = ctx.Err()
	}
	return true, err
}

func (db *DB) tx(ctx context.Context, g *gorm.DB) *Tx {
	now := db.clock.Now()
	return &Tx{reads{db: g, limited: ctx}, now, db.common(now)}
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

// insert writes new rows, a pointer to one or to a slice of them, and sets their IDs.
//
// The IDs of one INSERT do not count up by one everywhere: a server of a cluster gives every third or so
// (auto_increment_increment), and the step changes when a server joins or leaves, even within a session. So gorm lets an
// INSERT of several rows return the IDs that it gave (MariaDB since 10.5, SQLite). MySQL cannot: see insertInSteps.
func (tx *Tx) insert(ctx context.Context, rows any) error {
	g := tx.with(ctx)
	many := reflect.Indirect(reflect.ValueOf(rows))
	if slices.Contains(g.Callback().Create().Clauses, returning) || many.Kind() != reflect.Slice || many.Len() < 2 {
		return classify(g.Create(rows).Error, "")
	}
	return classify(insertInSteps(ctx, g, rows, many), "")
}

// add writes new rows as insert does, but leaves their IDs undefined: nobody needs them.
func (tx *Tx) add(ctx context.Context, rows any) error {
	return classify(tx.with(ctx).Set(withoutIDs, true).Create(rows).Error, "")
}

// withoutIDs is the setting of a statement that need not tell the IDs of the rows that it inserts.
const withoutIDs = "purr:without_ids"

// returning is the clause by which an INSERT returns the IDs that it gave.
const returning = "RETURNING"

// insertPlainly has a pool insert without RETURNING where the answer to any INSERT says enough: a single row, whose ID it tells,
// and rows whose IDs nobody needs. It takes a third of the time off such a statement.
func insertPlainly(db *gorm.DB) error {
	on := db.Callback().Create()
	create := on.Get("gorm:create")
	plainly := callbacks.Create(&callbacks.Config{CreateClauses: slices.DeleteFunc(slices.Clone(on.Clauses), func(c string) bool { return c == returning })})
	return on.Replace("gorm:create", func(g *gorm.DB) {
		_, unneeded := g.Get(withoutIDs)
		_, updates := g.Statement.Clauses["ON CONFLICT"]
		rows := g.Statement.ReflectValue
		if unneeded || !updates && (rows.Kind() == reflect.Struct || rows.Kind() == reflect.Slice && rows.Len() == 1) {
			plainly(g)
		} else {
			create(g)
		}
	})
}

// insertInSteps does what insert does where an INSERT tells its first ID alone. MySQL's manual promises ("AUTO_INCREMENT
// Handling in InnoDB") that an INSERT of a known number of rows gets IDs without gaps, in every lock mode and whoever
// else inserts: each is auto_increment_increment above the one before. If the increment is another one after the INSERT
// than before it, the transaction is repeated.
func insertInSteps(ctx context.Context, g *gorm.DB, rows any, many reflect.Value) error {
	parsed := gorm.Statement{DB: g}
	if err := parsed.Parse(rows); err != nil {
		return err
	}
	id := parsed.Schema.PrioritizedPrimaryField
	if id == nil || !id.AutoIncrement {
		return g.Create(rows).Error
	}
	for i := range many.Len() { // of an earlier try
		if err := id.Set(ctx, many.Index(i), 0); err != nil {
			return err
		}
	}
	const ask = "SELECT @@SESSION.auto_increment_increment"
	var before, after int64
	if err := g.Raw(ask).Scan(&before).Error; err != nil {
		return err
	}
	if err := g.Create(rows).Error; err != nil {
		return err
	}
	if err := g.Raw(ask).Scan(&after).Error; err != nil {
		return err
	}
	if before != after {
		return &mysqldriver.MySQLError{Number: mysqlDeadlock, Message: "auto_increment_increment has changed"}
	}
	var first int64
	for i := range many.Len() {
		row, place := many.Index(i), i%g.CreateBatchSize
		if place == 0 {
			first = reflect.Indirect(row).FieldByIndex(id.StructField.Index).Int()
		}
		if err := id.Set(ctx, row, first+int64(place)*after); err != nil {
			return err
		}
	}
	return nil
}

// insertIgnoring writes a row unless there is one with its key. It reports whether it wrote the row.
func (tx *Tx) insertIgnoring(ctx context.Context, row any) (bool, error) {
	err := tx.insert(ctx, row)
	if errors.Is(err, ErrDuplicate) {
		return false, nil
	}
	return err == nil, err
}

// forUpdate locks the rows that the query finds until the transaction ends. SQLite needs no lock: there a writing
// transaction is alone from its beginning.
func forUpdate(g *gorm.DB) *gorm.DB { return g.Clauses(clause.Locking{Strength: "UPDATE"}) }

// update sets the named columns of the rows that meet the conditions.
func (tx *Tx) update(ctx context.Context, model any, columns map[string]any, where string, args ...any) error {
	return classify(tx.with(ctx).Model(model).Where(where, args...).UpdateColumns(columns).Error, "")
}

// View is the database as it was at one moment. Its queries agree with each other: a balance with its entries, a
// status with its notices (rules D26, D33).
type View struct{ reads }

// View calls read with a view of the database as it is at read's first query.
func (db *DB) View(ctx context.Context, read func(v View) error) error {
	g := db.with(ctx).Begin()
	if g.Error != nil {
		return classify(g.Error, "")
	}
	defer func() { _ = g.Rollback() }() // nothing was written
	return read(View{reads{db: g, prepared: db.prepared}})
}

// View returns what the transaction sees, its own writes included.
func (tx *Tx) View() View { return View{tx.reads} }

package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"purr/internal/clock"
	"purr/models"
)

// The schema of a program is the number of its newest migration, N. It works on the schemas N and N + 1 (rule K3a): whoever runs the
// migrations of the next release may do so before the programs are replaced. The gate is a row that says below which schema a program
// must write nothing any more, because what it needs was taken away. It is read
//
//   - by each new connection to a server,
//   - by each beat of a part, which locks it,
//   - by each transaction, right before it commits, of a process whose last beat is older than gateFresh: a command has none.
//
// So a part commits nothing later than gateFresh after its last beat, and nothing that it decided to commit before it was stopped: a server
// ends a session that writes after silenceLimit. Together that is less than PartLives, and FinishWait is longer than the second alone.
const gateFresh = 20 * time.Second

// FinishWait is how long Finish waits between raising the gate and looking once more: longer than a part's beat, and than a session that
// decided to commit before lives.
const FinishWait = silenceLimit*time.Second + 2*time.Second

// GateError is the error of a program that is older than the gate lets write (rule K3a).
type GateError struct {
	Ours, Gate int64 // schemas
	Passing    bool  // purr migrate --finish only looks yet, and may lower the gate again
}

// Error says what to do.
func (e GateError) Error() string {
	if e.Passing {
		return fmt.Sprintf("purr migrate --finish looks whether programs of schemas before %d still run, and this program's is %d: it writes nothing until that has ended; if that was broken off, run it again",
			e.Gate, e.Ours)
	}
	return fmt.Sprintf("the upgrade to schema %d was finished, which takes away what programs of schema %d need: install the newer program", e.Gate, e.Ours)
}

// schemaGate is the row of the gate.
type schemaGate struct {
	ID        int64 // 1
	SchemaMin int64 // programs of an earlier schema write nothing
	Raising   int64 // the same while Finish looks, else 0
}

// TableName returns the table's name.
func (schemaGate) TableName() string { return gateTable }

const (
	gateTable = "schema_gate"
	readGate  = "SELECT schema_min, raising FROM schema_gate WHERE id = 1"
)

// lets fails if the gate does not let a program of a schema write.
func (g schemaGate) lets(schema int64) error {
	if at := max(g.SchemaMin, g.Raising); schema < at {
		return GateError{schema, at, schema >= g.SchemaMin}
	}
	return nil
}

// guard holds back the writes of a program that is too old.
type guard struct {
	on   atomic.Bool
	beat atomic.Int64 // clock.Steady when the last beat began that found the gate open; 0 if there was none
}

// Guard lets this process write only where the gate lets it, from now on. The schema must have the gate.
func (db *DB) Guard() { db.guard.on.Store(true) }

// mayCommit fails if the gate does not let the transaction commit.
func (db *DB) mayCommit(ctx context.Context, tx reads) error {
	if !db.guard.on.Load() {
		return nil
	}
	if last := time.Duration(db.guard.beat.Load()); last != 0 && clock.Steady()-last < gateFresh {
		return nil
	}
	var gate schemaGate
	err := tx.conn().QueryRowContext(ctx, readGate).Scan(&gate.SchemaMin, &gate.Raising)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return gate.lets(SchemaVersion())
}

// gateLets fails if the gate does not let this program use the connection. A schema without the gate has none to be kept from.
func gateLets(ctx context.Context, conn driver.QueryerContext) error {
	rows, err := conn.QueryContext(ctx, readGate, nil)
	if n, _ := mysqlNumber(err); n == mysqlNoTable {
		return nil
	}
	if err != nil {
		return err
	}
	values := make([]driver.Value, 2)
	if err = rows.Next(values); errors.Is(err, io.EOF) {
		return rows.Close()
	}
	if err := errors.Join(err, rows.Close()); err != nil {
		return err
	}
	var gate schemaGate
	for i, into := range []*int64{&gate.SchemaMin, &gate.Raising} {
		if _, err := fmt.Sscan(asText(values[i]), into); err != nil {
			return fmt.Errorf("the row of %s: %w", gateTable, err)
		}
	}
	return gate.lets(SchemaVersion())
}

// asText returns a number as a driver gives it: as one, or as its digits.
func asText(value driver.Value) string {
	if digits, is := value.([]byte); is {
		return string(digits)
	}
	return fmt.Sprint(value)
}

// lockGate locks the gate's row, which it makes where there is none, until the transaction ends, and returns the moment by the database's
// own clock: a real one on a simulated clock too.
func (tx *Tx) lockGate(ctx context.Context) (gate schemaGate, now time.Time, err error) {
	for range 2 {
		gate, found, err := readFirst[schemaGate](forUpdate(tx.with(ctx).Where("id = 1")))
		if err != nil {
			return gate, now, err
		}
		if found {
			now, err = tx.wall(ctx)
			return gate, now, err
		}
		if _, err := tx.insertIgnoring(ctx, &schemaGate{ID: 1}); err != nil {
			return gate, now, err
		}
	}
	return gate, now, models.Unavailable("the database", errors.New("the row of "+gateTable+" comes and goes"))
}

func (tx *Tx) setGate(ctx context.Context, gate schemaGate) error {
	return tx.set(ctx, &schemaGate{}, map[string]any{"schema_min": gate.SchemaMin, "raising": gate.Raising}, "id = 1")
}

// wall returns the moment by the database's clock, a real one.
func (tx *Tx) wall(ctx context.Context) (time.Time, error) {
	if dialect(tx.db.Name()) == dialectSQLite {
		return clock.System{}.Now(), nil
	}
	return scan[time.Time](tx.with(ctx).Raw("SELECT " + serverTime))
}

// Wall returns the moment by the database's clock, a real one on a simulated clock too, as parts are seen by.
func (db *DB) Wall() time.Time { return db.common(clock.System{}.Now()) }

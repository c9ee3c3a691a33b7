package store

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// OldPartsError is the error of a migration that parts hold up which live and could not work on after it (rule K3a).
type OldPartsError struct {
	Parts []Part
	Wants int64 // the schema that they are too old for
}

// Error names the parts.
func (e OldPartsError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "parts live that cannot work after this, on schema %d: stop them, or replace them by newer ones, and run it again", e.Wants)
	for _, p := range e.Parts {
		fmt.Fprintf(&b, "\n  part %s: %s on %s, version %s, schema %d to %d, seen %s", p.ID, p.Kind, p.Host, p.Version, p.SchemaMin, p.SchemaMax, p.SeenAt.UTC().Format(time.RFC3339))
	}
	return b.String()
}

// alive returns the parts that live at a moment of the database's clock and meet a condition, the oldest first.
func (r reads) alive(ctx context.Context, now time.Time, where string, schema int64) ([]Part, error) {
	return readAll[Part](r.with(ctx).Where("seen_at > ?", now.Add(-PartLives)).Where(where, schema).Order("started_at, id"))
}

// admit fails if parts live that do not work on the schema that is wanted, and lets none of them begin from now on.
func (db *DB) admit(ctx context.Context, wanted int64) error {
	if db.dialect == dialectSQLite {
		return nil // one process has the file
	}
	tables, err := db.tablesOfSchema(ctx)
	if err != nil || !tables["parts"] {
		return err
	}
	return db.InTx(ctx, func(ctx context.Context, tx *Tx) error {
		var gate schemaGate
		now, err := tx.wall(ctx)
		if tables[gateTable] {
			gate, now, err = tx.lockGate(ctx)
		}
		if err != nil {
			return err
		}
		old, err := tx.alive(ctx, now, "schema_max < ?", wanted)
		if err != nil {
			return err
		}
		if len(old) > 0 {
			return OldPartsError{old, wanted}
		}
		if !tables[gateTable] {
			return nil
		}
		return tx.setGate(ctx, schemaGate{SchemaMin: max(gate.SchemaMin, wanted-1)}) // nobody else is raising it: the migrations are locked
	})
}

// tablesOfSchema returns which of the tables are there that admit asks.
func (db *DB) tablesOfSchema(ctx context.Context) (map[string]bool, error) {
	names, err := scan[[]string](db.with(ctx).Raw("SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name IN ('parts', ?)", gateTable))
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, name := range names {
		there[name] = true
	}
	return there, nil
}

// Finish ends an upgrade (rules K3, K3a): from then on programs of earlier schemas write nothing, and what only they used is taken away. It
// returns how many migrations it has made. It raises the gate first, waits as long as it is told, FinishWait on a server, and looks which
// parts live. If one lives that is older, it lowers the gate, takes nothing away and fails with an OldPartsError. What was cut off goes
// on when it is called again.
func (db *DB) Finish(ctx context.Context, wait time.Duration) (made int, err error) {
	db = db.Patient()
	unlock, err := db.lockMigrations(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	if err := db.CheckSchema(ctx); err != nil && !errors.As(err, new(GateError)) {
		return 0, err
	}
	found, wanted, err := db.versions(ctx)
	if err != nil {
		return 0, err
	}
	if found > wanted {
		return 0, fmt.Errorf("the database's schema is version %d, newer than this program's %d: the newer program finishes its upgrade", found, wanted)
	}
	if err := db.closeGate(ctx, wanted, wait); err != nil {
		return 0, err
	}
	if len(migrationsIn(finish, db.dialect)) == 0 {
		return 0, nil
	}
	provider, end, err := db.migrator(finish, true)
	if err != nil {
		return 0, err
	}
	defer end()
	before, err := provider.GetDBVersion(ctx)
	if err != nil {
		return 0, classify(err, "")
	}
	after, err := upTo(ctx, provider, wanted)
	if err != nil {
		return 0, err
	}
	for _, source := range provider.ListSources() {
		if source.Version > before && source.Version <= after {
			made++
		}
	}
	return made, nil
}

// closeGate lets programs of schemas before the one wanted write nothing any more, unless one of them lives.
func (db *DB) closeGate(ctx context.Context, wanted int64, wait time.Duration) error {
	closed := false
	err := db.moveGate(ctx, wanted, func(gate *schemaGate) {
		if closed = gate.SchemaMin >= wanted; !closed {
			gate.Raising = wanted
		}
	})
	if err != nil || closed {
		return err
	}
	if err := pause(ctx, wait); err != nil { // a part that registers meanwhile meets the gate, and one that did before is seen then
		lower := db.moveGate(context.WithoutCancel(ctx), 0, func(gate *schemaGate) { gate.Raising = 0 })
		return errors.Join(err, lower)
	}
	return db.moveGate(ctx, wanted, func(gate *schemaGate) { gate.SchemaMin, gate.Raising = wanted, 0 })
}

// moveGate moves the gate, unless parts live that are older than a schema: then it lowers the gate, and fails with an OldPartsError.
func (db *DB) moveGate(ctx context.Context, schema int64, move func(gate *schemaGate)) error {
	var old []Part
	err := db.InTx(ctx, func(ctx context.Context, tx *Tx) error {
		gate, now, err := tx.lockGate(ctx)
		if err != nil {
			return err
		}
		if old, err = tx.alive(ctx, now, "schema_min < ?", schema); err != nil {
			return err
		}
		if len(old) > 0 {
			gate.Raising = 0
		} else {
			move(&gate)
		}
		return tx.setGate(ctx, gate)
	})
	if err == nil && len(old) > 0 {
		return OldPartsError{old, schema}
	}
	return err
}

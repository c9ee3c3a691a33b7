package store_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// part returns a part of a schema.
func part(id string, schema int64) *store.Part {
	return &store.Part{ID: id, Kind: "api worker", Host: "a machine", Version: "v1", SchemaMin: schema, SchemaMax: schema + 1}
}

func gateOf(t *testing.T, db *store.DB) (minimum, raising int64) {
	t.Helper()
	must(t, db.Query(t.Context(), &minimum, "SELECT COALESCE(MAX(schema_min), 0) FROM schema_gate"))
	must(t, db.Query(t.Context(), &raising, "SELECT COALESCE(MAX(raising), 0) FROM schema_gate"))
	return minimum, raising
}

// setGate puts the gate where a newer program might.
func setGate(t *testing.T, db *store.DB, minimum, raising int64) {
	t.Helper()
	must(t, db.Exec(t.Context(), "DELETE FROM schema_gate"))
	must(t, db.Exec(t.Context(), "INSERT INTO schema_gate (id, schema_min, raising) VALUES (1, ?, ?)", minimum, raising))
}

// TestK3aAProgramThatIsTooOldWritesNothing: not by the connections that it has, not by new ones, and it says what to do.
func TestK3aAProgramThatIsTooOldWritesNothing(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		other, ours := rows.Open(t, databaseURL), rows.Open(t, databaseURL)
		ours.Guard()
		write := func(word string) error {
			return ours.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) error { return tx.SetSetting(ctx, "word", word) })
		}
		must(t, write("open"))
		next := store.SchemaVersion() + 1
		for _, at := range []struct {
			minimum, raising int64
			passing          bool
		}{{0, next, true}, {next, 0, false}} {
			setGate(t, other, at.minimum, at.raising)
			err := write("closed")
			var gate store.GateError
			if !errors.As(err, &gate) || gate.Passing != at.passing || models.KindOf(err) != models.KindUnavailable {
				t.Errorf("behind the gate %v a write came back as %v", at, err)
			}
			if err := ours.Beat(t.Context(), part("ours", next-1)); !errors.As(err, &gate) {
				t.Errorf("behind the gate %v a beat came back as %v", at, err)
			}
			if word, err := other.Setting(t.Context(), "word"); word != "open" || err != nil {
				t.Errorf("behind the gate %v it wrote %q (%v)", at, word, err)
			}
			err = ours.CheckSchema(t.Context())
			if !errors.As(err, &gate) || !at.passing && !strings.Contains(err.Error(), "install the newer program") {
				t.Errorf("behind the gate %v the schema is %v", at, err)
			}
			if !other.IsSQLite() {
				if _, err := store.Open(databaseURL, clock.NewTest(rows.Start)); !errors.As(err, &gate) {
					t.Errorf("behind the gate %v a new connection came back as %v", at, err)
				}
			}
		}
		setGate(t, other, next-1, 0)
		must(t, write("open again"))
	})
}

// TestK3aFinishNamesWhatHoldsItUp: an older part that lives, and none that has been silent for a minute.
func TestK3aFinishNamesWhatHoldsItUp(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ours := store.SchemaVersion()
		must(t, db.Beat(t.Context(), part("newer", ours)))
		must(t, db.Beat(t.Context(), part("older", ours-1)))
		for _, raising := range []int64{0, ours} { // the second as one that was cut off has left it
			setGate(t, db, 0, raising)
			_, err := db.Finish(t.Context(), 0)
			var old store.OldPartsError
			if !errors.As(err, &old) || len(old.Parts) != 1 || old.Parts[0].ID != "older" {
				t.Fatalf("while an older part lives: %v", err)
			}
			for _, what := range []string{"older", "api worker", "v1", "a machine"} {
				if !strings.Contains(err.Error(), what) {
					t.Errorf("it does not name %q: %v", what, err)
				}
			}
			if minimum, raising := gateOf(t, db); minimum != 0 || raising != 0 {
				t.Errorf("the gate stays at %d, %d", minimum, raising)
			}
		}
		must(t, db.Exec(t.Context(), "UPDATE parts SET seen_at = ? WHERE id = 'older'", db.Wall().Add(-61*time.Second)))
		for range 2 {
			_, err := db.Finish(t.Context(), 0)
			must(t, err)
			if minimum, raising := gateOf(t, db); minimum != ours || raising != 0 {
				t.Errorf("after it the gate is at %d, %d", minimum, raising)
			}
		}
		if err := db.Beat(t.Context(), part("older", ours-1)); !errors.As(err, new(store.GateError)) {
			t.Errorf("after it an older part lives on: %v", err)
		}
		must(t, db.Beat(t.Context(), part("newer", ours)))
	})
}

// TestK3aFinishThatIsBrokenOffLowersTheGate: one that registers while the gate is raised meets it, and finish that is broken off lowers it.
func TestK3aFinishThatIsBrokenOffLowersTheGate(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { _, err := db.Finish(ctx, time.Hour); ended <- err }()
		testkit.Eventually(t, "the gate is raised", func() (bool, any) {
			_, raising := gateOf(t, db)
			return raising == store.SchemaVersion(), raising
		})
		var gate store.GateError
		if err := db.Beat(t.Context(), part("older", store.SchemaVersion()-1)); !errors.As(err, &gate) || !gate.Passing {
			t.Errorf("a part that begins just then: %v", err)
		}
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("broken off it says %v", err)
		}
		if minimum, raising := gateOf(t, db); minimum != 0 || raising != 0 {
			t.Errorf("the gate stays at %d, %d", minimum, raising)
		}
	})
}

// TestK3aMigrateRefusesWhileItWouldBreakAPart: of a schema before the window, with the parts that live there.
func TestK3aMigrateRefusesWhileItWouldBreakAPart(t *testing.T) {
	t.Parallel()
	databaseURL := testkit.MySQL(t)
	db := open(t, databaseURL)
	before := store.SchemaVersion() - 1
	must(t, db.MigrateTo(t.Context(), before))
	must(t, db.Exec(t.Context(), "INSERT INTO parts (id, kind, host, version, schema_min, schema_max, started_at, seen_at) VALUES ('narrow', 'worker', 'h', 'v0', ?, ?, UTC_TIMESTAMP(6), UTC_TIMESTAMP(6))", before, before))
	_, err := db.Migrate(t.Context())
	var old store.OldPartsError
	if !errors.As(err, &old) || !strings.Contains(err.Error(), "narrow") {
		t.Errorf("while a part without a window lives: %v", err)
	}
	must(t, db.Exec(t.Context(), "UPDATE parts SET schema_max = schema_max + 1"))
	version, err := db.Migrate(t.Context())
	if err != nil || version != store.SchemaVersion() {
		t.Errorf("while a part with a window lives: %d, %v", version, err)
	}
}

// TestK3aAMigrationThatWasCutOffIsMadeAgain after each of its statements.
func TestK3aAMigrationThatWasCutOffIsMadeAgain(t *testing.T) {
	t.Parallel()
	for _, statements := range []int{0, 1} {
		db := open(t, testkit.MySQL(t))
		must(t, db.MigrateTo(t.Context(), 81))
		if statements == 1 {
			must(t, db.Exec(t.Context(), "CREATE TABLE schema_gate (id INT NOT NULL PRIMARY KEY, schema_min BIGINT NOT NULL, raising BIGINT NOT NULL)"))
		}
		_, err := db.Migrate(t.Context())
		must(t, err)
		must(t, db.CheckSchema(t.Context()))
	}
}

// TestK3aACopyLeavesTheGateOut: a restore makes a schema from which nothing was taken yet.
func TestK3aACopyLeavesTheGateOut(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		setGate(t, db, 1, 0)
		if _, columns := dumped(t, db); columns["schema_gate"] != nil {
			t.Error("a dump holds the gate")
		}
		empty, err := db.Empty(t.Context())
		if err != nil || !empty {
			t.Errorf("a database with a gate alone is empty: %t, %v", empty, err)
		}
	})
}

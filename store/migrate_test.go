package store_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"purr/internal/clock"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// open opens a database without changing its schema.
func open(t *testing.T, databaseURL string) *store.DB {
	t.Helper()
	db, err := store.Open(databaseURL, clock.NewTest(rows.Start))
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

func TestMigrateR2(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		db := open(t, databaseURL)
		if err := db.CheckSchema(t.Context()); err == nil || !strings.Contains(err.Error(), "run `purr migrate` first") {
			t.Errorf("an empty database: %v", err)
		}
		first, err := db.Migrate(t.Context())
		must(t, err)
		must(t, db.CheckSchema(t.Context()))
		c := rows.Creditor(t, db)
		again, err := db.Migrate(t.Context())
		if err != nil || again != first {
			t.Errorf("the second time: version %d, %v, want %d", again, err, first)
		}
		if _, err := db.Creditor(t.Context(), c.ID); err != nil {
			t.Errorf("the second time lost a creditor: %v", err)
		}
	})
}

func TestMigrateAtOnceR2(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		_ = open(t, databaseURL).CheckSchema(t.Context()) // the table of versions exists, so no process waits for it
		var processes sync.WaitGroup
		for range 4 {
			db := open(t, databaseURL)
			processes.Go(func() {
				if _, err := db.Migrate(t.Context()); err != nil {
					t.Errorf("migrate: %v", err)
				}
				if err := db.CheckSchema(t.Context()); err != nil {
					t.Errorf("after migrating: %v", err)
				}
			})
		}
		processes.Wait()
	})
}

// TestK3aCheckSchemaHasAWindow: a program works on its own schema and the next one, and says of any other what to do.
func TestK3aCheckSchemaHasAWindowR2(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		add := func(version int64) {
			t.Helper()
			must(t, db.Exec(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (?, ?)", version, true))
		}
		ours := store.SchemaVersion()
		add(ours + 1)
		must(t, db.CheckSchema(t.Context()))
		if version, err := db.Migrate(t.Context()); version != ours+1 || err != nil {
			t.Errorf("to migrate the next schema is nothing to do: %d, %v", version, err)
		}
		add(ours + 2)
		err := db.CheckSchema(t.Context())
		if err == nil || !strings.Contains(err.Error(), "newer than this program's") || !strings.Contains(err.Error(), "install the newer program") {
			t.Errorf("a newer schema: %v", err)
		}
		if _, again := db.Migrate(t.Context()); again == nil || again.Error() != err.Error() {
			t.Errorf("to migrate a newer schema: %v", again)
		}
		must(t, db.Exec(t.Context(), "DELETE FROM goose_db_version WHERE version_id >= ?", ours))
		err = db.CheckSchema(t.Context())
		if err == nil || !strings.Contains(err.Error(), "older than this program's") || !strings.Contains(err.Error(), "run `purr migrate` first") {
			t.Errorf("an older schema: %v", err)
		}
	})
}

// TestD102ZonesOfAMachinesFoldersBecomeCanonical runs the migration on creditors as older versions have kept them.
func TestD102ZonesOfAMachinesFoldersBecomeCanonical(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		want := map[int64]string{}
		for from, to := range map[string]string{
			"posix/Europe/Oslo": "Europe/Oslo", "right/America/Argentina/Buenos_Aires": "America/Argentina/Buenos_Aires",
			"right/Asia/Calcutta": "Asia/Kolkata", "posix/UTC": "UTC", "posix/Mars": "posix/Mars", "Local": "Local",
			"Asia/Calcutta": "Asia/Calcutta", "America/New_York": "America/New_York",
		} {
			want[rows.Creditor(t, db, func(c *models.Creditor) { c.TimeZone = from }).ID] = to
		}
		folder := "mysql"
		if db.IsSQLite() {
			folder = "sqlite"
		}
		script, err := os.ReadFile(filepath.Join("migrations", "expand", folder, "0045_zones_and_ibans.sql"))
		must(t, err)
		zones, _, _ := strings.Cut(string(script), ";") // the rest has been run
		must(t, db.Exec(t.Context(), zones))
		for id, zone := range want {
			c, err := db.Creditor(t.Context(), id)
			if err != nil || c.TimeZone != zone {
				t.Errorf("the zone is %s, %v, want %s", c.TimeZone, err, zone)
			}
		}
	})
}

// TestK3aEachTableTakesAColumnAtOnce: a later migration can add a column, and then a key, to any table while others write to it.
func TestK3aEachTableTakesAColumnAtOnce(t *testing.T) {
	t.Parallel()
	databaseURL := testkit.MySQL(t)
	rows.Migrate(t, databaseURL)
	db := open(t, databaseURL)
	for _, table := range tablesOf(t, db) {
		for _, change := range []string{"ADD COLUMN later INT NULL, ALGORITHM=INSTANT", "ADD KEY later (later), ALGORITHM=INPLACE, LOCK=NONE"} {
			if err := db.Exec(t.Context(), "ALTER TABLE "+table+" "+change); err != nil {
				t.Errorf("%s: %s: %v", table, change, err)
			}
		}
	}
}

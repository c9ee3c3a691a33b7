package store

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"time"

	"github.com/pressly/goose/v3"
)

//go:embed migrations
var migrations embed.FS

// The folders of migrations (rule K3a). What is in expand only adds, so programs of the schema before go on working while and after it
// is made. What is in finish takes away what they alone used: see Finish.
const (
	expand = "expand"
	finish = "finish"
)

// lastWithPause is the last schema that programs were upgraded to with a pause. Each release after it has at most one number more than the one
// before, and a migration after it that was cut off can be made again.
const lastWithPause = 81

// Migrate brings the schema up to this program's version and returns the version that it then has (rule R2). A schema that is one
// ahead is left alone (rule K3a). It fails, and changes nothing, if the schema is further ahead, or while parts live that could not
// work on the new one: those are named by the error. Processes that migrate the same database at once wait for each other.
func (db *DB) Migrate(ctx context.Context) (version int64, err error) {
	db = db.Patient() // a change of a large table takes minutes
	unlock, err := db.lockMigrations(ctx)
	if err != nil {
		return 0, err
	}
	defer unlock()
	found, wanted, err := db.versions(ctx)
	if err != nil || found > wanted {
		return found, err
	}
	if found < wanted && found > 0 {
		if err := db.admit(ctx, wanted); err != nil {
			return 0, err
		}
	}
	if version, err = db.migrateUp(ctx, wanted); err != nil {
		return 0, err
	}
	if err := db.reckonRepayments(ctx); err != nil {
		return 0, err
	}
	if err := db.reckonLapses(ctx); err != nil {
		return 0, err
	}
	return version, db.indexWords(ctx)
}

// migrateUp applies the missing migrations.
func (db *DB) migrateUp(ctx context.Context, wanted int64) (version int64, err error) {
	for _, stage := range []struct {
		to    int64
		again bool
	}{{lastWithPause, false}, {wanted, true}} {
		if stage.to > wanted {
			continue
		}
		provider, end, err := db.migrator(expand, stage.again)
		if err != nil {
			return 0, err
		}
		version, err = upTo(ctx, provider, stage.to)
		end()
		if err != nil {
			return 0, err
		}
	}
	return version, nil
}

// upTo applies the migrations of a provider up to a version. SQLite has no lock that outlives a transaction. So a process goes on
// with the next migration if another process has just made this one. A change of a table that others use all the time is tried again.
func upTo(ctx context.Context, provider *goose.Provider, wanted int64) (version int64, err error) {
	for waited := time.Duration(0); ; {
		before, err := provider.GetDBVersion(ctx)
		if err != nil {
			return 0, fmt.Errorf("read the schema's version: %w", classify(err, ""))
		}
		if before >= wanted {
			return before, nil
		}
		_, failure := provider.UpTo(ctx, wanted)
		after, err := provider.GetDBVersion(ctx)
		switch {
		case failure == nil:
			return after, err
		case err == nil && after > before:
		case isTransient(failure) && waited < migratingLimit:
			if err := pause(ctx, tryTableAgain); err != nil {
				return 0, err
			}
			waited += tryTableAgain
		default:
			return 0, fmt.Errorf("migrate the schema: %w", failure)
		}
	}
}

// MigrateTo makes the schema of an earlier version in an empty database, for rows of that version. It fails if this
// program knows no such version.
func (db *DB) MigrateTo(ctx context.Context, version int64) error {
	if wanted := SchemaVersion(); version > wanted {
		return tooNew(version, wanted)
	}
	provider, end, err := db.migrator(expand, false)
	if err != nil {
		return err
	}
	defer end()
	_, err = provider.UpTo(ctx, version)
	return err
}

// CheckSchema fails if this program does not work on the schema: it must be of this program's version, or one ahead, and the gate must be
// open (rule K3a). The error says which of the two is older and what to do (rule R2). It writes nothing.
func (db *DB) CheckSchema(ctx context.Context) error {
	found, wanted, err := db.versions(ctx)
	if err != nil {
		return err
	}
	if found < wanted {
		return fmt.Errorf("the database's schema is version %d, older than this program's %d: run `purr migrate` first", found, wanted)
	}
	gate, _, err := readFirst[schemaGate](db.with(ctx).Where("id = 1"))
	if err != nil {
		return err
	}
	return gate.lets(wanted)
}

// CheckNotNewer fails if the schema is of a program newer than the next one. It writes nothing.
func (db *DB) CheckNotNewer(ctx context.Context) error {
	_, _, err := db.versions(ctx)
	return err
}

// versions returns the version of the schema, 0 if the database holds no table, and this program's. It fails if the first is further ahead
// than one.
func (db *DB) versions(ctx context.Context) (found, wanted int64, err error) {
	wanted = SchemaVersion()
	tables, err := db.tables(ctx)
	if err == nil && len(tables) > 0 { // else the provider would make its own table
		provider, end, failure := db.migrator(expand, false)
		if failure != nil {
			return 0, wanted, failure
		}
		defer end()
		found, err = provider.GetDBVersion(ctx)
		err = classify(err, "")
	}
	switch {
	case err != nil:
		return 0, wanted, fmt.Errorf("read the schema's version: %w", err)
	case found > wanted+1:
		return found, wanted, tooNew(found, wanted)
	}
	return found, wanted, nil
}

func tooNew(found, wanted int64) error {
	return fmt.Errorf("the database's schema is version %d, newer than this program's %d, which works on %d at most: install the newer program", found, wanted, wanted+1)
}

// migrationsIn returns the files of a folder for a database, in their order.
func migrationsIn(folder string, d dialect) (files []string) {
	files, _ = fs.Glob(migrations, path.Join("migrations", folder, string(d), "*.sql")) // fails only for a bad pattern
	if d == dialectTiDB {
		return onTiDB(folder, files, migrationsIn(folder, dialectMySQL))
	}
	slices.Sort(files)
	return files
}

// numberOf returns the number of a migration's file.
func numberOf(file string) (version int64) {
	_, _ = fmt.Sscanf(path.Base(file), "%d_", &version) // goose checks the form of the names
	return version
}

// SchemaVersion returns the version of this program's schema.
func SchemaVersion() int64 {
	return newestMigration
}

var newestMigration = numberOf(slices.Max(migrationsIn(expand, dialectSQLite)))

// migrator returns what applies the migrations of a folder, which must have some. With again, statements that a migration was cut off after may be
// met a second time. end closes what it has opened.
func (db *DB) migrator(folder string, again bool) (provider *goose.Provider, end func(), err error) {
	pool, err := db.writer.DB()
	if err != nil {
		return nil, nil, err
	}
	end = func() {}
	if again && db.dial != nil {
		pool = poolOfMigrations(db.dial)
		end = func() { _ = pool.Close() } // what it has made stands
	}
	table := versionTable
	if folder == finish {
		table = finishTable
	}
	dialects := map[dialect]goose.Dialect{dialectMySQL: goose.DialectMySQL, dialectSQLite: goose.DialectSQLite3, dialectTiDB: goose.DialectTiDB}
	provider, err = goose.NewProvider(dialects[db.dialect], pool, files(migrationsIn(folder, db.dialect)), goose.WithTableName(table))
	if err != nil {
		end()
		return nil, nil, err
	}
	return provider, end, nil
}

package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"
)

// IsSQLite reports whether the database is an SQLite file.
func (db *DB) IsSQLite() bool { return db.dialect == dialectSQLite }

// VacuumInto writes a copy of an SQLite database, as it is at one moment, to a new file. Writers go on meanwhile.
func (db *DB) VacuumInto(ctx context.Context, path string) (err error) {
	readers, err := db.reads.db.DB()
	if err != nil {
		return err
	}
	conn, err := readers.Conn(ctx)
	if err != nil {
		return classify(err, "")
	}
	defer func() { // a connection that may write does not go back among the readers
		_ = conn.Raw(func(any) error { return driver.ErrBadConn })
	}()
	if _, err := conn.ExecContext(ctx, "PRAGMA query_only = 0"); err != nil {
		return classify(err, "")
	}
	_, err = conn.ExecContext(ctx, "VACUUM INTO ?", path)
	return classify(err, "")
}

// SeriesEnd is where a creditor's number series goes on.
type SeriesEnd struct {
	CreditorID int64  `json:"creditor"`
	Name       string `json:"name"`
	NextNumber int64  `json:"next_number"`
}

// Contents is what a copy of a database must hold.
type Contents struct {
	Schema int64            // version of the schema
	Counts map[string]int64 // rows of each table
	Series []SeriesEnd      // by creditor
}

// Contents counts what the database holds.
func (r reads) Contents(ctx context.Context) (c Contents, err error) {
	if c.Schema, err = scan[int64](r.with(ctx).Raw("SELECT MAX(version_id) FROM " + versionTable)); err != nil {
		return Contents{}, err
	}
	tables, err := r.tables(ctx)
	if err != nil {
		return Contents{}, err
	}
	c.Counts = map[string]int64{}
	for _, t := range tables {
		if c.Counts[t], err = scan[int64](r.with(ctx).Raw("SELECT COUNT(*) FROM `" + t + "`")); err != nil {
			return Contents{}, err
		}
	}
	c.Series, err = scan[[]SeriesEnd](r.with(ctx).Raw(`SELECT c.id AS creditor_id, c.name, s.next_number
		FROM creditors c JOIN number_series s ON s.creditor_id = c.id ORDER BY c.id`))
	return c, err
}

// Where the migrations keep the version of the schema, and how far what was left of earlier ones is taken away.
const (
	versionTable = "goose_db_version"
	finishTable  = "goose_finish_version"
)

// schemaTables tell of the schema alone. A copy of the rows leaves them out: a restore makes a schema anew, which nothing was taken from.
var schemaTables = []string{versionTable, finishTable, gateTable}

// tables returns the names of the tables with rows of the program.
func (r reads) tables(ctx context.Context) ([]string, error) {
	query := "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() AND table_type = 'BASE TABLE' ORDER BY table_name"
	if dialect(r.db.Name()) == dialectSQLite {
		query = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name"
	}
	all, err := scan[[]string](r.with(ctx).Raw(query))
	if err != nil {
		return nil, err
	}
	var tables []string
	for _, t := range all {
		if !slices.Contains(schemaTables, t) {
			tables = append(tables, t)
		}
	}
	return tables, nil
}

// Empty reports whether the database holds no row of the program. It may have the tables that Migrate makes.
func (db *DB) Empty(ctx context.Context) (bool, error) {
	tables, err := db.tables(ctx)
	if err != nil {
		return false, err
	}
	for _, t := range tables {
		n, err := scan[int64](db.with(ctx).Raw("SELECT COUNT(*) FROM (SELECT 1 FROM `" + t + "` LIMIT 1) AS first"))
		if err != nil || n > 0 {
			return false, err
		}
	}
	return true, nil
}

// Clear drops every table. Only a restore that fails or begins anew may do this.
func (db *DB) Clear(ctx context.Context) error {
	tables, err := db.tables(ctx)
	if err != nil {
		return err
	}
	for _, t := range append(tables, schemaTables...) {
		if err := db.writer.WithContext(ctx).Exec("DROP TABLE IF EXISTS `" + t + "`").Error; err != nil {
			return classify(err, "")
		}
	}
	return nil
}

// kind is the type of a column's values in a dump.
type kind string

const (
	kindInt   kind = "int"
	kindText  kind = "text"
	kindBytes kind = "bytes" // base64
	kindTime  kind = "time"  // RFC 3339, UTC
	kindDate  kind = "date"  // yyyy-mm-dd
)

// kinds are the kinds of the types that the migrations use, on both databases.
var kinds = map[string]kind{
	"integer": kindInt, "boolean": kindInt, "bigint": kindInt, "int": kindInt, "smallint": kindInt, "tinyint": kindInt,
	"text": kindText, "varchar": kindText, "char": kindText, "mediumtext": kindText, "longtext": kindText,
	"blob": kindBytes, "mediumblob": kindBytes, "binary": kindBytes, "varbinary": kindBytes, "datetime": kindTime, "date": kindDate,
}

// column is a column of a table. The database computes a generated one.
type column struct {
	Name string
	Type string
}

// columns returns the columns of a table that are not generated, in order.
func (r reads) columns(ctx context.Context, table string) (names []string, as []kind, err error) {
	query := `SELECT column_name AS name, data_type AS type FROM information_schema.columns
		WHERE table_schema = DATABASE() AND table_name = ? AND COALESCE(generation_expression, '') = '' ORDER BY ordinal_position`
	if dialect(r.db.Name()) == dialectSQLite {
		query = "SELECT name, type FROM pragma_table_xinfo(?) WHERE hidden = 0 ORDER BY cid"
	}
	columns, err := scan[[]column](r.with(ctx).Raw(query, table))
	if err != nil {
		return nil, nil, err
	}
	if len(columns) == 0 {
		return nil, nil, fmt.Errorf("there is no table %s", table)
	}
	for _, c := range columns {
		k, known := kinds[strings.ToLower(c.Type)]
		if !known {
			return nil, nil, fmt.Errorf("%s.%s is of the type %s, which no copy knows", table, c.Name, c.Type)
		}
		names, as = append(names, c.Name), append(as, k)
	}
	return names, as, nil
}

// eachOfTable calls do with the values of each row of a table, in the order of its key. do must not keep the slice.
func (r reads) eachOfTable(ctx context.Context, table string, names []string, do func([]any) error) error {
	values, into := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		into[i] = &values[i]
	}
	byKey := " FORCE INDEX (PRIMARY)" // another index may hold all columns too
	if dialect(r.db.Name()) == dialectSQLite {
		byKey = " NOT INDEXED"
	}
	return eachUntil(r.with(ctx).Raw("SELECT "+quoted(names)+" FROM `"+table+"`"+byKey), func() error { return do(values) }, into...)
}

func quoted(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }

package store

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"
	"modernc.org/sqlite"

	"purr/internal/clock"
	"purr/models"
)

// In the tests of this package MySQL gives every third ID, as the second of three servers of a cluster does, so that no
// test passes that counts IDs up by one (rule K1).
func init() {
	sessionVariables["auto_increment_increment"], sessionVariables["auto_increment_offset"] = "3", "2"
}

// Exec runs any statement in the transaction.
func (tx *Tx) Exec(ctx context.Context, statement string, args ...any) error {
	return tx.with(ctx).Exec(statement, args...).Error
}

// WordColumns returns the columns that Forget empties, by table, and those of kept sums and numbers that it changes too.
func WordColumns() map[string][]string {
	all := map[string][]string{}
	for _, of := range words {
		all[of.table] = append(all[of.table], strings.Fields(of.columns)...)
	}
	for _, of := range customerNumbers {
		all[of.table] = append(all[of.table], of.column)
	}
	for _, of := range keptSums {
		all[of.table] = append(all[of.table], of.column)
	}
	return all
}

// Exec runs a statement on a connection for writing.
func (db *DB) Exec(ctx context.Context, statement string, args ...any) error {
	return db.writer.WithContext(ctx).Exec(statement, args...).Error
}

// ExecReading runs a statement on a connection for reading.
func (db *DB) ExecReading(ctx context.Context, statement string) error {
	return db.with(ctx).Exec(statement).Error
}

// Limited returns the same database with another limit for transactions.
func (db *DB) Limited(limit time.Duration) *DB {
	other := *db
	other.limit = limit
	return &other
}

// Query reads what a query finds into dest.
func (db *DB) Query(ctx context.Context, dest any, query string, args ...any) error {
	return db.with(ctx).Raw(query, args...).Scan(dest).Error
}

// OpenWithoutReturning opens a database as if its server had no INSERT ... RETURNING, as MySQL has none.
func OpenWithoutReturning(databaseURL string, c clock.Clock) (*DB, error) {
	return openMySQL(databaseURL, c, false, Connections{})
}

// OpenSQLitePool opens a file as openSQLite does, without gorm.
func OpenSQLitePool(path string) (*sql.DB, error) {
	connector, err := sqlite.NewConnector(path)
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(keeping{connector}), nil
}

// Kept returns how many statements a connection to SQLite keeps now.
func Kept(conn any) int { return len(conn.(*keeper).kept) }

// Prepared returns how many statements the database has prepared for its readers.
func (db *DB) Prepared() (n int) {
	if db.prepared != nil {
		db.prepared.statements.Range(func(any, any) bool { n++; return true })
	}
	return n
}

// MostKept is how many statements a connection to SQLite keeps.
const MostKept = mostKept

// IsMySQL reports whether the database is MySQL or MariaDB.
func (db *DB) IsMySQL() bool { return db.dialect == dialectMySQL }

// Counted returns how many of the creditor's rows in the long lists are counted.
func (tx *Tx) Counted(ctx context.Context, owner int64) (n int64, err error) {
	err = tx.with(ctx).Raw("SELECT COALESCE(SUM(items), 0) FROM list_days WHERE creditor_id = ?", owner).Scan(&n).Error
	return n, err
}

// Insert writes many rows at once.
func (tx *Tx) Insert(ctx context.Context, rows any) error {
	return tx.with(ctx).CreateInBatches(rows, 500).Error
}

// Statement is a query as it was sent to the database.
type Statement struct {
	SQL  string
	Args []any
}

// Queries returns the queries that do sends.
func (db *DB) Queries(t testing.TB, do func()) []Statement {
	t.Helper()
	var sent []Statement
	callbacks := db.db.Callback().Query()
	if err := callbacks.After("gorm:query").Register("test:sent", func(g *gorm.DB) {
		if g.DryRun { // a part of another
			return
		}
		sent = append(sent, Statement{g.Statement.SQL.String(), g.Statement.Vars})
	}); err != nil {
		t.Fatal(err)
	}
	do()
	if err := callbacks.Remove("test:sent"); err != nil {
		t.Fatal(err)
	}
	return sent
}

// OfManyRows lowers the bounds for searches, for the texts that are kept together and for the marks in long lists while do runs,
// so that a few rows count as many.
func OfManyRows(few int, do func()) {
	defer func(found, marks, texts int, ids, added int64) {
		fewFound, markEvery, textsTogether, partIDs, mostAdded = found, marks, texts, ids, added
	}(fewFound, markEvery, textsTogether, partIDs, mostAdded)
	fewFound, markEvery, textsTogether, partIDs, mostAdded = few, few, few, int64(few), int64(few)
	do()
}

// OfLongTexts lowers how long the texts are that are kept together while do runs.
func OfLongTexts(bytes int, do func()) {
	defer func(most int) { bytesTogether = most }(bytesTogether)
	bytesTogether = bytes
	do()
}

// Patiently makes groups wait without a time limit while do runs.
func Patiently(do func()) {
	defer func(p time.Duration) { patience = p }(patience)
	patience = time.Hour
	do()
}

// Waiting returns how many works of the key wait.
func (g *Group[W]) Waiting(key int64) int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if l := g.lines[key]; l != nil {
		return len(l.waiting)
	}
	return 0
}

// OpenConnections returns how many connections the pools of a database on a server have together.
func (db *DB) OpenConnections() (n int) {
	db.pools.mu.Lock()
	defer db.pools.mu.Unlock()
	for _, pool := range db.pools.all {
		n += pool.Stats().OpenConnections
	}
	return n
}

// Shares returns how many transactions that write have a connection at once: of all work, and of those that are kept for the console.
func Shares(most int) (work, pages int) {
	all := shares(most)
	return all[0], all[2]
}

// NightQuestions returns what a night asks of a creditor, to find what changed since the marks.
func NightQuestions(creditorID int64, m models.AuditMarks, now time.Time) []Statement {
	text, args := marksQuestion(creditorID, m, now)
	all := []Statement{{text, args}}
	for _, q := range changesSince(creditorID, m) {
		all = append(all, Statement{q.text, q.args})
	}
	return all
}

// MomentOf reads a moment that was asked for as text.
var MomentOf = momentOf

// FirstOnTiDB is the number of the migration that makes the whole schema on TiDB.
const FirstOnTiDB = firstOnTiDB

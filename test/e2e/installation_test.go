package e2e_test

import (
	"database/sql"
	"slices"
	"strings"
	"testing"

	"purr/app"
	"purr/models"
	"purr/test/testkit/house"
	"purr/test/testkit/servers"
)

// start is when the simulated months begin: a Monday of a year whose rates are known.
var start = moment("2026-01-05 08:00")

// Bank accounts: of the creditor, and of another one.
const (
	account      = "12345678903"
	otherAccount = "98765432103"
)

// installation is the program running in this process, with one creditor.
type installation struct {
	*house.Installation
	t   *testing.T
	api *client // of the creditor, who may do everything
	db  *sql.DB // behind the program's back; nil until it is needed
}

// eachSetup runs the test with a fresh installation, beside other tests: with the program by itself, and in "make whole" on MariaDB
// and Redis too.
func eachSetup(t *testing.T, test func(t *testing.T, in *installation), changes ...house.Change) {
	t.Helper()
	t.Parallel()
	for _, s := range house.Tried() {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			test(t, install(t, append(slices.Clone(changes), s.Change)...))
		})
	}
}

// from makes the simulated months begin at a time.
func from(at string) house.Change {
	return func(_ testing.TB, c *app.Settings) { c.TestClock = moment(at) }
}

// install starts a fresh installation and gives its creditor what belongs on an invoice and what dunning needs (rule L8).
func install(t *testing.T, changes ...house.Change) *installation {
	t.Helper()
	in := &installation{Installation: house.Start(t, start, changes...), t: t}
	key, err := in.App.FirstKey(t.Context())
	must(t, err)
	in.api = &client{in.ClientWithKey(t, key)}
	in.api.Put("/api/v1/creditor", `<creditor><name>Fjord Rør AS</name><organisation_number>923609016</organisation_number>`+
		`<vat_registered>1</vat_registered><address1>Kaigaten 1</address1><postal_code>5003</postal_code><postal_name>Bergen</postal_name><email>post@fjord-ror.example</email><bank_account>`+account+`</bank_account></creditor>`).Shown()
	return in
}

// at moves the clock to a time in Oslo.
func (in *installation) at(s string) {
	in.t.Helper()
	in.api.MoveClock(moment(s))
}

// another returns a client of another creditor of the installation.
func (in *installation) another(name string) *client {
	in.t.Helper()
	return &client{in.Client(in.t, in.NewCreditor(in.t, name), models.ScopeAdmin)}
}

// where is the environment of a process that works on the installation.
func (in *installation) where() []string {
	return []string{"PURR_DATA=" + in.Config.Data, "PURR_DATABASE_URL=" + in.Config.Database.URL, "PURR_REDIS_URL=" + in.Config.RedisURL}
}

// openDatabase opens the database of an installation behind the program's back.
func openDatabase(t *testing.T, databaseURL string) *sql.DB {
	t.Helper()
	var db *sql.DB
	var err error
	if path, is := strings.CutPrefix(databaseURL, "sqlite:"); is {
		db, err = sql.Open("sqlite", path+"?_pragma=busy_timeout(30000)") // package store has brought the driver
	} else {
		db, err = servers.OpenMySQL(databaseURL)
	}
	must(t, err)
	t.Cleanup(func() { must(t, db.Close()) })
	return db
}

// query returns the rows of a query, each as its columns with a blank between.
func query(t *testing.T, db *sql.DB, text string, args ...any) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), text, args...)
	must(t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	must(t, err)
	found := []string{}
	for rows.Next() {
		row, pointers := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range row {
			pointers[i] = &row[i]
		}
		must(t, rows.Scan(pointers...))
		texts := make([]string, len(row))
		for i, v := range row {
			texts[i] = v.String
		}
		found = append(found, strings.Join(texts, " "))
	}
	must(t, rows.Err())
	return found
}

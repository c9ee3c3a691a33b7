package e2e_test

import (
	"bytes"
	"context"
	"database/sql"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/app"
	"purr/config"
	"purr/internal/testkit"
	"purr/internal/testkit/servers"
	"purr/models"
)

// oslo is the time zone of the tests' creditors.
var oslo = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		panic(err)
	}
	return zone
}()

// start is when the simulated months begin: a Monday of a year whose rates are known.
var start = moment("2026-01-05 08:00")

// moment reads a time in Oslo, with or without seconds.
func moment(s string) time.Time {
	at, err := time.ParseInLocation(time.DateTime[:len(s)], s, oslo)
	if err != nil {
		panic(err)
	}
	return at
}

// account is the creditor's, other another's.
const (
	account      = "12345678903"
	otherAccount = "98765432103"
)

// installation is purr running in this process, on a test clock.
type installation struct {
	t   *testing.T
	cfg config.Config
	app *app.App // nil while it is stopped
	api *client  // of the first creditor, who may do everything
	log *lockedBuffer
	db  *sql.DB // behind the program's back; nil until it is needed
}

// eachSetup runs the test with a fresh installation twice: as purr runs by itself, on SQLite and the Redis
// inside the process, and on MariaDB and Redis.
func eachSetup(t *testing.T, test func(t *testing.T, in *installation), configure ...func(*config.Config)) {
	t.Helper()
	t.Run("embedded", func(t *testing.T) { test(t, install(t, configure...)) })
	t.Run("servers", func(t *testing.T) {
		test(t, install(t, append(configure, func(c *config.Config) {
			c.DatabaseURL, c.RedisURL = testkit.MySQL(t), testkit.Redis(t)
			_, err := app.Migrate(t.Context(), *c)
			must(t, err)
		})...))
	})
}

// from has the simulated months begin at a time.
func from(at string) func(*config.Config) {
	return func(c *config.Config) { c.TestClock = moment(at) }
}

// install starts a fresh installation and gives its creditor what belongs on an invoice.
func install(t *testing.T, configure ...func(*config.Config)) *installation {
	t.Helper()
	cfg, err := config.Default(t.TempDir())
	must(t, err)
	cfg.TestClock = start
	for _, c := range configure {
		c(&cfg)
	}
	in := &installation{t: t, cfg: cfg, log: &lockedBuffer{}}
	t.Cleanup(func() {
		if in.app != nil {
			in.stop()
		}
		if t.Failed() {
			t.Logf("the log:\n%s", in.log.tail())
		}
	})
	in.start()
	key, err := in.app.FirstKey(t.Context())
	must(t, err)
	in.api = newClient(t, func() string { return in.app.URL }, key)
	in.api.put(t, "/api/v1/creditor", `<creditor><name>Fjord Rør AS</name><address1>Kaigaten 1</address1><postal_code>5003</postal_code>`+
		`<postal_name>Bergen</postal_name><email>post@fjord-ror.example</email><bank_account>`+account+`</bank_account></creditor>`)
	return in
}

func (in *installation) start() {
	in.t.Helper()
	var err error
	in.app, err = app.Start(in.t.Context(), in.cfg, app.All, slog.New(slog.NewTextHandler(in.log, nil)))
	must(in.t, err)
}

func (in *installation) stop() {
	in.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	must(in.t, in.app.Close(ctx))
	in.app = nil
}

// at moves the clock to a time in Oslo.
func (in *installation) at(s string) {
	in.t.Helper()
	in.api.moveClock(in.t, moment(s))
}

// another returns a client of another creditor of the installation.
func (in *installation) another(name string) *client {
	in.t.Helper()
	c := models.NewCreditor(name)
	must(in.t, in.app.CreateCreditor(in.t.Context(), &c))
	return in.api.as(in.key(name, models.ScopeAdmin))
}

func (in *installation) key(creditor string, scope models.Scope) string {
	in.t.Helper()
	key, err := in.app.CreateKey(in.t.Context(), creditor, scope, string(scope))
	must(in.t, err)
	return key
}

// path returns a path in the installation's folder.
func (in *installation) path(elements ...string) string {
	return filepath.Join(append([]string{in.cfg.Data}, elements...)...)
}

// letters returns the letters in the outbox by name.
func (in *installation) letters() map[string][]byte {
	in.t.Helper()
	return readFolder(in.t, in.path("outbox", "paper"))
}

// readFolder returns the plain files of a folder by name, without those that are being written.
func readFolder(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(folder)
	must(t, err)
	found := map[string][]byte{}
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		must(t, err)
		found[e.Name()] = content
	}
	return found
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
		values, places := make([]sql.NullString, len(columns)), make([]any, len(columns))
		for i := range values {
			places[i] = &values[i]
		}
		must(t, rows.Scan(places...))
		row := make([]string, len(values))
		for i, v := range values {
			row[i] = v.String
		}
		found = append(found, strings.Join(row, " "))
	}
	must(t, rows.Err())
	return found
}

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write appends to the log.
func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// String returns the whole log.
func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// tail returns the end of the log without the lines of single requests.
func (l *lockedBuffer) tail() string {
	var kept []string
	for _, line := range strings.Split(l.String(), "\n") {
		if !strings.Contains(line, "level=INFO msg=request") {
			kept = append(kept, line)
		}
	}
	const most = 80
	return strings.Join(kept[max(0, len(kept)-most):], "\n")
}

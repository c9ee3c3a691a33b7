package stories_test

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/app"
	"purr/config"
	"purr/internal/testkit"
	"purr/models"
)

// oslo is the time zone of every creditor here.
var oslo = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		panic(err)
	}
	return zone
}()

// moment reads a time in Oslo, "2026-01-05 12:00".
func moment(s string) time.Time {
	at, err := time.ParseInLocation("2006-01-02 15:04", s, oslo)
	if err != nil {
		panic(err)
	}
	return at
}

// onServers has an installation use MySQL or MariaDB, and Redis.
func onServers(t testing.TB, cfg *config.Config) {
	cfg.DatabaseURL, cfg.RedisURL = testkit.MySQL(t), testkit.Redis(t)
	_, err := app.Migrate(t.Context(), *cfg)
	must(t, err)
}

// installation is the whole program, running in this process on a test clock.
type installation struct {
	cfg       config.Config
	app       *app.App
	log       *log
	creditors []*client
}

// patience is how long stopping may take.
const patience = time.Minute

// start starts an installation at a time.
func start(t *testing.T, at string, configure func(testing.TB, *config.Config)) *installation {
	t.Helper()
	cfg, err := config.Default(t.TempDir())
	must(t, err)
	configure(t, &cfg)
	in := &installation{cfg: cfg, log: &log{}}
	t.Cleanup(func() { in.stop(t) })
	in.run(t, at)
	return in
}

// run starts the program, at a time or when it was stopped, whichever is later.
func (in *installation) run(t testing.TB, at string) {
	t.Helper()
	in.cfg.TestClock = moment(at)
	var err error
	in.app, err = app.Start(context.Background(), in.cfg, app.All, slog.New(slog.NewTextHandler(in.log, nil)))
	must(t, err)
}

// stop ends the program, as a signal to terminate does.
func (in *installation) stop(t testing.TB) {
	t.Helper()
	if in.app == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := in.app.Close(ctx); err != nil {
		t.Errorf("stop the program: %v", err)
	}
	in.app = nil
}

// goesOn moves the clock, and returns when all that fell due on the way is done (rule E8).
func (in *installation) goesOn(t testing.TB, to string) {
	t.Helper()
	in.creditors[0].create(t, "/test_clock", clockAt(to), http.StatusOK)
}

// clockAt is the body that moves the clock.
func clockAt(to string) string { return tag("test_clock", tag("now", moment(to).Format(time.RFC3339))) }

// newCreditor makes a creditor with a dunning policy, and returns a client of it who may do everything.
func (in *installation) newCreditor(t testing.TB, policy string) *client {
	t.Helper()
	number := len(in.creditors)
	creditor := models.NewCreditor(fmt.Sprintf("Kreditor %d AS", number+1))
	must(t, in.app.CreateCreditor(t.Context(), &creditor))
	key, err := in.app.CreateKey(t.Context(), strconv.FormatInt(creditor.ID, 10), models.ScopeAdmin, "storyteller")
	must(t, err)
	c := &client{in: in, name: creditor.Name, key: key, account: accounts[number]}
	in.creditors = append(in.creditors, c)
	c.change(t, "/creditor", tag("creditor", tag("bank_account", c.account), policyOf(policy)))
	return c
}

// accounts are the creditors' at the bank.
var accounts = []string{"15030000010", "15030000029", "15030000037", "15030000045", "15030000053", "15030000061", "15030000088", "15030000096", "15030000118", "15030000126"}

// letters returns what lies in the outbox on paper, by name.
func (in *installation) letters(t testing.TB) map[string][]byte {
	t.Helper()
	letters := map[string][]byte{}
	must(t, filepath.WalkDir(in.paper(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		letters[d.Name()] = content
		return err
	}))
	return letters
}

// mustNotComplain fails the test where the program has logged an error: a run that failed, or books that do not add up.
func (in *installation) mustNotComplain(t testing.TB) {
	t.Helper()
	for _, line := range in.log.lines() {
		if strings.Contains(line, "level=ERROR") {
			t.Errorf("the log has: %s", line)
		}
	}
}

// log is what the program logs.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *log) lines() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Split(l.text.String(), "\n")
}

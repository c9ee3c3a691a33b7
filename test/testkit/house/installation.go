// Package house runs the whole program for a test: in this process, on a test clock, and either by itself or on MariaDB
// and Redis. Its client speaks to the program over HTTP, and checks what every answer must have.
//
// It knows how the program is started and how a creditor gets a key. It knows nothing else of the program's inside.
package house

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"purr/app"
	"purr/models"
	"purr/models/zone"
	"purr/test/testkit"
	"purr/test/testkit/rows"
	"purr/test/testkit/validate"
)

// Oslo is the time zone of every creditor that chooses no other.
var Oslo = func() *time.Location {
	zone, err := zone.Load("Europe/Oslo")
	if err != nil {
		panic(err)
	}
	return zone
}()

// Moment reads a time in Oslo: "2026-01-05 12:00", with or without seconds. It panics if s is not a time.
func Moment(s string) time.Time {
	at, err := time.ParseInLocation(time.DateTime[:len(s)], s, Oslo)
	if err != nil {
		panic(err)
	}
	return at
}

// Change changes the configuration of an installation before it starts. What it starts itself ends with t.
type Change = func(t testing.TB, cfg *app.Settings)

// Setup is a way to run the program.
type Setup struct {
	Name   string
	Change Change
}

// Setups are the program by itself (SQLite, and Redis inside the process), and on servers.
var Setups = []Setup{{"embedded", Embedded}, {"servers", OnServers}}

// Tried returns the set-ups that the tests of the whole program try: both with the tag "whole", as "make whole" has them, and without
// it the program by itself. The packages below have both databases either way.
func Tried() []Setup {
	if testkit.Whole {
		return Setups
	}
	return Setups[:1]
}

// Embedded changes nothing: the program runs by itself.
func Embedded(testing.TB, *app.Settings) {}

// OnServers makes an installation use MariaDB and Redis.
func OnServers(t testing.TB, cfg *app.Settings) {
	cfg.Database.URL, cfg.RedisURL = testkit.MySQL(t), testkit.Redis(t)
}

// Installation is the whole program, running in this process on a test clock.
type Installation struct {
	Config app.Settings // Run starts the program with it
	App    *app.App     // nil while the program is stopped
	Log    *testkit.Log

	http      *http.Client
	creditors atomic.Int64 // so far
}

// New returns an installation in a folder of its own that is not running yet. Its schema is made, and its clock will begin
// at the given time. When the test ends it is stopped, and its log is shown if the test has failed.
func New(t testing.TB, begins time.Time, changes ...Change) *Installation {
	t.Helper()
	cfg, err := app.DefaultSettings(t.TempDir())
	testkit.Must(t, err)
	cfg.TestClock, cfg.Webhooks.Private = begins, true // the tests' endpoints are on this machine
	for _, change := range changes {
		change(t, &cfg)
	}
	rows.Migrate(t, cfg.Database.URL)
	in := &Installation{Config: cfg, Log: &testkit.Log{}}
	in.http = &http.Client{
		Transport: validate.Transport(t, &http.Transport{MaxIdleConnsPerHost: 64}), // validates when the test ends (rule E9)
		Timeout:   4 * testkit.Patience,                                            // one request may move the clock by a month
	}
	t.Cleanup(func() {
		if err := in.Stop(); err != nil {
			t.Errorf("stop the program: %v", err)
		}
		if t.Failed() {
			t.Logf("the log:\n%s", in.Log.Tail())
		}
	})
	return in
}

// Start returns a new installation that is running.
func Start(t testing.TB, begins time.Time, changes ...Change) *Installation {
	t.Helper()
	in := New(t, begins, changes...)
	testkit.Must(t, in.Run())
	return in
}

// Run starts the program. Its clock goes on where it was stopped, or at Config.TestClock if that is later.
func (in *Installation) Run() (err error) {
	in.App, err = app.Start(context.Background(), in.Config, app.All, slog.New(slog.NewTextHandler(in.Log, nil)))
	return err
}

// Stop stops the program, as a signal to terminate does. It does nothing if the program is not running.
func (in *Installation) Stop() error {
	if in.App == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), testkit.Patience)
	defer cancel()
	running := in.App
	in.App = nil
	return running.Close(ctx)
}

// Today returns the date in Oslo.
func (in *Installation) Today() models.Date { return models.DateOf(in.App.Clock.Now().In(Oslo)) }

// NewCreditor makes a creditor with all that dunning needs (rule L8), and returns its ID. If the name is empty,
// NewCreditor chooses one.
func (in *Installation) NewCreditor(t testing.TB, name string) string {
	t.Helper()
	n := in.creditors.Add(1)
	if name == "" {
		name = fmt.Sprintf("Kreditor %d AS", n)
	}
	c := models.NewCreditor(name)
	c.OrganisationNumber, c.Address1, c.PostalCode, c.PostalName, c.Email = "974760673", "Storgata 1", "0155", "Oslo", "post@example.no"
	c.BankAccount, c.VATRegistered, c.VATKnown = account(n), true, true
	testkit.Must(t, in.App.CreateCreditor(t.Context(), &c))
	return strconv.FormatInt(c.ID, 10)
}

// SetAccount sets the bank account of the creditor, which is given by ID or name, as the operator does (rule D101).
func (in *Installation) SetAccount(t testing.TB, creditor, account string) {
	t.Helper()
	_, err := in.App.ChangeCreditor(t.Context(), creditor, func(c *models.Creditor) error { c.BankAccount = account; return nil })
	testkit.Must(t, err)
}

// Approve approves the bank account and the IBAN that the creditor's own key has set, if they wait (rule D101).
func (in *Installation) Approve(t testing.TB, creditor string) {
	t.Helper()
	c, err := in.App.Creditor(t.Context(), creditor)
	testkit.Must(t, err)
	for _, account := range []string{c.WaitingAccount, c.WaitingIBAN} {
		if account == "" {
			continue
		}
		_, err := in.App.ApproveAccount(t.Context(), account, creditor)
		testkit.Must(t, err)
	}
}

// account returns the n-th bank account of those with numbers from 15050000000 on that are valid.
func account(n int64) string {
	for base := int64(1505_000_000); ; base++ {
		number := strconv.FormatInt(base, 10)
		number += string(models.CheckDigit11(number))
		if models.ValidBankAccount(number) {
			if n--; n == 0 {
				return number
			}
		}
	}
}

// Client returns a client with a new key of the creditor, which is given by ID or name.
func (in *Installation) Client(t testing.TB, creditor string, scope models.Scope) *Client {
	t.Helper()
	key, err := in.App.CreateKey(t.Context(), creditor, scope, string(scope))
	testkit.Must(t, err)
	return in.ClientWithKey(t, key)
}

// ClientWithKey returns a client with a key.
func (in *Installation) ClientWithKey(t testing.TB, key string) *Client {
	return &Client{T: t, Key: key, Base: func() string { return in.App.URL }, HTTP: in.http}
}

// Path returns a path in the installation's folder.
func (in *Installation) Path(elements ...string) string {
	return filepath.Join(append([]string{in.Config.Data}, elements...)...)
}

// Letters returns the letters that were dispatched so far, by file name.
func (in *Installation) Letters(t testing.TB) map[string][]byte {
	t.Helper()
	return Files(t, in.Path("outbox", "paper"))
}

// Files returns the plain files of a folder by name. It skips files that are still being written.
func Files(t testing.TB, folder string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(folder)
	testkit.Must(t, err)
	found := map[string][]byte{}
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), ".") {
			continue
		}
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		testkit.Must(t, err)
		found[e.Name()] = content
	}
	return found
}

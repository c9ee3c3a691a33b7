package conformance_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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
	"purr/internal/testkit/validate"
	"purr/models"
)

// oslo is the time zone of every creditor that says nothing else.
var oslo = func() *time.Location {
	zone, err := time.LoadLocation("Europe/Oslo")
	if err != nil {
		panic(err)
	}
	return zone
}()

// moment reads a time in Oslo.
func moment(s string) time.Time {
	at, err := time.ParseInLocation(time.DateTime[:len(s)], s, oslo)
	if err != nil {
		panic(err)
	}
	return at
}

// beginning is when the simulated days begin: a Friday, at a minute when no scheduled run has fallen due.
const beginning = "2023-12-08 00:01"

// setup is a way to run the program, and the installation of that kind that all tests share.
type setup struct {
	name      string
	configure func(lasting testing.TB, cfg *config.Config)
	shared    *installation
}

// setups are the program by itself, and with servers.
var setups = []*setup{
	{name: "embedded", configure: func(testing.TB, *config.Config) {}},
	{name: "servers", configure: onServers},
}

// onServers has an installation use MySQL or MariaDB, and Redis.
func onServers(lasting testing.TB, cfg *config.Config) {
	cfg.DatabaseURL, cfg.RedisURL = testkit.MySQL(lasting), testkit.Redis(lasting)
	_, err := app.Migrate(lasting.Context(), *cfg)
	must(lasting, err)
}

// installation is the whole program running in this process on a test clock.
type installation struct {
	setup *setup
	from  string // when its simulated days begin
	days  *calendar
	turns chan struct{} // one for each test that runs while the clock stands still

	once    sync.Once
	app     *app.App
	http    *http.Client // validates all that is sent and answered when the installation ends (rule E9)
	data    string
	log     *lockedBuffer
	lasting *lasting
	failed  error   // why it did not start
	common  *client // of the creditor that the tests over time share
	serial  counter
}

// newInstallation returns an installation that is not started yet.
func newInstallation(s *setup, from string) *installation {
	return &installation{setup: s, from: from, days: newCalendar(), turns: make(chan struct{}, atOnce)}
}

// atOnce is how many tests use an installation at once while its clock stands still.
const atOnce = 4

// eachDatabase runs the test on both installations, when their clocks stand still: beside the other tests,
// after those that live through days.
func eachDatabase(t *testing.T, test func(t *testing.T, in *installation)) {
	t.Helper()
	t.Parallel()
	for _, s := range setups {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			in := s.shared
			in.days.awaitEnd()
			in.turns <- struct{}{}
			defer func() { <-in.turns }()
			must(t, in.start(nothing))
			test(t, in)
		})
	}
}

// overTime runs the test on both installations while their simulated days pass: it waits for the days that it
// needs with in.at, and all tests over time live through them together. They share creditors, so that few have
// to be looked after each night.
func overTime(t *testing.T, test func(t *testing.T, in *installation)) {
	t.Helper()
	for _, s := range setups {
		if s.shared.days.over() { // the tests are run again: they need the days again
			must(t, s.shared.end(false))
			s.shared = newInstallation(s, beginning)
		}
		s.shared.days.join()
	}
	t.Parallel()
	for _, s := range setups {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			in := s.shared
			defer in.days.leave()
			must(t, in.start(nothing))
			in.at(t, beginning)
			test(t, in)
		})
	}
}

// own starts an installation for one test, of the same kind.
func (in *installation) own(t *testing.T, from string, configure func(*config.Config)) *installation {
	t.Helper()
	own := newInstallation(in.setup, from)
	t.Cleanup(func() { must(t, own.end(t.Failed())) })
	must(t, own.start(configure))
	return own
}

// nothing is configured besides what the setup is.
func nothing(*config.Config) {}

// start starts the installation, unless another test has, and returns why it could not be started.
func (in *installation) start(configure func(*config.Config)) error {
	in.once.Do(func() {
		in.lasting, in.log = &lasting{}, &lockedBuffer{}
		defer func() {
			if why := recover(); why != nil {
				in.failed = fmt.Errorf("start the installation: %v", why)
			}
		}()
		data, err := os.MkdirTemp("", "purr-conformance-")
		must(in.lasting, err)
		in.data = data
		cfg, err := config.Default(data)
		must(in.lasting, err)
		cfg.TestClock = moment(in.from)
		in.setup.configure(in.lasting, &cfg)
		configure(&cfg)
		in.startWith(cfg)
	})
	return in.failed
}

// run starts the program.
func (in *installation) run(cfg config.Config) (err error) {
	log := slog.New(slog.NewTextHandler(in.log, &slog.HandlerOptions{Level: slog.LevelWarn}))
	in.app, err = app.Start(context.Background(), cfg, app.All, log)
	return err
}

func (in *installation) startWith(cfg config.Config) {
	must(in.lasting, in.run(cfg))
	in.http = &http.Client{Transport: validate.Transport(in.lasting, &http.Transport{MaxIdleConnsPerHost: 64})}
	in.common = in.newClient(in.lasting, in.newCreditor(in.lasting), models.ScopeAdmin)
	in.days.move = func(to time.Time) error {
		answer := in.common.post("/test_clock", clockAt(to))
		if answer.status != http.StatusOK {
			return fmt.Errorf("move the clock to %s: %s", to, answer.body)
		}
		return nil
	}
}

// end stops the installation, and prints its warnings where something failed.
func (in *installation) end(failed bool) error {
	if in.lasting == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	var err error
	if in.app != nil {
		err = in.app.Close(ctx)
	}
	err = errors.Join(err, in.lasting.end())
	if failed {
		fmt.Fprintf(os.Stderr, "the log of the %s installation:\n%s\n", in.setup.name, in.log.String())
	}
	return errors.Join(err, os.RemoveAll(in.data))
}

// at waits until it is the time in Oslo.
func (in *installation) at(t *testing.T, s string) {
	t.Helper()
	must(t, in.days.await(moment(s)))
}

// today returns the date in Oslo.
func (in *installation) today() models.Date { return models.DateOf(in.app.Clock.Now().In(oslo)) }

// newCreditor makes a creditor that nothing is known of but its name, and returns its number.
func (in *installation) newCreditor(t testing.TB) string {
	t.Helper()
	c := models.NewCreditor(fmt.Sprintf("Kreditor %d AS", in.serial.next()))
	must(t, in.app.CreateCreditor(t.Context(), &c))
	return strconv.FormatInt(c.ID, 10)
}

// creditor makes a creditor for the test, and returns its client, who may do everything.
func (in *installation) creditor(t *testing.T, settings ...string) *client {
	t.Helper()
	c := in.newClient(t, in.newCreditor(t), models.ScopeAdmin)
	if len(settings) > 0 {
		c.put("/creditor", tag("creditor", settings...)).is(200)
	}
	return c
}

// newClient returns a client of a creditor with a new key.
func (in *installation) newClient(t testing.TB, creditor string, scope models.Scope) *client {
	t.Helper()
	key, err := in.app.CreateKey(t.Context(), creditor, scope, string(scope))
	must(t, err)
	return &client{t: t, in: in, creditor: creditor, key: key, http: in.http}
}

// letters returns the letters that have left so far, as the print shop finds them.
func (in *installation) letters(t *testing.T) [][]byte {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(in.data, "outbox", "paper", "*.pdf"))
	must(t, err)
	var letters [][]byte
	for _, path := range found {
		content, err := os.ReadFile(path)
		must(t, err)
		letters = append(letters, content)
	}
	return letters
}

// lasting is the testing.TB of what outlives a test. What fails on the way ends the tests, what fails in the end
// is told by end.
type lasting struct {
	testing.TB
	cleanups []func()
	failures []error
}

func (*lasting) Helper() {}

func (*lasting) Context() context.Context { return context.Background() }

func (l *lasting) Cleanup(f func()) { l.cleanups = append(l.cleanups, f) }

func (l *lasting) Errorf(format string, args ...any) {
	l.failures = append(l.failures, fmt.Errorf(format, args...))
}

func (*lasting) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

func (*lasting) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

func (l *lasting) end() error {
	for len(l.cleanups) > 0 {
		last := len(l.cleanups) - 1
		l.cleanups[last]()
		l.cleanups = l.cleanups[:last]
	}
	return errors.Join(l.failures...)
}

// counter counts from 1.
type counter struct {
	mu sync.Mutex
	n  int
}

func (c *counter) next() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n++
	return c.n
}

// lockedBuffer is a log that several goroutines write.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.TrimSpace(l.b.String())
}

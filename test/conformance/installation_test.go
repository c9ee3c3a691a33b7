package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"purr/models"
	"purr/test/testkit/house"
)

// beginning is when the simulated days begin: a Friday, at a minute when no scheduled run has fallen due.
const beginning = "2023-12-08 00:01"

// marchBegins is when the days of inMarch begin: a Monday.
const marchBegins = "2026-03-02 00:01"

// setup is a way to run the program, and the installation of that kind that all tests share.
type setup struct {
	house.Setup
	begins string
	shared func() (*installation, error) // starts it when it is first asked for
	days   *calendar                     // of the shared installation
	turns  chan struct{}                 // one for each test that acts
}

// atOnce is how many tests act on an installation at once. Dozens that all write would be refused on a slow machine: a write
// waits for the others for some seconds only (rule O7).
const atOnce = 4

var setups, march = newSetups(beginning), newSetups(marchBegins)

func newSetups(begins string) (all []*setup) {
	for _, s := range house.Tried() {
		all = append(all, &setup{Setup: s, begins: begins, turns: make(chan struct{}, atOnce)})
		all[len(all)-1].renew()
	}
	return all
}

// renew gives the setup a shared installation whose days have not begun.
func (s *setup) renew() {
	s.days = newCalendar()
	s.shared = sync.OnceValues(func() (in *installation, err error) {
		defer func() {
			if why := recover(); why != nil {
				err = fmt.Errorf("start the shared installation: %v", why)
			}
		}()
		in = newInstallation(shared, s, s.begins)
		s.days.move = func(to time.Time) error {
			if a := in.common.Post("/test_clock", house.ClockAt(to)); a.Status != http.StatusOK {
				return fmt.Errorf("move the clock to %s: %s", to, a.Body)
			}
			return nil
		}
		return in, nil
	})
}

// run runs a test on the shared installation.
func (s *setup) run(t *testing.T, test func(t *testing.T, in *installation)) {
	t.Helper()
	in, err := s.shared()
	must(t, err)
	test(t, in)
}

// installation is the program on a test clock, as its tests use it.
type installation struct {
	*house.Installation
	setup  *setup
	common *client      // of the creditor that the tests over time share
	serial atomic.Int64 // gives each test names and numbers of its own
}

// newInstallation starts an installation that ends with t.
func newInstallation(t testing.TB, s *setup, from string, changes ...house.Change) *installation {
	t.Helper()
	in := &installation{Installation: house.Start(t, moment(from), append([]house.Change{s.Change}, changes...)...), setup: s}
	in.common = in.newClient(t)
	return in
}

// eachDatabase runs the test on both shared installations while their clocks stand still: beside the other tests, and
// after those over time.
func eachDatabase(t *testing.T, test func(t *testing.T, in *installation)) {
	t.Helper()
	t.Parallel()
	for _, s := range setups {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			s.days.awaitEnd()
			s.turns <- struct{}{}
			defer func() { <-s.turns }()
			s.run(t, test)
		})
	}
}

// overTime runs the test on both shared installations while their simulated days pass. The test waits with
// in.at for the days that it needs, and all tests over time wait together. They share creditors, so that each night has
// few of them to work on.
func overTime(t *testing.T, test func(t *testing.T, in *installation)) {
	t.Helper()
	whilePass(t, setups, test)
}

// inMarch runs the test as overTime does, on two more installations that the tests of March 2026 share.
func inMarch(t *testing.T, test func(t *testing.T, in *installation)) {
	t.Helper()
	whilePass(t, march, test)
}

func whilePass(t *testing.T, setups []*setup, test func(t *testing.T, in *installation)) {
	t.Helper()
	for _, s := range setups {
		if s.days.over() { // the tests are run again, and need the days again
			s.renew()
		}
		s.days.join()
	}
	t.Parallel()
	for _, s := range setups {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			defer s.days.leave()
			s.turns <- struct{}{}
			defer func() { <-s.turns }()
			s.run(t, func(t *testing.T, in *installation) {
				in.at(t, s.begins)
				test(t, in)
			})
		})
	}
}

// at waits until it is the time in Oslo on the shared installation. Meanwhile others act.
func (in *installation) at(t *testing.T, s string) {
	t.Helper()
	<-in.setup.turns
	err := in.setup.days.await(moment(s))
	in.setup.turns <- struct{}{}
	must(t, err)
}

// next returns a number that no other test has.
func (in *installation) next() int { return int(in.serial.Add(1)) }

// own starts an installation of the same kind for one test.
func (in *installation) own(t *testing.T, from string, changes ...house.Change) *installation {
	t.Helper()
	return newInstallation(t, in.setup, from, changes...)
}

// creditor makes a creditor with the settings, and returns its client, who may do everything.
func (in *installation) creditor(t *testing.T, settings ...string) *client {
	t.Helper()
	c := in.newClient(t)
	if len(settings) > 0 {
		c.Put("/creditor", tag("creditor", settings...)).Is(200)
		in.Approve(t, c.creditor)
	}
	return c
}

// bareCreditor makes a creditor of which only the name is known, and returns its client, who may do everything.
func (in *installation) bareCreditor(t *testing.T) *client {
	t.Helper()
	bare := models.NewCreditor(fmt.Sprintf("Ny kreditor %d", in.next()))
	must(t, in.App.CreateCreditor(t.Context(), &bare))
	return &client{in.Client(t, bare.Name, models.ScopeAdmin), in, fmt.Sprint(bare.ID)}
}

func (in *installation) newClient(t testing.TB) *client {
	t.Helper()
	id := in.NewCreditor(t, "")
	return &client{in.Client(t, id, models.ScopeAdmin), in, id}
}

// lasting is the testing.TB of what outlives a test. What fails on the way panics, what fails in the end is returned
// by end.
type lasting struct {
	testing.TB // nil: the methods below are all that is used
	mu         sync.Mutex
	cleanups   []func()
	failures   []error
	failed     bool
}

func (*lasting) Helper() {}

func (*lasting) Context() context.Context { return context.Background() }

func (l *lasting) Failed() bool { return l.failed }

func (l *lasting) Cleanup(f func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cleanups = append(l.cleanups, f)
}

func (l *lasting) TempDir() string {
	dir, err := os.MkdirTemp("", "purr-")
	must(l, err)
	l.Cleanup(func() { must(l, os.RemoveAll(dir)) })
	return dir
}

func (*lasting) Logf(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }

func (l *lasting) Errorf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failures = append(l.failures, fmt.Errorf(format, args...))
}

func (*lasting) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

func (*lasting) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// end does the clean-ups, the last one first.
func (l *lasting) end(failed bool) error {
	l.failed = failed
	for len(l.cleanups) > 0 {
		last := len(l.cleanups) - 1
		do := l.cleanups[last]
		l.cleanups = l.cleanups[:last]
		do()
	}
	return errors.Join(l.failures...)
}

package conformance_test

import (
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"purr/app"
	"purr/ledger"
	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/house"
	"purr/test/testkit/law"
)

// TestE6TheLadderKeepsTheLawWhateverHappens lets anything happen to a shop in any order: policies change, customers
// pay, by hand and through the bank, people hold, close, credit and ask, and the program is stopped and crashes, while
// days pass. Whatever it then does is held against package law, which knows nothing of the program: each letter, each
// fee, the interest to the øre; what it leaves undone too; and against the plan of the same morning (rules D27 to D29,
// E2, E6, E6a to E6g, E8).
func TestE6TheLadderKeepsTheLawWhateverHappens(t *testing.T) {
	t.Parallel()
	for _, s := range setups {
		s.days.awaitEnd()
	}
	for _, setup := range setups {
		t.Run(setup.Name, func(t *testing.T) { // one after the other: rapid's flag says how often all of them try
			testkit.Tries(t, ladderTries(), 8)
			rapid.Check(t, func(rt *rapid.T) { live(t, rt, setup) })
		})
	}
}

// ladderTries is how often the ladder is tried.
func ladderTries() int {
	if testkit.Whole {
		return 10
	}
	return 4
}

// live is one try.
func live(t *testing.T, rt *rapid.T, setup *setup) {
	s := openShop(t, rt, setup)
	defer s.shut()
	act := func(do func()) func(*rapid.T) {
		return func(rt *rapid.T) {
			s.T = tried{t, rt}
			do()
			s.settle()
			s.review()
		}
	}
	days := act(func() { s.pass(one(s, "days", 1, 7, 14, 15, 20), s.plainly) })
	rt.Repeat(map[string]func(*rapid.T){
		"an invoice": act(s.invoice), "a payment": act(s.pay), "a payment taken back": act(s.unpay), "a fee waived": act(s.waive),
		"a credit note": act(s.credit), "a file from the bank": act(s.file), "another policy": act(s.changePolicy),
		"an invoice's hold": act(s.hold), "a customer's hold": act(s.holdCustomer), "a release": act(s.release),
		"a closing": act(s.end), "a reopening": act(s.reopen), "a notice asked for": act(s.ask),
		"days": days, "more days": days, "days and days": days, "days on end": days, "days without number": days,
		"days without the program": act(func() { s.pass(one(s, "days", 1, 3, 10), s.stopped) }),
		"days and a crash":         act(func() { s.pass(one(s, "days", 1, 3, 14), s.crashing) }),
		"a day without a printer":  act(s.withoutPrinter),
	})
	s.foot()
}

// shop is a creditor in an installation of its own, and what the model knows of it.
type shop struct {
	*client
	ends      *lasting // with the try
	account   string
	policy    models.Policy
	buyers    []*buyer
	bills     []*bill
	events    []string       // all that were read, as they were written
	lastEvent string         // the ID of the last of them
	opened    models.Date    // the day of the first run
	asked     bool           // the notice or hand-over that is found next was asked for
	wanted    wish           // of a notice that was asked for
	noPrinter bool           // letters cannot leave
	dying     sync.WaitGroup // programs that were killed
	paid      []string       // the paths of payments that were registered by hand
}

// wish is what a notice that is asked for is to have or to be.
type wish struct{ fee, interest, warning bool }

// buyer is a customer.
type buyer struct {
	path     string
	business bool
	own      func(*models.Policy) // what its own policy changes
	hold     models.Hold
}

// bill is an invoice.
type bill struct {
	path, kid string
	number    int
	buyer     *buyer
	hold      models.Hold
	ended     bool            // it is closed or handed over
	due       models.Date     // as printed
	letters   []letter        // those that were not withdrawn
	sent      int             // how many letters have left
	known     map[string]bool // the paths of its transactions that were seen
	balance   int             // at the last review, in øre
	credit    int             // what its credit note had outstanding then, in øre, zero or below
	entries   []models.Entry  // those that there were then
}

// letter is a notice, by its path.
type letter struct {
	law.Letter
	path string
}

// tried is the testing.TB of one try of rapid's.
type tried struct {
	testing.TB
	rt *rapid.T
}

func (t tried) Errorf(format string, args ...any) { t.rt.Errorf(format, args...) }
func (t tried) Error(args ...any)                 { t.rt.Error(args...) }
func (t tried) Fatalf(format string, args ...any) { t.rt.Fatalf(format, args...) }
func (t tried) Fatal(args ...any)                 { t.rt.Fatal(args...) }
func (t tried) Logf(format string, args ...any)   { t.rt.Logf(format, args...) }
func (t tried) FailNow()                          { t.rt.FailNow() }
func (t tried) Failed() bool                      { return t.rt.Failed() }

// one draws one of some values, each as often as another. Rapid's own numbers are mostly small, and little falls due in a
// few days.
func one[V any](s *shop, label string, of ...V) V {
	return rapid.SampledFrom(of).Draw(s.T.(tried).rt, label)
}

// openShop opens a shop at noon of a day from 2025-11 to 2026-06, so that half-years, years and holidays pass.
func openShop(t *testing.T, rt *rapid.T, setup *setup) *shop {
	t.Helper()
	first, err := models.ParseDate("2025-11-01")
	must(t, err)
	first += models.Date(rapid.IntRange(0, 241).Draw(rt, "opened"))
	s := &shop{ends: &lasting{}, opened: first, lastEvent: "0"}
	in := newInstallation(s.ends, setup, first.String()+noon, func(_ testing.TB, cfg *app.Settings) {
		cfg.API.BaseURL = "https://purr.example" // events say the same after a restart
	})
	s.client = in.common.on(tried{t, rt})
	s.account = in.bankAccount()
	in.SetAccount(s.T, s.creditor, s.account)
	s.changePolicy()
	for range one(s, "customers", 1, 2, 3) {
		s.newBuyer()
	}
	for range one(s, "invoices", 2, 4, 8) {
		s.invoice()
	}
	s.settle()
	s.review()
	return s
}

// shut ends the program, and waits for those that have crashed.
func (s *shop) shut() {
	s.dying.Wait()
	must(s.T, s.ends.end(s.T.Failed()))
}

// foot proves the books when all is over, and that the events that were read are all.
func (s *shop) foot() {
	s.T.Helper()
	must(s.T, s.in.App.Verify(s.T.Context(), func(_ models.Creditor, d ledger.Difference) { s.T.Errorf("the books: %+v", d) }))
	var events []string
	for _, e := range s.List("/events") {
		events = append(events, e.Write())
	}
	same(s.T, "all events", events, s.events)
	for _, b := range s.bills {
		s.mustAddUp(b, s.Get(b.path).Shown())
		equal(s.T, "letters that left for invoice "+strconv.Itoa(b.number), b.sent, len(b.letters))
	}
}

// The times of a day that matter: the plan is asked for early, the dunning run is made at six, people act at noon.
const (
	early = " 05:00"
	run   = " 06:00"
	noon  = " 12:00"
)

// settle has everything done that is owed now (rule E8).
func (s *shop) settle() { s.reach(s.in.App.Clock.Now()) }

// reach moves the clock.
func (s *shop) reach(to time.Time) {
	s.T.Helper()
	s.MoveClock(to)
}

// pass lets days pass until noon of the last one, and holds what its run does against its plan. how lets them pass until
// early that day, and reports whether there was a run on each.
func (s *shop) pass(days int, how func(days int) (daily bool)) {
	s.T.Helper()
	on := s.in.Today() + models.Date(days)
	ahead := s.planOf(on)
	daily := how(days)
	s.review()
	plan := s.planOf(on)
	if daily {
		s.mustForesee(ahead, plan)
	}
	if !s.noPrinter && one(s, "crash", false, false, false, true) {
		s.crash(moment(on.String()+run), moment(on.String()+noon))
	}
	s.reach(moment(on.String() + noon))
	same(s.T, "what the plan of "+on.String()+" had and its run did", s.review(), plan.steps)
	s.mustForgetNone(on, plan)
	s.mustHaveRuns(on)
}

// plainly lets days pass until the early morning of the last one.
func (s *shop) plainly(days int) bool {
	s.reach(moment((s.in.Today() + models.Date(days)).String() + early))
	return true
}

// stopped does so while the program is not running.
func (s *shop) stopped(days int) bool {
	on := s.in.Today() + models.Date(days)
	must(s.T, s.in.Stop())
	s.in.Config.TestClock = moment(on.String() + early)
	must(s.T, s.in.Run())
	s.settle()
	return false
}

// crashing does so while the program crashes on one of the days, in the run or after it, and is started again.
func (s *shop) crashing(days int) bool {
	today := s.in.Today()
	last := moment((today + models.Date(days)).String() + early)
	if days > 1 {
		s.crash(moment((today+models.Date(1+one(s, "day of the crash", 0, 1, 2)%(days-1))).String()+run), last)
	}
	s.reach(last)
	return true
}

// crash moves the clock, and ends the program on the way: at a moment, and after some events of that moment.
func (s *shop) crash(at, to time.Time) {
	s.T.Helper()
	events := rapid.IntRange(0, 6).Draw(s.T.(tried).rt, "events before the crash")
	ctx, cancel := context.WithCancel(s.T.Context())
	defer cancel()
	r := s.Request(http.MethodPost, "/test_clock", strings.NewReader(house.ClockAt(to))).WithContext(ctx)
	moved := make(chan struct{})
	go func() {
		defer close(moved)
		if got, err := http.DefaultClient.Do(r); err == nil {
			_ = got.Body.Close()
		}
	}()
	for tick := time.NewTicker(3 * time.Millisecond); ; {
		select {
		case <-moved:
		case <-tick.C:
			if s.in.App.Clock.Now().Before(at) {
				continue
			}
			if events > 0 && len(s.newEvents()) < events {
				continue
			}
		}
		tick.Stop()
		break
	}
	cancel()
	s.kill()
	must(s.T, s.in.Run())
}

// kill ends the program. The embedded one loses its database first, so that its work under way fails, and the locks of its
// workers, as the end of its process would free them: without ending this process, nothing comes nearer to a kill.
func (s *shop) kill() {
	s.T.Helper()
	if !s.in.Config.Database.Embedded() {
		must(s.T, s.in.Stop())
		return
	}
	dying := s.in.App
	_ = dying.DB.Close()
	s.freeLocks()
	s.dying.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), testkit.Patience)
		defer cancel()
		_ = dying.Close(ctx)
	})
}

// freeLocks puts copies in the place of the workers' files. Nobody holds a lock on a copy, so the next program finds that
// the worker of a killed one is dead, and takes up the letters that it had in hand.
func (s *shop) freeLocks() {
	s.T.Helper()
	files, err := filepath.Glob(s.in.Path("workers", "*"))
	must(s.T, err)
	for _, file := range files {
		marks, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			continue // the worker has left
		}
		must(s.T, err)
		must(s.T, errors.Join(os.Remove(file), os.WriteFile(file, marks, 0o600)))
	}
}

// withoutPrinter lets a day pass on which no letter can leave, and then has somebody pay or close an invoice whose
// letter waits: it is withdrawn, and never leaves (rules E2, E6f).
func (s *shop) withoutPrinter() {
	paper := s.in.Path("outbox", "paper")
	must(s.T, errors.Join(os.Rename(paper, paper+"-gone"), os.WriteFile(paper, nil, 0o600)))
	s.noPrinter = true // without which the program does not start
	s.pass(1, s.plainly)
	s.noPrinter = false
	if waiting := s.waiting(); waiting != nil {
		if one(s, "it is paid", true, false) {
			s.payAll(waiting)
		} else {
			s.close(waiting)
		}
		s.settle()
		s.review()
	}
	must(s.T, errors.Join(os.Remove(paper), os.Rename(paper+"-gone", paper)))
	s.pass(1, s.plainly)
}

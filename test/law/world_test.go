//go:build chaos

package law_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"testing"

	"purr/app"
	"purr/ledger"
	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/audited"
	"purr/test/testkit/house"
	"purr/test/testkit/smtpserver"
	"purr/test/testkit/validate"
)

// The words of package house that tests use all the time.
var (
	below  = house.Below
	moment = house.Moment
	must   = testkit.Must
	tag    = house.Tag
	kroner = house.Kroner
)

// The times of a day that matter: the plan is asked for early, the run is made at six, people act at noon.
const (
	early = " 05:00"
	noon  = " 12:00"
)

// world is an installation and the creditors who live in it.
type world struct {
	*testing.T
	*rand.Rand
	in    *house.Installation
	http  *http.Client
	lives []*life

	newAct    models.Date // from which the act of 2026 is in force, zero where that is far off
	mail      *smtpserver.Server
	noPrinter int // for how many days letters cannot leave yet
	noMail    int // for how many days the mail server refuses yet
}

// newWorld opens a world on a day from 2021 to 2025, so that all its days have figures.
func newWorld(t *testing.T, seed uint64, number int) *world {
	t.Helper()
	w := &world{T: t, Rand: rand.New(rand.NewPCG(seed, uint64(number))), http: &http.Client{Timeout: testkit.Patience, Transport: validate.Described(t, http.DefaultTransport)}}
	w.mail = smtpserver.Start(t)
	first, err := models.ParseDate("2021-01-01")
	must(t, err)
	first += models.Date(w.IntN(4 * 365))
	setup := house.Setups[0]
	if number%8 == 0 {
		setup = house.Setups[1]
	}
	w.in = house.Start(t, moment(first.String()+noon), setup.Change, func(_ testing.TB, cfg *app.Settings) {
		cfg.API.BaseURL, cfg.Mail.URL = "https://purr.example", w.mail.URL()
	})
	if number%5 == 0 {
		w.newAct = first + models.Date(w.IntN(days))
		must(t, w.in.App.SetRule(t.Context(), models.DunningRule{
			Kind: models.RuleAct, FromDate: w.newAct, Value: "2026", Source: "the King in Council", SetBy: "the operator",
		}))
	}
	for n := range creditors {
		w.lives = append(w.lives, newLife(w, n))
	}
	return w
}

// live lets all days pass.
func (w *world) live() {
	w.settle()
	for end := w.in.Today() + days; w.in.Today() < end; {
		w.pass()
	}
	w.prove()
}

// pass lets some days pass on which nobody does anything, and holds what their runs did, and the plan of the last one and
// its run, against the law. Then people act.
func (w *world) pass() {
	from := w.in.Today()
	today := from + models.Date(one(w, 1, 1, 1, 1, 2, 2, 3, 5))
	w.turnChannels(int(today - from))
	stopped := w.chance(60) && w.noPrinter == 0
	for _, l := range w.lives {
		l.foresee(from, today, stopped)
	}
	if stopped {
		must(w.T, w.in.Stop())
		w.in.Config.TestClock = moment(today.String() + early)
		must(w.T, w.in.Run())
	}
	w.reach(today.String() + early)
	for _, l := range w.lives {
		l.morning(today)
	}
	w.reach(today.String() + noon)
	acted := false
	for _, l := range w.lives {
		l.afterRun(today)
		acted = l.act() || acted
		tally.days.Add(int64(today - from))
	}
	if acted {
		w.settle()
		for _, l := range w.lives {
			l.review(today)
		}
	}
	if w.chance(60) {
		w.prove()
	}
	if w.Failed() {
		w.FailNow()
	}
}

// chance reports true once in some times.
func (w *world) chance(in int) bool { return w.IntN(in) == 0 }

// turnChannels lets the printer and the mail server fail for a while, and lets them work again, before some days pass.
func (w *world) turnChannels(days int) {
	paper := w.in.Path("outbox", "paper")
	switch {
	case w.noPrinter == 0 && w.chance(30):
		w.noPrinter = 1 + w.IntN(6)
		w.note("letters cannot leave")
		must(w.T, errors.Join(os.Rename(paper, paper+"-gone"), os.WriteFile(paper, nil, 0o600)))
	case w.noPrinter > 0:
		if w.noPrinter = max(0, w.noPrinter-days); w.noPrinter == 0 {
			w.note("letters can leave again")
			must(w.T, errors.Join(os.Remove(paper), os.Rename(paper+"-gone", paper)))
		}
	}
	switch {
	case w.noMail == 0 && w.chance(30):
		w.noMail = 1 + w.IntN(5)
		code := []int{550, 451}[w.IntN(2)]
		w.note(fmt.Sprintf("the mail server answers %d", code))
		w.mail.Reject(smtpserver.Rcpt, code, "not here", 100_000)
	case w.noMail > 0:
		if w.noMail = max(0, w.noMail-days); w.noMail == 0 {
			w.note("the mail server takes mail again")
			w.mail.Behave()
		}
	}
}

// note tells all lives what happened in the world.
func (w *world) note(what string) {
	for _, l := range w.lives {
		l.note("%s", what)
	}
}

// reach moves the clock.
func (w *world) reach(to string) { w.lives[0].MoveClock(moment(to)) }

// settle has everything done that is owed now (rule E8).
func (w *world) settle() { w.lives[0].MoveClock(w.in.App.Clock.Now()) }

// prove proves the books.
func (w *world) prove() {
	must(w.T, w.in.App.Verify(w.Context(), func(c models.Creditor, d ledger.Difference) { w.Errorf("the books of %s: %+v", c.Name, d) }))
	tally.comparisons.Add(1)
	audited.Clean(w.T, w.in.App)
}

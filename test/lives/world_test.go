//go:build whole

package lives_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"purr/app"
	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/audited"
	"purr/test/testkit/house"
	"purr/test/testkit/servers"
	"purr/test/testkit/validate"
)

// world is an installation and the creditors who live in it.
type world struct {
	*testing.T
	*rand.Rand
	in    *house.Installation
	db    *sql.DB // the installation's database, beside the program
	lives []*life
}

// life is a creditor, and what the world knows of it besides its rows.
type life struct {
	*house.Client
	w       *world
	id      int64
	account string
	policy  string
	books   books
	post    post
	queue   queue
	byHand  map[int64]bool // the hand-overs that a person asked for, by invoice
	serial  int            // of the bank's files
	brought models.Amount  // by the bank, less what it took back
	journal []string
	found   map[string]bool // what was found, so that each thing is told once
}

// newWorld opens a world on a day of 2023 or 2024, so that all its days have figures.
func newWorld(t *testing.T, choices *rand.Rand, setup house.Setup) *world {
	t.Helper()
	w := &world{T: t, Rand: choices}
	first := models.NewDate(2023, time.January, 1) + models.Date(w.IntN(2*365))
	w.in = house.Start(t, moment(first.String()+" 12:00"), setup.Change, func(_ testing.TB, cfg *app.Settings) { cfg.API.BaseURL = "https://purr.example" })
	w.open()
	client := &http.Client{Timeout: testkit.Patience, Transport: validate.Described(t, http.DefaultTransport)}
	for range creditors {
		w.lives = append(w.lives, w.newLife(client))
	}
	return w
}

// open opens the installation's database beside the program.
func (w *world) open() {
	w.Helper()
	var err error
	if strings.HasPrefix(w.in.Config.Database.URL, "mysql") {
		w.db, err = servers.OpenMySQL(w.in.Config.Database.URL)
	} else {
		w.db, err = sql.Open("sqlite", w.in.Path("purr.db")+"?_pragma=busy_timeout(30000)")
	}
	must(w.T, err)
	w.Cleanup(func() { must(w.T, w.db.Close()) })
}

// one draws one of some values, each as often as another.
func one[V any](w *world, of ...V) V { return of[w.IntN(len(of))] }

// chance reports true once in some times.
func (w *world) chance(in int) bool { return w.IntN(in) == 0 }

// now returns the time of the world.
func (w *world) now() time.Time { return w.in.App.Clock.Now() }

// newLife makes a creditor with a policy, and customers who are consumers.
func (w *world) newLife(client *http.Client) *life {
	w.Helper()
	name := w.in.NewCreditor(w.T, "")
	creditor, err := w.in.App.Creditor(w.Context(), name)
	must(w.T, err)
	l := &life{Client: w.in.Client(w.T, name, models.ScopeAdmin), w: w, id: creditor.ID, account: creditor.BankAccount}
	l.HTTP, l.post, l.byHand, l.found = client, post{}, map[int64]bool{}, map[string]bool{}
	handOver := tag("hand_over_days")
	if !w.chance(3) {
		handOver = tag("hand_over_days", one(w, "1", "1", "10"))
	}
	l.policy = tag("dunning_policy", tag("enabled", "1"), tag("days_to_pay", "14"), tag("postal_days", one(w, "0", "3", "10")), tag("handover_days", one(w, "0", "2", "5")),
		tag("second_notice_days", one(w, "14", "14", "1")), tag("debt_collection_notice", one(w, "second", "second", "first")), handOver,
		tag("remainder", one(w, "leave", "waive", "chase")), tag("settle_credit", one(w, "0", "1")), tag("weekdays_only", one(w, "0", "1")), tag("require_payment_file", "0"))
	l.Put("/creditor", tag("creditor", tag("dunning_ceiling", "1000"), l.policy)).Is(http.StatusOK)
	for n := range 5 {
		l.Post("/customers", tag("customer", tag("name1", fmt.Sprintf("Kunde %d", n+1)), tag("address1", "Kirkeveien 1"), tag("postal_code", "0155"), tag("postal_name", "Oslo"))).Created()
	}
	return l
}

// live lets all days of its years pass, and judges each month and the end.
func (w *world) live() {
	for _, l := range w.lives {
		l.read()
		l.newInvoice()
	}
	w.settle()
	judged := w.in.Today()
	for end := w.in.Today() + models.Date(years*year); w.in.Today() < end; {
		w.reach(w.in.Today() + models.Date(one(w, 1, 1, 2, 3, 4, 6)))
		for _, l := range w.lives {
			l.look()
			l.act()
		}
		w.settle()
		for _, l := range w.lives {
			l.look()
			l.queue.point(l.books, w.in.Today())
		}
		if today := w.in.Today(); today >= judged+30 || today >= end {
			judged = today
			for _, l := range w.lives {
				l.judge()
			}
		}
	}
	for _, l := range w.lives {
		l.w.Logf("creditor %d: %s", l.id, l.sum())
	}
	audited.Clean(w.T, w.in.App)
}

// reach moves the clock to noon of a day.
func (w *world) reach(day models.Date) { w.lives[0].MoveClock(moment(day.String() + " 12:00")) }

// settle has everything done that is owed now (rule E8).
func (w *world) settle() { w.lives[0].MoveClock(w.now()) }

// look reads the rows, follows the letters, and judges the new notices by whom payments in the queue pointed at.
func (l *life) look() {
	l.w.Helper()
	l.read()
	l.post.follow(l.books)
	for _, wrong := range l.queue.wrong(l.books) {
		l.find(wrong)
	}
}

// judge holds all rows against the rules.
func (l *life) judge() {
	l.w.Helper()
	for _, wrong := range (judge{books: l.books, post: l.post, byHand: l.byHand, told: l.toldOf}).all() {
		l.find(wrong)
	}
}

// sum sums up what a life was made of. A life without notices proves nothing.
func (l *life) sum() string {
	l.w.Helper()
	withdrawn, second, late, back := 0, 0, 0, 0
	for _, n := range l.books.notices {
		switch {
		case n.withdrawn != 0:
			withdrawn++
		case n.sequence > 1:
			second++
		}
	}
	for _, of := range l.post {
		for _, s := range of {
			if !s.known.IsZero() {
				late++
			}
			if s.ended() {
				back++
			}
		}
	}
	if len(l.books.notices) == 0 {
		l.w.Errorf("creditor %d has sent no notice in two years", l.id)
	}
	return fmt.Sprintf("%d invoices, %d notices (%d withdrawn, %d second ones in force), %d hand-overs, %d payments in the queue, %d letters that left late, %d that failed or came back, %d entries", len(l.books.invoices),
		len(l.books.notices), withdrawn, second, len(l.books.handOvers), len(l.books.payments), late, back, len(l.books.entries))
}

// note notes what was done, for whoever reads of a finding.
func (l *life) note(format string, args ...any) {
	l.journal = append(l.journal, l.w.now().In(house.Oslo).Format("2006-01-02 ")+fmt.Sprintf(format, args...))
}

// find tells what is wrong, once, with what was done to the invoice.
func (l *life) find(f finding) {
	l.w.Helper()
	key := fmt.Sprintf("%d %s", f.invoice, f.kind)
	if l.found[key] {
		return
	}
	l.found[key] = true
	l.w.Errorf("%s: creditor %d, invoice %d: %s: %s", l.books.today, l.id, f.invoice, f.kind, f.what)
	if whole := fmt.Sprint(f.invoice); !l.found[whole] {
		l.found[whole] = true
		l.w.Log(l.tell(f.invoice))
	}
}

// tell tells the life of an invoice.
func (l *life) tell(invoice int64) string {
	lines := []string{"policy: " + l.policy}
	customer := l.books.invoice(invoice).customer
	for _, of := range l.journal {
		if strings.Contains(of, fmt.Sprintf("invoice %d ", invoice)) || strings.Contains(of, fmt.Sprintf("customer %d ", customer)) || strings.Contains(of, "payment") {
			lines = append(lines, of)
		}
	}
	return strings.Join(append(lines, l.books.tell(invoice, l.post)...), "\n")
}

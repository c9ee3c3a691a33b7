package e2e_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/house"
)

// gate knows where the API can be reached. Who asks waits while it is nowhere.
type gate struct {
	mu      sync.Mutex
	urls    map[*process]string
	changed chan struct{} // closed and replaced when an address comes
}

func newGate() *gate { return &gate{urls: map[*process]string{}, changed: make(chan struct{})} }

func (g *gate) open(p *process, url string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.urls[p] = url
	close(g.changed)
	g.changed = make(chan struct{})
}

func (g *gate) shut(p *process) {
	g.mu.Lock()
	defer g.mu.Unlock()
	delete(g.urls, p)
}

// url returns one of the addresses, any of them.
func (g *gate) url() string {
	for {
		g.mu.Lock()
		changed := g.changed
		for _, url := range g.urls {
			g.mu.Unlock()
			return url
		}
		g.mu.Unlock()
		select {
		case <-changed:
		case <-time.After(testkit.Patience):
			return "http://127.0.0.1:1" // nobody listens: whoever asks fails and says so
		}
	}
}

// load is what several clients do, all at once, to an installation that keeps dying, and what they were
// answered. A request is made again, with the same Idempotency-Key, until it is answered.
type load struct {
	t         *testing.T
	api       *client
	seed      uint64
	inbox     string
	customers []string
	answers   atomic.Int64 // so far
	repeats   atomic.Int64 // requests that were made again
	stopped   chan struct{}
	clients   sync.WaitGroup
	calm      sync.RWMutex // held by who wants the others to be silent
	moving    atomic.Bool  // the clock

	mu       sync.Mutex
	keys     int
	invoices []*answered
	lines    []bankLine // that a file with them was taken of, each once
	files    int
}

// answered is an invoice that a client was told of.
type answered struct {
	path, date, kid string
	number          int64
	owed            models.Amount   // by what the clients were told: gross and payments
	paid            []*paidAnswered // by hand
	credited        bool
}

type paidAnswered struct {
	path   string
	amount models.Amount
}

func newLoad(t *testing.T, api *client, seed uint64, inbox string) *load {
	l := &load{t: t, api: api, seed: seed, inbox: inbox, stopped: make(chan struct{})}
	for _, name := range []string{"Kari Nordmann", "Ola Nordmann", "Åse Ødegård", "Bjørn Bø", "Eli Vik"} {
		l.customers = append(l.customers, pathOf(api.customer(t, name))) // the port will be another one
	}
	return l
}

// start lets a client do its work over and over until finish is called.
func (l *load) start(work func(r *rand.Rand) error) {
	l.mu.Lock()
	l.keys++
	r := rand.New(rand.NewPCG(l.seed, uint64(l.keys)))
	l.mu.Unlock()
	l.clients.Go(func() {
		for {
			select {
			case <-l.stopped:
				return
			default:
			}
			l.calm.RLock()
			err := work(r)
			l.calm.RUnlock()
			if err != nil {
				l.t.Error(err)
				return
			}
		}
	})
}

// finish lets the clients end what they have begun.
func (l *load) finish() {
	close(l.stopped)
	l.clients.Wait()
}

// moveClock lets days pass until finish is called. The other clients are silent meanwhile: the clock moves on
// only when the queue is empty.
func (l *load) moveClock(now *time.Time) {
	r := rand.New(rand.NewPCG(l.seed, 0))
	l.clients.Go(func() {
		for {
			select {
			case <-l.stopped:
				return
			default:
			}
			*now = now.Add(time.Duration(r.IntN(48*60)) * time.Minute)
			l.calm.Lock()
			l.moving.Store(true)
			_, err := l.insist(call{method: "POST", path: "/api/v1/test_clock", body: house.ClockAt(*now)}, http.StatusOK)
			l.moving.Store(false)
			l.calm.Unlock()
			if err != nil {
				l.t.Error(err)
				return
			}
		}
	})
}

// await returns when n more requests have been answered.
func (l *load) await(n int64) {
	l.t.Helper()
	until := l.answers.Load() + n
	eventually(l.t, fmt.Sprintf("%d more answers", n), func() (bool, any) { return l.answers.Load() >= until || l.t.Failed(), l.answers.Load() })
	l.abandon()
}

// awaitMove returns when the clock is being moved.
func (l *load) awaitMove() {
	l.t.Helper()
	eventually(l.t, "the clock moves", func() (bool, any) { return l.moving.Load() || l.t.Failed(), nil })
	l.abandon()
}

// abandon ends the test where a client has failed.
func (l *load) abandon() {
	l.t.Helper()
	if l.t.Failed() {
		l.t.FailNow()
	}
}

// insist makes a request until it is answered, and fails unless the answer has one of the statuses.
func (l *load) insist(c call, statuses ...int) (*answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*testkit.Patience)
	defer cancel()
	for {
		a, err := l.api.do(ctx, c)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, fmt.Errorf("%s %s was not answered: %w", c.method, c.path, err)
		case err != nil, a.Status > http.StatusInternalServerError, inProgress(a):
			l.repeats.Add(1)
			<-time.After(2 * time.Millisecond)
			continue
		}
		l.answers.Add(1)
		if !slices.Contains(statuses, a.Status) {
			return nil, fmt.Errorf("%s %s answered %d, want %v: %s", c.method, c.path, a.Status, statuses, a.Body)
		}
		return a, nil
	}
}

// inProgress reports whether the first request with this key is still running (rule D9).
func inProgress(a *answer) bool {
	return a.Status == http.StatusConflict && strings.Contains(string(a.Body), `code="idempotency_in_progress"`)
}

// once is a POST that has its effect once, however often it is made.
func (l *load) once(path, body string) call {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.keys++
	return call{method: "POST", path: path, body: body, header: map[string]string{"Idempotency-Key": fmt.Sprintf("request %d", l.keys)}}
}

// some returns any of the invoices that clients were told of.
func (l *load) some(r *rand.Rand) (*answered, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.invoices) == 0 {
		return nil, false
	}
	return l.invoices[r.IntN(len(l.invoices))], true
}

// issue sends an invoice.
func (l *load) issue(r *rand.Rand) error {
	i := invoiceOf{customer: l.customers[r.IntN(len(l.customers))], days: r.IntN(5), net: kroner(1_00 + r.IntN(5000_00)), method: "EMAIL"}
	if r.IntN(2) == 0 {
		i.method = "PAPER"
	}
	for n := range r.IntN(3) {
		i.copies = append(i.copies, fmt.Sprintf("copy%d-%d@example.no", n, r.IntN(100)))
	}
	told, err := l.insist(l.once("/api/v1/invoices", i.xml()), http.StatusCreated)
	if err != nil {
		return err
	}
	n := told.Root()
	made := &answered{path: "/api/v1/invoice/" + idOf(n.At("@uri")), date: n.At("issue_date"), kid: n.At("ocr_kid_number")}
	if made.number, err = strconv.ParseInt(n.At("invoice_number"), 10, 64); err != nil {
		return err
	}
	if made.owed, err = models.ParseAmount(n.At("gross_amount")); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.invoices = append(l.invoices, made)
	return nil
}

// pay registers a payment by hand, or now and then deletes one.
func (l *load) pay(r *rand.Rand) error {
	i, found := l.some(r)
	if !found {
		return l.issue(r)
	}
	if r.IntN(4) == 0 {
		return l.unpay(i)
	}
	amount := models.Amount(1 + r.IntN(500_00))
	told, err := l.insist(l.once(i.path+"/ar_transactions", paymentBody("-"+amount.String(), i.date)), http.StatusCreated)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	i.owed -= amount
	i.paid = append(i.paid, &paidAnswered{"/api/v1/ar_transaction/" + idOf(told.Root().At("@uri")), amount})
	return nil
}

// unpay deletes a payment. When the answer was lost the second request finds it gone.
func (l *load) unpay(i *answered) error {
	l.mu.Lock()
	if len(i.paid) == 0 {
		l.mu.Unlock()
		return nil
	}
	last := i.paid[len(i.paid)-1]
	i.paid = i.paid[:len(i.paid)-1]
	l.mu.Unlock()
	_, err := l.insist(call{method: "DELETE", path: last.path}, http.StatusNoContent, http.StatusNotFound)
	l.mu.Lock()
	defer l.mu.Unlock()
	i.owed += last.amount
	return err
}

// credit credits an invoice.
func (l *load) credit(r *rand.Rand) error {
	i, found := l.some(r)
	if !found {
		return l.issue(r)
	}
	l.mu.Lock()
	again := i.credited
	i.credited = true
	l.mu.Unlock()
	if again {
		return l.read(r)
	}
	_, err := l.insist(l.once(i.path+"/credit_notes", creditBody("EMAIL")), http.StatusCreated)
	return err
}

// plan has an invoice paid by instalments, which are missed soon, or ends such a plan. Somebody may pay, or days may pass, between the look and the
// act: then it is refused.
func (l *load) plan(r *rand.Rand) error {
	i, found := l.some(r)
	if !found {
		return l.issue(r)
	}
	if r.IntN(8) == 0 {
		_, err := l.insist(call{method: "DELETE", path: i.path + "/payment_plan"}, http.StatusNoContent)
		return err
	}
	owed, err := l.insist(call{method: "GET", path: "/api/v1/receivables"}, http.StatusOK)
	if err != nil {
		return err
	}
	today, err := models.ParseDate(owed.Root().At("@date"))
	if err != nil {
		return err
	}
	shown, err := l.insist(call{method: "GET", path: i.path}, http.StatusOK)
	if err != nil {
		return err
	}
	balance, err := models.ParseAmount(shown.Root().At("ar_transactions/@balance"))
	if err != nil || balance < 2 {
		return err
	}
	half, body := balance/2, ""
	for n, amount := range []models.Amount{half, balance - half} {
		body += fmt.Sprintf(`<instalment due_date="%s" amount="%s"/>`, today+models.Date(r.IntN(3)+4*n), amount)
	}
	_, err = l.insist(call{method: "PUT", path: i.path + "/payment_plan", body: house.Tag("payment_plan", body)}, http.StatusOK, http.StatusConflict, http.StatusUnprocessableEntity)
	return err
}

// read reads a PDF or a list.
func (l *load) read(r *rand.Rand) error {
	path := "/api/v1/invoices?status=overdue"
	if i, found := l.some(r); found && r.IntN(2) == 0 {
		path = i.path + "/pdf"
	}
	_, err := l.insist(call{method: "GET", path: path}, http.StatusOK)
	return err
}

// bank delivers a file, by the API or into the inbox: payments of invoices, strays, and lines that have come
// before. Now and then it delivers a broken one.
func (l *load) bank(r *rand.Rand) error {
	f, fresh := l.statement(r)
	if len(f.lines) == 0 {
		return l.issue(r)
	}
	raw, err := f.bytes()
	if err != nil {
		return err
	}
	switch r.IntN(5) {
	case 0:
		_, err := l.insist(l.onceFile(raw[:len(raw)-81]), http.StatusUnprocessableEntity)
		return err
	case 1, 2:
		err = putFile(l.inbox, fmt.Sprintf("file-%d.txt", f.number), raw)
		l.answers.Add(1)
	default:
		// When the answer was lost the second request may find that the file was taken.
		_, err = l.insist(l.onceFile(raw), http.StatusCreated, http.StatusConflict)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, fresh...)
	return err
}

func (l *load) onceFile(raw []byte) call {
	c := l.once("/api/v1/payment_files", string(raw))
	c.header["Content-Type"] = "text/plain"
	return c
}

// statement makes up a file, and returns the lines of it that never came before.
func (l *load) statement(r *rand.Rand) (f bankFile, fresh []bankLine) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.invoices) == 0 {
		return f, nil
	}
	l.files++
	f = bankFile{number: l.files, date: l.invoices[0].date}
	for range 1 + r.IntN(30) {
		line := bankLine{kid: l.invoices[r.IntN(len(l.invoices))].kid, amount: kroner(1 + r.IntN(300_00)), reference: nextReference()}
		if r.IntN(6) == 0 {
			line.kid = models.NewKID(fmt.Sprint(900_000_000+line.reference), models.Modulus10) // nobody's
		}
		fresh = append(fresh, line)
	}
	f.lines = append(f.lines, fresh...)
	if n := len(l.lines); n > 0 {
		first := r.IntN(n)
		f.lines = append(f.lines, l.lines[first:min(first+5, n)]...)
	}
	return f, fresh
}

func kroner(ore int) string { return models.Amount(ore).String() }

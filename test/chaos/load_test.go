//go:build chaos

package chaos_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"purr/models"
)

// creditor is one on whose behalf clients call.
type creditor struct {
	name, account string
	id, key       string
	customers     []string // their paths

	mu       sync.Mutex
	repeated []*line // that may come again in another file
}

func (c *creditor) lines() []*line {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.repeated
}

func (c *creditor) remember(l *line) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.repeated = append(c.repeated, l)
}

// load is the clients of a round.
type load struct {
	*round
	clients sync.WaitGroup
	began   time.Time
	stopped chan struct{}
	calm    sync.RWMutex // held by who wants the others to be silent
	readers []*reader
}

// startLoad lets the clients work until finish is called.
func (r *round) startLoad() *load {
	l := &load{round: r, began: time.Now(), stopped: make(chan struct{})}
	for n, work := range []func(*rand.Rand){
		l.issue, l.issue, l.issue, l.burst, l.pay, l.pay, l.credit, l.bank, l.bank, l.match, l.hold, l.closeInvoice, l.dun, l.handOver, l.customer, l.read,
	} {
		l.repeat(rand.New(rand.NewPCG(r.seed, uint64(n)+10)), work)
	}
	for _, c := range r.creditors {
		reader := &reader{creditor: c}
		l.readers = append(l.readers, reader)
		l.repeat(nil, func(*rand.Rand) { l.follow(reader) })
	}
	if r.setup.testClock {
		l.moveClock(rand.New(rand.NewPCG(r.seed, 9)))
	}
	return l
}

// restsAfter is how long clients ask all they can. While faults last longer they ask less, or the disk would fill up, and the
// backlog with it.
const restsAfter = 10 * time.Second

// repeat lets a client do its work over and over.
func (l *load) repeat(r *rand.Rand, work func(*rand.Rand)) {
	l.clients.Go(func() {
		for {
			rest := time.Duration(20+rand.IntN(60)) * time.Millisecond
			if time.Since(l.began) > restsAfter {
				rest *= 30
			}
			select {
			case <-l.stopped:
				return
			case <-time.After(rest):
			}
			l.calm.RLock()
			work(r)
			l.calm.RUnlock()
		}
	})
}

// finish lets the clients end what they have begun.
func (l *load) finish() {
	close(l.stopped)
	l.clients.Wait()
}

// moveClock lets days pass. The other clients are silent meanwhile: the clock moves on when the queue is empty. No fault of
// what is sent to, or of the disk, lasts meanwhile: what cannot leave for a whole day is rightly given up (rule R5c).
func (l *load) moveClock(r *rand.Rand) {
	l.clients.Go(func() {
		for {
			select {
			case <-l.stopped:
				return
			case <-time.After(time.Duration(300+r.IntN(900)) * time.Millisecond):
			}
			l.calm.Lock()
			whole := []*sync.Mutex{l.lockOf("smtp"), l.lockOf("hook"), l.lockOf("disk")}
			for _, lock := range whole {
				lock.Lock()
			}
			l.advance(time.Duration(6+r.IntN(42)) * time.Hour)
			for _, lock := range whole {
				lock.Unlock()
			}
			l.calm.Unlock()
		}
	})
}

// advance moves the test clock.
func (r *round) advance(d time.Duration) {
	r.now = r.now.Add(d)
	body := "<test_clock><now>" + r.now.Format(time.RFC3339) + "</now></test_clock>"
	if a, answered := r.insist(r.creditors[0].key, call{method: "POST", path: "/test_clock", body: body}); answered && a.status != 200 {
		r.find("moving the clock to %s was answered %d: %s", r.now, a.status, code(a.body))
	}
}

// newKey returns an Idempotency-Key.
func (r *round) newKey() string { return fmt.Sprintf("request %d", r.told.next()) }

// make asks for an effect by a POST: with an Idempotency-Key until it is answered, without one only once. It returns the
// answer, if the effect is there.
func (r *round) make(rnd *rand.Rand, c *creditor, e *effect, path, body string) (answer, bool) {
	what := call{method: "POST", path: path, body: body}
	var a answer
	if rnd.IntN(5) == 0 {
		var err error
		if a, err = r.send(r.patience, c.key, what); err != nil || again(a) {
			return a, false
		}
	} else {
		what.key = r.newKey()
		var answered bool
		if a, answered = r.insist(c.key, what); !answered {
			return a, false
		}
	}
	id := ""
	if a.done() {
		id = idOf(get(r.root(a), "@uri"))
	}
	r.told.learn(e, a, id)
	return a, a.done()
}

// some returns one of the creditors, the first one more often.
func (l *load) some(r *rand.Rand) *creditor { return l.creditors[r.IntN(4)/3%len(l.creditors)] }

// any returns one of the creditor's invoices.
func (l *load) any(r *rand.Rand, c *creditor, overdue bool) (*invoice, bool) {
	invoices := l.told.of(c, overdue)
	if len(invoices) == 0 {
		return nil, false
	}
	return invoices[r.IntN(len(invoices))], true
}

// issue sends an invoice.
func (l *load) issue(r *rand.Rand) { l.issueFor(r, l.some(r)) }

// burst sends several invoices at once, which are issued together.
func (l *load) burst(r *rand.Rand) {
	c := l.some(r)
	var all sync.WaitGroup
	for range 4 {
		own := rand.New(rand.NewPCG(r.Uint64(), 0))
		all.Go(func() { l.issueFor(own, c) })
	}
	all.Wait()
}

func (r *round) issueFor(rnd *rand.Rand, c *creditor) (*invoice, bool) {
	e := r.told.ask(invoiceEffect, nil)
	method := []string{"EMAIL", "PAPER"}[rnd.IntN(2)]
	copies := ""
	for n := range rnd.IntN(3) {
		copies += fmt.Sprintf(`<shipment type="copy"><shipment_method>EMAIL</shipment_method><recipient><email>copy%d@example.no</email></recipient></shipment>`, n)
	}
	body := fmt.Sprintf(`<invoice><num_due_days>%d</num_due_days><invoice_note>%s</invoice_note><recipient uri="/api/v1%s"/>`+
		`<lines><line><line_text>Rørleggerarbeid</line_text><unit_price>%d.00</unit_price><num_items>1</num_items><vat_rate>HIGH</vat_rate></line></lines>`+
		`<shipments><shipment type="original"><shipment_method>%s</shipment_method></shipment>%s</shipments></invoice>`,
		rnd.IntN(5), e.label, c.customers[rnd.IntN(len(c.customers))], 1000+rnd.IntN(5000), method, copies)
	a, made := r.make(rnd, c, e, "/invoices", body)
	if !made {
		return nil, false
	}
	n := r.root(a)
	gross, err := models.ParseAmount(get(n, "gross_amount"))
	if err != nil {
		r.find("an invoice has the amount %q", get(n, "gross_amount"))
	}
	i := &invoice{
		creditor: c, id: idOf(get(n, "@uri")), number: get(n, "invoice_number"), path: below(get(n, "@uri")),
		kid: get(n, "ocr_kid_number"), date: get(n, "issue_date"), gross: gross,
	}
	r.told.add(i)
	return i, true
}

// pay registers a payment by hand, and now and then deletes it again.
func (l *load) pay(r *rand.Rand) {
	c := l.some(r)
	i, found := l.any(r, c, false)
	if !found {
		return
	}
	e := l.told.ask(entryEffect, i)
	a, made := l.make(r, c, e, i.path+"/ar_transactions", fmt.Sprintf(
		"<ar_transaction><amount>-%d.00</amount><transaction_date>%s</transaction_date><comment>%s</comment></ar_transaction>", 1+r.IntN(500), i.date, e.label))
	if !made || r.IntN(3) > 0 {
		return
	}
	l.told.deleting(e)
	if a, answered := l.insist(c.key, call{method: "DELETE", path: below(get(l.root(a), "@uri"))}); answered {
		if a.status != 204 && a.status != 404 { // 404 if the first answer was lost
			l.find("deleting a payment was answered %d: %s", a.status, code(a.body))
		}
		l.told.gone(e)
	}
}

// credit credits an invoice.
func (l *load) credit(r *rand.Rand) {
	c := l.some(r)
	i, found := l.any(r, c, false)
	if !found || i.overdue {
		return
	}
	i.mu.Lock()
	again := i.credited
	i.credited = true
	i.mu.Unlock()
	if again && r.IntN(4) > 0 {
		return
	}
	e := l.told.ask(creditEffect, i)
	l.make(r, c, e, i.path+"/credit_notes", "<credit_note><comment>"+e.label+"</comment><shipments><shipment type=\"original\"><shipment_method>EMAIL</shipment_method></shipment></shipments></credit_note>")
}

// hold puts an invoice on hold, and may end the hold again. One client does it, so the last answer holds.
func (l *load) hold(r *rand.Rand) {
	c := l.some(r)
	i, found := l.any(r, c, false)
	if !found {
		return
	}
	l.setState(i, &i.held, "1", call{method: "PUT", path: i.path + "/dunning_hold", body: "<dunning_hold><until></until><comment>promised to pay</comment></dunning_hold>"})
	if r.IntN(2) == 0 {
		l.setState(i, &i.held, "0", call{method: "DELETE", path: i.path + "/dunning_hold"})
	}
}

// closeInvoice closes an invoice, and may open it again. One client does it too.
func (l *load) closeInvoice(r *rand.Rand) {
	c := l.some(r)
	i, found := l.any(r, c, false)
	if !found || r.IntN(4) > 0 {
		return
	}
	l.setState(i, &i.closed, "1", call{method: "POST", path: i.path + "/close", body: "<close><reason>other</reason></close>", key: l.newKey()})
	if r.IntN(2) == 0 {
		l.setState(i, &i.closed, "0", call{method: "POST", path: i.path + "/reopen", key: l.newKey()})
	}
}

// setState makes a call that brings an invoice into a state. A call that is refused changes nothing.
func (l *load) setState(i *invoice, at *string, state string, c call) {
	set := func(to string) (was string) {
		i.mu.Lock()
		defer i.mu.Unlock()
		was, *at = *at, to
		return was
	}
	was := set("")
	switch a, answered := l.insist(i.creditor.key, c); {
	case answered && a.done():
		set(state)
	case answered && c.key != "":
		set(was)
	}
}

// dun makes a notice by hand. It is refused on most invoices.
func (l *load) dun(r *rand.Rand) {
	c := l.some(r)
	i, found := l.any(r, c, r.IntN(4) > 0)
	if !found {
		return
	}
	e := l.told.ask(noticeEffect, i)
	l.make(r, c, e, i.path+"/overdue_notices", "<overdue_notice><add_overdue_charge>1</add_overdue_charge><add_interest>1</add_interest>"+
		"<is_incasso_notice>"+fmt.Sprint(r.IntN(2))+"</is_incasso_notice><comment>"+e.label+"</comment></overdue_notice>")
}

// handOver hands an overdue invoice over to the debt collector.
func (l *load) handOver(r *rand.Rand) {
	c := l.some(r)
	i, found := l.any(r, c, true)
	if !found || r.IntN(6) > 0 {
		return
	}
	a, answered := l.insist(c.key, call{method: "POST", path: i.path + "/debt_collection", body: "<debt_collection></debt_collection>", key: l.newKey()})
	i.mu.Lock()
	defer i.mu.Unlock()
	i.handedOver = i.handedOver || answered && a.done()
}

// customer makes a customer and changes it.
func (l *load) customer(r *rand.Rand) {
	c := l.some(r)
	e := l.told.ask(customerEffect, nil)
	a, made := l.make(r, c, e, "/customers", customerBody(e.label))
	if !made {
		return
	}
	path := below(get(l.root(a), "@uri"))
	if a, answered := l.insist(c.key, call{method: "PUT", path: path, body: "<customer><address2>" + e.label + "</address2></customer>"}); answered && a.status != 200 {
		l.find("changing %s, which was answered 201, was answered %d: %s", path, a.status, code(a.body))
	}
}

func customerBody(name string) string {
	return "<customer><name1>" + name + "</name1><address1>Storgata 1</address1><postal_code>0155</postal_code><postal_name>Oslo</postal_name><email>" +
		strings.ReplaceAll(strings.ToLower(name), " ", ".") + "@example.no</email></customer>"
}

// read reads what was told of, which must be there, and lists.
func (l *load) read(r *rand.Rand) {
	c := l.some(r)
	paths := []string{"/invoices?status=overdue", "/customers", "/ar_transactions?per_page=20", "/dunning_plan", "/payment_files", "/dunning_runs", "/creditor"}
	if i, found := l.any(r, c, false); found && r.IntN(2) == 0 {
		paths = []string{i.path, i.path + "/pdf"}
	}
	path := paths[r.IntN(len(paths))]
	if a, answered := l.insist(c.key, call{method: "GET", path: path}); answered && a.status != 200 {
		l.find("GET %s was answered %d: %s", path, a.status, code(a.body))
	}
}

// reader follows a creditor's events as rule O15 promises: it reads to the end, and goes on from the last ID.
type reader struct {
	creditor *creditor
	last     string
	seen     []string
}

func (r *round) follow(s *reader) {
	for {
		a, answered := r.insist(s.creditor.key, call{method: "GET", path: "/events?per_page=50&after=" + or(s.last, "0")})
		if !answered {
			return
		}
		if a.status != 200 {
			r.find("the events after %s were answered %d: %s", s.last, a.status, code(a.body))
			return
		}
		events := r.root(a).Nodes()
		for _, e := range events {
			s.last = get(e, "@id")
			s.seen = append(s.seen, s.last)
		}
		if len(events) < 50 {
			return
		}
	}
}

//go:build chaos

package law_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"purr/models"
	"purr/test/testkit/house"
	"purr/test/testkit/law"
)

// life is a creditor, and what the model knows of it: what it set itself, and what the interface showed at the last review.
type life struct {
	*house.Client
	w         *world
	name      string
	account   string
	policy    models.Policy
	missing   []string // elements of the creditor that were cleared
	customers []*customer
	invoices  []*invoice
	paid      []string // the paths of payments that were registered by hand
	serial    int
	lastFile  models.Date // the newest settlement date of the bank's files, zero where none came
	lastEvent string
	queued    bool           // a payment waits in the queue this morning
	acted     bool           // somebody did something since the last review
	plan      map[int]string // the steps of the plan of this morning, by invoice number
	foreseen  [][]string     // the steps of the runs until the next morning, by invoice; nil where nobody can say
	notes     []note
}

// customer is a customer of a life.
type customer struct {
	path     string
	business bool
	address  string               // address1, empty where there is none
	own      func(*models.Policy) // what its own policy changes
	hold     models.Hold
	held     bool // letters to it are held, since one came back
}

// invoice is an invoice as the interface showed it at the last review.
type invoice struct {
	path, kid   string
	number      int
	to          *customer
	hold        models.Hold
	issued, due models.Date
	balance     models.Amount
	writtenOff  models.Amount // when a run closed it (rule L25)
	kept        bool          // a person has opened it again
	status      string
	entries     []models.Entry
	letters     []*letter
	withdrawn   []*letter
	made        []*made
	credit      models.Amount // what its credit note has outstanding, zero or below
	left        sending
	waited      bool // in the morning it, or its last letter, had not left
	told        bool // its journal was printed
	asked       bool // the hand-over that comes next is a person's
	handedOver  models.Date
	wanted      bool // a person asked for the notice that comes next
	reported    bool // something was told of its shipments since the last review
	// unsettled says of which notices the next review finds that they were withdrawn, since the invoice turns out not to have left when
	// they were taken; nil for none. Those of which maybe is true may be withdrawn.
	unsettled, maybe func(on models.Date) bool
	moved            bool // it was told since the last review that it had left later
}

// letter is a notice that was not withdrawn.
type letter struct {
	law.Charged
	path    string
	gross   models.Amount
	left    sending
	late    int         // how late the invoice had left when it was issued
	days    int         // to pay, by the policy of its issue
	counts  models.Date // until when the interface says that it counts, zero where it does not
	settled bool        // nothing was owed when it was told that it had left too late: it stands
	asked   bool        // by a person
}

// made is a notice that was made, perhaps withdrawn since.
type made struct {
	path     string
	Sequence int `json:"sequence_number"`
	left     sending
}

// sending is what became of the original shipment of a document.
type sending struct {
	state models.ShipmentState
	on    models.Date // the local day on which it left
}

// note is something that the model did.
type note struct {
	at, what string
	number   int // of the invoice it is about, zero for all
}

// newLife makes a creditor with everything that dunning wants of it, some customers and their first invoices.
func newLife(w *world, n int) *life {
	w.Helper()
	l := &life{w: w, name: fmt.Sprintf("Livet %d AS", n+1), account: bankAccount(n), lastEvent: "0"}
	creditor := w.in.NewCreditor(w.T, l.name)
	l.Client = w.in.Client(w.T, creditor, models.ScopeAdmin)
	l.HTTP = w.http
	l.Put("/creditor", tag("creditor", tag("bank_account", l.account), tag("organisation_number", "974760673"), ready["address1"], tag("postal_code", "0155"),
		tag("postal_name", "Oslo"), ready["email"], tag("dunning_ceiling", "1000"))).Is(200)
	w.in.Approve(w.T, creditor)
	l.changePolicy()
	for range 3 + w.IntN(3) {
		l.newCustomer()
	}
	for range 4 {
		l.newInvoice()
	}
	return l
}

// ready are elements of a creditor that it may lack for a while.
var ready = map[string]string{"address1": tag("address1", "Storgata 1"), "email": tag("email", "faktura@example.no")}

// bankAccount returns the number of a bank account.
func bankAccount(n int) string {
	for base := 1503_000_000 + 17*n; ; base++ {
		digits, sum := strconv.Itoa(base), 0
		for i, weight := range []int{5, 4, 3, 2, 7, 6, 5, 4, 3, 2} {
			sum += weight * int(digits[i]-'0')
		}
		if check := (11 - sum%11) % 11; check < 10 {
			return digits + strconv.Itoa(check)
		}
	}
}

// note notes something about an invoice, or about all.
func (l *life) note(format string, args ...any) { l.noteOn(nil, format, args...) }

func (l *life) noteOn(i *invoice, format string, args ...any) {
	n := note{at: l.w.in.App.Clock.Now().In(house.Oslo).Format("2006-01-02 15:04:05"), what: fmt.Sprintf(format, args...)}
	if i != nil {
		n.number = i.number
	}
	l.notes = append(l.notes, n)
}

// policyFor returns the policy that holds for a customer (rule E6e).
func (l *life) policyFor(c *customer) models.Policy {
	p := l.policy
	c.own(&p)
	return p
}

// review reads what has happened since the last review, and judges every invoice that something happened to.
func (l *life) review(today models.Date) {
	l.w.Helper()
	changed := map[string]bool{}
	for _, e := range l.List("/events?after=" + l.lastEvent) {
		l.lastEvent = e.At("@id")
		if uri, about := e.Find("invoice/@uri"); about {
			changed[below(uri)] = true
			switch i := l.by(below(uri)); e.At("type") {
			case "invoice.handed_over":
				i.handedOver = date(e, "at")
			case "overdue_notice.created":
				m := made{path: "/overdue_notice/" + e.At("subject_id")}
				must(l.w.T, json.Unmarshal([]byte(e.At("data")), &m))
				i.made = append(i.made, &m)
			}
		}
		switch e.At("type") {
		case "overdue_notice.withdrawn", "notice.withdrawn":
			tally.withdrawn.Add(1)
		case "notice.recalculated":
			tally.sheets.Add(1)
		case "credit.moved": // it is about a customer
			l.acted = true
		case "shipment.returned", "customer.changed", "letters.released":
			for _, c := range l.customers {
				_, c.held = l.Get(c.path).Shown().Find("letters_held/@since")
			}
		}
	}
	// Not every change is told of in an event about its invoice: what a bank file brings is told of as a file.
	for _, i := range l.invoices {
		deep := changed[i.path] || i.reported || i.waits()
		i.reported = false
		if deep || l.acted {
			was := *i
			l.read(i, deep)
			l.judge(i, was, today)
		}
	}
	l.acted = false
}

// by returns the invoice of a path.
func (l *life) by(path string) *invoice {
	return l.invoices[slices.IndexFunc(l.invoices, func(i *invoice) bool { return i.path == path })]
}

// read reads an invoice, and if it is to be deep also what became of its shipments and the sheets of its notices.
func (l *life) read(i *invoice, deep bool) {
	l.w.Helper()
	shown := l.Get(i.path).Shown()
	i.status = shown.At("@status")
	i.balance = models.Amount(shown.Ore("ar_transactions/@balance"))
	i.writtenOff = 0
	if _, off := shown.Find("written_off"); off {
		i.writtenOff = models.Amount(shown.Ore("written_off"))
	}
	i.entries = nil
	for _, e := range shown.All("ar_transactions/ar_transaction") {
		i.entries = append(i.entries, models.Entry{
			Type: models.EntryType(e.At("transaction_type")), Amount: models.Amount(e.Ore("amount")), TransactionDate: date(e, "transaction_date"),
		})
	}
	if deep {
		i.left = l.sending(i.path)
	}
	known := i.letters
	i.letters = nil
	for _, n := range shown.All("overdue_notices/overdue_notice") {
		path := below(n.URI())
		at := slices.IndexFunc(known, func(k *letter) bool { return k.path == path })
		var t *letter
		if at < 0 {
			t = l.readLetter(i, n)
		} else {
			t = known[at]
		}
		if at < 0 || deep {
			l.readSheet(t)
		}
		if t.counts = 0; len(n.All("counts_until")) > 0 {
			t.counts = date(n, "counts_until")
		}
		i.letters = append(i.letters, t)
	}
	for _, m := range i.made {
		if !i.inForce(m) && m.left.state != models.ShipmentWithdrawn {
			m.left = l.lastSending(m.path)
		}
	}
	for _, t := range known {
		if !slices.Contains(i.letters, t) {
			t.left = l.sending(t.path)
			i.withdrawn = append(i.withdrawn, t)
		}
	}
	i.credit = 0
	for _, n := range shown.All("credit_notes/credit_note") {
		i.credit += models.Amount(l.Get(below(n.URI())).Shown().Ore("ar_transactions/@balance"))
	}
}

// readLetter reads a new notice. It goes to the customer as the customer is on its day (rule L6).
func (l *life) readLetter(i *invoice, n house.Node) *letter {
	l.w.Helper()
	p := l.policyFor(i.to)
	tally.letters.Add(1)
	issued := date(n, "issue_date")
	t := &letter{
		path: below(n.URI()), late: i.late(), gross: models.Amount(n.Ore("gross_amount")), days: p.DaysToPay + p.PostalDays + p.PrintDays,
		Charged: law.Charged{OwnRate: p.InterestRate, Letter: law.Letter{
			Sequence: number(n, "sequence_number"), Warning: n.At("is_incasso_notice") == "1", Issued: issued, Due: date(n, "due_date"),
		}},
	}
	sheet := l.Get(t.path + "/calculation").Shown()
	t.Letter.Fee, t.Letter.Interest = models.Amount(sheet.Ore("overdue_charge/@amount")), models.Amount(sheet.Ore("interest/@amount"))
	_, t.Compensation = sheet.Find("overdue_charge/@compensation")
	return t
}

// readSheet reads what a notice charges by its last sheet, and what became of its letter.
func (l *life) readSheet(t *letter) {
	l.w.Helper()
	sheet := l.Get(t.path + "/calculation").Shown()
	if again := sheet.All("recalculated"); len(again) > 0 {
		sheet = again[len(again)-1]
	}
	t.Fee, t.Interest = models.Amount(sheet.Ore("overdue_charge/@amount")), models.Amount(sheet.Ore("interest/@amount"))
	t.left = l.sending(t.path)
	if t.Unsent, t.Left = !t.left.state.HasLeft(), 0; !t.Unsent {
		t.Left = t.left.on
	}
}

// sending returns what became of the original of a document. Of several that were sent, the first one counts.
func (l *life) sending(path string) (s sending) {
	l.w.Helper()
	for _, shipment := range l.List("/shipments?document=/api/v1" + path) {
		if shipment.At("@type") != "original" {
			continue
		}
		next := sending{state: models.ShipmentState(shipment.At("state"))}
		if at, has := shipment.Find("sent_at"); has && at != "" {
			next.on = date(shipment, "sent_at")
		}
		if !s.state.HasLeft() {
			s = next
		}
	}
	return s
}

// lastSending returns what became of the last original of a document: of a notice that was withdrawn it may be one that is to
// take the place of the first.
func (l *life) lastSending(path string) (s sending) {
	l.w.Helper()
	for _, shipment := range l.List("/shipments?document=/api/v1" + path) {
		if shipment.At("@type") == "original" {
			s.state = models.ShipmentState(shipment.At("state"))
		}
	}
	return s
}

// date reads a date, or the date of a time.
func date(n house.Node, path string) models.Date {
	n.T.Helper()
	d, err := models.ParseDate(n.At(path)[:len("2026-01-01")])
	must(n.T, err)
	return d
}

// late returns by how many days the invoice left after its issue date.
func (i *invoice) late() int {
	if !i.left.state.HasLeft() {
		return 0
	}
	return max(0, int(i.left.on-i.issued))
}

// ended reports whether the invoice is closed or handed over.
func (i *invoice) ended() bool {
	return strings.HasPrefix(i.status, "closed") || i.status == "debt_collection"
}

// inForce reports whether a notice was not withdrawn.
func (i *invoice) inForce(m *made) bool {
	return slices.ContainsFunc(i.letters, func(t *letter) bool { return t.path == m.path })
}

// failed reports whether a notice was withdrawn because its letter failed, and its step waits until it is sent again.
func (i *invoice) failed() bool {
	taken := 0
	if n := len(i.letters); n > 0 {
		taken = i.letters[n-1].Sequence
	}
	return slices.ContainsFunc(i.made, func(m *made) bool {
		return m.Sequence > taken && !i.inForce(m) && (m.left.state == models.ShipmentFailed || m.left.state == models.ShipmentOwed)
	})
}

// waits reports whether the invoice or its last letter has not left.
func (i *invoice) waits() bool {
	return i.failed() || !i.left.state.HasLeft() || len(i.letters) > 0 && !i.letters[len(i.letters)-1].left.state.HasLeft()
}

// standing returns an invoice as the law sees it on a day, given all invoices of the creditor.
func (l *life) standing(i *invoice, books []*invoice, on models.Date, shielded map[string]bool) law.Standing {
	owed, credit := account(i.to, books)
	s := law.Standing{
		Due: i.due, Late: i.late(), Unsent: !i.left.state.HasLeft(), Failed: i.failed(), Balance: i.balance, Ended: i.ended(), Entries: i.entries,
		Held: i.hold.Active(on) || i.to.hold.Active(on), Disputed: i.hold.Disputed(on) || i.to.hold.Disputed(on),
		Business: i.to.business, NoAddress: i.to.address == "", NoLetters: i.to.held, Shielded: shielded[i.to.path], InCredit: owed <= 0, Credit: credit, KeptOpen: i.kept,
		NewAct: l.w.newAct,
	}
	for _, t := range i.letters {
		s.Letters = append(s.Letters, t.asIssued())
	}
	return s
}

// asIssued returns the letter as it was issued, and whether and when it has left.
func (t *letter) asIssued() law.Letter {
	issued := t.Letter
	issued.Unsent, issued.Left = t.Unsent, t.Left
	return issued
}

// free returns the free credit on the invoice.
func (i *invoice) free() models.Amount { return max(i.writtenOff-i.balance, 0) }

// account returns what a customer owes in all, and the customer's free credit.
func account(c *customer, books []*invoice) (owed, credit models.Amount) {
	for _, i := range books {
		if i.to == c {
			owed += i.balance + i.credit
			credit += i.free() - min(0, i.credit)
		}
	}
	return owed, credit
}

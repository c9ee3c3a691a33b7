//go:build whole

package lives_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/unmatched"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/house"
	"purr/test/testkit/validate"
)

// firm is a subscription firm: all its customers owe 499.00 on the same day.
type firm struct {
	*life
	subscribers []subscriber
	payers      map[string][]string // the invoices of those who paid under a name and with a text
}

// subscriber is a customer of a firm, with what is invoiced to him this month.
type subscriber struct {
	name    string
	uri     string
	kid     string
	invoice string // the URI
	how     string // how he pays this month
}

// The ways to pay of a month. Those after byKID have no KID.
const (
	byNobody   = "not at all"
	byKID      = "with the KID"
	byName     = "under his own name"
	bySpouse   = "by a spouse"
	bySpoken   = "by a spouse who names him"
	fee        = 499_00
	cutByBanks = 35
)

var (
	firstNames = strings.Fields("Kari Ola Jørgen Åse Bjørn Ærlig Håkon Solveig Øystein Anne Per Ingrid Nils Marit Lars Berit Knut Liv Erik Astrid Gunnar Randi Svein Turid Arne " +
		"Ragnhild Torbjørn Sigrid Vidar Gro Eivind Tone Stig Unni Leif Hilde Roar Mona Geir Heidi Frode Silje Trond Wenche Odd Grete Kåre Bodil Asbjørn Synnøve")
	places  = strings.Fields("Nord Sør Øst Vest Lang Stor Brå Kvær Sol Lund Hauge Eike Bjørke Gran Rød Myr Fosse Elve Sjø Hval")
	endings = strings.Fields("heim stad vik berg moen rud nes lia bø haug land ås dal stø li")
)

// TestN1NobodyWhoPaidUnderHisNameIsWrittenTo has a subscription firm invoice all its customers on one day, for some months. A fifth pay
// without KID, under names as banks write them. Nobody who paid under a name like his own is written to; and a person who has all matched
// that is certain matches none with the wrong customer (rules N1, N2). On the embedded parts it has 1 000 customers in make whole, and 3 000
// in make law; on servers 240.
func TestN1NobodyWhoPaidUnderHisNameIsWrittenTo(t *testing.T) {
	t.Parallel()
	for n, setup := range house.Setups {
		t.Run(setup.Name, func(t *testing.T) {
			t.Parallel()
			size, months := 240, 2
			if n == 0 {
				size = 1000
				if os.Getenv(worldsVariable) != "" {
					size, months = 3000, 3
				}
			}
			f := newFirm(t, rand.New(rand.NewPCG(testkit.Seed(t), 0)), setup, size)
			for month := models.MonthOf(f.w.in.Today()).Plus(1); months > 0; month, months = month.Plus(1), months-1 {
				f.month(month)
			}
		})
	}
}

func newFirm(t *testing.T, choices *rand.Rand, setup house.Setup, size int) *firm {
	t.Helper()
	w := &world{T: t, Rand: choices}
	w.in = house.Start(t, moment("2026-01-20 12:00"), setup.Change)
	w.open()
	w.lives = []*life{w.newLife(&http.Client{Timeout: testkit.Patience, Transport: validate.Described(t, http.DefaultTransport)})}
	f := &firm{life: w.lives[0], payers: map[string][]string{}}
	f.Put("/creditor", tag("creditor", tag("dunning_ceiling", "100000"), tag("dunning_policy", tag("enabled", "1"), tag("require_payment_file", "0")))).Is(http.StatusOK)
	for n := range size {
		last := one(w, places...) + one(w, endings...)
		name := one(w, firstNames...) + " " + last
		if n%7 == 0 {
			name = one(w, firstNames...) + " Wilhelmine " + one(w, firstNames...) + " " + last + "-Gyldenløve"
		}
		uri := f.Post("/customers", tag("customer", tag("name1", name), tag("address1", "Kirkeveien 1"), tag("postal_code", "0155"), tag("postal_name", "Oslo"))).Created().URI()
		f.subscribers = append(f.subscribers, subscriber{name: name, uri: house.PathOf(uri)})
	}
	return f
}

// month invoices everybody, brings one file with what is paid, duns, and then lets a person match all that is certain.
func (f *firm) month(month models.Month) {
	f.w.Helper()
	f.w.reach(month.First())
	for n := range f.subscribers {
		s := &f.subscribers[n]
		created := f.Post("/invoices", tag("invoice", tag("num_due_days", "5"), `<recipient uri="`+s.uri+`"/>`,
			tag("lines", tag("line", tag("line_text", "Abonnement"), tag("unit_price", kroner(fee)), tag("num_items", "1"), tag("vat_rate", "NONE"))),
			tag("shipments", tag(`shipment type="original"`, tag("shipment_method", "PAPER"))))).Created()
		s.invoice, s.kid, s.how = created.URI(), created.At("ocr_kid_number"), byKID
		switch draw := f.w.IntN(100); {
		case draw < 10:
			s.how = byNobody
		case draw < 26:
			s.how = byName
		case draw < 28:
			s.how = bySpouse
		case draw < 30:
			s.how = bySpoken
		}
	}
	f.w.reach(month.First() + 4)
	f.paid()
	for day := month.First() + 5; day <= month.Last(); day += 2 {
		f.w.reach(day)
	}
	f.w.settle()
	f.judgeMonth(month)
	f.matchCertain()
}

// paid brings one file with all that is paid this month.
func (f *firm) paid() {
	f.serial++
	id, today := fmt.Sprintf("%s-%d", f.account, f.serial), f.w.in.Today()
	var content bytes.Buffer
	w := camt.NewWriter(&content)
	must(f.w.T, w.StartMessage(camt.MessageHeader{ID: id, Created: today}))
	must(f.w.T, w.StartNotification(camt.NotificationHeader{ID: id, Created: today, Account: f.account}))
	for n, s := range f.subscribers {
		p := camt.Payment{Amount: fee, Name: s.name, TransactionID: fmt.Sprintf("%s-%d", id, n)}
		switch s.how {
		case byNobody:
			continue
		case byKID:
			p.KID = s.kid
		case byName:
			p.Name = f.asBanksWrite(s.name)
		case bySpouse, bySpoken:
			if p.Name = "Wenche Utterfors"; s.how == bySpoken {
				p.Text = "Abonnement for " + s.name
			}
		}
		f.payers[p.Name+p.Text] = append(f.payers[p.Name+p.Text], s.invoice[strings.LastIndexByte(s.invoice, '/')+1:])
		must(f.w.T, w.Write(camt.EntryHeader{Amount: fee, Booked: today, Value: today, Reference: p.TransactionID, Status: camt.StatusBooked, Direction: camt.Credit}, p))
	}
	must(f.w.T, w.Close())
	f.Post("/payment_files", content.String()).Created()
}

// asBanksWrite returns a name in one of the forms in which banks write it.
func (f *firm) asBanksWrite(name string) string {
	plain := strings.NewReplacer("æ", "ae", "ø", "o", "å", "a", "Æ", "Ae", "Ø", "O", "Å", "A").Replace(name)
	words := strings.Fields(name)
	last := len(words) - 1
	turned := strings.Join(append([]string{words[last]}, words[:last]...), " ")
	return one(f.w, name, strings.ToUpper(name), strings.ToUpper(plain), turned, strings.ToUpper(turned), strings.ToUpper(strings.NewReplacer("ø", "oe", "å", "aa", "æ", "ae").Replace(name)),
		words[0]+" M "+strings.Join(words[1:], " "), string([]rune(name)[:min(cutByBanks, len([]rune(name)))]))
}

// judgeMonth counts who was written to of those who paid, and of those who did not.
func (f *firm) judgeMonth(month models.Month) {
	f.w.Helper()
	noticed := map[string]bool{}
	found, err := f.w.db.QueryContext(f.w.Context(), "SELECT DISTINCT n.invoice_id FROM overdue_notices n JOIN invoices i ON i.id = n.invoice_id WHERE i.creditor_id = ?", f.id)
	must(f.w.T, err)
	defer found.Close()
	for found.Next() {
		var id int64
		must(f.w.T, found.Scan(&id))
		noticed[fmt.Sprintf("/api/v1/invoice/%d", id)] = true
	}
	must(f.w.T, found.Err())
	paid, written := map[string]int{}, map[string]int{}
	for _, s := range f.subscribers {
		paid[s.how]++
		if !noticed[house.PathOf(s.invoice)] {
			continue
		}
		written[s.how]++
		if s.how == byKID || s.how == byName || s.how == bySpoken {
			f.w.Errorf("in %s %s, who paid %s, was written to", month, s.name, s.how)
		}
	}
	for _, how := range []string{byKID, byName, bySpoken, bySpouse, byNobody} {
		f.w.Logf("%s: %d of the %d who paid %s were written to", month, written[how], paid[how], how)
	}
	if written[byNobody]*2 < paid[byNobody] {
		f.w.Errorf("in %s only %d of the %d who did not pay were written to", month, written[byNobody], paid[byNobody])
	}
}

// matchCertain matches all that is certain, and says which of it was wrong.
func (f *firm) matchCertain() {
	f.w.Helper()
	c, err := f.w.in.App.DB.Creditor(f.w.Context(), f.id)
	must(f.w.T, err)
	n, wrong := 0, 0
	for after := int64(0); ; {
		payments, err := f.w.in.App.DB.PaymentsToMatch(f.w.Context(), c.ID, after, 500)
		must(f.w.T, err)
		if len(payments) == 0 {
			break
		}
		after = payments[len(payments)-1].ID
		var choices []unmatched.Choice
		must(f.w.T, f.w.in.App.DB.View(f.w.Context(), func(v store.View) (err error) {
			_, choices, err = unmatched.ChooseCertain(f.w.Context(), v, c, payments, f.w.in.Today())
			return err
		}))
		for _, choice := range choices {
			n++
			p := payments[slices.IndexFunc(payments, func(p models.UnmatchedPayment) bool { return p.ID == choice.PaymentID })]
			if invoice := fmt.Sprint(choice.Invoices[0].InvoiceID); !slices.Contains(f.payers[p.PayerName+p.Text], invoice) {
				wrong++
				f.w.Errorf("the payment of %q %q is certainly of invoice %s", p.PayerName, p.Text, invoice)
			}
		}
		matched, left, err := unmatched.MatchEach(f.w.Context(), f.w.in.App.DB, c, choices, "a person")
		if must(f.w.T, err); len(left) > 0 || len(matched) != len(choices) {
			f.w.Errorf("of %d that are certain %d were left out", len(choices), len(left))
		}
	}
	f.w.Logf("%d were certain, %d of them wrong", n, wrong)
	if n == 0 {
		f.w.Error("nothing was certain")
	}
}

//go:build whole

package console_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"purr/app"
	"purr/models"
	"purr/ocr/camt"
	"purr/test/testkit/browser"
	"purr/test/testkit/house"
	"purr/test/testkit/smtpserver"
)

// monday is a clerk's Monday in Bokmål, in a browser that runs no scripts, by the keyboard: Tab, Enter, Space and what is typed.
type monday struct {
	*keyboard
	customers []house.Node // 210, named as fullName names them
	owed      []house.Node // the invoice of each
	tabs      int          // of the keys pressed
}

const subscribers = 210

// fullName returns the name of the nth customer. No two have the same.
func fullName(n int) string {
	first := []string{"Anders", "Berit", "Cecilie", "Dag", "Eva", "Finn", "Gerd", "Hans", "Inger", "Jon"}
	last := []string{"Ås", "Bråten", "Dahl", "Eide", "Fossum", "Grønli", "Hauge", "Iversen", "Jære", "Krogh", "Lie", "Moen", "Nygård", "Olsen", "Prøis", "Ruud", "Sætre", "Tveit", "Ulvøy", "Vik", "Wold"}
	return first[n%len(first)] + " " + last[n/len(first)]
}

// number returns the number of the nth customer's invoice.
func (m *monday) number(n int) string { return m.owed[n].At("invoice_number") }

// to moves the focus by Tab to what has a role and a name that begins so, and counts the stops.
func (m *monday) to(role, name string) {
	m.T.Helper()
	before := m.pressed
	m.tabTo(role, name)
	m.tabs += m.pressed - before
}

// enter opens or presses what has a role and a name that begins so.
func (m *monday) enter(role, name string) {
	m.T.Helper()
	m.to(role, name)
	m.opens("Enter")
}

// fill types a text into a field of that name.
func (m *monday) fill(field, text string) {
	m.T.Helper()
	m.to("textbox", field)
	m.types(text)
}

// look finds what a caller names, by the field at the top of each page.
func (m *monday) look(words string) {
	m.T.Helper()
	m.to("searchbox", "Søk")
	m.types(words)
	m.opens("Enter")
}

// does does a part of the day, and says how many keys it took.
func (m *monday) does(what string, atMost int, part func()) {
	m.T.Helper()
	pressed, tabs := m.pressed, m.tabs
	part()
	tabs = m.tabs - tabs
	if pressed = m.pressed - pressed - tabs; pressed > atMost {
		m.T.Errorf("%s took %d keys, want %d at most", what, pressed, atMost)
	}
	m.T.Logf("%s: %d keys, and %d times Tab", what, pressed, tabs)
}

// newMonday opens the console at a firm with 210 customers, each with one invoice of 499 kroner, five of them with another. Three customers'
// mail server refuses what is sent to them. It is Monday, 2 February 2026.
func newMonday(t *testing.T) *monday {
	t.Helper()
	mails := smtpserver.Start(t)
	mails.Reject(smtpserver.Rcpt, 550, "5.1.1 no such user here", 2) // three alike would be taken for our own fault (rule D107)
	mails.Reject(smtpserver.Rcpt, 552, "5.2.2 mailbox full", 1)
	in := house.Start(t, begins, func(_ testing.TB, cfg *app.Settings) { cfg.Mail.URL = mails.URL() })
	d := deskAt(t, in, "Fjord Rør AS", models.ScopeWrite, browser.WithoutScripts, browser.Language("nb"))
	m := &monday{keyboard: &keyboard{desk: d}}
	for n := range subscribers {
		email := ""
		if n >= subscribers-3 {
			email = fmt.Sprintf("feil%d@exmaple.no", n)
		}
		c := d.customer(fullName(n), email)
		m.customers, m.owed = append(m.customers, c), append(m.owed, d.invoices(c, 499, 28))
	}
	for n := 20; n < 25; n++ { // whose payment may be for either
		d.invoices(m.customers[n], 499, 35)
	}
	d.at("2026-02-02 08:00")
	return m
}

// file is the morning's file: 170 payments with a KID, 20 under a name as banks write it, five of those who owe the same twice, two by
// somebody else for a customer, and three of strangers.
func (m *monday) file() []byte {
	m.T.Helper()
	var content bytes.Buffer
	w, today, account := camt.NewWriter(&content), m.in.Today(), m.api.Get("/creditor").Shown().At("bank_account")
	must(m.T, w.StartMessage(camt.MessageHeader{ID: "M1", Created: today}))
	must(m.T, w.StartNotification(camt.NotificationHeader{ID: "M1", Created: today, Account: account}))
	pay := func(p camt.Payment) {
		p.Amount, p.TransactionID = max(p.Amount, 499_00), fmt.Sprintf("T%d", content.Len())
		must(m.T, w.Write(camt.EntryHeader{Amount: p.Amount, Booked: today, Value: today, Reference: p.TransactionID, Status: camt.StatusBooked, Direction: camt.Credit}, p))
	}
	for n := range 25 {
		pay(camt.Payment{Name: strings.ToUpper(fullName(n))})
	}
	for n := range 2 {
		pay(camt.Payment{Name: "WENCHE UTTERFORS", Text: "for min mann", Amount: models.Amount(499_00 + n)})
	}
	for n := range 3 {
		pay(camt.Payment{Name: "NN", Text: "gave", Amount: models.Amount(17_00+n) * 100})
	}
	for n := range 170 {
		pay(camt.Payment{KID: m.owed[25+n].At("ocr_kid_number"), Name: fullName(25 + n)})
	}
	must(m.T, w.Close())
	return content.Bytes()
}

// TestN1ToN8AClerksMonday does a clerk's Monday: the bank's file of 200 lines, 30 of which have no KID, five calls, three mails that came
// back, and the month that is over. It counts the keys.
func TestN1ToN8AClerksMonday(t *testing.T) {
	t.Parallel()
	m := newMonday(t)
	m.show("today")
	m.bringsTheFile()
	m.matches()
	m.answersTheTelephone()
	m.sendsAgain()
	m.closesTheMonth()
	t.Logf("the Monday: %d keys, and %d times Tab", m.pressed-m.tabs, m.tabs)
	if problems := m.Problems(); len(problems) > 0 {
		t.Errorf("the browser met %q", problems)
	}
}

func (m *monday) waiting() int { return len(m.api.List("/unmatched_payments?status=open")) }

// bringsTheFile imports the bank's file. The browser's own dialogue, in which it is chosen, is not counted.
func (m *monday) bringsTheFile() {
	m.T.Helper()
	path := filepath.Join(m.T.TempDir(), "camt054.xml")
	must(m.T, os.WriteFile(path, m.file(), 0o600))
	m.does("the bank's file", 4, func() {
		m.enter("link", "Bank")
		m.enter("link", "Filer")
		m.Find("file", "Betalingsfil").Upload(path)
		m.enter("button", "Importer")
		m.Await("region", "Totaler")
		m.enter("link", "Se betalingene som venter")
	})
	if n := m.waiting(); n != 30 {
		m.T.Fatalf("%d payments wait, want 30", n)
	}
}

// matches brings home the 30 payments without a KID: 20 at once, seven by hand, of which two need the payer found, and puts away three.
func (m *monday) matches() {
	m.T.Helper()
	m.does("20 certain payments", 2, func() {
		m.enter("link", "Koble de 20 sikre")
		m.enter("button", "Koble 20 betalinger")
		m.mustSay("Koblet 20 betalinger")
	})
	m.does("four payments of customers with two invoices", 4, func() {
		for range 4 {
			m.enter("button", "Koble")
			m.mustSay("Koblet 499,00 fra ")
		}
	})
	m.does("two payments of a spouse", 50, func() {
		for n := range 2 {
			m.enter("link", "WENCHE UTTERFORS") // the first that is left
			m.enter("link", "Finn betaler")
			m.to("searchbox", "Finn kunden")
			m.types(strings.ToLower(fullName(200 + n)))
			m.opens("Enter")
			m.enter("button", "Koble")
			m.mustSay(fmt.Sprintf("Koblet 499,0%d fra WENCHE UTTERFORS", n))
		}
	})
	m.does("three payments that are not the firm's", 30, func() {
		for range 3 {
			m.enter("link", "NN")
			m.enter("link", "Ikke vår")
			m.types("gave")
			m.opens("Enter")
			m.mustSay("La bort 1 ")
		}
	})
	if n := m.waiting(); n != 1 {
		m.T.Errorf("%d payments wait, want the one that a caller asks for", n)
	}
}

// answersTheTelephone helps five callers.
func (m *monday) answersTheTelephone() {
	m.T.Helper()
	m.does("“I paid last week”, and it is there", 20, func() {
		m.look(m.number(24))
		m.enter("button", "Koble med faktura "+m.number(24))
		m.mustSay("Koblet 499,00 fra EVA DAHL med faktura " + m.number(24))
	})
	m.does("“I paid yesterday”", 20, func() {
		m.look(m.number(195))
		m.enter("button", "Sier det er betalt")
		m.mustSay("er betalt: purrestopp til 9. februar 2026")
	})
	m.does("“I never got it”", 20, func() {
		m.look(m.number(196))
		m.enter("link", "Send en kopi")
		m.enter("button", "Send kopien")
		m.mustSay("En kopi sendes på papir til ")
	})
	m.does("“I need more time”", 60, func() {
		m.look(m.number(197))
		m.enter("link", "Gi utsettelse")
		m.fill("Utsettelse til", "20.02.2026")
		m.fill("Grunn", "lønn den 20.")
		m.opens("Enter")
		m.mustSay("har utsettelse til 20. februar 2026")
	})
	m.does("“I do not owe this”", 60, func() {
		m.look(m.number(198))
		m.enter("link", "Sett purrestopp")
		m.types("reklamasjon")
		m.to("checkbox", "Kravet er omtvistet")
		m.press("Space")
		m.enter("button", "Sett purrestopp")
		m.mustSay("har purrestopp")
	})
	m.api.Get(m.owed[197].URI()).Shown().Shows("more_time/until 2026-02-20")
	m.api.Get(m.owed[198].URI()).Shown().Shows("dunning_hold/reason dispute")
	if m.balance(m.owed[24]) != "0.00" || m.waiting() != 0 {
		m.T.Errorf("the first caller owes %s, and %d payments wait", m.balance(m.owed[24]), m.waiting())
	}
}

// sendsAgain corrects three addresses for good, and sends what did not arrive.
func (m *monday) sendsAgain() {
	m.T.Helper()
	m.does("three mails that came back", 120, func() {
		m.enter("link", "Utsendinger")
		for range 3 {
			m.fill("E-postadresse", "kunde@example.no") // the field's text is selected
			m.enter("button", "Send på nytt")
			m.mustSay("sendes på nytt")
		}
	})
	for n := subscribers - 3; n < subscribers; n++ {
		m.api.Get(m.customers[n].URI()).Shown().Shows("email kunde@example.no")
	}
}

// closesTheMonth reads January, and takes its ledger home.
func (m *monday) closesTheMonth() {
	m.T.Helper()
	m.does("the month that is over", 8, func() {
		m.enter("link", "Penger")
		m.enter("link", "Måneden")
		m.enter("link", "Måneden før")
	})
	report := m.api.Get("/reports/month?month=2026-01").Shown()
	row := m.Find("table", "Hva som endret kundefordringene").Row("Utgående saldo")
	if closing := plain(row[len(row)-1]); closing != "107 285,00" || report.At("@closing") != "107285.00" {
		m.T.Errorf("the month closes at %q, by the interface at %s", closing, report.At("@closing"))
	}
	link := m.Find("link", "Last ned reskontroen for måneden (CSV)")
	got := m.Ask(http.MethodGet, link.Attribute("href"), nil)
	lines := csv.NewReader(strings.NewReader(strings.TrimPrefix(got.Body, "\ufeff")))
	lines.Comma = ';'
	rows, err := lines.ReadAll()
	must(m.T, err)
	if len(rows) != 1+subscribers+5 {
		m.T.Errorf("the ledger of January has %d rows", len(rows))
	}
}

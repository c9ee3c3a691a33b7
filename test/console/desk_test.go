package console_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"purr/app"
	"purr/models"
	"purr/ocr/giro"
	"purr/test/testkit/browser"
	"purr/test/testkit/house"
)

// begins is when the tests' clocks begin: a Monday in Oslo.
var begins = moment("2026-01-05 12:00")

// desk is where a person works: a page of the console that is signed in for a creditor of an installation of its own, and
// beside it the interface.
type desk struct {
	*browser.Page
	in       *house.Installation
	api      *house.Client // with a key that may administer
	creditor string        // its number
	key      string        // Kari's, with the desk's scope
	base     string        // the path of the creditor's pages: /c/NUMBER
	files    int           // imported so far
}

// eachSetup runs a test on the program by itself, and in "make whole" on MariaDB and Redis.
func eachSetup(t *testing.T, test func(t *testing.T, setup house.Change)) {
	t.Helper()
	t.Parallel()
	for _, setup := range house.Tried() {
		t.Run(setup.Name, func(t *testing.T) {
			t.Parallel()
			test(t, setup.Change)
		})
	}
}

// open starts an installation and returns a desk in it, at which Kari has signed in with a key of the scope.
func open(t *testing.T, scope models.Scope, changes ...house.Change) *desk {
	t.Helper()
	return deskAt(t, house.Start(t, begins, changes...), "Fjord Rør AS", scope)
}

// deskAt returns the desk of a new creditor, at which Kari has signed in with a key of the scope.
func deskAt(t *testing.T, in *house.Installation, creditor string, scope models.Scope, looks ...browser.Look) *desk {
	t.Helper()
	d := &desk{in: in, creditor: in.NewCreditor(t, creditor)}
	d.base = "/c/" + d.creditor
	d.api = in.Client(t, d.creditor, models.ScopeAdmin)
	return d.sit(t, scope, looks...)
}

// sit returns a desk of the same creditor for a browser of its own, with another key of Kari's.
func (d *desk) sit(t *testing.T, scope models.Scope, looks ...browser.Look) *desk {
	t.Helper()
	other := *d
	other.key = d.newKey(t, scope)
	other.Page = browser.Open(t, d.in.App.URL, looks...)
	other.signIn(other.key)
	if !strings.HasPrefix(other.URL(), d.base+"/") {
		t.Fatalf("signed in, at %s:\n%s", other.URL(), other.Text())
	}
	return &other
}

// newKey returns a new key of the creditor's, which is named Kari.
func (d *desk) newKey(t *testing.T, scope models.Scope) string {
	t.Helper()
	key, err := d.in.App.CreateKey(t.Context(), d.creditor, scope, "Kari")
	must(t, err)
	return key
}

// revoke revokes all keys of a name, as a person at the command line does.
func (d *desk) revoke(name string) {
	d.T.Helper()
	creditor, err := strconv.ParseInt(d.creditor, 10, 64)
	must(d.T, err)
	keys, err := d.in.App.DB.Keys(d.T.Context(), creditor)
	must(d.T, err)
	for _, k := range keys {
		if k.Name == name {
			must(d.T, d.in.App.RevokeKey(d.T.Context(), d.creditor, k.ID))
		}
	}
}

// signIn types a key into the page of that name, whatever the language.
func (d *desk) signIn(key string) {
	d.T.Helper()
	d.Visit("/sign-in")
	d.All("textbox")[0].Type(key)
	d.Loads(func() { d.Keys("Enter") })
}

// show shows a page of the creditor's by its path below {c}.
func (d *desk) show(path string) {
	d.T.Helper()
	if status := d.Visit(d.base + "/" + path); status != http.StatusOK {
		d.T.Fatalf("%s answers %d:\n%s", path, status, d.Text())
	}
}

// at moves the test clock to a time such as "2026-03-02 12:00". All that is due on the way is done.
func (d *desk) at(when string) { d.T.Helper(); d.api.MoveClock(moment(when)) }

// dunned has the creditor's overdue invoices dunned. More elements of the policy may follow.
func (d *desk) dunned(elements ...string) {
	d.T.Helper()
	policy := tag("dunning_policy", append([]string{tag("enabled", "1")}, elements...)...)
	d.api.Put("/creditor", tag("creditor", policy)).Is(http.StatusOK)
}

// person are the elements of a recipient.
func person(name, email string) string {
	var escaped bytes.Buffer
	if err := xml.EscapeText(&escaped, []byte(name)); err != nil {
		panic(err) // a buffer takes everything
	}
	elements := tag("name1", escaped.String()) + tag("address1", "Storgata 1") + tag("postal_code", "0155") + tag("postal_name", "Oslo")
	if email != "" {
		elements += tag("email", email)
	}
	return elements
}

// customer creates a customer.
func (d *desk) customer(name, email string) house.Node {
	d.T.Helper()
	return d.api.Post("/customers", tag("customer", person(name, email))).Created()
}

// invoices sends an invoice of whole kroner to a customer, without VAT, due in a number of days: by e-mail if the customer
// has an address, else on paper.
func (d *desk) invoices(customer house.Node, kroner, days int) house.Node {
	d.T.Helper()
	by := "PAPER"
	if email, has := customer.Find("email"); has && email != "" {
		by = "EMAIL"
	}
	return d.api.Post("/invoices", tag("invoice",
		tag("num_due_days", fmt.Sprint(days)), `<recipient uri="`+customer.URI()+`"/>`,
		tag("lines", tag("line", tag("line_text", "Arbeid"), tag("unit_price", fmt.Sprint(kroner)), tag("num_items", "1"), tag("vat_rate", "NONE"))),
		tag("shipments", tag(`shipment type="original"`, tag("shipment_method", by))))).Created()
}

// paid is a payment in a bank's file.
type paid struct {
	kid    string
	kroner float64
	payer  string // account; empty for one that nobody has
}

// bankReports has an OCR giro file of today imported.
func (d *desk) bankReports(payments ...paid) house.Node {
	d.T.Helper()
	d.files++
	return d.api.Post("/payment_files", string(d.giro(payments...)), house.ContentType("text/plain")).Created()
}

// giro writes an OCR giro file of today on the creditor's account.
func (d *desk) giro(payments ...paid) []byte {
	d.T.Helper()
	var file bytes.Buffer
	w, today := giro.NewWriter(&file), d.in.Today()
	serial := d.creditor + fmt.Sprintf("%03d", d.files)
	must(d.T, w.StartTransmission(giro.TransmissionHeader{Number: serial, Recipient: "00012345", Created: today}))
	must(d.T, w.StartAssignment(giro.AssignmentHeader{
		AgreementID: "1234567", Number: serial, Account: d.api.Get("/creditor").Shown().At("bank_account"), Created: today,
	}))
	for i, p := range payments {
		if p.payer == "" {
			p.payer = "97104133219"
		}
		must(d.T, w.Write(giro.Payment{
			Type: giro.TypeCorporateGiro, NetsDate: today, BankDate: today, Amount: models.Amount(p.kroner * 100), KID: p.kid, DebitAccount: p.payer,
			ArchiveReference: serial + fmt.Sprintf("%03d", i),
		}))
	}
	must(d.T, w.Close())
	return file.Bytes()
}

// mistyped returns a KID with its last digit wrong.
func mistyped(kid string) string {
	return kid[:len(kid)-1] + string('0'+(kid[len(kid)-1]-'0'+1)%10)
}

// live has the program run by the system's clock.
func live(_ testing.TB, cfg *app.Settings) { cfg.TestClock = time.Time{} }

package console_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"purr/app"
	"purr/models"
	"purr/test/testkit/house"
	"purr/test/testkit/smtpserver"
)

// A name that attacks, and one that is as long as names may be and mostly one word.
const evil = `<script>alert(1)</script> & "Sønn's" AS`

var endless = "Foretaket " + strings.Repeat("langsiktig", 8)

// TestConsole05And08And09And30ATown has those tests share a town that only look at it, one after the other. What they look at
// are answers of one program to the same requests: in the browser, with another key and in other languages it is enough to ask
// the program by itself.
func TestConsole05And08And09And30ATown(t *testing.T) {
	eachSetup(t, func(t *testing.T, setup house.Change) {
		ours, theirs := town(t, models.ScopeAdmin, setup)
		before := ours.still()
		mine := ours.crawl("")
		t.Run("05 every page", func(t *testing.T) { everyPage(t, mine) })
		ours.mustBe(before)
		if !setupIsEmbedded(t) {
			return
		}
		t.Run("05 every page in the browser", func(*testing.T) {
			for _, v := range mine.examples() {
				ours.lookAt(v)
			}
		})
		others := theirs.crawl("")
		t.Run("30 in Norwegian", func(t *testing.T) { norwegian(t, ours.sit(t, models.ScopeAdmin)) })
		t.Run("30 nothing is left in English", func(t *testing.T) { nothingIsLeftInEnglish(t, mine) })
		t.Run("09 a key that may read reads", func(t *testing.T) { aKeyThatMayReadReads(t, mine) })
		t.Run("08 creditors are apart", func(t *testing.T) { creditorsAreApart(t, mine, others) })
		t.Run("bad input", func(t *testing.T) { badInput(t, mine) })
	})
}

func setupIsEmbedded(t *testing.T) bool { return strings.HasSuffix(t.Name(), house.Setups[0].Name) }

// town returns the desks of two creditors in one installation, each with something of every kind: customers, invoices at
// every stage, credit notes, bank files with faults, payments that wait, held invoices, letters that failed, runs, webhooks.
// It is Monday, 9 March 2026, noon. All names of the second creditor have the word Nabo in them.
func town(t *testing.T, scope models.Scope, changes ...house.Change) (ours, theirs *desk) {
	t.Helper()
	mails := smtpserver.Start(t)
	mails.Reject(smtpserver.Rcpt, 550, "5.1.1 no such user here", 2)
	changes = append(changes, func(_ testing.TB, cfg *app.Settings) { cfg.Mail.URL = mails.URL() })
	in := house.Start(t, begins, changes...)
	ours = deskAt(t, in, "Fjord Rør AS", scope)
	theirs = deskAt(t, in, "Nabo Bakeri AS", scope)
	theirs.api.Put("/creditor", tag("creditor", tag("first_number", "50001"))).Is(http.StatusOK)

	for _, d := range []*desk{ours, theirs} {
		name := func(s string) string {
			if d == theirs {
				return "Nabo " + s
			}
			return s
		}
		d.dunned(tag("require_payment_file", "0"), tag("hand_over_days", "14"))
		d.settle(name)
	}
	ours.at("2026-01-23 12:00") // a Friday: the first invoices are overdue
	for _, d := range []*desk{ours, theirs} {
		open := d.owed(3)
		d.bankReports(paid{kid: open[0].kid, kroner: open[0].kroner}, paid{kid: open[1].kid, kroner: 100}, paid{kid: open[2].kid, kroner: open[2].kroner + 50})
	}
	ours.at("2026-03-06 12:00") // there were reminders, warnings and hand-overs
	for _, d := range []*desk{ours, theirs} {
		d.queuePayments()
		d.paysBack()
		d.handsOver()
		d.api.Post("/audits", tag("audit")).Is(http.StatusAccepted)
		d.api.Put("/creditor", tag("creditor", tag("dunning_ceiling", "1"))).Is(http.StatusOK) // the next run waits
		d.api.Post("/webhooks", tag("webhook", tag("url", "http://127.0.0.1:9/"+map[bool]string{true: "hook", false: "Nabo"}[d == ours]))).Created()
	}
	ours.at("2026-03-09 12:00")
	return ours, theirs
}

// paysBack has a part of the free credit that is there be paid back by a file, and another part wait for the next one.
func (d *desk) paysBack() {
	d.T.Helper()
	credit := d.api.Get("/free_credit").Is(http.StatusOK).Root().At("customer/@uri")
	order := func(amount string) {
		d.api.Post(credit+"/repayments", tag("repayment", tag("amount", amount), tag("account", "12345678903"))).Created()
	}
	order("10.00")
	d.api.Post("/repayment_files", tag("repayment_file")).Created()
	order("5.00")
}

// handsOver hands January over to the accounts, in two of the forms.
func (d *desk) handsOver() {
	d.T.Helper()
	for _, format := range []string{"csv", "gbat10"} {
		d.api.Post("/account_exports", tag("account_export", tag("from", "2026-01-01"), tag("to", "2026-01-31"), tag("format", format))).Created()
	}
}

// settle gives a creditor its first customers and invoices.
func (d *desk) settle(name func(string) string) {
	d.T.Helper()
	refused := d.customer(name("Ukjent Adresse"), "nobody@example.no")
	d.invoices(refused, 700, 14)
	kari, ola := d.customer(name("Kari Nordmann"), "kari@example.no"), d.customer(name("Ola Nordmann"), "")
	for i := range 8 {
		d.invoices(kari, 1000+100*i, 14)
		d.invoices(ola, 500+50*i, 14+7*i)
	}
	d.invoices(d.customer(name(evil), ""), 900, 14)
	d.invoices(d.customer(name(endless), ""), 123_456_789, 14)
	per := d.customer(name("Per Persen"), "per@example.no")
	for i := range 3 {
		d.invoices(per, 600+i, 48) // reminders are due on 9 March
	}
	last := d.customer(name("Siste Utvei"), "siste@example.no") // whose invoice is handed over in February
	d.api.Put(last.URI(), tag("customer", tag("dunning_policy", tag("debt_collection_notice", "first"), tag("hand_over_days", "1")))).Is(http.StatusOK)
	d.invoices(last, 800, 14)
	anne := d.customer(name("Anne Avdrag"), "") // who keeps to one plan, and not to another
	for due, kroner := range map[string]int{"2026-12-01": 1200, "2026-02-16": 900} {
		plan := tag("payment_plan", fmt.Sprintf(`<instalment due_date="%s" amount="%d.00"/>`, due, kroner))
		d.api.Put(d.invoices(anne, kroner, 14).URI()+"/payment_plan", plan).Is(http.StatusOK)
	}
	felles := d.customer(name("Felles Brev"), "") // whose invoices share their letters
	d.api.Put(felles.URI(), tag("customer", tag("dunning_policy", tag("joint_letters", "1")))).Is(http.StatusOK)
	d.invoices(felles, 410, 14)
	d.invoices(felles, 420, 14)
	d.hasLogo()
	credited := d.invoices(kari, 4000, 14)
	d.api.Post(credited.URI()+"/credit_notes", tag("credit_note", tag("shipments", tag(`shipment type="original"`, tag("shipment_method", "PAPER"))))).Created()
	d.sendsEHF(name("Bedriften"))
	held := d.invoices(ola, 3300, 14)
	d.api.Put(held.URI()+"/dunning_hold", tag("dunning_hold", tag("reason", "dispute"), tag("comment", name("reklamasjon")), tag("until", "2026-06-30"))).Is(http.StatusOK)
	d.api.Put(ola.URI()+"/dunning_hold", tag("dunning_hold", tag("reason", "other"), tag("comment", name("avtale om avdrag")), tag("until", "2026-02-01"))).Is(http.StatusOK)
}

// hasLogo gives the creditor a logo.
func (d *desk) hasLogo() {
	d.T.Helper()
	var logo bytes.Buffer
	must(d.T, png.Encode(&logo, image.NewGray(image.Rect(0, 0, 200, 50))))
	d.api.Put("/creditor/logo", logo.String(), house.ContentType("image/png")).Is(http.StatusOK)
}

// sendsEHF sends an invoice by EHF to a business, and the credit note on it.
func (d *desk) sendsEHF(name string) {
	d.T.Helper()
	business := d.api.Post("/customers", tag("customer", person(name, ""), tag("organisation_number", "987654325"))).Created()
	byEHF := tag("shipments", tag(`shipment type="original"`, tag("shipment_method", "EHF")))
	invoice := d.api.Post("/invoices", tag("invoice", tag("num_due_days", "14"), tag("your_reference", "Kari"), `<recipient uri="`+business.URI()+`"/>`,
		tag("lines", tag("line", tag("line_text", "Arbeid"), tag("unit_price", "1100"), tag("num_items", "1"), tag("vat_rate", "NONE"))), byEHF)).Created()
	d.api.Post(invoice.URI()+"/credit_notes", tag("credit_note", byEHF)).Created()
}

// owed is an invoice on which something is owed.
type owed struct {
	kid    string
	kroner float64
}

// owed returns the first n invoices of the list on which something is owed.
func (d *desk) owed(n int) []owed {
	d.T.Helper()
	var first []owed
	for _, i := range d.api.List("/invoices") {
		detail := d.api.Get(i.URI()).Shown()
		if balance := detail.Ore("ar_transactions/@balance"); balance > 0 {
			first = append(first, owed{detail.At("ocr_kid_number"), float64(balance) / 100})
		}
		if len(first) == n {
			break
		}
	}
	return first
}

// queuePayments has the bank report payments that wait for a person, and dismisses one. A file that is none is refused.
func (d *desk) queuePayments() {
	d.T.Helper()
	open := d.owed(8)
	d.bankReports(
		paid{kid: mistyped(open[3].kid), kroner: open[3].kroner}, paid{kid: mistyped(open[4].kid), kroner: open[4].kroner}, paid{kid: mistyped(open[5].kid), kroner: 10},
		paid{kid: "9999999999", kroner: open[6].kroner + open[7].kroner}, paid{kid: "8888888888", kroner: 77.50},
	)
	waiting := d.api.List("/unmatched_payments?status=open")
	d.api.Post(waiting[len(waiting)-1].URI()+"/dismiss", tag("dismiss", tag("comment", "ikke vår"))).Is(http.StatusOK)
	d.api.Post("/payment_files", fmt.Sprintf("NY000010 %s is no file", d.base), house.ContentType("text/plain"))
}

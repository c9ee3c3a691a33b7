package console_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit/house"
)

// plain returns a text with plain blanks and apostrophes.
func plain(s string) string { return strings.NewReplacer("\u00a0", " ", "’", "'").Replace(s) }

// says fails if a region of the page lacks one of the words.
func (d *desk) says(region string, words ...string) {
	d.T.Helper()
	text := plain(d.Find("region", region).Text())
	for _, w := range words {
		if !strings.Contains(text, w) {
			d.T.Errorf("%s does not say %q:\n%s", region, w, text)
		}
	}
}

// TestConsole20TheListOfInvoices narrows the list, opens an invoice, goes back, holds two, pages on, and downloads it.
func TestConsole20TheListOfInvoices(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeWrite)
	kari := d.customer("Kari Nordmann", "")
	for i := range 3 {
		d.invoices(kari, 1000+i, 0)
	}
	for i := range 55 {
		d.invoices(kari, 100+i, 300)
	}
	d.at("2026-01-10 12:00")
	d.show("invoices?status=overdue")
	d.Contains("Overdue, of any date: 3 of 58")
	list := d.URL()
	d.Find("link", "2").Follow()
	if !strings.HasSuffix(d.URL(), "/invoices/2") {
		t.Errorf("the link leads to %s", d.URL())
	}
	d.Back()
	if d.URL() != list {
		t.Errorf("Back leads to %s", d.URL())
	}
	d.Find("checkbox", "Select invoice 1").Click()
	d.Find("checkbox", "Select invoice 3").Click()
	d.Find("combobox", "With the selected").Choose("Put on hold")
	d.Find("button", "Go on…").Follow()
	d.Find("textbox", "Reason").Type("Ferie")
	d.Find("button", "Put on hold").Follow()
	if d.URL() != list {
		t.Errorf("after the act the browser is at %s", d.URL())
	}
	for _, number := range []string{"1", "3"} {
		d.api.Get("/invoice/" + number).Shown().Shows("dunning_hold/comment Ferie")
	}
	d.Find("status", "*").Find("button", "Undo").Follow()
	d.api.Get("/invoice/3").Shown().Shows("no dunning_hold")

	csv := d.Ask(http.MethodGet, d.Find("link", "Download CSV").Attribute("href"), nil)
	if lines := strings.Split(strings.TrimSpace(csv.Body), "\n"); len(lines) != 4 || !strings.HasPrefix(lines[1], "3;") {
		t.Errorf("the file is\n%s", csv.Body)
	}
	d.show("invoices?status=waiting&order=balance")
	next := d.Find("link", "Next page").Attribute("href")
	if !strings.Contains(next, "status=waiting") || !strings.Contains(next, "order=balance") {
		t.Errorf("the next page is %s", next)
	}
	d.Find("link", "Next page").Follow()
	d.Contains("55 of 58")
}

// TestConsole21WhatHappensNext compares the first sentence of invoices with the plan, in each state that a person meets.
func TestConsole21WhatHappensNext(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeWrite)
	d.dunned(tag("hand_over_days", "10"), tag("require_payment_file", "0"))
	kari, ola := d.customer("Kari Nordmann", ""), d.customer("Ola Nordmann", "")
	dunned, small, held, matched := d.invoices(kari, 1000, 0), d.invoices(kari, 40, 0), d.invoices(kari, 2000, 0), d.invoices(ola, 3000, 0)
	page := func(i house.Node, words ...string) {
		t.Helper()
		d.show("invoices/" + i.At("invoice_number"))
		d.says("What happens next", words...)
	}
	d.at("2026-01-12 12:00")
	page(dunned, "On 19 January 2026 a reminder goes out", "too early")
	d.api.Get("/dunning_plan?date=2026-01-19").Shown().Shows("notice/@is_incasso_notice 0")
	d.Find("region", "Timeline").All("listitem")
	d.api.Put(held.URI()+"/dunning_hold", tag("dunning_hold", tag("until", "2026-01-31"))).Is(http.StatusOK)
	page(held, "on hold", "On hold until 31 January 2026", "On 2 February 2026 a reminder goes out")
	page(small, "below the minimum")
	d.bankReports(paid{kid: mistyped(d.api.Get(matched.URI()).Shown().At("ocr_kid_number")), kroner: 3000})
	d.api.Get("/dunning_plan") // finds whose the payment may be
	page(matched, "waits to be matched")

	d.at("2026-01-20 12:00")
	page(dunned, "debt-collection warning", "deadline")
	d.at("2026-02-17 12:00")
	page(dunned, "debt collection", "deadline")
	d.dunned(tag("require_payment_file", "1"))
	d.at("2026-03-02 12:00")
	page(held, "the bank's files are late", "a debt-collection warning goes out")
	d.api.Put("/creditor", tag("creditor", tag("dunning_policy", tag("hand_over_days", "")))).Is(http.StatusOK)
	page(dunned, "last notice")
	d.api.Put("/creditor", tag("creditor", tag("dunning_policy", tag("enabled", "0")))).Is(http.StatusOK)
	page(dunned, "switched off")
}

// TestConsole22TheTimeline compares the timeline with the events, and what a notice links to with the interface.
func TestConsole22TheTimeline(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeRead)
	d.dunned()
	i := d.invoices(d.customer("Kari Nordmann", ""), 1000, 0)
	d.at("2026-01-20 12:00")
	d.show("invoices/" + i.At("invoice_number"))
	events := 0
	for _, e := range d.api.List("/events") {
		if uri, about := e.Find("invoice/@uri"); about && uri == i.URI() {
			events++
		}
	}
	items := d.Find("region", "Timeline").All("listitem")
	if len(items) != events+1 || !strings.Contains(items[0].Text(), "To come") || !strings.Contains(items[0].Text(), "Debt-collection warning") {
		t.Errorf("the timeline has %d items for %d events; the first is %q", len(items), events, items[0].Text())
	}
	notice := d.api.List("/overdue_notices")[0]
	answer := d.Ask(http.MethodGet, d.Find("link", "PDF").Attribute("href"), nil)
	if !bytes.Equal([]byte(answer.Body), d.api.Get(notice.URI()+"/pdf").PDF()) {
		t.Error("the PDF is another one than the interface's")
	}
	sheet := d.api.Get(notice.URI() + "/calculation").Shown()
	d.Find("link", "How it was reckoned").Follow()
	for _, amount := range append([]string{sheet.At("overdue_charge/@amount"), sheet.At("interest/@amount"), d.api.Get(notice.URI()).Shown().At("gross_amount")}, texts(sheet.All("interest/segment"), "@amount")...) {
		if shown := strings.ReplaceAll(amount, ".", ","); !strings.Contains(strings.ReplaceAll(plain(d.Text()), " ", ""), shown) {
			t.Errorf("the page lacks %s:\n%s", shown, d.Text())
		}
	}
}

func texts(nodes []house.Node, path string) (all []string) {
	for _, n := range nodes {
		all = append(all, n.At(path))
	}
	return all
}

// TestConsole23APaymentIsRegisteredOnce registers a payment, goes back and sends the form again.
func TestConsole23APaymentIsRegisteredOnce(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeWrite)
	i := d.invoices(d.customer("Kari Nordmann", ""), 2000, 14)
	d.show("invoices/" + i.At("invoice_number"))
	d.Find("link", "Register a payment").Follow()
	form := d.Find("textbox", "Amount")
	if form.Value() != "2000,00" {
		t.Errorf("the amount is %q", form.Value())
	}
	form.Type("1 250,50")
	d.Find("button", "Register").Follow()
	if said := plain(d.Find("status", "*").Text()); !strings.Contains(said, "Registered 1 250,50 on invoice 1.") {
		t.Errorf("it says %q", said)
	}
	d.Back()
	d.Find("textbox", "Amount").Type("1 250,50")
	d.Find("button", "Register").Follow()
	if payments := d.api.Get(i.URI()).Shown().All("ar_transactions/ar_transaction"); len(payments) != 2 {
		t.Errorf("there are %d transactions", len(payments))
	}
	d.api.Get(i.URI()).Shown().Shows("ar_transactions/@balance 749.50")
}

// TestConsole24AHoldIsUndone puts an invoice on hold from the list it was found in, reads who and why in the log, and
// releases it.
func TestConsole24AHoldIsUndone(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeWrite)
	d.dunned()
	i := d.invoices(d.customer("Kari Nordmann", ""), 1000, 0)
	d.at("2026-01-12 12:00")
	number := i.At("invoice_number")
	d.show("invoices/" + number)
	d.Find("link", "Put on hold").Follow()
	if !strings.HasSuffix(d.URL(), "/invoices/"+number+"/hold") {
		t.Errorf("the form is at %s", d.URL())
	}
	d.hold("2026-01-31")
	d.Find("status", "*").Find("button", "Undo").Follow()
	d.api.Get(i.URI()).Shown().Shows("no dunning_hold")
	d.Find("link", "Put on hold").Follow()
	d.hold("2026-01-31")
	d.says("What happens next", "On hold until 31 January 2026", "reklamasjon")
	d.api.Get("/dunning_plan").Shown().Shows("left_alone/@reason hold")
	d.show("log")
	if log := plain(d.Text()); !strings.Contains(log, "Kari") || !strings.Contains(log, "reklamasjon") {
		t.Errorf("the log is\n%s", log)
	}
	d.show("invoices/" + number)
	d.Find("link", "Change the hold").Follow()
	d.hold("2026-02-28")
	d.Find("status", "*").Find("button", "Undo").Follow()
	d.api.Get(i.URI()).Shown().Shows("dunning_hold/until 2026-01-31") // the older one stands again
}

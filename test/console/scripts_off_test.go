package console_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/browser"
	"purr/test/testkit/house"
)

// TestConsole11ScriptsOff does a morning's work in a browser that runs no scripts.
func TestConsole11ScriptsOff(t *testing.T) {
	t.Parallel()
	d := deskAt(t, house.Start(t, begins), "Fjord Rør AS", models.ScopeAdmin, browser.WithoutScripts)
	d.dunned(tag("require_payment_file", "0"))
	kari := d.customer("Kari Nordmann", "kari@example.no")
	first := d.invoices(d.customer("Ola Nordmann", ""), 1250, 14)
	for i := range 60 {
		d.invoices(kari, 100+i, 0)
	}
	d.bankReports(paid{kid: mistyped(d.api.Get(first.URI()).Shown().At("ocr_kid_number")), kroner: 1250})
	balance := func() string { return d.api.Get(first.URI()).Shown().At("ar_transactions/@balance") }

	d.show("bank")
	d.Find("group", "It is meant for").All("radio")[0].Click()
	d.Find("button", "Match").Follow()
	number := first.At("invoice_number")
	if said := d.Find("status", "*").Text(); !strings.Contains(said, "Matched 1 250,00 from ") && !strings.Contains(said, "Matched 1\u00a0250,00 from ") || !strings.Contains(said, "with invoice "+number) {
		t.Errorf("it says %q", said)
	}
	if balance() != "0.00" {
		t.Errorf("the balance is %s", balance())
	}
	d.Find("button", "Undo").Follow()
	if balance() != "1250.00" || len(d.api.List("/unmatched_payments?status=open")) != 1 {
		t.Errorf("undone, the balance is %s:\n%s", balance(), d.Text())
	}

	d.show("invoices/" + number)
	d.Find("link", "Put on hold").Follow()
	d.hold("2026-12-24")
	if d.Status() != http.StatusOK {
		t.Errorf("holding answers %d:\n%s", d.Status(), d.Text())
	}
	d.api.Get(first.URI()).Shown().Shows("dunning_hold/until 2026-12-24")

	d.show("invoices")
	seen := map[string]bool{}
	for pages := 1; ; pages++ {
		for _, link := range d.All("link") {
			if strings.HasPrefix(link.Attribute("href"), d.base+"/invoices/") && firstNumber(link.Name) > 0 {
				seen[link.Name] = true
			}
		}
		if !d.Has("link", "Next page") {
			break
		}
		if pages > 10 {
			t.Fatal("the pages have no end")
		}
		d.Find("link", "Next page").Follow()
	}
	if len(seen) != 61 {
		t.Errorf("the pages show %d invoices of 61", len(seen))
	}

	d.api.Put("/creditor", tag("creditor", tag("dunning_ceiling", "5"))).Is(http.StatusOK)
	d.at("2026-01-27 12:00")
	if len(d.api.List("/overdue_notices")) != 0 {
		t.Fatal("the run did not wait")
	}
	letters := d.approve()
	if d.Status() != http.StatusOK || letters < 50 {
		t.Errorf("approving %d letters answers %d:\n%s", letters, d.Status(), d.Text())
	}
	testkit.Eventually(t, "the letters are sent", func() (bool, any) {
		sent := len(d.api.List("/overdue_notices"))
		return sent == letters, sent
	})
}

// hold fills the form of a hold and sends it.
func (d *desk) hold(until string) {
	d.T.Helper()
	d.Find("textbox", "Reason").Type("reklamasjon")
	d.Find("date", "Until").Type(until)
	d.Find("button", "Put on hold").Follow()
}

// approve approves the run that waits, and returns how many letters it has. A page that has waited for a second for the plan's figures
// is shown without them, so it is asked for again until it has them.
func (d *desk) approve() (letters int) {
	d.T.Helper()
	testkit.Eventually(d.T, "letters wait for approval", func() (bool, any) {
		d.show("dunning")
		for _, region := range d.All("region") {
			n, is := strings.CutSuffix(region.Name, " letters wait for your approval")
			if !is {
				continue
			}
			region.Find("textbox", "Type "+n+" to approve").Type(n)
			region.Find("button", "Approve and send").Follow()
			_, err := fmt.Sscan(n, &letters)
			must(d.T, err)
			return true, nil
		}
		return false, d.Text()
	})
	return letters
}

package console_test

import (
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit/browser"
)

// tabTo moves the focus by Tab to what has a role and a name that begins so.
func (k *keyboard) tabTo(role, name string) {
	k.T.Helper()
	for range 120 {
		k.press("Tab")
		if at := k.Focused(); at != nil && at.Role == role && strings.HasPrefix(at.Name, name) {
			return
		}
	}
	k.T.Fatalf("Tab leads to no %s %q:\n%s", role, name, k.Text())
}

// looksGood looks at the page as it is, at 320 px too.
func (k *keyboard) looksGood() {
	k.T.Helper()
	k.MustBeAccessible()
	k.Look(browser.Narrow)
	if over := k.Overflow(); over > 0 {
		k.T.Errorf("at 320 px %s is %d px wider than the window", k.URL(), over)
	}
	k.Look(browser.Light, browser.Screen, browser.Size(1280, 800))
}

// TestN6AndN7OnThePhoneByTheKeyboard has a customer call who has paid: one payment is said not to be his, which is taken back, and is
// matched from his invoice; of another invoice he says that it is paid. A third payment is divided by the chooser, which finds the payer,
// and that is taken back.
func TestN6AndN7OnThePhoneByTheKeyboard(t *testing.T) {
	t.Parallel()
	d := open(t, models.ScopeWrite)
	kari := d.customer("Kari Nordmann", "")
	first, second, third := d.invoices(kari, 1250, 14), d.invoices(kari, 2000, 14), d.invoices(kari, 800, 21)
	d.bankReports(paid{kid: mistyped(first.At("ocr_kid_number")), kroner: 1250}, paid{kid: "0000000000", kroner: 2900})
	number := func(n int) string {
		return []string{first.At("invoice_number"), second.At("invoice_number"), third.At("invoice_number")}[n]
	}
	k := &keyboard{desk: d}

	d.show("invoices/" + number(0))
	d.Find("region", "Payments that may be the customer*")
	k.looksGood()
	k.tabTo("button", "Not his")
	k.opens("Enter")
	k.mustSay("is not of Kari Nordmann")
	d.Contains("somebody said that it is not his")
	k.looksGood()
	k.opens("u")
	k.mustSay("may be of Kari Nordmann again")
	k.tabTo("button", "Match with invoice "+number(0))
	k.opens("Enter")
	k.mustSay("Matched 1 250,00 from 97104133219 with invoice " + number(0))
	if d.balance(first) != "0.00" || d.URL() != d.base+"/invoices/"+number(0) {
		t.Errorf("%s is owed; the page is %s", d.balance(first), d.URL())
	}

	d.show("invoices/" + number(1))
	k.tabTo("button", "Says it is paid")
	k.opens("Enter")
	k.mustSay("it is on hold until 12 January 2026")
	d.api.Get(second.URI()).Shown().Shows("dunning_hold/reason says_paid", "dunning_hold/until 2026-01-12")
	d.Contains("The customer says that it is paid.")

	k.opens("g", "b")
	k.opens("d")
	k.types("nordmann kari")
	k.opens("Enter") // one hit opens
	k.looksGood()
	if !strings.Contains(plain(d.Text()), "2 800,00 of 2 900,00 is divided. The rest, 100,00, becomes free credit on invoice "+number(2)) {
		t.Errorf("it proposes\n%s", d.Text())
	}
	k.tabTo("textbox", "Paid on invoice "+number(1))
	k.types("1500,50") // the field's text is selected
	k.opens("Enter")
	if text := plain(d.Text()); !strings.Contains(text, "499,50 is owed after it") || !strings.Contains(text, "2 300,50 of 2 900,00 is divided. The rest, 599,50,") {
		t.Errorf("it reckons\n%s", text)
	}
	k.looksGood()
	k.opens("m")
	k.mustSay("Matched 2 900,00 from 97104133219 with invoices " + number(1) + " and " + number(2))
	if d.balance(second) != "499.50" || d.balance(third) != "-599.50" {
		t.Errorf("%s and %s are owed", d.balance(second), d.balance(third))
	}
	k.opens("u")
	if d.balance(second) != "2000.00" || d.balance(third) != "800.00" {
		t.Errorf("undone, %s and %s are owed", d.balance(second), d.balance(third))
	}
	if problems := d.Problems(); len(problems) > 0 {
		t.Errorf("the browser met %q", problems)
	}
}

package console_test

import (
	"testing"

	"purr/models"
	"purr/test/testkit/browser"
	"purr/test/testkit/house"
)

// TestConsole23WithoutScriptsAPaymentIsRegisteredOnce registers a payment in a browser that runs no scripts, goes back, and
// sends the form again.
func TestConsole23WithoutScriptsAPaymentIsRegisteredOnce(t *testing.T) {
	t.Parallel()
	d := deskAt(t, house.Start(t, begins), "Fjord Rør AS", models.ScopeWrite, browser.WithoutScripts)
	i := d.invoices(d.customer("Kari Nordmann", ""), 2000, 14)
	d.show("invoices/" + i.At("invoice_number"))
	d.Find("link", "Register a payment").Follow()
	d.Find("textbox", "Amount").Type("1 250,50")
	d.Find("button", "Register").Follow()
	d.Back()
	d.Find("textbox", "Amount").Type("1 250,50")
	d.Find("button", "Register").Follow()
	if payments := d.api.Get(i.URI()).Shown().All("ar_transactions/ar_transaction"); len(payments) != 2 {
		t.Errorf("there are %d transactions:\n%s", len(payments), d.Text())
	}
}

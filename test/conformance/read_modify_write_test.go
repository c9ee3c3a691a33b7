package conformance_test

import (
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit/house"
)

// TestL20ReadModifyWrite puts back what GET showed, in each state of each resource that has PUT. The answer is 200, and
// nothing has changed. Then it changes one element of it.
func TestL20ReadModifyWrite(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		c.withScope(models.ScopeAdmin).Put("/creditor", tag("creditor", tag("first_number", "1000"))).Is(200)
		putBack := func(state, path, element string) {
			t.Helper()
			before := c.Get(path).Is(200)
			after := c.Put(path, string(before.Body)).Is(200)
			if string(before.Body) != string(after.Body) {
				t.Errorf("%s: put back it became\n%s\nfrom\n%s", state, after.Body, before.Body)
			}
			was, _ := before.Root().Find(element)
			changed := strings.Replace(string(before.Body), "<"+element+">"+was+"</"+element+">", "<"+element+">Bergen</"+element+">", 1)
			if got := c.Put(path, changed).Is(200).Root().At(element); got != "Bergen" {
				t.Errorf("%s: %s became %q", state, element, got)
			}
		}

		customer := c.customer()
		path := house.Below(customer.URI())
		putBack("a new customer", path, "postal_name")
		c.Put(path, tag("customer", tag("organisation_number", "974760673"), tag("language", "nn"), tag("customer_number", "17"), tag("dunning_policy",
			tag("enabled", "1"), tag("fee", "0"), tag("interest_rate", "legal"), tag("hand_over_days", "never"), tag("minimum_balance", "100.00")))).Is(200)
		putBack("a business with a policy of its own", path, "address2")
		c.Put(path+"/dunning_hold", tag("dunning_hold", tag("reason", "dispute"), tag("comment", "waits"))).Is(200)
		putBack("a customer on hold", path, "address2")
		invoice := c.invoices(order{to: customer.URI(), days: "0"})
		putBack("a customer with an invoice", path, "name2")
		c.Put(path, strings.Replace(string(c.Get(path).Body), "<comment>waits</comment>", "<comment>goes on</comment>", 1)).
			Refused(422, "differs dunning_hold")

		putBack("a creditor with an invoice", "/creditor", "address1")
		c.Put("/creditor", tag("creditor", tag("vat_registered", "1"), tag("dunning_ceiling", "5"), tag("vat_rates", `<vat_rate name="LOW" percent="12" from="2018-01-01"/>`),
			tag("dunning_policy", tag("fee", "30.00"), tag("interest_rate", "5"), tag("hand_over_days", "9")))).Is(200)
		putBack("a creditor with rates and a policy", "/creditor", "address2")
		highest := c.Put("/creditor", tag("creditor", tag("dunning_policy", tag("fee", "max")))).Is(200)
		if highest.Root().At("dunning_policy/fee") != "max" {
			t.Errorf("the fee is %s", highest.Root().At("dunning_policy/fee"))
		}
		putBack("a creditor with the highest fee", "/creditor", "name")

		hook := c.Post("/webhooks", tag("webhook", tag("url", "https://example.no/hook"), tag("event_types", tag("event_type", "customer.created")))).Created()
		path = house.Below(hook.URI())
		putBack("a webhook", path, "description")
		c.Post(path+"/secret", "").Is(200)
		putBack("a webhook with a new secret", path, "description")
		c.Put(path, tag("webhook", tag("enabled", "0"))).Is(200)
		putBack("a webhook that is switched off", path, "description")

		// A hold is put back in the form in which its invoice shows it.
		held := house.Below(invoice.URI())
		hold := tag("dunning_hold", tag("until"), tag("reason", "dispute"), tag("comment", "a\nb"))
		shown := c.Put(held+"/dunning_hold", hold).Is(200)
		_, rest, _ := strings.Cut(string(shown.Body), "<dunning_hold>")
		inside, _, _ := strings.Cut(rest, "</dunning_hold>")
		if again := c.Put(held+"/dunning_hold", "<dunning_hold>"+inside+"</dunning_hold>").Is(200); string(again.Body) != string(shown.Body) {
			t.Errorf("put back the hold became %s", again.Body)
		}
	})
}

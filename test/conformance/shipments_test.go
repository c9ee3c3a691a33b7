package conformance_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"purr/models"
)

// TestS1aWhatBecameOfALetter follows a letter from its invoice until it is sent again by e-mail.
func TestS1aWhatBecameOfALetter(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		customer := c.customer()
		invoice := c.invoices(order{to: customer.URI()})
		in.at(t, "2023-12-09 00:01")
		letter := c.shipment(invoice, "")
		name := letter.At("@name")
		letter.Shows("state sent", "shipment_method PAPER", "@type original", "attempts 1", "receipt "+name+".pdf", "document/@uri "+invoice.URI())
		if _, left := in.Letters(t)[name+".pdf"]; !left {
			t.Errorf("there is no letter %s", name)
		}
		in.report(t, name, models.ShipmentDelivered, "")
		in.report(t, name, models.ShipmentReturned, "moved")
		detail := c.Get(letter.URI()).Shown().Shows("state returned", "reason moved", "reports/report[2]/@state returned")
		equal(t, "reports", len(detail.All("reports/report")), 2)
		equal(t, "what came back", c.shipment(invoice, "&state=returned&method=PAPER").URI(), letter.URI())

		both := c.AtOnce(2, func() *answer { return c.Post(letter.URI()+"/retry", tag("retry", tag("shipment_method", "EMAIL"))) })
		refused, made, file := 0, "", ""
		for _, a := range both {
			if a.Status == http.StatusConflict {
				a.Refused(http.StatusConflict, "not_failed")
				refused++
				continue
			}
			mail := a.Is(http.StatusOK).Root().Shows("state owed", "shipment_method EMAIL", "fallback_of/@uri "+letter.URI())
			made, file = mail.URI(), mail.At("@name")+".eml"
		}
		equal(t, "refusals of two people who retry at once", refused, 1)
		in.at(t, "2023-12-10 00:01")
		c.Get(made).Shown().Shows("state sent", "receipt "+file)
		c.Post(made+"/retry", "").Refused(http.StatusConflict, "not_failed")
		stranger := in.newClient(t)
		stranger.Get(letter.URI()).Is(http.StatusNotFound)
		stranger.Post(letter.URI()+"/retry", "").Is(http.StatusNotFound)
		equal(t, "shipments of another's invoice", len(stranger.List("/shipments?document="+invoice.URI())), 0)
	})
}

// TestS1bReturnedMailHoldsLettersUntilTheAddressIsChanged looks at the next letters to a customer whose mail came back.
func TestS1bReturnedMailHoldsLettersUntilTheAddressIsChanged(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		customer := c.customer()
		first := c.invoices(order{to: customer.URI()})
		in.at(t, "2023-12-09 00:01")
		in.report(t, c.shipment(first, "").At("@name"), models.ShipmentReturned, "unknown at the address")
		c.Get(customer.URI()).Shown().Shows("letters_held/@reason unknown at the address")
		held, mail := c.invoices(order{to: customer.URI()}), c.invoices(order{to: customer.URI(), by: "EMAIL"})
		in.at(t, "2023-12-10 00:01")
		c.shipment(held, "").Shows("state owed", "reason letters_held", "attempts 0")
		c.shipment(mail, "").Shows("state sent")

		c.Put(customer.URI(), tag("customer", tag("email", "ny@example.no"))).Is(http.StatusOK)
		c.Get(customer.URI()).Shown().Only("letters_held")
		shown := c.Put(customer.URI(), tag("customer", tag("address1", "Nyveien 2"))).Is(http.StatusOK).Root()
		equal(t, "hints that letters are held", len(shown.All("letters_held")), 0)
		in.at(t, "2023-12-11 00:01")
		c.shipment(held, "").Shows("state sent", "attempts 1")
		c.Delete(customer.URI() + "/letters_held").Is(http.StatusNoContent)
	})
}

// TestD92AShipmentSaysToWhomItGoesAndWent: by each method, before and after it has left, and when the customer has moved since.
func TestD92AShipmentSaysToWhomItGoesAndWent(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		const street, mail, network = "address1 Storgata 1|postal_code 0155|postal_name Oslo|country_code NO", "email kari@example.no", "network_id 0192:974760673"
		business := c.customer(kari, tag("organisation_number", "974760673"))
		goesTo := map[string]string{}
		for method, want := range map[string]string{"PAPER": street, "EMAIL": mail, "EHF": network} {
			o := order{to: business.URI(), by: method}
			s := c.shipment(c.Post("/invoices", strings.Replace(o.xml(), "<recipient", tag("your_reference", "Kari")+"<recipient", 1)).Created(), "")
			equal(t, "recipients in a list", len(s.All("recipient")), 0)
			goesTo[s.URI()] = "name1 Kari Nordmann|" + want
		}
		copied := c.invoices(order{to: business.URI(), copies: []string{"arkiv@example.no"}})
		goesTo[c.shipment(copied, "&method=EMAIL").URI()] = "email arkiv@example.no"
		say := func(when string) {
			t.Helper()
			for uri, want := range goesTo {
				shown := c.Get(uri).Shown()
				var got []string
				for _, n := range shown.Only("recipient").Nodes() {
					got = append(got, n.Name()+" "+n.At(""))
				}
				equal(t, when+", "+shown.At("shipment_method"), strings.Join(got, "|"), want)
			}
		}
		say("at first")
		in.at(t, "2023-12-09 00:01")
		c.Put(business.URI(), tag("customer", tag("address1", "Nyveien 2"), tag("email", "ny@example.no"))).Is(http.StatusOK)
		for uri := range goesTo {
			c.Get(uri).Shown().Shows("state sent")
		}
		say("sent")
	})
}

// shipment returns the only shipment of an invoice that the further parameters take.
func (c *client) shipment(invoice node, further string) node {
	c.T.Helper()
	found := c.List("/shipments?document=" + invoice.URI() + further)
	if len(found) != 1 {
		c.T.Fatalf("%s has %d shipments %s", invoice.URI(), len(found), further)
	}
	return found[0]
}

// report tells of a shipment at the command line.
func (in *installation) report(t *testing.T, name string, state models.ShipmentState, reason string) {
	t.Helper()
	now := in.App.Clock.Now().Add(time.Second * time.Duration(in.next()))
	_, err := in.App.ReportShipment(t.Context(), name, string(state), reason, &now)
	must(t, err)
}

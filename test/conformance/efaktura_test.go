package conformance_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"purr/app"
	"purr/test/testkit/house"
	"purr/test/testkit/operator"
)

// withOperator runs the test on installations of both kinds that send eFaktura by the template of docs/efaktura.md.
func withOperator(t *testing.T, test func(t *testing.T, in *installation, op *operator.Operator)) {
	t.Helper()
	t.Parallel()
	for _, s := range setups {
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			s.turns <- struct{}{}
			defer func() { <-s.turns }()
			op, file := operator.Start(t), filepath.Join(t.TempDir(), "efaktura.json")
			must(t, os.WriteFile(file, operator.Template(t, "../.."), 0o600))
			test(t, newInstallation(t, s, beginning, func(_ testing.TB, cfg *app.Settings) {
				cfg.EFaktura.URL, cfg.EFaktura.Template, cfg.EFaktura.Secret = op.URL+"/v1/einvoices", file, operator.Secret
			}), op)
		})
	}
}

// phoned makes an invoice by a method to a person with a telephone number.
func (c *client) phoned(method string, elements ...string) *answer {
	c.T.Helper()
	return c.Post("/invoices", tag("invoice", tag("num_due_days", "14"),
		tag("recipient", append([]string{tag("name1", "Kari"), tag("address1", "Storgata 2"), tag("postal_code", "0155"), tag("postal_name", "Oslo")}, elements...)...),
		tag("lines", tag("line", tag("line_text", "Arbeid"), tag("unit_price", "100"), tag("num_items", "1"), tag("vat_rate", "HIGH"))),
		shipments(method)))
}

// TestE20AnInvoiceGoesIntoTheBank: asked for by the interface, by AUTO, and by nothing that is no invoice.
func TestE20AnInvoiceGoesIntoTheBank(t *testing.T) {
	withOperator(t, func(t *testing.T, in *installation, op *operator.Operator) {
		c := in.creditor(t)
		phone, email := tag("phone", "+4791234567"), tag("email", "kari@kunde.example")
		invoice := c.phoned("EFAKTURA", phone).Created()
		c.pass(time.Minute)
		equal(t, "the invoice", c.ways(invoice), "EFAKTURA sent")
		got := op.Taken()[0]
		equal(t, "what the operator got", strings.Join([]string{got.Payment.KID, got.Payment.Account, got.Payment.Amount.String(), got.Payment.DueDate, got.Recipient.Mobile}, " "),
			strings.Join([]string{invoice.At("ocr_kid_number"), c.Get("/creditor").Shown().At("bank_account"), "125.00", invoice.At("due_date"), "+4791234567"}, " "))
		shown := c.Get(c.List("/shipments?document=" + invoice.URI())[0].URI()).Shown()
		equal(t, "whom it went to", shown.At("recipient/name1")+" "+shown.At("recipient/phone"), "Kari +4791234567")
		equal(t, "the receipt", shown.At("receipt"), "E-"+got.Reference[:8])

		equal(t, "AUTO to a person", c.sentBy(c.phoned("AUTO", phone, email)), "EFAKTURA sent")
		equal(t, "AUTO to a business", c.sentBy(c.phoned("AUTO", email, tag("organisation_number", "987654325"))), "EMAIL sent")
		op.Knows(func(i operator.Invoice) bool { return i.Recipient.Mobile != "" })
		equal(t, "AUTO to a person without eFaktura", c.sentBy(c.phoned("AUTO", email)), "EFAKTURA failed, EMAIL sent")
		equal(t, "AUTO to a person with an address alone", c.sentBy(c.phoned("AUTO")), "EFAKTURA failed, PAPER sent")
		equal(t, "EFAKTURA to a person without it", c.sentBy(c.phoned("EFAKTURA", email)), "EFAKTURA failed, EMAIL sent")

		note := tag("credit_note", shipments("EFAKTURA"))
		c.Post(invoice.URI()+"/credit_notes", note).Refused(422, "invalid_shipment_method shipments/shipment[1]/shipment_method")
		c.Post(c.List("/shipments?document=" + invoice.URI())[0].URI()+"/retry", "").Refused(409, "not_failed")
		bare := in.bareCreditor(t)
		bare.phoned("EFAKTURA", phone).Refused(422, "bank_account_required shipments/shipment[1]/shipment_method")
		bare.phoned("EFAKTURA", tag("phone", "91234567")).Refused(422, "bank_account_required shipments/shipment[1]/shipment_method", "invalid_phone recipient/phone")
	})
}

func (c *client) sentBy(a *answer) string {
	c.T.Helper()
	invoice := a.Created()
	c.pass(time.Minute)
	return c.ways(invoice)
}

// TestE20AnotherMethodInItsPlace: what failed goes by eFaktura if a person says so, where that can be.
func TestE20AnotherMethodInItsPlace(t *testing.T) {
	withOperator(t, func(t *testing.T, in *installation, op *operator.Operator) {
		c := in.creditor(t, tag("fallback", "EFAKTURA>PAPER"))
		invoice := c.phoned("PAPER", tag("phone", "+4791234567")).Created()
		c.pass(time.Minute)
		shipment := c.List("/shipments?document=" + invoice.URI())[0]
		_, err := in.App.ReportShipment(t.Context(), shipment.At("@name"), "failed", "the printer is broken", nil)
		must(t, err)
		again := c.Post(shipment.URI()+"/retry", tag("retry", tag("shipment_method", "EFAKTURA"))).Shown()
		equal(t, "in its place", again.At("fallback_of/@uri"), shipment.URI())
		c.pass(time.Minute)
		equal(t, "the invoice", c.ways(invoice), "PAPER failed, EFAKTURA sent")
		_, err = in.App.ReportShipment(t.Context(), again.At("@name"), "failed", "the agreement has ended", nil)
		must(t, err)
		equal(t, "it does not go on paper again", c.ways(invoice), "PAPER failed, EFAKTURA failed")
		equal(t, "what the operator has", len(op.Taken()), 1)
	})
}

// TestE20WhereItIsNotSetUp: nobody may ask for it, and AUTO is as before. All faults come at once.
func TestE20WhereItIsNotSetUp(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		c.phoned("EFAKTURA").Refused(422, "not_set_up shipments/shipment[1]/shipment_method")
		c.phoned("EFAKTURA", tag("email", "kari")).Refused(422, "not_set_up shipments/shipment[1]/shipment_method", "invalid_email recipient/email")
		in.bareCreditor(t).phoned("EFAKTURA").Refused(422, "not_set_up shipments/shipment[1]/shipment_method", "bank_account_required shipments/shipment[1]/shipment_method")
		c.Put("/creditor", tag("creditor", tag("fallback", "EHF&gt;EFAKTURA&gt;EMAIL&gt;PAPER"))).Is(200)
		for _, wrong := range []string{"PAPER&gt;EFAKTURA", "EFAKTURA&gt;EFAKTURA"} {
			c.Put("/creditor", tag("creditor", tag("fallback", wrong))).Refused(422, "invalid_fallback fallback")
		}
		c.phoned("EFAKTUR").Refused(422, "invalid_shipment_method shipments/shipment[1]/shipment_method")
		invoice := c.phoned("PAPER").Created()
		c.Post(invoice.URI()+"/overdue_notices", tag("overdue_notice", tag("shipment_method", "EFAKTURA"))).Is(422)
	})
}

// TestE20PhoneOfACustomer: set, changed, cleared and refused, in XML and JSON; documents keep it as it was.
func TestE20PhoneOfACustomer(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.Post("/customers", tag("customer", tag("name1", "Kari"), tag("address1", "Storgata 1"), tag("postal_code", "0155"), tag("postal_name", "Oslo"), tag("phone", "+4791234567"))).Created()
		equal(t, "the customer", customer.At("phone"), "+4791234567")
		for _, wrong := range []string{"91234567", "+47 91234567", "+1234567", "+1234567890123456", "004791234567"} {
			c.Put(customer.URI(), tag("customer", tag("phone", wrong))).Refused(422, "invalid_phone phone")
		}
		invoice := c.Post("/invoices", tag("invoice", tag("num_due_days", "14"), `<recipient uri="`+customer.URI()+`"/>`,
			tag("lines", tag("line", tag("line_text", "Arbeid"), tag("unit_price", "100"), tag("num_items", "1"), tag("vat_rate", "NONE"))), shipments("PAPER"))).Created()
		json := []house.Option{house.Header("Accept", "application/json"), house.ContentType("application/json")}
		c.Put(customer.URI(), `{"phone": "+4798765432"}`, json...).Is(200)
		equal(t, "changed in JSON", c.Get(customer.URI()).Shown().At("phone"), "+4798765432")
		equal(t, "the invoice", c.Get(invoice.URI()).Shown().At("recipient/phone"), "+4791234567")
		c.Put(customer.URI(), `{"phone": null}`, json...).Is(200)
		if phone, is := c.Get(customer.URI()).Shown().Find("phone"); is {
			t.Errorf("a cleared one is %q", phone)
		}
		note := c.credits(invoice)
		if phone, is := note.Find("recipient/phone"); is {
			t.Errorf("the credit note has %q", phone)
		}
		equal(t, "changes that are told", len(c.told("customer.changed")), 2)
	})
}

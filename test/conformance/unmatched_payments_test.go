package conformance_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestE5OnePaymentOfSeveralInvoices settles two invoices with a payment that is suggested for both, and takes it back.
func TestE5OnePaymentOfSeveralInvoices(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		account := in.bankAccount()
		in.SetAccount(t, c.creditor, account)
		customer := c.customer().URI()
		first, second := c.invoices(order{to: customer, lines: of("300")}), c.invoices(order{to: customer, lines: of("200")})
		third := c.invoices(order{to: customer, lines: of("200")})
		c.Post("/payment_files", in.transmission(1, in.next(), account, 500, 600), contentType("text/plain")).Created()
		waiting := c.List("/unmatched_payments?status=open")
		both := tag("match", invoiceLink(second.URI()), invoiceLink(first.URI()))

		c.Post(waiting[1].URI()+"/match", both).Refused(http.StatusUnprocessableEntity, "amounts_differ invoice")
		c.Post(waiting[0].URI()+"/match", tag("match", invoiceLink(second.URI()), invoiceLink(third.URI()))).
			Refused(http.StatusUnprocessableEntity, "amounts_differ invoice")
		c.Post(waiting[0].URI()+"/match", tag("match", invoiceLink(first.URI()), invoiceLink(first.URI()))).
			Refused(http.StatusUnprocessableEntity, "duplicate_element invoice")

		matched := c.Post(waiting[0].URI()+"/match", both).Is(http.StatusOK).Root()
		var posted []string
		for _, link := range matched.All("ar_transaction") {
			e := c.Get(link.URI()).Shown()
			posted = append(posted, e.At("amount")+" of "+e.At("transaction_type")+" on "+e.At("invoice/@uri"))
		}
		same(t, "what was posted", posted, []string{"-200.00 of OCR on " + second.URI(), "-300.00 of OCR on " + first.URI()})
		same(t, "transactions in the list", []int{len(c.List("/unmatched_payments?status=resolved")[0].All("ar_transaction"))}, []int{2})
		for _, i := range []node{first, second} {
			c.again(i).Shows("@status invoice_paid", "ar_transactions/@balance 0.00")
		}
		c.Post(waiting[0].URI()+"/match", both).Refused(http.StatusConflict, "payment_resolved")

		c.Post(waiting[0].URI()+"/unmatch", "").Is(http.StatusOK).Root().Shows("@status open")
		c.again(first).Shows("@status invoice_sent", "ar_transactions/@balance 300.00")
		c.again(second).Shows("@status invoice_sent", "ar_transactions/@balance 200.00")
		c.Post(waiting[1].URI()+"/match", tag("match", invoiceLink(first.URI()))).Is(http.StatusOK) // one, whatever it owes
		c.again(first).Shows("ar_transactions/@balance -300.00")
		told := strings.Join(c.told("payment.matched"), "\n")
		for _, want := range []string{"Payment of 500.00", "200.00 of it", "300.00 of it"} {
			if !strings.Contains(told, want) {
				t.Errorf("the events do not say %q: %s", want, told)
			}
		}
	})
}

// invoiceLink is an invoice as it is named in a request.
func invoiceLink(uri string) string { return `<invoice uri="` + uri + `"/>` }

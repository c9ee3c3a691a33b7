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
		c.put("/creditor", tag("creditor", tag("bank_account", account))).is(http.StatusOK)
		customer := c.customer().uri()
		first, second := c.invoices(order{to: customer, lines: of("300")}), c.invoices(order{to: customer, lines: of("200")})
		third := c.invoices(order{to: customer, lines: of("200")})
		c.post("/payment_files", in.transmission(1, in.serial.next(), account, 500, 600), contentType("text/plain")).created()
		waiting := c.list("/unmatched_payments?status=open")
		both := tag("match", invoiceLink(second.uri()), invoiceLink(first.uri()))

		c.post(waiting[1].uri()+"/match", both).refused(http.StatusUnprocessableEntity, "amounts_differ invoice")
		c.post(waiting[0].uri()+"/match", tag("match", invoiceLink(second.uri()), invoiceLink(third.uri()))).
			refused(http.StatusUnprocessableEntity, "amounts_differ invoice")
		c.post(waiting[0].uri()+"/match", tag("match", invoiceLink(first.uri()), invoiceLink(first.uri()))).
			refused(http.StatusUnprocessableEntity, "duplicate_element invoice")

		matched := c.post(waiting[0].uri()+"/match", both).is(http.StatusOK).node()
		var posted []string
		for _, link := range matched.all("ar_transaction") {
			e := c.get(link.uri()).shown()
			posted = append(posted, e.at("amount")+" of "+e.at("transaction_type")+" on "+e.at("invoice/@uri"))
		}
		same(t, "what was posted", posted, []string{"-200.00 of OCR on " + second.uri(), "-300.00 of OCR on " + first.uri()})
		same(t, "transactions in the list", []int{len(c.list("/unmatched_payments?status=resolved")[0].all("ar_transaction"))}, []int{2})
		for _, i := range []node{first, second} {
			c.again(i).shows("@status invoice_paid", "ar_transactions/@balance 0.00")
		}
		c.post(waiting[0].uri()+"/match", both).refused(http.StatusConflict, "payment_resolved")

		c.post(waiting[0].uri()+"/unmatch", "").is(http.StatusOK).node().shows("@status open")
		c.again(first).shows("@status invoice_sent", "ar_transactions/@balance 300.00")
		c.again(second).shows("@status invoice_sent", "ar_transactions/@balance 200.00")
		c.post(waiting[1].uri()+"/match", tag("match", invoiceLink(first.uri()))).is(http.StatusOK) // one, whatever it owes
		c.again(first).shows("ar_transactions/@balance -300.00")
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

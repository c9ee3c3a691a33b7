package conformance_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
)

// TestD31OnlyPaymentsCanBeDeleted: a payment that was registered by hand disappears, from the balance too, and
// an event keeps it. No other transaction can be deleted, and none be changed.
func TestD31OnlyPaymentsCanBeDeleted(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		invoice := c.invoices(order{})
		kept := c.registers("-200", invoice)
		payment := c.post(invoice.uri()+"/ar_transactions", entry("-300", in.today(), tag("comment", "Vipps"))).created()
		c.remove(payment.uri()).is(http.StatusNoContent)

		c.get(payment.uri()).refused(http.StatusNotFound, "not_found")
		c.remove(payment.uri()).refused(http.StatusNotFound, "not_found")
		c.account(invoice, "INVOICE 1250.00", "PAYMENT -200.00")
		equal(t, "number of payments in the list", len(c.list("/ar_transactions?transaction_type=PAYMENT")), 1)
		last := c.event("payment.deleted").shows("invoice/@uri " + invoice.uri())
		for _, word := range []string{"300.00", in.today().String(), "Vipps", "admin"} {
			if said := last.at("text") + last.at("data"); !strings.Contains(said, word) {
				t.Errorf("the event of the deletion does not say %s: %s", word, said)
			}
		}
		if last.at("at") == "" {
			t.Error("the event does not say when")
		}

		note := c.credits(invoice)
		payout := c.registers("200", note)
		for _, e := range c.list("/ar_transactions") {
			if e.uri() == kept.uri() || e.uri() == payout.uri() {
				continue
			}
			c.remove(e.uri()).refused(http.StatusConflict, "not_a_payment")
		}
		c.put(kept.uri(), entry("-1", in.today())).refused(http.StatusMethodNotAllowed, "method_not_allowed")
		c.again(kept).equals(kept)
		c.remove(payout.uri()).is(http.StatusNoContent)
		c.again(note).shows("ar_transactions/@balance -200.00")
	})
}

// event returns the only event of a type.
func (c *client) event(kind string) node {
	c.t.Helper()
	var found []node
	for _, e := range c.list("/events") {
		if e.at("type") == kind {
			found = append(found, e)
		}
	}
	if len(found) != 1 {
		c.t.Fatalf("there are %d events %s", len(found), kind)
	}
	return found[0]
}

// TestD32Payments registers every kind of payment on invoices and credit notes, up to their borders and beyond.
func TestD32Payments(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		invoice := c.invoices(order{})
		on := func(document node, amount string, faults ...string) {
			t.Helper()
			a := c.post(document.uri()+"/ar_transactions", entry(amount, in.today()))
			if len(faults) > 0 {
				a.refused(http.StatusUnprocessableEntity, faults...)
				return
			}
			a.created().shows("transaction_type PAYMENT", "amount "+amount, "invoice/@uri "+invoice.uri())
		}
		on(invoice, "0.01", "amount_too_large amount") // nothing was overpaid
		on(invoice, "0.00", "amount_zero amount")
		on(invoice, "-1250.00")
		on(invoice, "-100.50") // more than is owed
		c.again(invoice).shows("@status invoice_paid", "ar_transactions/@balance -100.50")
		on(invoice, "100.51", "amount_too_large amount")
		on(invoice, "100.50")
		c.again(invoice).shows("ar_transactions/@balance 0.00")

		note := c.credits(invoice)
		on(note, "-1.00", "amount_not_positive amount")
		on(note, "0.00", "amount_zero amount")
		on(note, "1250.01", "amount_too_large amount")
		on(note, "1250.00")
		on(note, "0.01", "amount_too_large amount")

		for _, document := range []node{invoice, note} {
			tomorrow := entry("-1", in.today()+1)
			if document.uri() == note.uri() {
				tomorrow = entry("1", in.today()+1)
			}
			c.post(document.uri()+"/ar_transactions", tomorrow).refused(http.StatusUnprocessableEntity, "date_in_future transaction_date")
		}
		c.post(invoice.uri()+"/ar_transactions", entry("-1", in.today()-400)).created().shows("transaction_date " + (in.today() - 400).String())
		c.post(invoice.uri()+"/ar_transactions", tag("ar_transaction")).refused(http.StatusUnprocessableEntity, "required amount", "required transaction_date")
	})
}

// TestD33BalancesAreSumsAtEveryMoment pays, credits and deletes at once while others look: whatever they see,
// each balance is the sum of the transactions beside it, and in the end a customer's is the sum of all.
func TestD33BalancesAreSumsAtEveryMoment(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer()
		invoice := c.invoices(order{to: customer.uri()})
		var busy, looking sync.WaitGroup
		done := make(chan struct{})
		for range 3 {
			busy.Go(func() {
				for i := range 4 {
					payment := c.post(invoice.uri()+"/ar_transactions", entry("-7.01", in.today()))
					if payment.status == http.StatusCreated && i%2 == 1 {
						c.remove(payment.header.Get("Location"))
					}
				}
			})
		}
		busy.Go(func() { c.post(invoice.uri()+"/credit_notes", creditNote()) })
		looking.Go(func() {
			for {
				checkSum(c.again(invoice))
				for _, note := range c.list(customer.uri() + "/credit_notes") {
					checkSum(c.again(note))
				}
				select {
				case <-done:
					return
				default:
				}
			}
		})
		busy.Wait()
		close(done)
		looking.Wait()

		note := c.list("/credit_notes")[0]
		ofDocuments := c.again(invoice).ore("ar_transactions/@balance") + c.again(note).ore("ar_transactions/@balance")
		ofCustomer := 0
		for _, e := range c.list(customer.uri() + "/ar_transactions") {
			ofCustomer += e.ore("amount")
		}
		equal(t, "sum of the customer's transactions", kroner(ofCustomer), kroner(ofDocuments))
		equal(t, "balance of 6 payments on a credited invoice", kroner(ofCustomer), "-42.06")
	})
}

// checkSum fails the test unless a document's balance is the sum of its transactions.
func checkSum(document node) {
	sum := 0
	for _, e := range document.all("ar_transactions/ar_transaction") {
		sum += e.ore("amount")
	}
	if got := document.at("ar_transactions/@balance"); got != kroner(sum) {
		document.t.Errorf("%s has the balance %s, and transactions of %s", document, got, kroner(sum))
	}
}

// TestE3Reversals takes back a fee and interest, in parts, up to what was charged and no further.
func TestE3Reversals(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		invoice := c.invoices(order{days: "0"})
		reverse := func(kind, amount string, faults ...string) {
			t.Helper()
			a := c.post(invoice.uri()+"/ar_transactions", entry(amount, in.today(), tag("transaction_type", kind), tag("comment", "Kulanse")))
			if len(faults) > 0 {
				a.refused(http.StatusUnprocessableEntity, faults...)
				return
			}
			e := a.created().shows("transaction_type "+kind, "amount "+amount, "comment Kulanse", "invoice/@uri "+invoice.uri())
			c.remove(e.uri()).refused(http.StatusConflict, "not_a_payment")
		}
		reverse("OVERDUE_CHARGE", "-0.01", "amount_too_large amount") // none was charged
		in.at(t, "2023-12-22 00:01")
		c.addsUp(invoice, c.notices(invoice, notice(true, true, false)), "1250.00", "35.00", "5.63")
		for _, kind := range []string{"OVERDUE_CHARGE", "INTEREST"} {
			reverse(kind, "1.00", "amount_not_negative amount")
			reverse(kind, "0.00", "amount_zero amount")
		}
		reverse("OVERDUE_CHARGE", "-20.00")
		reverse("OVERDUE_CHARGE", "-15.01", "amount_too_large amount")
		reverse("OVERDUE_CHARGE", "-15.00")
		reverse("OVERDUE_CHARGE", "-0.01", "amount_too_large amount")
		reverse("INTEREST", "-5.64", "amount_too_large amount")
		reverse("INTEREST", "-5.63")
		for _, kind := range []string{"INVOICE", "CREDIT_NOTE", "OCR", "x"} {
			reverse(kind, "-1.00", "invalid_transaction_type transaction_type")
		}
		c.post(invoice.uri()+"/ar_transactions", entry("-1", in.today(), tag("transaction_type", "PAYMENT"))).created().shows("transaction_type PAYMENT")
		c.account(invoice, "INVOICE 1250.00", "OVERDUE_CHARGE 35.00", "INTEREST 5.63", "OVERDUE_CHARGE -20.00", "OVERDUE_CHARGE -15.00", "INTEREST -5.63", "PAYMENT -1.00")
	})
}

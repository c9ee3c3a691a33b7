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
		payment := c.Post(invoice.URI()+"/ar_transactions", entry("-300", in.Today(), tag("comment", "Vipps"))).Created()
		c.Delete(payment.URI()).Is(http.StatusNoContent)

		c.Get(payment.URI()).Refused(http.StatusNotFound, "not_found")
		c.Delete(payment.URI()).Refused(http.StatusNotFound, "not_found")
		c.account(invoice, "INVOICE 1250.00", "PAYMENT -200.00")
		equal(t, "number of payments in the list", len(c.List("/ar_transactions?transaction_type=PAYMENT")), 1)
		last := c.event("payment.deleted").Shows("invoice/@uri " + invoice.URI())
		for _, word := range []string{"300.00", in.Today().String(), "Vipps", "admin"} {
			if said := last.At("text") + last.At("data"); !strings.Contains(said, word) {
				t.Errorf("the event of the deletion does not say %s: %s", word, said)
			}
		}
		if last.At("at") == "" {
			t.Error("the event does not say when")
		}

		note := c.credits(invoice)
		payout := c.registers("200", note)
		for _, e := range c.List("/ar_transactions") {
			if e.URI() == kept.URI() || e.URI() == payout.URI() {
				continue
			}
			c.Delete(e.URI()).Refused(http.StatusConflict, "not_a_payment")
		}
		c.Put(kept.URI(), entry("-1", in.Today())).Refused(http.StatusMethodNotAllowed, "method_not_allowed")
		c.again(kept).Equals(kept)
		c.Delete(payout.URI()).Is(http.StatusNoContent)
		c.again(note).Shows("ar_transactions/@balance -200.00")
	})
}

// event returns the only event of a type.
func (c *client) event(kind string) node {
	c.T.Helper()
	var found []node
	for _, e := range c.List("/events") {
		if e.At("type") == kind {
			found = append(found, e)
		}
	}
	if len(found) != 1 {
		c.T.Fatalf("there are %d events %s", len(found), kind)
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
			a := c.Post(document.URI()+"/ar_transactions", entry(amount, in.Today()))
			if len(faults) > 0 {
				a.Refused(http.StatusUnprocessableEntity, faults...)
				return
			}
			a.Created().Shows("transaction_type PAYMENT", "amount "+amount, "invoice/@uri "+invoice.URI())
		}
		on(invoice, "0.01", "amount_too_large amount") // nothing was overpaid
		on(invoice, "0.00", "amount_zero amount")
		on(invoice, "-1250.00")
		on(invoice, "-100.50") // more than is owed
		c.again(invoice).Shows("@status invoice_paid", "ar_transactions/@balance -100.50")
		on(invoice, "100.51", "amount_too_large amount")
		on(invoice, "100.50")
		c.again(invoice).Shows("ar_transactions/@balance 0.00")

		note := c.credits(invoice)
		on(note, "-1.00", "amount_not_positive amount")
		on(note, "0.00", "amount_zero amount")
		on(note, "1250.01", "amount_too_large amount")
		on(note, "1250.00")
		on(note, "0.01", "amount_too_large amount")

		for _, document := range []node{invoice, note} {
			tomorrow := entry("-1", in.Today()+1)
			if document.URI() == note.URI() {
				tomorrow = entry("1", in.Today()+1)
			}
			c.Post(document.URI()+"/ar_transactions", tomorrow).Refused(http.StatusUnprocessableEntity, "date_in_future transaction_date")
		}
		c.Post(invoice.URI()+"/ar_transactions", entry("-1", in.Today()-400)).Created().Shows("transaction_date " + (in.Today() - 400).String())
		c.Post(invoice.URI()+"/ar_transactions", tag("ar_transaction")).Refused(http.StatusUnprocessableEntity, "required amount", "required transaction_date")
	})
}

// TestD33BalancesAreSumsAtEveryMoment pays, credits and deletes at once while others read: whatever they read,
// each balance is the sum of the transactions beside it, and in the end a customer's is the sum of all.
func TestD33BalancesAreSumsAtEveryMoment(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer()
		invoice := c.invoices(order{to: customer.URI()})
		var busy, looking sync.WaitGroup
		done := make(chan struct{})
		for range 3 {
			busy.Go(func() {
				for i := range 4 {
					payment := c.Post(invoice.URI()+"/ar_transactions", entry("-7.01", in.Today()))
					if payment.Status == http.StatusCreated && i%2 == 1 {
						c.Delete(payment.Header.Get("Location"))
					}
				}
			})
		}
		busy.Go(func() { c.Post(invoice.URI()+"/credit_notes", creditNote()) })
		looking.Go(func() {
			for {
				checkSum(c.again(invoice))
				for _, note := range c.List(customer.URI() + "/credit_notes") {
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

		note := c.List("/credit_notes")[0]
		ofDocuments := c.again(invoice).Ore("ar_transactions/@balance") + c.again(note).Ore("ar_transactions/@balance")
		ofCustomer := 0
		for _, e := range c.List(customer.URI() + "/ar_transactions") {
			ofCustomer += e.Ore("amount")
		}
		equal(t, "sum of the customer's transactions", kroner(ofCustomer), kroner(ofDocuments))
		equal(t, "balance of 6 payments on a credited invoice", kroner(ofCustomer), "-42.06")
	})
}

// checkSum fails the test unless a document's balance is the sum of its transactions.
func checkSum(document node) {
	sum := 0
	for _, e := range document.All("ar_transactions/ar_transaction") {
		sum += e.Ore("amount")
	}
	if got := document.At("ar_transactions/@balance"); got != kroner(sum) {
		document.T.Errorf("%s has the balance %s, and transactions of %s", document, got, kroner(sum))
	}
}

// TestE3Reversals takes back a fee and interest, in parts, up to what was charged and no further.
func TestE3Reversals(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		invoice := c.invoices(order{days: "0"})
		reverse := func(kind, amount string, faults ...string) {
			t.Helper()
			a := c.Post(invoice.URI()+"/ar_transactions", entry(amount, in.Today(), tag("transaction_type", kind), tag("comment", "Kulanse")))
			if len(faults) > 0 {
				a.Refused(http.StatusUnprocessableEntity, faults...)
				return
			}
			e := a.Created().Shows("transaction_type "+kind, "amount "+amount, "comment Kulanse", "invoice/@uri "+invoice.URI())
			c.Delete(e.URI()).Refused(http.StatusConflict, "not_a_payment")
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
		c.Post(invoice.URI()+"/ar_transactions", entry("-1", in.Today(), tag("transaction_type", "PAYMENT"))).Created().Shows("transaction_type PAYMENT")
		c.account(invoice, "INVOICE 1250.00", "OVERDUE_CHARGE 35.00", "INTEREST 5.63", "OVERDUE_CHARGE -20.00", "OVERDUE_CHARGE -15.00", "INTEREST -5.63", "PAYMENT -1.00")
	})
}

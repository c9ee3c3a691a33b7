package conformance_test

import (
	"net/http"
	"testing"
)

// TestD96APaymentTakenBackWhoseSurplusWasMoved deletes a payment of 6000.00 by mistake on an invoice of 1250.00, after its surplus
// was moved and paid out. Each invoice then owes no more than its own amount, letters ask for no more, and what was paid out is
// owed apart until it is paid.
func TestD96APaymentTakenBackWhoseSurplusWasMoved(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned())
		customer := c.customer().URI()
		wrong, other := c.invoices(order{to: customer, days: "0"}), c.invoices(order{to: customer, days: "0"})
		payment := c.registers("-6000", wrong)
		c.Post(customer+"/settle", settle).Is(http.StatusOK)
		c.registers("3500", wrong)
		without(t, c.again(wrong).Shows("ar_transactions/@balance 0.00"))
		c.again(other).Shows("@status invoice_paid")

		c.Delete(payment.URI()).Is(http.StatusNoContent)
		c.again(wrong).Shows("ar_transactions/@balance 4750.00", "repayment_owed 3500.00")
		without(t, c.again(other).Shows("ar_transactions/@balance 1250.00", "@status invoice_sent"))
		c.event("credit.moved_back").Shows("customer/@uri " + customer)
		open := c.Get(customer + "/statement").Shown().All("open/invoice")
		open[0].Shows("balance 4750.00", "repayment_owed 3500.00")
		without(t, open[1].Shows("balance 1250.00"))
		same(t, "plan", c.plan("?date=2023-12-22"), []string{"notice 0 35.00 5.63 1290.63", "notice 0 35.00 5.63 1290.63"})

		in.at(t, "2023-12-23 00:01")
		notice := c.Get(c.again(wrong).Only("overdue_notices/overdue_notice").URI()).Shown()
		same(t, "the notice's lines", texts(notice.All("lines/line"), "gross_amount"), []string{"1250.00", "35.00", "5.63"})
		notice.Shows("gross_amount 1290.63")
		c.pdf(notice)
		c.again(wrong).Shows("ar_transactions/@balance 4790.63", "repayment_owed 3500.00")

		c.registers("-1290.63", wrong)
		c.again(wrong).Shows("ar_transactions/@balance 3500.00", "repayment_owed 3500.00")
		c.again(wrong).Shows("@status invoice_sent") // nobody is asked for the repayment: it is not overdue
		same(t, "plan", c.plan(""), []string{"left_alone deadline_running"})
		c.Get(wrong.URI() + "/course").Shown().Shows("left_alone/@reason only_repayment_left")
		c.refuses(wrong, tag("overdue_notice"), "not_overdue")
		c.Post(wrong.URI()+"/debt_collection", "").Refused(http.StatusConflict, "invoice_paid")
		c.registers("-3500", wrong)
		without(t, c.again(wrong).Shows("@status invoice_paid"))
	})
}

// TestD96WhatIsHandedOverIsWithoutTheRepayment asks what becomes of an invoice on which a repayment is owed besides what is claimed.
// Credit that the customer gets then is moved to claims first, and by a person to the repayment last.
func TestD96WhatIsHandedOverIsWithoutTheRepayment(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned(tag("first_notice_days", "1"), tag("second_notice_days", "1"), tag("hand_over_days", "3")))
		customer := c.customer().URI()
		wrong, second, third := c.invoices(order{to: customer, days: "0"}), c.invoices(order{to: customer}), c.invoices(order{to: customer})
		payment := c.registers("-6000", wrong)
		c.registers("4750", wrong)
		c.Delete(payment.URI()).Is(http.StatusNoContent)
		c.again(wrong).Shows("ar_transactions/@balance 6000.00", "repayment_owed 4750.00")
		course := c.Get(wrong.URI() + "/course").Shown()
		last := course.All("notice")
		course.Shows("hand_over/@gross_amount " + last[len(last)-1].At("@gross_amount"))

		c.registers("-1250", wrong)
		c.registers("-2750", third) // 1500.00 too much
		c.Post(customer+"/settle", settle).Is(http.StatusOK)
		without(t, c.again(second).Shows("ar_transactions/@balance 0.00"))
		c.again(wrong).Shows("@status invoice_sent", "ar_transactions/@balance 4500.00", "repayment_owed 4500.00")
		ages := c.Get("/receivables?date=2024-03-01").Shown().All("owed/age")
		same(t, "what is not due, and what is", texts(ages[:2], "@amount"), []string{"4500.00", "0.00"})
	})
}

// TestD96TakenBackByTheBank has a person match a payment that the bank then takes back: what was moved of it comes back with it.
func TestD96TakenBackByTheBank(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		account := in.bankAccount()
		c.Put("/creditor", tag("creditor", tag("bank_account", account))).Is(http.StatusOK)
		customer := c.customer().URI()
		first, second := c.invoices(order{to: customer}), c.invoices(order{to: customer})
		owed := func(of node, want string) {
			t.Helper()
			without(t, c.again(of).Shows("ar_transactions/@balance "+want))
		}
		c.Post("/payment_files", in.transmission(1, in.next(), account, 2000), contentType("text/plain")).Created()
		payment := c.List("/unmatched_payments?status=open")[0].URI()
		for range 2 { // matched again, it is as the first time
			c.Post(payment+"/match", tag("match", invoiceLink(first.URI()))).Is(http.StatusOK)
			c.Post(customer+"/settle", settle).Is(http.StatusOK)
			owed(first, "0.00")
			owed(second, "500.00")
			c.Post(payment+"/unmatch", "").Is(http.StatusOK)
			owed(first, "1250.00")
			owed(second, "1250.00")
		}
		c.Post(payment+"/match", tag("match", invoiceLink(first.URI()))).Is(http.StatusOK)
		c.credits(first) // the credit note's 1250.00 and the surplus of 750.00 are the customer's
		c.Post(customer+"/settle", settle).Is(http.StatusOK)
		owed(second, "0.00")
		c.Post(payment+"/unmatch", "").Is(http.StatusOK)
		owed(first, "0.00")
		owed(second, "1250.00")
	})
}

// without fails the test if a node shows a repayment that is owed.
func without(t *testing.T, n node) {
	t.Helper()
	if owed, there := n.Find("repayment_owed"); there {
		t.Errorf("%s shows a repayment of %s", n, owed)
	}
}

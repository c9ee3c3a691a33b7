package conformance_test

import (
	"net/http"
	"testing"
)

const settle = "<settle/>"

// TestL5ACustomerWithCreditIsNotDunned has a customer pay too much on one invoice: the others are left alone as long as the
// creditor holds enough of its money, and are paid with it when a person says so.
func TestL5ACustomerWithCreditIsNotDunned(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned())
		customer := c.customer().URI()
		overpaid, first, second := c.invoices(order{to: customer, days: "0"}), c.invoices(order{to: customer, days: "0"}), c.invoices(order{to: customer, days: "0"})
		c.registers("-2499.99", overpaid) // 1250.00 are owed on each
		same(t, "plan", c.plan("?date=2023-12-22"), []string{"notice 0 35.00 5.63 1290.63", "notice 0 35.00 5.63 1290.63"})
		c.registers("-0.01", overpaid)
		same(t, "plan with an øre more", c.plan("?date=2023-12-22"), []string{"left_alone credit_balance", "left_alone credit_balance"})
		in.at(t, "2023-12-23 00:01")
		equal(t, "notices", len(c.List("/overdue_notices")), 0)

		c.Post(customer+"/settle", settle).Shown().Shows("@uri " + customer)
		c.again(overpaid).Shows("ar_transactions/@balance 0.00", "@status invoice_paid")
		c.again(first).Shows("ar_transactions/@balance 0.00", "@status invoice_paid")
		c.again(second).Shows("ar_transactions/@balance 1250.00")
		pair := c.again(overpaid).All("ar_transactions/ar_transaction")
		pair[len(pair)-1].Shows("amount 1250.00", "transaction_type PAYMENT", "comment moved to invoice "+first.At("invoice_number"), "transaction_date 2023-12-23")
		pair = c.again(first).All("ar_transactions/ar_transaction")
		pair[len(pair)-1].Shows("amount -1250.00", "transaction_type PAYMENT", "comment moved from invoice "+overpaid.At("invoice_number"), "transaction_date 2023-12-23")
		c.event("credit.moved").Shows("customer/@uri " + customer)

		before := len(c.List(customer + "/ar_transactions"))
		c.Post(customer+"/settle", "").Is(http.StatusOK)
		equal(t, "entries after settling what is settled", len(c.List(customer+"/ar_transactions")), before)
		c.Post(customer+"/settle", tag("settle", tag("amount", "1"))).Refused(422, "unknown_element amount")
		same(t, "plan when it is settled", c.plan(""), []string{"notice 0 35.00 6.04 1291.04"})
	})
}

// TestL5ACreditNoteOutstandingIsCredit credits a paid invoice: what is outstanding spares another invoice, and pays it.
func TestL5ACreditNoteOutstandingIsCredit(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer().URI()
		returned, open := c.invoices(order{to: customer}), c.invoices(order{to: customer})
		c.registers("-1250", returned)
		note := c.credits(returned)
		c.Post(customer+"/settle", "").Is(http.StatusOK)
		c.again(open).Shows("@status invoice_paid", "ar_transactions/@balance 0.00")
		c.again(note).Shows("@status paid", "ar_transactions/@balance 0.00")
		pair := c.again(open).All("ar_transactions/ar_transaction")
		pair[len(pair)-1].Shows("amount -1250.00", "transaction_type CREDIT_NOTE", "comment moved from credit note "+note.At("invoice_number"))
	})
}

// TestL5EachRunMovesCredit has the policy move credit before each run; a customer's own policy may say otherwise.
func TestL5EachRunMovesCredit(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned(tag("settle_credit", "1")))
		moved, kept := c.customer().URI(), c.customer(named("Ola Nordmann"), tag("dunning_policy", tag("settle_credit", "0"))).URI()
		var open []node
		for _, customer := range []string{moved, kept} {
			overpaid := c.invoices(order{to: customer, days: "0"})
			open = append(open, c.invoices(order{to: customer, days: "0"}))
			c.registers("-1350", overpaid)
		}
		in.at(t, "2023-12-22 00:01")
		same(t, "plan", c.plan(""), []string{"notice 0 35.00 5.18 1190.18", "notice 0 35.00 5.63 1290.63"}) // an earlier run has moved the credit
		in.at(t, "2023-12-23 00:01")
		c.again(open[0]).Shows("ar_transactions/ar_transaction/amount 1250.00", "ar_transactions/@balance 1190.18")
		c.again(open[1]).Shows("ar_transactions/@balance 1290.63")
		equal(t, "moves", len(c.told("credit.moved")), 1)
	})
}

// TestL6ANoticeGoesToTheNewAddress moves a customer between its invoice and the notice, and takes another one's address.
func TestL6ANoticeGoesToTheNewAddress(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned())
		moved, lost := c.customer(), c.customer(named("Ola Nordmann"))
		invoice, waits := c.invoices(order{to: moved.URI(), days: "0"}), c.invoices(order{to: lost.URI(), days: "0"})
		c.Put(moved.URI(), tag("customer", tag("address1", "Nygata 9"))).Is(http.StatusOK)
		c.Put(lost.URI(), tag("customer", tag("address1"))).Is(http.StatusOK)
		same(t, "plan", c.plan("?date=2023-12-22"), []string{"notice 0 35.00 5.63 1290.63", "left_alone no_address"})
		in.at(t, "2023-12-24 00:01") // after two runs
		notice := c.again(invoice).Only("overdue_notices/overdue_notice")
		c.Put(moved.URI(), tag("customer", tag("address1", "Fjellveien 3"))).Is(http.StatusOK)
		c.Get(notice.URI()).Shown().Shows("recipient/address1 Nygata 9")
		c.again(invoice).Shows("recipient/address1 " + moved.At("address1"))
		c.event("customer.address_wanted").Shows("customer/@uri " + lost.URI())
		c.metricsSay(`purr_waiting_for_a_person{kind="customers_without_address"} 1`)
		c.notices(waits, tag("overdue_notice")) // a person may send one all the same
	})
}

// TestL7WhatIsLeftOfFees pays the principal of invoices that were reminded, under each policy for what is left.
func TestL7WhatIsLeftOfFees(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned(tag("minimum_balance", "10.00")))
		var invoices []node
		for _, remainder := range []string{"leave", "waive", "chase"} {
			customer := c.customer(named(remainder), tag("dunning_policy", tag("remainder", remainder)))
			customer.Shows("dunning_policy/remainder " + remainder)
			invoices = append(invoices, c.invoices(order{to: customer.URI(), days: "0"}))
		}
		in.at(t, "2023-12-23 00:01")
		for _, i := range invoices {
			c.again(i).Shows("ar_transactions/@balance 1290.63")
			c.registers("-1250", i)
		}
		same(t, "plan", c.plan(""), []string{"left_alone only_charges_left", "left_alone only_charges_left", "left_alone deadline_running"})
		in.at(t, "2023-12-24 00:01")
		c.again(invoices[0]).Shows("ar_transactions/@balance 40.63", "@status overdue_notice_sent")
		c.again(invoices[1]).Shows("ar_transactions/@balance 0.00", "@status invoice_paid")
		c.again(invoices[2]).Shows("ar_transactions/@balance 40.63", "@status overdue_notice_sent")
		same(t, "waived", c.told("charges.waived"), []string{
			"Fees of 35.00 and interest of 5.63 waived on invoice " + invoices[1].At("invoice_number") + ", whose principal is paid",
		})
		same(t, "plan", c.plan(""), []string{"left_alone only_charges_left", "left_alone deadline_running"})
	})
}

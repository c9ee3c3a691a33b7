package conformance_test

import (
	"net/http"
	"testing"
)

// TestL25SmallRemainders has a reminded invoice of which 30.00 is left: plan and course say that the next run closes it, the run does, and
// what comes later is free credit, which settle moves to another invoice. A customer's own policy keeps another invoice open.
func TestL25SmallRemainders(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned(tag("minimum_balance", "10.00"), tag("close_below", "30.01")))
		c.Get("/creditor").Shown().Shows("dunning_policy/close_below 30.01")
		customer, other := c.customer().URI(), c.customer(named("Ola Nordmann"), tag("dunning_policy", tag("close_below", "0")))
		other.Shows("dunning_policy/close_below 0.00")
		small, kept := c.invoices(order{to: customer, days: "0"}), c.invoices(order{to: other.URI(), days: "0"})
		in.at(t, "2023-12-23 00:01")
		c.registers("-1220", small) // of 1250.00, with a fee of 35.00 and interest of 5.63
		c.registers("-1220", kept)
		same(t, "plan", c.plan("?date=2023-12-23"), []string{"closing 30.00", "left_alone deadline_running"})
		c.Get(small.URI()+"/course").Shown().Shows("closing/@date 2023-12-23", "closing/@balance 30.00", "@then closed")
		in.at(t, "2023-12-24 00:01")
		c.again(small).Shows("@status closed_other", "ar_transactions/@balance 30.00", "written_off 30.00")
		c.again(kept).Shows("@status overdue_notice_sent", "ar_transactions/@balance 70.63")
		told := c.event("invoice.closed")
		told.Shows("invoice/@uri " + small.URI())

		next := c.invoices(order{to: customer})
		c.registers("-30", small)
		c.again(small).Shows("@status closed_other", "ar_transactions/@balance 0.00")
		c.Get("/free_credit").Shown().Shows("customer/amount 30.00")
		c.Post(customer+"/settle", settle).Is(http.StatusOK)
		c.again(small).Shows("@status closed_other", "ar_transactions/@balance 30.00", "written_off 30.00")
		c.again(next).Shows("ar_transactions/@balance 1220.00")
		c.registers("-1220", next)

		c.Post(small.URI()+"/reopen", "").Is(http.StatusOK)
		c.again(small).Shows("ar_transactions/@balance 0.00", "@status invoice_paid")
		c.again(next).Shows("ar_transactions/@balance 30.00")
	})
}

// TestL25CloseBelowIsFrom0To100 asks for a policy that would close more.
func TestL25CloseBelowIsFrom0To100(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		for _, wrong := range []string{"-0.01", "100.01"} {
			c.Put("/creditor", tag("creditor", tag("dunning_policy", tag("close_below", wrong)))).Refused(422, "illegal_policy dunning_policy/close_below")
		}
		c.Put("/creditor", tag("creditor", tag("dunning_policy", tag("close_below", "100.00")))).Shown().Shows("dunning_policy/close_below 100.00")
		c.Put("/creditor", tag("creditor", tag("dunning_policy", tag("close_below", "0")))).Is(http.StatusOK)
	})
}

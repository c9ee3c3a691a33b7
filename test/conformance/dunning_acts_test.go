package conformance_test

import (
	"net/http"
	"testing"
)

// TestE2ClosingAndReopening closes invoices for both reasons and opens them again. Payments are taken as before,
// notices are not sent.
func TestE2ClosingAndReopening(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		customer := c.customer()
		invoice, paid := c.invoices(order{to: customer.URI(), days: "0"}), c.invoices(order{to: customer.URI(), days: "0"})
		c.registers("-1250", paid)
		closing := func(reason string) string {
			return tag("close", tag("reason", reason), tag("comment", "Konkurs"))
		}
		c.Post(paid.URI()+"/close", closing("lost")).Refused(409, "invoice_paid")
		c.Post(invoice.URI()+"/close", closing("bored")).Refused(422, "invalid_reason reason")
		c.Post(invoice.URI()+"/close", tag("close")).Refused(422, "required reason")
		c.Post(invoice.URI()+"/reopen", "").Refused(409, "invoice_open")

		in.at(t, "2023-12-09 00:01")
		c.Post(invoice.URI()+"/close", closing("lost")).Shown().Shows("@uri "+invoice.URI(), "@status closed_lost")
		c.statusIs(customer, invoice, "closed_lost")
		c.Post(invoice.URI()+"/close", closing("other")).Refused(409, "invoice_closed")
		c.refuses(invoice, notice(false, false, false), "invoice_closed")
		c.Post(invoice.URI()+"/debt_collection", "").Refused(409, "invoice_closed")
		c.registers("-250", invoice)
		c.again(invoice).Shows("@status closed_lost", "ar_transactions/@balance 1000.00")

		c.Post(invoice.URI()+"/reopen", "").Shown().Shows("@status invoice_overdue")
		c.Post(invoice.URI()+"/close", closing("other")).Shown().Shows("@status closed_other")
		c.registers("-1000", invoice)
		c.statusIs(customer, invoice, "closed_other") // though it is paid now
		c.Post(invoice.URI()+"/reopen", "<reopen/>").Shown().Shows("@status invoice_paid")
		c.statusIs(customer, invoice, "invoice_paid")
	})
}

// TestE2HandingOver hands an invoice over to debt collection, and takes it back.
func TestE2HandingOver(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		customer := c.customer()
		invoice := c.invoices(order{to: customer.URI(), days: "0"})
		c.Post(invoice.URI()+"/debt_collection", "").Refused(409, "not_overdue")
		in.at(t, "2023-12-09 00:01")
		c.Post(invoice.URI()+"/debt_collection", "").Shown().Shows("@uri "+invoice.URI(), "@status debt_collection")
		c.statusIs(customer, invoice, "debt_collection")
		c.Post(invoice.URI()+"/debt_collection", "").Refused(409, "invoice_handed_over")
		c.refuses(invoice, notice(false, false, true), "invoice_handed_over")
		c.registers("-1250", invoice)
		c.statusIs(customer, invoice, "debt_collection") // though it is paid now
		c.Post(invoice.URI()+"/reopen", "").Shown().Shows("@status invoice_paid")
		c.Post(invoice.URI()+"/debt_collection", "").Refused(409, "invoice_paid")

		other := c.invoices(order{to: customer.URI(), days: "0"})
		in.at(t, "2023-12-21 00:01")
		c.Post(other.URI()+"/debt_collection", "").Is(http.StatusOK)
		c.Post(other.URI()+"/close", tag("close", tag("reason", "lost"))).Shown().Shows("@status closed_lost")
		c.Post(other.URI()+"/reopen", "").Shown().Shows("@status invoice_overdue")
	})
}

// TestE2Holds stops automatic dunning of an invoice, and of all invoices of a customer, until a day or until the
// hold is taken away; without one the invoice gets its notice.
func TestE2Holds(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		in.at(t, "2024-01-05 00:01")
		c := in.creditor(t, tag("dunning_policy", tag("enabled", "1"), tag("first_notice_days", "1"), tag("weekdays_only", "0")))
		customers := []node{c.customer(), c.customer(), c.customer()}
		free, held := c.invoices(order{to: customers[0].URI(), days: "0"}), c.invoices(order{to: customers[0].URI(), days: "0"})
		released, kept := c.invoices(order{to: customers[1].URI(), days: "0"}), c.invoices(order{to: customers[2].URI(), days: "0"})
		held.Shows("no dunning_hold")
		customers[1].Shows("no dunning_hold")

		for _, wrong := range []string{"2024-01-04", "tomorrow"} {
			c.Put(held.URI()+"/dunning_hold", tag("dunning_hold", tag("until", wrong))).Is(422)
		}
		c.Put(held.URI()+"/dunning_hold", tag("dunning_hold", tag("until", "2024-01-06"), tag("comment", "Reklamasjon"))).Shown().
			Shows("@uri "+held.URI(), "dunning_hold/until 2024-01-06", "dunning_hold/comment Reklamasjon")
		for _, customer := range customers[1:] {
			c.Put(customer.URI()+"/dunning_hold", tag("dunning_hold", tag("until"), tag("comment"))).Shown().Shows("@uri "+customer.URI(), "dunning_hold/until", "dunning_hold/comment")
			c.again(customer).Shows("dunning_hold/until")
		}
		c.again(held).Shows("dunning_hold/until 2024-01-06")
		notices := func(want ...int) {
			t.Helper()
			got := []int{}
			for _, invoice := range []node{free, held, released, kept} {
				got = append(got, len(c.again(invoice).All("overdue_notices/overdue_notice")))
			}
			same(t, "notices on the free invoice, the held one, the released customer's and the other's", got, want)
		}
		in.at(t, "2024-01-06 00:01")
		notices(0, 0, 0, 0)
		in.at(t, "2024-01-07 00:01") // the run was at 6 o'clock
		notices(1, 0, 0, 0)
		c.again(held).Shows("no dunning_hold") // its last day was yesterday
		gone := c.Delete(customers[1].URI() + "/dunning_hold").Is(http.StatusNoContent)
		equal(t, "length of the answer", len(gone.Body), 0)
		c.again(customers[1]).Shows("no dunning_hold")
		in.at(t, "2024-01-08 00:01")
		notices(1, 1, 1, 0)
		c.Put(free.URI()+"/dunning_hold", tag("dunning_hold")).Shown().Shows("dunning_hold/until")
		c.Delete(free.URI() + "/dunning_hold").Is(http.StatusNoContent)
		c.again(free).Shows("no dunning_hold")
	})
}

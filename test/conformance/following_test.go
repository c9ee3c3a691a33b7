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
		invoice, paid := c.invoices(order{to: customer.uri(), days: "0"}), c.invoices(order{to: customer.uri(), days: "0"})
		c.registers("-1250", paid)
		closing := func(reason string) string {
			return tag("close", tag("reason", reason), tag("comment", "Konkurs"))
		}
		c.post(paid.uri()+"/close", closing("lost")).refused(409, "invoice_paid")
		c.post(invoice.uri()+"/close", closing("bored")).refused(422, "invalid_reason reason")
		c.post(invoice.uri()+"/close", tag("close")).refused(422, "required reason")
		c.post(invoice.uri()+"/reopen", "").refused(409, "invoice_open")

		in.at(t, "2023-12-09 00:01")
		c.post(invoice.uri()+"/close", closing("lost")).shown().shows("@uri "+invoice.uri(), "@status closed_lost")
		c.statusIs(customer, invoice, "closed_lost")
		c.post(invoice.uri()+"/close", closing("other")).refused(409, "invoice_closed")
		c.refuses(invoice, notice(false, false, false), "invoice_closed")
		c.post(invoice.uri()+"/debt_collection", "").refused(409, "invoice_closed")
		c.registers("-250", invoice)
		c.again(invoice).shows("@status closed_lost", "ar_transactions/@balance 1000.00")

		c.post(invoice.uri()+"/reopen", "").shown().shows("@status invoice_overdue")
		c.post(invoice.uri()+"/close", closing("other")).shown().shows("@status closed_other")
		c.registers("-1000", invoice)
		c.statusIs(customer, invoice, "closed_other") // though it is paid now
		c.post(invoice.uri()+"/reopen", "<reopen/>").shown().shows("@status invoice_paid")
		c.statusIs(customer, invoice, "invoice_paid")
	})
}

// TestE2HandingOver hands an invoice over to debt collection, and takes it back.
func TestE2HandingOver(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		customer := c.customer()
		invoice := c.invoices(order{to: customer.uri(), days: "0"})
		c.post(invoice.uri()+"/debt_collection", "").refused(409, "not_overdue")
		in.at(t, "2023-12-09 00:01")
		c.post(invoice.uri()+"/debt_collection", "").shown().shows("@uri "+invoice.uri(), "@status debt_collection")
		c.statusIs(customer, invoice, "debt_collection")
		c.post(invoice.uri()+"/debt_collection", "").refused(409, "invoice_handed_over")
		c.refuses(invoice, notice(false, false, true), "invoice_handed_over")
		c.registers("-1250", invoice)
		c.statusIs(customer, invoice, "debt_collection") // though it is paid now
		c.post(invoice.uri()+"/reopen", "").shown().shows("@status invoice_paid")
		c.post(invoice.uri()+"/debt_collection", "").refused(409, "invoice_paid")

		other := c.invoices(order{to: customer.uri(), days: "0"})
		in.at(t, "2023-12-21 00:01")
		c.post(other.uri()+"/debt_collection", "").is(http.StatusOK)
		c.post(other.uri()+"/close", tag("close", tag("reason", "lost"))).shown().shows("@status closed_lost")
		c.post(other.uri()+"/reopen", "").shown().shows("@status invoice_overdue")
	})
}

// TestE2Holds stops automatic dunning of an invoice, and of all invoices of a customer, until a day or until the
// hold is taken away; without one the invoice gets its notice.
func TestE2Holds(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		in.at(t, "2024-01-05 00:01")
		c := in.creditor(t, tag("dunning_policy", tag("enabled", "1"), tag("first_notice_days", "1"), tag("weekdays_only", "0")))
		customers := []node{c.customer(), c.customer(), c.customer()}
		free, held := c.invoices(order{to: customers[0].uri(), days: "0"}), c.invoices(order{to: customers[0].uri(), days: "0"})
		released, kept := c.invoices(order{to: customers[1].uri(), days: "0"}), c.invoices(order{to: customers[2].uri(), days: "0"})
		held.shows("no dunning_hold")
		customers[1].shows("no dunning_hold")

		for _, wrong := range []string{"2024-01-04", "tomorrow"} {
			c.put(held.uri()+"/dunning_hold", tag("dunning_hold", tag("until", wrong))).is(422)
		}
		c.put(held.uri()+"/dunning_hold", tag("dunning_hold", tag("until", "2024-01-06"), tag("comment", "Reklamasjon"))).shown().
			shows("@uri "+held.uri(), "dunning_hold/until 2024-01-06", "dunning_hold/comment Reklamasjon")
		for _, customer := range customers[1:] {
			c.put(customer.uri()+"/dunning_hold", tag("dunning_hold", tag("until"), tag("comment"))).shown().shows("@uri "+customer.uri(), "dunning_hold/until", "dunning_hold/comment")
			c.again(customer).shows("dunning_hold/until")
		}
		c.again(held).shows("dunning_hold/until 2024-01-06")
		notices := func(want ...int) {
			t.Helper()
			got := []int{}
			for _, invoice := range []node{free, held, released, kept} {
				got = append(got, len(c.again(invoice).all("overdue_notices/overdue_notice")))
			}
			same(t, "notices on the free invoice, the held one, the released customer's and the other's", got, want)
		}
		in.at(t, "2024-01-06 00:01")
		notices(0, 0, 0, 0)
		in.at(t, "2024-01-07 00:01") // the run was at 6 o'clock
		notices(1, 0, 0, 0)
		c.again(held).shows("no dunning_hold") // its last day was yesterday
		gone := c.remove(customers[1].uri() + "/dunning_hold").is(http.StatusNoContent)
		equal(t, "length of the answer", len(gone.body), 0)
		c.again(customers[1]).shows("no dunning_hold")
		in.at(t, "2024-01-08 00:01")
		notices(1, 1, 1, 0)
		c.put(free.uri()+"/dunning_hold", tag("dunning_hold")).shown().shows("dunning_hold/until")
		c.remove(free.uri() + "/dunning_hold").is(http.StatusNoContent)
		c.again(free).shows("no dunning_hold")
	})
}

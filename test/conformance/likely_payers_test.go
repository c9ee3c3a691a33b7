package conformance_test

import (
	"net/http"
	"testing"
)

// TestD95TheLikelyPayerIsLookedUpAgain has a payment of 499.00 without KID come while eight customers owe just that: it points at
// nobody. Seven pay in other ways. Then it can only be the eighth's, who is left alone by plan, forecast, course and run, also
// once the amounts differ, until a person has dealt with it.
func TestD95TheLikelyPayerIsLookedUpAgain(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned(tag("require_payment_file", "0")))
		account := in.bankAccount()
		c.Put("/creditor", tag("creditor", tag("bank_account", account))).Is(http.StatusOK)
		var invoices []node
		for range 8 {
			invoices = append(invoices, c.invoices(order{to: c.customer().URI(), days: "0", lines: of("499")}))
		}
		c.Post("/payment_files", in.transmission(1, in.next(), account, 499), contentType("text/plain")).Created()
		const notice = "notice 0 35.00 2.25 536.25"
		same(t, "plan with eight alike", c.plan("?date=2023-12-22"), []string{notice, notice, notice, notice, notice, notice, notice, notice})
		for _, i := range invoices[:7] {
			c.registers("-499", i)
		}
		same(t, "plan with one left", c.plan("?date=2023-12-22"), []string{"left_alone payment_in_queue"})
		last := invoices[7]
		c.Get(last.URI() + "/course").Shown().Shows("left_alone/@reason not_overdue")

		in.at(t, "2023-12-23 00:01")
		c.again(last).Shows("ar_transactions/@balance 499.00")
		c.Get(last.URI() + "/course").Shown().Shows("left_alone/@reason payment_in_queue")
		c.registers("-100", last) // it points at nobody now, but it once pointed here
		same(t, "plan when it owes less", c.plan(""), []string{"left_alone payment_in_queue"})
		in.at(t, "2023-12-24 00:01")
		equal(t, "notices", len(c.List("/overdue_notices")), 0)

		c.Post(c.List("/unmatched_payments?status=open")[0].URI()+"/dismiss", tag("dismiss", tag("comment", "sent back"))).Is(http.StatusOK)
		same(t, "plan when it is gone", c.plan(""), []string{"notice 0 35.00 2.54 436.54"})
	})
}

// TestD95ASecondAndAThirdCustomerStayShielded has a payment of 700.00 without KID point at one customer, at a second once the first has
// paid in another way, and at a third once the second owes less. The second and the third are left alone until a person has dealt
// with it.
func TestD95ASecondAndAThirdCustomerStayShielded(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned(tag("require_payment_file", "0")))
		account := in.bankAccount()
		c.Put("/creditor", tag("creditor", tag("bank_account", account))).Is(http.StatusOK)
		var owing []node
		for range 3 {
			owing = append(owing, c.invoices(order{to: c.customer().URI(), days: "0", lines: of("700")}))
		}
		c.Post("/payment_files", in.transmission(1, in.next(), account, 700), contentType("text/plain")).Created()
		in.at(t, "2023-12-10 00:01")
		c.registers("-700", owing[0])
		in.at(t, "2023-12-12 00:01")
		c.registers("-100", owing[1])
		in.at(t, "2023-12-14 00:01")
		c.registers("-100", owing[2]) // it points at nobody now
		in.at(t, "2023-12-23 00:01")
		for _, i := range owing[1:] {
			c.Get(i.URI() + "/course").Shown().Shows("left_alone/@reason payment_in_queue")
		}
		same(t, "plan", c.plan(""), []string{"left_alone payment_in_queue", "left_alone payment_in_queue"})
		in.at(t, "2023-12-24 00:01")
		equal(t, "notices", len(c.List("/overdue_notices")), 0)

		c.Post(c.List("/unmatched_payments?status=open")[0].URI()+"/dismiss", tag("dismiss", tag("comment", "sent back"))).Is(http.StatusOK)
		equal(t, "steps once it is gone", len(c.plan("")), 2)
		for _, step := range c.plan("") {
			if step == "left_alone payment_in_queue" {
				t.Errorf("the plan still has %q", step)
			}
		}
	})
}

package conformance_test

import (
	"net/http"
	"testing"
)

// TestD97AStepThatWouldNotHaveBeenTaken lets the run send reminders, and books money after them that came the day before. What
// then would have been below the minimum, covered by the customer's credit or paid is not charged; the notice stays and says so. A
// notice that a person asked for is no step of the run.
func TestD97AStepThatWouldNotHaveBeenTaken(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned())
		customer := c.customer().URI()
		small, other, paid := c.invoices(order{days: "0"}), c.invoices(order{to: customer, days: "0"}), c.invoices(order{to: customer, days: "0"})
		chased := c.invoices(order{to: c.customer(named("Ola Nordmann"), tag("dunning_policy", tag("minimum_balance", "10.00"))).URI(), days: "0"})
		all := []node{small, other, paid, chased}
		in.at(t, "2023-12-23 00:01")
		for _, i := range all {
			c.again(i).Shows("ar_transactions/@balance 1290.63")
		}
		came := in.Today() - 2
		books := func(amount string, on node) {
			t.Helper()
			c.Post(on.URI()+"/ar_transactions", entry(amount, came)).Created()
		}
		says := func(of node, balance, notTaken string) {
			t.Helper()
			n := c.again(of).Shows("ar_transactions/@balance " + balance).Only("overdue_notices/overdue_notice")
			sheet := c.Get(n.URI() + "/calculation").Shown().Only("recalculated")
			if notTaken == "" {
				if why, there := sheet.Find("@not_taken"); there {
					t.Errorf("the notice says %s", why)
				}
				return
			}
			sheet.Shows("@not_taken "+notTaken, "overdue_charge/@amount 0.00", "interest/@amount 0.00")
			c.Get(n.URI()).Is(http.StatusOK)
		}
		books("-1210", small) // 40.00 were left
		says(small, "40.00", "below_minimum")
		books("-1210", chased) // this customer's minimum is lower
		says(chased, "80.24", "")
		books("-2500", paid) // which pays the other one too
		says(paid, "-1250.00", "paid")
		says(other, "1250.00", "credit_balance")
	})
}

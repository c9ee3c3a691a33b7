package conformance_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"
)

// TestL16ReceivablesAndStatements: what is owed is the sum of the open invoices' balances, by age and by customer, and a
// statement leads from one balance of the customer to another.
func TestL16ReceivablesAndStatements(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		first, second := c.invoices(order{}), c.invoices(order{})
		pay := func(i node, amount string) {
			c.Post(i.URI()+"/ar_transactions", tag("ar_transaction", tag("amount", amount), tag("transaction_date", in.Today().String()))).Created()
		}
		c.invoices(order{})
		pay(first, "-200.25")
		c.Post(second.URI()+"/close", tag("close", tag("reason", "lost"))).Is(http.StatusOK)

		want := 0
		for _, i := range c.List("/invoices") {
			if shown := c.Get(i.URI()).Shown(); !strings.HasPrefix(shown.At("@status"), "closed_") {
				want += max(shown.Ore("ar_transactions/@balance"), 0)
			}
		}
		r := c.Get("/receivables").Shown()
		equal(t, "what is owed", r.Ore("owed/@amount"), want)
		byAge, byCustomer, before := 0, 0, 1<<62
		for _, age := range r.All("owed/age") {
			byAge += age.Ore("@amount")
		}
		for _, customer := range r.All("customer") {
			owes := customer.Ore("owed/@amount")
			if owes > before {
				t.Errorf("who owes most does not come first: %s", r)
			}
			byCustomer, before = byCustomer+owes, owes
		}
		equal(t, "what is owed by age", byAge, want)
		equal(t, "what is owed by customer", byCustomer, want)
		equal(t, "what was owed yesterday", c.Get("/receivables?date="+(in.Today()-1).String()).Shown().At("owed/@amount"), "0.00")
		c.Get("/receivables?date=tomorrow").Refused(http.StatusBadRequest, "invalid_date date")
		table := c.Get("/receivables?format=csv").Is(http.StatusOK)
		if rows := strings.Split(strings.TrimSpace(string(table.Body)), "\n"); len(rows) != 1+len(r.All("customer")) || !strings.HasPrefix(rows[0], "customer,customer_number,name1,name2,invoices,amount,not_due,1-14,") {
			t.Errorf("the table is\n%s", table.Body)
		}

		customer := first.At("recipient/parent_recipient/@uri")
		s := c.Get(customer + "/statement").Shown()
		entries, open := s.Ore("opening_balance"), 0
		for _, e := range s.All("ar_transaction") {
			entries += e.Ore("amount")
			equal(t, "balance after an entry", e.Ore("balance"), entries)
		}
		for _, d := range s.Only("open").Nodes() {
			open += d.Ore("balance")
		}
		equal(t, "closing balance by its entries", s.Ore("closing_balance"), entries)
		equal(t, "closing balance by what is open", s.Ore("closing_balance"), open)
		later := c.Get(customer + "/statement?from_date=" + (in.Today() + 1).String()).Shown()
		equal(t, "opening balance of a later period", later.Ore("opening_balance"), entries)
		equal(t, "closing balance of a later period", later.Ore("closing_balance"), entries)
		if made := c.Get(customer + "/statement/pdf").Is(http.StatusOK); made.Header.Get("Content-Type") != "application/pdf" || !bytes.HasPrefix(made.Body, []byte("%PDF-")) {
			t.Errorf("the PDF is %s", made.Header)
		}

		foreign := in.creditor(t)
		equal(t, "what another creditor's customers owe", foreign.Get("/receivables").Shown().At("owed/@amount"), "0.00")
		foreign.Get(customer+"/statement").Refused(http.StatusNotFound, "not_found")
		foreign.Get(customer+"/statement/pdf").Refused(http.StatusNotFound, "not_found")
	})
}

//go:build whole

package stories_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// act is something that happens in a story.
type act func(t *testing.T, c *cast)

// policyOf writes a policy that is enabled unless its elements say otherwise.
func policyOf(elements string) string {
	if !strings.Contains(elements, "<enabled>") {
		elements += tag("enabled", "1")
	}
	return tag("dunning_policy", elements)
}

// invoice sends an invoice on paper, of an amount without VAT, due after some days.
func invoice(to, amount string, days int) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		line := tag("line", tag("line_text", "Arbeid"), tag("unit_price", amount), tag("num_items", "1"), tag("vat_rate", "NONE"))
		c.made(t, c.create(t, "/invoices", tag("invoice", tag("num_due_days", fmt.Sprint(days)),
			`<recipient uri="/api/v1`+c.customer(t, to)+`"/>`, tag("lines", line), onPaper), http.StatusCreated))
	}
}

// invoices sends a number of equal invoices to as many customers.
func invoices(count int, amount string, days int) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		for i := range count {
			invoice(fmt.Sprintf("Kunde %d", i+1), amount, days)(t, c)
		}
	}
}

var onPaper = tag("shipments", tag(`shipment type="original"`, tag("shipment_method", "PAPER")))

// customer returns the path of the customer of a name, who is made on the first occasion. Whose name ends in AS is a
// business.
func (c *cast) customer(t *testing.T, name string) string {
	t.Helper()
	if made := c.customers[name]; made != "" {
		return made
	}
	elements := []string{tag("name1", name), tag("address1", "Storgata 1"), tag("postal_code", "0155"), tag("postal_name", "Oslo")}
	if strings.HasSuffix(name, " AS") {
		elements = append(elements, tag("organisation_number", "974760673"))
	}
	if c.policy != "" {
		elements = append(elements, tag("dunning_policy", c.policy))
	}
	c.customers[name] = below(read[document](t, c.create(t, "/customers", tag("customer", elements...), http.StatusCreated)).URI)
	return c.customers[name]
}

// own sets elements of a customer's own dunning policy.
func own(name string, elements ...string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.change(t, c.customer(t, name), tag("customer", tag("dunning_policy", elements...)))
	}
}

// pays registers by hand that an amount was paid today on an invoice.
func pays(invoice int, amount string) act { return enters(invoice, "-"+amount) }

// repays registers that what was paid too much, or credited, is paid back to the customer.
func repays(document int, amount string) act { return enters(document, amount) }

// waives reverses a fee or interest on an invoice.
func waives(invoice int, entryType, amount string) act {
	return enters(invoice, "-"+amount, tag("transaction_type", entryType))
}

func enters(document int, amount string, more ...string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		elements := append([]string{tag("amount", amount)}, more...)
		if !strings.Contains(strings.Join(more, ""), "<transaction_date>") {
			elements = append(elements, tag("transaction_date", c.today()))
		}
		c.create(t, c.at(t, document)+"/ar_transactions", tag("ar_transaction", elements...), http.StatusCreated)
	}
}

// deletesPayment deletes the last payment that was registered by hand on the nth document.
func deletesPayment(nth int) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		var last string
		for _, e := range read[invoiceXML](t, c.get(t, c.at(t, nth))).Ledger.Entries {
			if e.Type == "PAYMENT" {
				last = below(e.URI)
			}
		}
		c.remove(t, last)
	}
}

// today returns the date in Oslo.
func (c *client) today() string { return c.in.Today().String() }

// creditsPart sends a credit note for a part of an invoice, without VAT (rule L27).
func creditsPart(invoice int, net string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		line := tag("line", tag("line_text", "Avslag"), tag("net_amount", net), tag("vat_rate", "NONE"))
		c.made(t, c.create(t, c.at(t, invoice)+"/credit_notes", tag("credit_note", tag("lines", line), onPaper), http.StatusCreated))
	}
}

// credits sends a credit note on an invoice.
func credits(invoice int) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.made(t, c.create(t, c.at(t, invoice)+"/credit_notes", tag("credit_note", onPaper), http.StatusCreated))
	}
}

// asks asks for a notice on an invoice: with a fee, with interest, as a debt-collection warning.
func asks(invoice int, fee, interest, warning bool) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.create(t, c.at(t, invoice)+"/overdue_notices", noticeOf(fee, interest, warning), http.StatusCreated)
	}
}

// isRefused asks for a notice in vain.
func isRefused(invoice int, fee, interest, warning bool, code string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		answer := c.create(t, c.at(t, invoice)+"/overdue_notices", noticeOf(fee, interest, warning), http.StatusConflict)
		if !strings.Contains(string(answer), `code="`+code+`"`) {
			t.Errorf("refused with %s, want %s", answer, code)
		}
	}
}

func noticeOf(fee, interest, warning bool) string {
	flag := map[bool]string{true: "1", false: "0"}
	return tag("overdue_notice", tag("add_overdue_charge", flag[fee]), tag("add_interest", flag[interest]), tag("is_incasso_notice", flag[warning]))
}

// holds stops automatic dunning of an invoice through a day; for good if the day is empty.
func holds(invoice int, until string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.change(t, c.at(t, invoice)+"/dunning_hold", tag("dunning_hold", tag("until", until)))
	}
}

// disputes does the same because the customer objects to the claim.
func disputes(invoice int, until string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.change(t, c.at(t, invoice)+"/dunning_hold", tag("dunning_hold", tag("until", until), tag("reason", "dispute")))
	}
}

// releases takes away what holds an invoice.
func releases(invoice int) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.remove(t, c.at(t, invoice)+"/dunning_hold")
	}
}

// holdsCustomer leaves all invoices of a customer alone until a day.
func holdsCustomer(name, until string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.change(t, c.customer(t, name)+"/dunning_hold", tag("dunning_hold", tag("until", until)))
	}
}

// closes closes an invoice: lost, or other.
func closes(invoice int, reason string) act {
	return does(invoice, "close", tag("close", tag("reason", reason)))
}

// reopens opens an invoice again that was closed or handed over.
func reopens(invoice int) act { return does(invoice, "reopen", "") }

// handsOver hands an invoice over to debt collection.
func handsOver(invoice int) act { return does(invoice, "debt_collection", "") }

func does(invoice int, what, body string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.create(t, c.at(t, invoice)+"/"+what, body, http.StatusOK)
	}
}

// creditor changes the creditor.
func creditor(elements ...string) act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		c.change(t, "/creditor", tag("creditor", elements...))
	}
}

// policy changes elements of the creditor's dunning policy.
func policy(elements ...string) act { return creditor(tag("dunning_policy", elements...)) }

// approves lets the run of today go on, which waits because it is large.
func approves() act {
	return func(t *testing.T, c *cast) {
		t.Helper()
		for _, run := range read[runsXML](t, c.get(t, "/dunning_runs?per_page=1000")).Runs {
			if run.Date == c.today() {
				c.create(t, below(run.URI)+"/approve", "", http.StatusOK)
			}
		}
	}
}

package conformance_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"
)

// TestD26StatusOfEveryDay follows invoices through every status that time alone brings: in details, lists and
// filters, on the last day of one status and on the first of the next, at the first minute of the day, when
// no scheduled job has run yet.
func TestD26StatusOfEveryDay(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		customer := c.customer()
		left := c.invoices(order{to: customer.URI(), days: "0"})
		warned := c.invoices(order{to: customer.URI(), days: "0"})
		paid := c.invoices(order{to: customer.URI(), days: "0"})
		c.registers("-1250", paid)
		statuses := func(day string, ofLeft, ofWarned string) {
			t.Helper()
			in.at(t, day+" 00:01")
			c.statusIs(customer, left, ofLeft)
			c.statusIs(customer, warned, ofWarned)
			c.statusIs(customer, paid, "invoice_paid")
		}
		statuses("2023-12-08", "invoice_sent", "invoice_sent")
		statuses("2023-12-09", "invoice_overdue", "invoice_overdue")
		c.Post(warned.URI()+"/overdue_notices", notice(false, false, false)).Created()
		statuses("2023-12-21", "invoice_overdue", "overdue_notice_sent")
		statuses("2023-12-22", "invoice_overdue_chargeable", "overdue_notice_sent")
		statuses("2023-12-23", "invoice_overdue_chargeable", "overdue_notice_sent")
		statuses("2023-12-24", "invoice_overdue_chargeable", "overdue_notice_overdue")
		c.Post(warned.URI()+"/overdue_notices", notice(false, false, true)).Created()
		statuses("2024-01-07", "invoice_overdue_chargeable", "debt_collection_notice_sent")
		statuses("2024-01-08", "invoice_overdue_chargeable", "debt_collection_notice_overdue")
		c.registers("-1250", warned)
		c.statusIs(customer, warned, "invoice_paid")
	})
}

// meta are the filter values that stand for several statuses (rule D23).
var meta = map[string][]string{
	"overdue": {"invoice_overdue", "invoice_overdue_chargeable", "overdue_notice_overdue", "debt_collection_notice_overdue"},
	"waiting": {"invoice_sent", "overdue_notice_sent", "debt_collection_notice_sent"},
	"paid":    {"invoice_paid"},
}

// statusIs fails the test unless the invoice has the status, in its detail, in a list, and by each filter.
func (c *client) statusIs(customer, invoice node, want string) {
	c.T.Helper()
	c.again(invoice).Shows("@status " + want)
	if got := c.filtered(customer, want); got[invoice.URI()] != want {
		c.T.Errorf("%s: with status=%s the list shows it as %q", invoice, want, got[invoice.URI()])
	}
	for filter, of := range meta {
		if _, found := c.filtered(customer, filter)[invoice.URI()]; found != slices.Contains(of, want) {
			c.T.Errorf("%s: it is %s, and found by status=%s: %v", invoice, want, filter, found)
		}
	}
}

// filtered returns the statuses of a customer's invoices that a filter finds, by uri.
func (c *client) filtered(customer node, filter string) map[string]string {
	c.T.Helper()
	found := map[string]string{}
	for _, i := range c.List(customer.URI() + "/invoices?status=" + strings.ReplaceAll(filter, "|", "%7C")) {
		found[i.URI()] = i.At("@status")
	}
	return found
}

// TestInterfaceInvoiceStatusesD23 takes every status and every older name, combined as one likes, and nothing else. What
// each finds on which day, TestD26StatusOfEveryDay shows.
func TestInterfaceInvoiceStatusesD23(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		paid, unpaid := c.invoices(order{}), c.invoices(order{})
		c.registers("-1250", paid)
		for _, test := range []struct {
			filter string
			finds  []string
		}{
			{"all", []string{"1", "2"}},
			{"invoice_sent", []string{"2"}},
			{"waiting", []string{"2"}},
			{"invoice_paid", []string{"1"}},
			{"paid", []string{"1"}},
			{"overdue", nil},
			{"invoice_overdue", nil},
			{"invoice_overdue_chargeable", nil},
			{"overdue_notice_sent", nil},
			{"overdue_notice_overdue", nil},
			{"debt_collection_notice_sent", nil},
			{"debt_collection_notice_overdue", nil},
			{"debt_collection", nil},
			{"closed_lost", nil},
			{"closed_other", nil},
			{"paid|waiting", []string{"1", "2"}},
			{"closed_lost|overdue|invoice_paid", []string{"1"}},
			{"overdue|all", []string{"1", "2"}},
		} {
			items := c.List("/invoices?status=" + url.QueryEscape(test.filter))
			same(t, "invoices found by "+test.filter, texts(items, "invoice_number"), append([]string{}, test.finds...))
		}
		for _, wrong := range []string{"not_paid", "sent", "paid|", "Paid", "credit_note_paid", "paid,waiting"} {
			c.Get("/invoices?status="+url.QueryEscape(wrong)).Refused(400, "unknown_status status")
		}
		c.again(unpaid).Shows("@status invoice_sent")
	})
}

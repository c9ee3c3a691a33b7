package conformance_test

import (
	"errors"
	"os"
	"testing"
)

// TestL2ALetterThatCannotLeaveCostsNothing takes the letters' channel away for longer than a letter is tried. The notice that
// could not leave is in no list, and its address still answers. Once the channel works, there is one notice, of that day. Jobs
// have a test of 40 days.
func TestL2ALetterThatCannotLeaveCostsNothing(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		in = in.own(t, "2026-03-02 00:01")
		c := in.creditor(t, tag("dunning_policy", tag("enabled", "1"), tag("hand_over_days", "1"), tag("postal_days", "2"), tag("weekdays_only", "0")))
		invoice := c.invoices(order{to: c.customer().URI(), days: "0"})
		c.goesOn("2026-03-02 12:00")
		paper := in.Path("outbox", "paper")
		must(t, errors.Join(os.Rename(paper, paper+"-gone"), os.WriteFile(paper, nil, 0o600)))

		c.goesOn("2026-03-16 12:00")
		old := c.List("/overdue_notices")[0].Shows("due_date 2026-04-01").URI()
		c.goesOn("2026-03-21 12:00")
		equal(t, "notices in the list", len(c.List("/overdue_notices")), 0)
		equal(t, "notices of the invoice", len(c.again(invoice).Shows("@status invoice_overdue_chargeable", "ar_transactions/@balance 1250.00").All("overdue_notices/overdue_notice")), 0)
		c.Get(old).Shown().Shows("@withdrawn 1", "issue_date 2026-03-16")
		same(t, "plan", c.plan(""), []string{"left_alone not_sent"})

		must(t, errors.Join(os.Remove(paper), os.Rename(paper+"-gone", paper)))
		c.goesOn("2026-03-22 12:00")
		anew := c.List("/overdue_notices")
		equal(t, "notices in the list", len(anew), 1)
		anew[0].Shows("issue_date 2026-03-22", "due_date 2026-04-07")
		c.Get(old).Shown().Shows("@withdrawn 1", "@replaced_by "+anew[0].URI())
		equal(t, "letters that left", len(in.Letters(t)), 2)
	})
}

// TestL1WhatWasNotSentIsNotDunned has no channel for the invoice itself.
func TestL1WhatWasNotSentIsNotDunned(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		in = in.own(t, "2026-03-02 00:01")
		c := in.creditor(t, dunned(tag("hand_over_days", "1")))
		paper := in.Path("outbox", "paper")
		must(t, errors.Join(os.Rename(paper, paper+"-gone"), os.WriteFile(paper, nil, 0o600)))
		invoice := c.invoices(order{to: c.customer().URI(), days: "0"})
		c.goesOn("2026-03-18 12:00")
		same(t, "plan", c.plan(""), []string{"left_alone not_sent"})
		same(t, "plan of a month later", c.plan("?date=2026-04-18"), []string{"left_alone not_sent"})
		c.Post(invoice.URI()+"/overdue_notices", tag("overdue_notice")).Refused(409, "not_sent")
		c.Post(invoice.URI()+"/debt_collection", "").Refused(409, "not_sent")
		c.again(invoice).Shows("@status invoice_overdue_chargeable", "ar_transactions/@balance 1250.00")
		must(t, errors.Join(os.Remove(paper), os.Rename(paper+"-gone", paper)))
	})
}

package conformance_test

import (
	"net/http"
	"strings"
	"testing"

	"purr/models"
	"purr/test/testkit/house"
)

// goesOn moves an installation's clock on to a time in Oslo.
func (c *client) goesOn(to string) {
	c.T.Helper()
	c.Post("/test_clock", house.ClockAt(moment(to))).Is(http.StatusOK)
}

// figure is a figure of the law as it is set.
func figure(kind, from, value string) string {
	return tag("dunning_rule", tag("kind", kind), tag("from", from), tag("value", value), tag("source", "a regulation to come"))
}

// TestE6hTheNextHalfYearsFigure: before the last known figures run out it is warned of; a creditor sets the next one
// for itself, and charges by it from its day, while for others the last one goes on, which their sheets say.
func TestE6hTheNextHalfYearsFigure(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		in = in.own(t, "2026-12-30 00:01")
		sets, waits := in.creditor(t, dunned()), in.creditor(t, dunned())
		sets.Get("/dunning_rules?date=2026-12-03").Shown().Shows("@date 2026-12-03", "figure[1]/@kind late_interest", "figure[1]/@value 12.25",
			"figure[1]/@from 2026-07-01", "figure[1]/@set_by program", "known[1]/@until 2026-12-31", "no warning")
		equal(t, "number of warnings four weeks before", len(sets.Get("/dunning_rules?date=2026-12-04").Shown().All("warning")), 3)
		sets.Put("/dunning_rules", figure("late_interest", "2026-07-01", "13")).Refused(422, "rule_known from")
		sets.Put("/dunning_rules", figure("late_interest", "2027-01-01", "11.75")).Is(http.StatusOK)
		equal(t, "number of warnings once it is set", len(sets.Get("/dunning_rules").Shown().All("warning")), 2)
		charged := map[*client][2]string{sets: {"11.75: 6.44", "no interest/segment[2]/@outdated"}, waits: {"12.25: 6.71", "interest/segment[2]/@outdated 1"}}
		invoices := map[*client]node{}
		for c := range charged {
			invoices[c] = c.invoices(order{days: "0", lines: of("10000")})
		}
		sets.goesOn("2027-01-02 00:01")
		for c, want := range charged {
			n := c.notices(invoices[c], notice(false, true, false))
			c.calculation(n, "fee 0.00", "2026-12-31 to 2026-12-31: 1/365 of 10000.00 at 12.25: 3.36", "2027-01-01 to 2027-01-02: 2/365 of 10000.00 at "+want[0])
			c.Get(n.URI() + "/calculation").Shown().Shows(want[1])
		}
		equal(t, "events that warn who has set the one", len(sets.told("dunning_rules.ending")), 2)
		equal(t, "events that warn who has set none", len(waits.told("dunning_rules.ending")), 3)
		equal(t, "events of what was set", len(sets.told("dunning_rules.changed")), 1)
		equal(t, "events of what another has set", len(waits.told("dunning_rules.changed")), 0)
	})
}

// told returns the texts of the creditor's events of a type.
func (c *client) told(eventType string) []string {
	c.T.Helper()
	var found []string
	for _, e := range c.List("/events") {
		if e.At("type") == eventType {
			found = append(found, e.At("text"))
		}
	}
	return found
}

// TestE6hTheActOf2026: from the day that the operator sets, a debt-collection warning is refused at a request, and a
// reminder takes its place in the ladder.
func TestE6hTheActOf2026(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		in = in.own(t, "2026-09-18 00:01") // a Friday
		c := in.creditor(t, dunned(tag("debt_collection_notice", "first"), tag("first_notice_days", "1")))
		before, after := c.invoices(order{days: "0"}), c.invoices(order{days: "1"})
		c.Put("/dunning_rules", figure("act", "2026-09-20", "2026")).Refused(422, "unknown_kind kind")
		must(t, in.App.SetRule(t.Context(), models.DunningRule{
			Kind: models.RuleAct, FromDate: models.DateOf(moment("2026-09-20 00:00")), Value: "2026", Source: "the King in Council", SetBy: "the operator",
		}))
		c.goesOn("2026-09-20 07:00")
		c.again(before).Shows("overdue_notices/overdue_notice/is_incasso_notice 1")
		c.refuses(after, notice(false, false, true), "debt_collection_notice_not_allowed")
		c.goesOn("2026-09-22 07:00")
		c.again(after).Shows("overdue_notices/overdue_notice/is_incasso_notice 0")
	})
}

// TestE6aCompensation: a business is charged standard compensation with the first notice, and nothing more with the
// second; a consumer of the same creditor is charged fees. No consumer's policy can say otherwise.
func TestE6aCompensation(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned(tag("compensation", "1"), tag("add_interest", "0"), tag("second_notice_days", "1")))
		c.Get("/creditor").Shown().Shows("dunning_policy/compensation 1")
		consumer, business := c.customer(), c.customer(kari, tag("organisation_number", "974760673"))
		c.Put(consumer.URI(), tag("customer", tag("dunning_policy", tag("compensation", "1")))).Refused(422, "illegal_policy dunning_policy/compensation")
		owes, pays := c.invoices(order{to: business.URI(), days: "0"}), c.invoices(order{to: consumer.URI(), days: "0"})
		in.at(t, "2024-01-07 00:01")
		c.again(owes).Shows("ar_transactions/@balance 1710.00", "ar_transactions/ar_transaction[2]/amount 460.00", "ar_transactions/ar_transaction[2]/transaction_type OVERDUE_CHARGE")
		c.again(pays).Shows("ar_transactions/@balance 1285.00")
		notices := c.again(owes).All("overdue_notices/overdue_notice")
		equal(t, "number of notices", len(notices), 2)
		first := c.Get(notices[0].URI() + "/calculation").Shown()
		first.Shows("overdue_charge/@amount 460.00", "overdue_charge/@maximum 460.00", "overdue_charge/@compensation 1")
		if rule := first.At("overdue_charge/@rule"); !strings.HasPrefix(rule, "forsinkelsesrenteloven § 3a") {
			t.Errorf("the rule is %q", rule)
		}
		c.Get(notices[1].URI()+"/calculation").Shown().Shows("overdue_charge/@amount 0.00", "no overdue_charge/@compensation")
	})
}

// TestE6fALargeRunAsksFirst: a run that would take more steps than the ceiling sends nothing and waits. Approved, it
// goes on; one that nobody approves on its day is made by the next day's, which counts anew.
func TestE6fALargeRunAsksFirst(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned(tag("first_notice_days", "1")), tag("dunning_ceiling", "1"))
		c.Get("/creditor").Shown().Shows("dunning_ceiling 1")
		c.Put("/creditor", tag("creditor", tag("dunning_ceiling", "-1"))).Refused(422, "out_of_range dunning_ceiling")
		to := c.customer().URI()
		c.invoices(order{to: to, days: "0"})
		c.invoices(order{to: to, days: "0"})
		in.at(t, "2023-12-10 00:01")
		waits := c.runOn("2023-12-09").Shows("state waiting", "ceiling 1", "steps 0")
		equal(t, "notices of a run that waits", len(c.List("/overdue_notices")), 0)
		equal(t, "events", len(c.told("dunning.run_waiting")), 1)
		c.withScope(models.ScopeWrite).Post(waits.URI()+"/approve", "").Refused(403, "scope_insufficient")
		c.Post(waits.URI()+"/approve", "").Refused(409, "run_not_waiting")

		in.at(t, "2023-12-10 07:00")
		c.runOn("2023-12-09").Shows("state missed", "caught_up_by 2023-12-10")
		waits = c.runOn("2023-12-10").Shows("state waiting")
		c.Post(waits.URI()+"/approve", tag("approve")).Is(http.StatusOK)
		in.at(t, "2023-12-11 00:01")
		c.runOn("2023-12-10").Shows("state done", "steps 2", "ceiling 1", "approved_at 2023-12-10 07:00:00")
		equal(t, "notices of a run that was approved", len(c.List("/overdue_notices")), 2)
		equal(t, "events", len(c.told("dunning.run_approved")), 1)
		c.Post(waits.URI()+"/approve", "").Refused(409, "run_not_waiting")
	})
}

// runOn returns the creditor's dunning run of a date.
func (c *client) runOn(date string) node {
	c.T.Helper()
	for _, run := range c.List("/dunning_runs") {
		if run.At("date") == date {
			return c.Get(run.URI()).Shown()
		}
	}
	c.T.Fatalf("there is no dunning run of %s", date)
	return node{}
}

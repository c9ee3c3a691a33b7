package conformance_test

import (
	"net/http"
	"strings"
	"testing"

	"purr/models"
)

// dunned are the elements of a creditor whose overdue invoices are dunned on every day of the week.
func dunned(elements ...string) string {
	return tag("dunning_policy", append([]string{tag("enabled", "1"), tag("weekdays_only", "0")}, elements...)...)
}

// plan returns what a plan says of each invoice, in order: the element's name, and its attributes.
func (c *client) plan(query string) []string {
	c.T.Helper()
	var all []string
	for _, item := range c.List("/dunning_plan" + query) {
		said := item.Name()
		for _, name := range []string{"reason", "is_incasso_notice", "overdue_charge", "interest", "gross_amount", "balance"} {
			if value, there := item.Find("@" + name); there {
				said += " " + value
			}
		}
		invoice := c.Get(item.At("invoice/@uri")).Shown()
		equal(c.T, "the number", item.At("@invoice_number"), invoice.At("invoice_number"))
		all = append(all, said)
	}
	return all
}

// TestE6ThePlanOfADayIsWhatItsRunDoes makes a plan of a day weeks before, and again on its morning, and finds on
// the morning after that just this was done.
func TestE6ThePlanOfADayIsWhatItsRunDoes(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned())
		due, held, paid := c.invoices(order{days: "0"}), c.invoices(order{days: "0"}), c.invoices(order{days: "0"})
		c.invoices(order{days: "13"})
		c.Put(held.URI()+"/dunning_hold", tag("dunning_hold", tag("until", "2023-12-22"))).Is(http.StatusOK)
		c.registers("-1250", paid)

		planned := []string{"notice 0 35.00 5.63 1290.63", "left_alone hold", "left_alone too_early"}
		same(t, "plan", c.plan("?date=2023-12-22"), planned)
		same(t, "plan of today", c.plan(""), nil)
		page := c.Get("/dunning_plan?date=2023-12-22&per_page=1&page=2").Shown()
		page.Shows("@date 2023-12-22", "@page 2", "@per_page 1", "@total_pages 3", "left_alone/@reason hold", "left_alone/invoice/@uri "+held.URI())
		equal(t, "steps past the end", len(c.Get("/dunning_plan?date=2023-12-22&page=4&per_page=1").Shown().Nodes()), 0)

		in.at(t, "2023-12-22 00:01")
		same(t, "plan of today", c.plan(""), planned)
		in.at(t, "2023-12-23 00:01")
		sent := c.List("/overdue_notices")
		same(t, "notices", texts(sent, "gross_amount"), []string{"1290.63"})
		sent[0].Shows("issue_date 2023-12-22", "is_incasso_notice 0", "related_invoice/@uri "+due.URI())
		same(t, "transactions", texts(c.again(due).All("ar_transactions/ar_transaction"), "amount"), []string{"1250.00", "35.00", "5.63"})
		same(t, "plan of the day after", c.plan(""), []string{"left_alone deadline_running", "notice 0 35.00 6.04 1291.04", "left_alone too_early"})
	})
}

// TestE6TheCourseOfAnInvoiceIsWhatThePlansOfItsDaysHave asks on the day of issue what becomes of an invoice, and then the
// plan of each day that the answer names.
func TestE6TheCourseOfAnInvoiceIsWhatThePlansOfItsDaysHave(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned(tag("first_notice_days", "1"), tag("second_notice_days", "1"), tag("hand_over_days", "3")))
		due, held := c.invoices(order{days: "0"}), c.invoices(order{days: "0"})
		c.Put(held.URI()+"/dunning_hold", tag("dunning_hold", tag("until", "2023-12-22"))).Is(http.StatusOK)

		course := c.Get(due.URI() + "/course").Shown()
		course.Shows("invoice/@uri "+due.URI(), "left_alone/@reason not_overdue", "left_alone/@until 2023-12-08", "@then handed_over")
		for _, step := range course.All("notice") {
			want := "notice " + step.At("@is_incasso_notice") + " " + step.At("@overdue_charge") + " " + step.At("@interest") + " " + step.At("@gross_amount")
			equal(t, "plan of "+step.At("@date"), c.plan("?date=" + step.At("@date"))[0], want)
		}
		same(t, "notices", texts(course.All("notice"), "@date"), []string{"2023-12-09", "2023-12-28"})
		same(t, "their deadlines", texts(course.All("notice"), "@due_date"), []string{"2023-12-23", "2024-01-11"})
		course.Shows("hand_over/@date 2024-01-14", "hand_over/@gross_amount 1258.05")

		in.at(t, "2023-12-10 12:00")
		c.Get(held.URI()+"/course").Shown().Shows("@date 2023-12-10", "left_alone/@reason hold", "left_alone/@until 2023-12-22")
		c.registers("-1250", held)
		paid := c.Get(held.URI() + "/course").Shown()
		paid.Shows("left_alone/@reason paid", "no left_alone/@until", "@then paid")
		c.Put("/creditor", tag("creditor", tag("dunning_policy", tag("enabled", "0")))).Is(http.StatusOK)
		c.Get(due.URI()+"/course").Shown().Shows("left_alone/@reason policy_off", "no left_alone/@until", "@then policy_off")
	})
}

// TestE6ALaterPlanTakesItThatTheRunsBetweenAreMade asks for the steps of a whole ladder on the day before its first.
func TestE6ALaterPlanTakesItThatTheRunsBetweenAreMade(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned(tag("first_notice_days", "1"), tag("second_notice_days", "1"), tag("hand_over_days", "3")))
		c.invoices(order{days: "0"})
		for _, test := range []struct{ date, want string }{
			{"2023-12-09", "notice 0 0.00 0.40 1250.40"}, // too early for a fee; due on 23 December, which counts as the 27th
			{"2023-12-27", "left_alone deadline_running"},
			{"2023-12-28", "notice 1 0.00 7.65 1258.05"}, // due on 11 January; the interest is that of 2023
			{"2024-01-13", "left_alone too_early"},
			{"2024-01-14", "hand_over"},
			{"2024-01-15", ""},
		} {
			equal(t, "plan of "+test.date, strings.Join(c.plan("?date="+test.date), ", "), test.want)
		}
		in.at(t, "2024-01-05 00:01")
		same(t, "notices", texts(c.List("/overdue_notices"), "gross_amount"), []string{"1250.40", "1258.05"})
		same(t, "their days", texts(c.List("/overdue_notices"), "issue_date"), []string{"2023-12-09", "2023-12-28"})
	})
}

// TestE6DatesOfAPlan: from today on for 366 days.
func TestE6DatesOfAPlan(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		for _, day := range []models.Date{in.Today(), in.Today() + 366} {
			c.Get("/dunning_plan?date="+day.String()).Shown().Shows("@date "+day.String(), "@page 1", "@total_pages 1")
		}
		c.Get("/dunning_plan?date="+(in.Today()-1).String()).Refused(400, "date_in_past date")
		c.Get("/dunning_plan?date="+(in.Today()+367).String()).Refused(400, "out_of_range date")
		c.Get("/dunning_plan?date=2023-02-29").Refused(400, "invalid_date date")
		c.Get("/dunning_plan?date="+in.Today().String()+"&status=all").Refused(400, "unknown_parameter status")
	})
}

// TestE6dAutomaticDunningCountsFromTheShiftedDueDate follows an invoice that is due on Saturday, 9 December: its fee
// can be asked for from 23 December on, and the automatic reminder comes two days later, 14 days after the Monday.
func TestE6dAutomaticDunningCountsFromTheShiftedDueDate(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.creditor(t, dunned())
		asked, automatic := c.invoices(order{days: "1"}), c.invoices(order{days: "1"})
		in.at(t, "2023-12-22 00:01")
		c.refuses(asked, notice(true, false, false), "too_early_for_charge")
		in.at(t, "2023-12-23 00:01")
		c.notices(asked, notice(true, false, false)).Shows("gross_amount 1285.00")
		same(t, "plan of the 24th", c.plan("?date=2023-12-24"), []string{"left_alone deadline_running", "left_alone too_early"})
		same(t, "plan of the 25th", c.plan("?date=2023-12-25"), []string{"left_alone deadline_running", "notice 0 35.00 5.63 1290.63"})
		in.at(t, "2023-12-25 00:01")
		equal(t, "number of notices", len(c.again(automatic).All("overdue_notices/overdue_notice")), 0)
		in.at(t, "2024-01-05 00:01")
		c.again(automatic).Only("overdue_notices/overdue_notice").Shows("issue_date 2023-12-25", "gross_amount 1290.63")
	})
}

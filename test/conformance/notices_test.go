package conformance_test

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"purr/test/testkit/house"
)

// TestD27ConditionsOfANotice meets each of the four conditions of the description on both sides of its border,
// at a request, and the refusal names the condition.
func TestD27ConditionsOfANotice(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		to := c.customer().URI()
		unpaid, overpaid, reminded, warned := c.invoices(order{to: to, days: "0"}), c.invoices(order{to: to, days: "0"}), c.invoices(order{to: to, days: "0"}), c.invoices(order{to: to, days: "0"})
		c.registers("-1250.01", overpaid)
		c.refuses(unpaid, notice(false, true, false), "not_overdue")
		c.refuses(unpaid, notice(true, false, true), "not_overdue")

		in.at(t, "2023-12-09 00:01")
		c.refuses(overpaid, notice(false, false, false), "not_overdue")
		c.refuses(unpaid, notice(true, false, false), "too_early_for_charge")
		c.notices(reminded, notice(false, false, false))
		c.notices(warned, notice(false, false, true))
		c.again(warned).Shows("overdue_notices/overdue_notice/is_incasso_notice 1")
		c.refuses(warned, notice(false, false, false), "debt_collection_notice_sent")

		in.at(t, "2023-12-21 00:01")
		c.refuses(unpaid, notice(true, false, false), "too_early_for_charge")
		in.at(t, "2023-12-22 00:01")
		c.refuses(reminded, notice(true, false, false), "too_early_for_charge")
		c.notices(unpaid, notice(true, false, false))

		in.at(t, "2024-01-05 00:01")
		c.refuses(reminded, notice(true, false, false), "too_early_for_charge")
		in.at(t, "2024-01-06 00:01")
		c.notices(reminded, notice(true, false, true))
		c.refuses(reminded, notice(false, false, false), "debt_collection_notice_sent", "too_many_notices")
		c.notices(unpaid, notice(false, false, false))
		c.refuses(unpaid, notice(false, false, true), "too_many_notices")
		c.again(unpaid).Shows("overdue_notices/overdue_notice[1]/sequence_number 1", "overdue_notices/overdue_notice[2]/sequence_number 2")
	})
}

// TestD27SimultaneousNotices asks for many notices on one invoice at once: each request sees those before it.
func TestD27SimultaneousNotices(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		invoice := c.invoices(order{days: "0"})
		in.at(t, "2023-12-09 00:01")
		answers := c.AtOnce(6, func() *answer { return c.Post(invoice.URI()+"/overdue_notices", notice(false, false, false)) })
		created := 0
		for _, a := range answers {
			if a.Status == http.StatusCreated {
				created++
			} else {
				a.Refused(http.StatusConflict, "too_many_notices")
			}
		}
		equal(t, "number of notices", created, 2)
		same(t, "their sequence", texts(c.again(invoice).All("overdue_notices/overdue_notice"), "sequence_number"), []string{"1", "2"})
	})
}

// TestD28NoticeAddsUp sends two notices on an invoice on which much has happened: the lines tell all of it in
// order, their sum is the notice's amount and, with the repayment that is owed (rule D96), the invoice's balance after the notice, and
// what is new is posted.
func TestD28NoticeAddsUp(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		invoice := c.invoices(order{days: "0"})
		bounced := c.registers("-1300", invoice)
		c.registers("50", invoice)
		c.Delete(bounced.URI()).Is(http.StatusNoContent)
		in.at(t, "2023-12-09 00:01")
		c.registers("-300", invoice)
		in.at(t, "2023-12-22 00:01")
		first := c.notices(invoice, notice(true, true, false, tag("comment", "Husk oss")))
		first.Shows("issue_date 2023-12-22", "due_date 2024-01-05", "comment Husk oss", "ocr_kid_number "+invoice.At("ocr_kid_number"))
		c.addsUp(invoice, first, "1250.00", "-300.00", "35.00", "4.38")
		c.again(invoice).Shows("ar_transactions/ar_transaction[4]/transaction_type OVERDUE_CHARGE", "ar_transactions/ar_transaction[4]/amount 35.00",
			"ar_transactions/ar_transaction[5]/transaction_type INTEREST", "ar_transactions/ar_transaction[5]/amount 4.38",
			"ar_transactions/ar_transaction[5]/transaction_date 2023-12-22")

		c.Post(invoice.URI()+"/ar_transactions", entry("-35", in.Today(), tag("transaction_type", "OVERDUE_CHARGE"))).Created()
		c.registers("-100", invoice)
		in.at(t, "2023-12-24 00:01")
		second := c.notices(invoice, notice(false, true, true)).Shows("due_date 2024-01-07")
		c.addsUp(invoice, second, "1250.00", "-300.00", "35.00", "4.38", "-35.00", "-100.00", "0.55")
		c.again(first).Equals(first)
		c.again(invoice).Shows("repayment_owed 50.00")
	})
}

// TestD28DueDateAndD29FeeOfThePolicy: the creditor's own days to pay and fee are used, within the law.
func TestD28DueDateAndD29FeeOfThePolicy(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		in.at(t, "2023-12-22 00:01")
		c := in.creditor(t, tag("dunning_policy", tag("fee", "20"), tag("days_to_pay", "21"), tag("interest_rate", "5")))
		for _, illegal := range []string{tag("fee", "35.01"), tag("days_to_pay", "13")} {
			field := illegal[1:strings.IndexByte(illegal, '>')]
			c.Put("/creditor", tag("creditor", tag("dunning_policy", illegal))).Refused(422, "illegal_policy dunning_policy/"+field)
		}
		invoice := c.invoices(order{days: "0", lines: of("1000")})
		in.at(t, "2024-01-05 00:01")
		n := c.notices(invoice, notice(true, true, false)).Shows("due_date 2024-01-26")
		c.addsUp(invoice, n, "1000.00", "20.00", "1.91")
		c.calculation(n, "fee 20.00 of 35.00", "2023-12-23 to 2023-12-31: 9/365 of 1000.00 at 5: 1.23", "2024-01-01 to 2024-01-05: 5/366 of 1000.00 at 5: 0.68")
	})
}

// TestD29InterestOfAYearsTurn charges interest over a new year with a new rate and a leap year's days, with part
// payments and twice: days, rates, principals and cents of every segment (rules D29, E6c).
func TestD29InterestOfAYearsTurn(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		to := c.customer().URI()
		whole := c.invoices(order{to: to, days: "0", lines: of("10000")})
		inParts := c.invoices(order{to: to, days: "0", lines: of("10000")})
		onASunday := c.invoices(order{to: to, days: "16", lines: of("10000")}).Shows("due_date 2023-12-24")
		in.at(t, "2023-12-22 00:01")
		c.Post(inParts.URI()+"/ar_transactions", entry("-4000", in.Today()-7)).Created()
		first := c.notices(inParts, notice(false, true, false))
		c.calculation(first, "fee 0.00", "2023-12-09 to 2023-12-15: 7/365 of 10000.00 at 11.75: 22.53", "2023-12-16 to 2023-12-22: 7/365 of 6000.00 at 11.75: 13.52")

		in.at(t, "2023-12-25 00:01")
		c.again(onASunday).Shows("@status invoice_overdue")
		in.at(t, "2024-01-06 00:01")
		c.calculation(c.notices(whole, notice(true, true, false)), "fee 35.00 of 35.00",
			"2023-12-09 to 2023-12-31: 23/365 of 10000.00 at 11.75: 74.04", "2024-01-01 to 2024-01-06: 6/366 of 10000.00 at 12.5: 20.49")
		c.calculation(c.notices(inParts, notice(false, true, false)), "fee 0.00",
			"2023-12-23 to 2023-12-31: 9/365 of 6000.00 at 11.75: 17.38", "2024-01-01 to 2024-01-06: 6/366 of 6000.00 at 12.5: 12.30")
		// The 25th and 26th are holidays: for interest it was due on Wednesday the 27th.
		c.calculation(c.notices(onASunday, notice(false, true, false)), "fee 0.00",
			"2023-12-28 to 2023-12-31: 4/365 of 10000.00 at 11.75: 12.88", "2024-01-01 to 2024-01-06: 6/366 of 10000.00 at 12.5: 20.49")
		c.again(inParts).Shows("ar_transactions/@balance 6065.73")
	})
}

// TestD29InterestIsCutAtMidsummer charges interest over 1 July, when the rate of 2026 changed.
func TestD29InterestIsCutAtMidsummer(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		in = in.own(t, "2026-06-26 00:01")
		c := in.common.on(t)
		invoice := c.invoices(order{days: "0", lines: of("10000")})
		c.Post("/test_clock", house.ClockAt(moment("2026-07-03 00:01"))).Is(http.StatusOK)
		c.calculation(c.notices(invoice, notice(false, true, false)), "fee 0.00",
			"2026-06-27 to 2026-06-30: 4/365 of 10000.00 at 12: 13.15", "2026-07-01 to 2026-07-03: 3/365 of 10000.00 at 12.25: 10.07")
	})
}

// TestD29PaymentsGoToThePrincipalFirst: once the principal is paid, nothing more is charged for what is left of
// fee and interest.
func TestD29PaymentsGoToThePrincipalFirst(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		invoice := c.invoices(order{days: "0", lines: of("1000")})
		in.at(t, "2023-12-22 00:01")
		c.addsUp(invoice, c.notices(invoice, notice(true, true, false)), "1000.00", "35.00", "4.51")
		in.at(t, "2023-12-23 00:01")
		c.Post(invoice.URI()+"/ar_transactions", entry("-1000", in.Today()-1)).Created()
		in.at(t, "2024-01-06 00:01")
		c.again(invoice).Shows("@status overdue_notice_overdue", "ar_transactions/@balance 39.51")
		n := c.notices(invoice, notice(false, true, false))
		c.addsUp(invoice, n, "1000.00", "35.00", "4.51", "-1000.00")
		c.calculation(n, "fee 0.00")
	})
}

// TestL4MoneyThatCameEarlierThanItWasBooked books what was paid on the due date, and nine tenths on the day after it, when
// a notice has charged a fee and 14 days of interest. Deleting a payment charges nothing, and booking it again reverses
// nothing.
func TestL4MoneyThatCameEarlierThanItWasBooked(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		whole, part := c.invoices(order{days: "0", lines: of("10000")}), c.invoices(order{days: "0", lines: of("10000")})
		in.at(t, "2023-12-22 00:01")
		ofWhole, ofPart := c.notices(whole, notice(true, true, false)), c.notices(part, notice(true, true, false))
		// Once the letters have left, what is paid withdraws no notice (rule E6f).
		in.at(t, "2023-12-22 00:02")
		c.Post(whole.URI()+"/ar_transactions", entry("-10000", in.Today())).Created() // not earlier than the notice
		in.at(t, "2023-12-23 00:01")
		c.again(whole).Shows("ar_transactions/@balance 80.07")
		for _, e := range c.again(whole).All("ar_transactions/ar_transaction") {
			if e.At("transaction_type") == "PAYMENT" {
				c.Delete(e.URI()).Is(http.StatusNoContent)
			}
		}

		dueDate, dayAfter := in.Today()-15, in.Today()-14
		paid := c.Post(whole.URI()+"/ar_transactions", entry("-10000", dueDate)).Created()
		c.again(whole).Shows("@status invoice_paid", "ar_transactions/@balance 0.00")
		c.Post(part.URI()+"/ar_transactions", entry("-9000", dayAfter)).Created()
		c.again(part).Shows("ar_transactions/@balance 1042.40")
		for range 2 {
			c.Delete(paid.URI()).Is(http.StatusNoContent)
			c.again(whole).Shows("ar_transactions/@balance 10000.00")
			paid = c.Post(whole.URI()+"/ar_transactions", entry("-10000", dueDate)).Created()
			c.again(whole).Shows("ar_transactions/@balance 0.00")
		}

		sheet := c.Get(ofWhole.URI()+"/calculation").Shown().Shows("overdue_charge/@amount 35.00", "interest/@amount 45.07",
			"recalculated/@at 2023-12-23 00:01:00", "recalculated/overdue_charge/@amount 0.00", "recalculated/interest/@amount 0.00")
		same(t, "later calculations", []int{len(sheet.All("recalculated")), len(sheet.All("interest/segment"))}, []int{1, 1})
		c.Get(ofPart.URI()+"/calculation").Shown().Shows("interest/@amount 45.07", "recalculated/overdue_charge/@amount 35.00",
			"recalculated/interest/@amount 7.40", "recalculated/interest/segment[1]/@amount 3.22", "recalculated/interest/segment[2]/@amount 4.18")
		told := strings.Join(c.told("notice.recalculated"), "\n")
		for _, want := range []string{"fee of 35.00 and interest of 45.07 reversed", "fee of 0.00 and interest of 37.67 reversed"} {
			if strings.Count(told, want) != 1 {
				t.Errorf("the events do not say %q once: %s", want, told)
			}
		}
	})
}

// TestD30NoticesGoOutOnPaper: also where the invoice went by e-mail, and to the customer who received the invoice, wherever
// the customer has moved since (rule L6).
func TestD30NoticesGoOutOnPaper(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		c := in.common.on(t)
		customer := c.customer()
		invoice := c.invoices(order{to: customer.URI(), days: "0", by: "EMAIL"})
		c.Put(customer.URI(), tag("customer", tag("address1", "Nyveien 2"))).Is(http.StatusOK)
		in.at(t, "2023-12-09 00:01")
		n := c.notices(invoice, notice(false, false, false)).Shows("recipient/address1 Nyveien 2", "recipient/@uri "+customer.URI())
		pdf := c.pdf(n)
		in.at(t, "2023-12-21 00:01")
		copies := 0
		for _, letter := range in.Letters(t) {
			if bytes.Equal(letter, pdf) {
				copies++
			}
		}
		equal(t, "number of letters that are the notice", copies, 1)
		equal(t, "what was sent later", bytes.Equal(c.pdf(n), pdf), true)
	})
}

// notices sends a notice on an invoice.
func (c *client) notices(invoice node, body string) node {
	c.T.Helper()
	return c.Post(invoice.URI()+"/overdue_notices", body).Created()
}

// refuses fails the test unless a notice on the invoice is refused with conflicts of these codes.
func (c *client) refuses(invoice node, body string, codes ...string) {
	c.T.Helper()
	c.Post(invoice.URI()+"/overdue_notices", body).Refused(http.StatusConflict, codes...)
}

// addsUp fails the test unless the notice has lines of these amounts, and they add up to its own and to the
// invoice's balance (rule D28).
func (c *client) addsUp(invoice, n node, amounts ...string) {
	c.T.Helper()
	lines := n.All("lines/line")
	same(c.T, "the notice's lines", texts(lines, "gross_amount"), amounts)
	sum := 0
	for _, l := range lines {
		sum += l.Ore("gross_amount")
	}
	n.Shows("gross_amount " + kroner(sum))
	i := c.again(invoice)
	if len(i.All("repayment_owed")) > 0 {
		sum += i.Ore("repayment_owed")
	}
	i.Shows("ar_transactions/@balance " + kroner(sum))
}

// calculation fails the test unless the sheet behind a notice's amounts (rule E6c) tells this fee and these
// segments of interest, adding up.
func (c *client) calculation(n node, fee string, segments ...string) {
	c.T.Helper()
	sheet := c.Get(n.URI() + "/calculation").Shown()
	got := "fee " + sheet.At("overdue_charge/@amount")
	if sheet.Ore("overdue_charge/@amount") > 0 {
		got += " of " + sheet.At("overdue_charge/@maximum")
	}
	equal(c.T, "the fee of "+n.String(), got, fee)
	told := []string{}
	sum := 0
	for _, s := range sheet.All("interest/segment") {
		sum += s.Ore("@amount")
		told = append(told, s.At("@from")+" to "+s.At("@to")+": "+s.At("@days")+"/"+s.At("@year_days")+" of "+s.At("@principal")+
			" at "+s.At("@rate")+": "+s.At("@amount"))
	}
	same(c.T, "the interest of "+n.String(), told, segments)
	sheet.Shows("interest/@amount " + kroner(sum))
}

// pdf reads the PDF of a document.
func (c *client) pdf(document node) []byte {
	c.T.Helper()
	a := c.Get(document.URI() + "/pdf").Is(http.StatusOK)
	if a.Header.Get("Content-Type") != "application/pdf" || !bytes.HasPrefix(a.Body, []byte("%PDF-")) {
		c.T.Errorf("%s is %s and begins %.20q", a.Asked, a.Header.Get("Content-Type"), a.Body)
	}
	return a.Body
}

package pdf

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"purr/models"
)

// NoticeInput is an overdue notice with all that its PDF shows.
type NoticeInput struct {
	Creditor models.Creditor
	Notice   models.Notice
	Lines    []models.NoticeLine // principal, payments, fees and interest, each by itself (rule D28)
	Invoice  models.Invoice      // the overdue one
	Interest []InterestPeriod    // in order; none where the notice charges no interest
	Language string              // nb, nn, en; empty is nb
}

// InterestPeriod is a span of days for which the notice charges interest at one rate.
type InterestPeriod struct {
	From, To models.Date // both inclusive
	Rate     models.Percent
}

// Notice draws an overdue notice: a reminder, or a debt-collection warning under that heading alone,
// which says that collection follows and that costs can, not that they must (inkassoloven § 9).
func Notice(in NoticeInput) ([]byte, error) {
	l, n, inv := languageOf(in.Language), in.Notice, in.Invoice
	h := heading{creditor: in.Creditor, title: l.reminderTitle, number: inv.Number, date: n.IssueDate, language: l}
	if n.Warning {
		h.title = l.warningTitle
	}
	return render(h, func(d *document) {
		d.letterhead(
			n.Recipient,
			fact{l.date, l.day(n.IssueDate)},
			fact{l.invoiceNumber, strconv.FormatInt(inv.Number, 10)},
			fact{l.invoiceDate, l.day(inv.IssueDate)},
			fact{l.originalDueDate, l.day(inv.DueDate)},
			fact{l.customerNumber, n.Recipient.CustomerNumber},
			fact{l.deadline, l.day(n.DueDate)},
		)
		d.paymentBox(payment{cmp.Or(inv.BankAccount, in.Creditor.BankAccount), n.KID, l.deadline, n.DueDate, n.Gross}, "")
		d.demand(n, inv)
		d.claim(in.Lines, n.Gross)
		d.interest(in.Interest)
		d.paragraph(fmt.Sprintf(l.objection, contact(in.Creditor))+" "+l.alreadyPaid, bodyStyle)
		d.paragraph(n.Comment, bodyStyle)
	})
}

// demand draws what is asked for and until when, and what can follow.
func (d *document) demand(n models.Notice, inv models.Invoice) {
	l := d.language
	opening := l.notPaid
	if n.Sequence > 1 {
		opening = l.stillNotPaid
	}
	d.paragraph(fmt.Sprintf(opening, inv.Number, l.day(inv.IssueDate), l.day(inv.DueDate))+" "+
		fmt.Sprintf(l.payBy, l.day(n.DueDate)), bodyStyle)
	if n.Warning {
		d.paragraph(fmt.Sprintf(l.warns, l.day(n.DueDate)), boldStyle)
	}
}

// claim draws the lines of the notice and their sum.
func (d *document) claim(lines []models.NoticeLine, sum models.Amount) {
	title := boldStyle
	title.shade = accent
	d.claimRow(d.language.description, d.language.amount, title)
	for _, line := range lines {
		d.claimRow(line.Text, d.language.money(line.Gross), bodyStyle)
	}
	d.claimRow(d.language.toPay, "NOK "+d.language.money(sum), boldStyle.sized(11))
	d.y += 3
}

// claimRow draws a text, broken where it must be, with an amount beside its first line and a rule below.
func (d *document) claimRow(text, amount string, st style) {
	const amountWidth = 42.0
	d.need(st.leading() + 2*padding)
	d.y += padding
	for i, line := range d.wrap(text, right-left-amountWidth-gap, st) {
		d.need(st.leading() + padding)
		d.y += st.leading()
		d.text(left, d.y, line, st)
		if i == 0 {
			d.textRight(right, d.y, amountWidth, amount, st)
		}
	}
	d.y += padding
	d.rule(left, d.y+padding/2, hairline)
}

// interest draws at what rate and for which days interest is charged. Periods that follow each other at
// one rate are drawn as one.
func (d *document) interest(periods []InterestPeriod) {
	if len(periods) == 0 {
		return
	}
	var joined []InterestPeriod
	for _, p := range periods {
		if last := len(joined) - 1; last >= 0 && joined[last].Rate == p.Rate && joined[last].To+1 == p.From {
			joined[last].To = p.To
			continue
		}
		joined = append(joined, p)
	}
	l := d.language
	spans := make([]string, len(joined))
	for i, p := range joined {
		spans[i] = fmt.Sprintf(l.interestRate, l.rate(p.Rate), l.day(p.From), l.day(p.To))
	}
	d.paragraph(fmt.Sprintf(l.interestBasis, strings.Join(spans, "; ")), bodyStyle.sized(8.5))
}

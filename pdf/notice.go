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
	Lines    []models.NoticeLine // principal, payments, fees and interest, one line each (rule D28)
	Invoice  models.Invoice      // the overdue one
	Owed     Owed                // the part that is still owed of each; zero if not known
	Interest []InterestPeriod    // in order; empty if the notice charges no interest
	Language string              // nb, nn, en; empty is nb

	// Compensated says that this notice or an earlier one charged standard compensation. Fees are set off against
	// it, so the owed fees are compensation.
	Compensated bool
}

// Owed is what is owed with a notice, in øre.
type Owed struct{ Principal, Interest, Fees models.Amount }

// InterestPeriod is a period for which the notice charges interest at one rate.
type InterestPeriod struct {
	From, To models.Date // both inclusive
	Rate     models.Percent
}

// Notice draws a reminder or a debt-collection warning. A warning has no other heading. It says that debt
// collection follows, and that costs can follow, not that they must (inkassoloven § 9).
func Notice(in NoticeInput) ([]byte, error) {
	l, n, inv := languageOf(in.Language), in.Notice, in.Invoice
	title := l.noticeTitle(n)
	h := heading{creditor: in.Creditor, title: title, name: title + " · " + numbered(l.invoiceTitle, inv.Number), date: n.IssueDate, language: l}
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
		d.claim(in.Lines)
		d.owed(in)
		d.interest(in.Interest)
		if n.Compensation {
			d.paragraph(l.compensationBasis, bodyStyle.sized(8.5))
		}
		d.paragraph(fmt.Sprintf(l.objection, contact(in.Creditor))+" "+l.alreadyPaid, bodyStyle)
		d.paragraph(n.Comment, bodyStyle)
	})
}

// noticeTitle returns the heading of a notice.
func (l *language) noticeTitle(n models.Notice) string {
	switch {
	case n.Warning:
		return l.warningTitle
	case n.Fee == 0:
		return l.freeTitle
	}
	return l.reminderTitle
}

// demand draws what the customer must pay, until when, and what can follow.
func (d *document) demand(n models.Notice, inv models.Invoice) {
	l := d.language
	opening := l.notPaid
	if n.Sequence > 1 {
		opening = l.stillNotPaid
	}
	d.paragraph(fmt.Sprintf(opening, inv.Number, l.day(inv.IssueDate), l.day(inv.DueDate))+" "+
		fmt.Sprintf(l.payBy, l.day(n.DueDate)), bodyStyle)
	switch {
	case n.Warning:
		d.paragraph(fmt.Sprintf(l.warns, l.day(n.DueDate)), boldStyle)
	case n.Announces:
		d.paragraph(fmt.Sprintf(l.announces, l.day(n.DueDate)), boldStyle)
	default:
		d.paragraph(l.follows, bodyStyle)
	}
}

// claim draws the lines of the notice.
func (d *document) claim(lines []models.NoticeLine) {
	title := boldStyle
	title.shade = accent
	d.claimRow(d.language.description, d.language.amount, title)
	for _, line := range lines {
		d.claimRow(d.language.dated(line), d.language.money(line.Gross), bodyStyle)
	}
}

// dated returns the text of a line, with the date at its end in the form of the language.
func (l *language) dated(line models.NoticeLine) string {
	if text, ends := strings.CutSuffix(line.Text, line.TransactionDate.String()); ends && line.TransactionDate != 0 {
		return text + l.day(line.TransactionDate)
	}
	return line.Text
}

// owed draws what is owed: principal, interest, fees and their sum.
func (d *document) owed(in NoticeInput) {
	owed, fees := in.Owed, d.language.fees
	if in.Compensated {
		fees = d.language.compensation
	}
	const rows, sum = 3, 10.0
	d.need(rows*totalsStep + sum)
	d.y += 2
	for _, part := range []struct {
		name   string
		amount models.Amount
	}{{d.language.principal, owed.Principal}, {d.language.interest, owed.Interest}, {fees, owed.Fees}} {
		if part.amount != 0 {
			d.y += totalsStep
			d.sum(d.y, part.name, d.language.money(part.amount))
		}
	}
	d.rule(totalsLeft, d.y+2, accent)
	d.grandTotal(d.y+totalsStep+3, d.language.toPay, in.Notice.Gross)
	d.y += totalsStep + 7
}

// claimRow draws a text, broken into lines, with an amount beside its first line and a rule below.
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

// interest draws the rates and periods for which interest is charged. It joins periods that follow each other at the same
// rate.
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

package pdf

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"purr/models"
)

// NoticeInput is an overdue notice with all that its PDF shows.
type NoticeInput struct {
	Creditor models.Creditor
	Logo     *Logo // nil if the creditor has none
	Notice   models.Notice
	Lines    []models.NoticeLine // principal, payments, fees and interest, one line each (rule D28)
	Invoice  models.Invoice      // the overdue one
	Claim    []models.Line       // the invoice's lines, of which the notice names the first
	Owed     Owed                // the part that is still owed of each; zero if not known
	Interest []InterestPeriod    // in order; empty if the notice charges no interest
	Ahead    InterestAhead       // zero if the notice charges no interest
	Language string              // nb, nn, en; empty is nb
	Preview  bool                // it was not issued, and says so
	Page     string              // the whole address of the debtor's page (rule W1); empty if there is none

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

// InterestAhead is what is added to the claim each day after the notice (rule L13).
type InterestAhead struct {
	From   models.Date
	Rate   models.Percent // per year, on the notice's day
	PerDay models.Amount  // øre, at that rate
}

// Notice draws a reminder or a debt-collection warning. A warning has no other heading. It says that debt
// collection will follow, and that costs can follow, not that they must (rule L13, inkassoloven § 9).
func Notice(in NoticeInput) ([]byte, error) {
	l, n, inv := languageOf(in.Language), in.Notice, in.Invoice
	title := l.noticeTitle(n)
	h := heading{creditor: in.Creditor, logo: in.Logo, title: title, name: title + " · " + numbered(l.invoiceTitle, inv.Number), date: n.IssueDate, language: l, preview: in.Preview}
	if l == &english {
		h.term = strings.ToLower(bokmaal.noticeTitle(n))
	}
	strip, err := stripOf(in.Page, l.noticePage)
	if err != nil {
		return nil, err
	}
	return render(h, func(d *document) {
		facts := []fact{
			{l.date, l.day(n.IssueDate)},
			{l.deadline, l.day(n.DueDate)},
			{l.invoiceNumber, strconv.FormatInt(inv.Number, 10)},
			{l.invoiceDate, l.day(inv.IssueDate)},
			{l.originalDueDate, l.day(inv.DueDate)},
		}
		d.letterhead(n.Recipient, slices.Concat(facts, l.buyer(n.Recipient, inv.Order))...)
		account := cmp.Or(inv.BankAccount, in.Creditor.BankAccount)
		d.paymentBox(payment{account: account, kid: n.KID, dueName: l.deadline, due: n.DueDate, amount: n.Gross}.abroad(in.Creditor, n.Recipient), "")
		d.strip(strip)
		if n.Adopted {
			d.paragraph(l.adopted, bodyStyle)
		}
		d.demand(in)
		d.claim(in.Lines)
		d.owed(in)
		d.interest(in)
		if n.Compensation {
			d.paragraph(l.compensationBasis, smallBodyStyle)
		}
		d.paragraph(strings.Join([]string{l.cannotPay, l.objection, fmt.Sprintf(l.reachUs, d.contact()), l.alreadyPaid}, " "), bodyStyle)
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

// demand draws what the customer must pay and what for, until when, and what can follow.
func (d *document) demand(in NoticeInput) {
	l, n, inv := d.language, in.Notice, in.Invoice
	opening := l.notPaid
	if n.Sequence > 1 {
		opening = l.stillNotPaid
	}
	d.paragraph(fmt.Sprintf(opening, inv.Number, l.day(inv.IssueDate), l.day(inv.DueDate))+" "+
		fmt.Sprintf(l.payBy, l.day(n.DueDate)), bodyStyle)
	if subject := l.subject(in.Claim, inv.Note); subject != "" {
		d.paragraph(fmt.Sprintf(l.claimFor, subject), bodyStyle)
	}
	d.whatFollows(n, in.Ahead)
}

// whatFollows draws what can follow if a notice is not paid in time.
func (d *document) whatFollows(n models.Notice, ahead InterestAhead) {
	l := d.language
	switch {
	case n.Warning:
		d.paragraph(fmt.Sprintf(l.warns, l.day(n.DueDate)), boldStyle)
	case n.Announces:
		d.paragraph(fmt.Sprintf(l.announces, l.day(n.DueDate)), boldStyle)
	case ahead.PerDay > 0:
		d.paragraph(l.followsWithInterest, bodyStyle)
	default:
		d.paragraph(l.follows, bodyStyle)
	}
}

// maxSubject is the most characters of an invoice's text that a notice repeats.
const maxSubject = 140

// subject returns what a claim is for: the text of the invoice's first line, or else the invoice's note (rule L13).
func (l *language) subject(lines []models.Line, note string) string {
	text := note
	if len(lines) > 0 {
		text = lines[0].Text
	}
	text = models.Shorten(strings.Join(strings.Fields(models.Printed(text)), " "), maxSubject)
	if len(lines) > 1 {
		text += " " + l.andMore
	}
	return text
}

// claim draws the lines of the notice, with the titles on top of each page.
func (d *document) claim(lines []models.NoticeLine) {
	title := boldStyle
	title.shade = accent
	row := bodyStyle.leading() + 2*padding
	d.need(2 * row)
	d.claimRow(d.language.description, d.language.amount, title)
	for _, line := range lines {
		if d.need(row) {
			d.claimRow(d.language.description, d.language.amount, title)
		}
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

// interest draws the rates and periods for which interest is charged, and what each further day adds. It joins periods
// that follow each other at the same rate.
func (d *document) interest(in NoticeInput) {
	if len(in.Interest) == 0 {
		return
	}
	var joined []InterestPeriod
	for _, p := range in.Interest {
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
	text := fmt.Sprintf(l.interestBasis, strings.Join(spans, "; "))
	if a := in.Ahead; a.PerDay > 0 {
		text += " " + fmt.Sprintf(l.interestAhead, l.day(a.From), l.money(a.PerDay), l.rate(a.Rate))
	}
	d.paragraph(text, smallBodyStyle)
}

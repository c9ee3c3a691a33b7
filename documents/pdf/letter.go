package pdf

import (
	"fmt"
	"strings"

	"purr/models"
)

// LetterInput is a letter for several invoices with all that its PDF shows (rule L23).
type LetterInput struct {
	Creditor models.Creditor
	Logo     *Logo // nil if the creditor has none
	Letter   models.Letter
	Parts    []LetterPart  // one at least, in the order of the letter
	Ahead    InterestAhead // of all parts together; zero if the letter charges no interest
	Language string        // nb, nn, en; empty is nb
	Page     string        // the whole address of the debtor's page (rule W1); empty if there is none

	// Compensated says that one of the notices, or an earlier one, charged standard compensation: the owed fees are compensation.
	Compensated bool
}

// LetterPart is what a letter says of one of its invoices.
type LetterPart struct {
	Invoice models.Invoice
	Notice  models.Notice
	Claim   []models.Line // the invoice's lines, of which the letter names the first
	Owed    Owed          // the part that is still owed of each
}

// letterSum is what a letter asks for.
type letterSum struct {
	Owed
	charged models.Amount // the fee of this letter
}

func (in LetterInput) sum() (s letterSum) {
	for _, p := range in.Parts {
		s.Principal += p.Owed.Principal
		s.Interest += p.Owed.Interest
		s.Fees += p.Owed.Fees
		s.charged += p.Notice.Fee
	}
	return s
}

// Letter draws a reminder or a debt-collection warning for several invoices: number, due date, principal, interest and KID of each, the fee, the
// sum, and the KID by which the whole can be paid (rule L23). The words of the law are those of a notice on one invoice.
func Letter(in LetterInput) ([]byte, error) {
	l, sum := languageOf(in.Language), in.sum()
	words := l.wordsOf(len(in.Parts))
	n := in.Parts[0].Notice
	n.Fee, n.KID, n.Gross = sum.charged, in.Letter.KID, in.Letter.Gross
	title := l.noticeTitle(n)
	h := heading{creditor: in.Creditor, logo: in.Logo, title: title, name: fmt.Sprintf("%s · "+l.letterNumber, title, in.Letter.Number), date: n.IssueDate, language: l}
	if l == &english {
		h.term = strings.ToLower(bokmaal.noticeTitle(n))
	}
	strip, err := stripOf(in.Page, l.noticePage)
	if err != nil {
		return nil, err
	}
	return render(h, func(d *document) {
		facts := []fact{{l.date, l.day(n.IssueDate)}, {l.deadline, l.day(n.DueDate)}, {words.invoices, fmt.Sprint(len(in.Parts))}}
		if number := n.Recipient.CustomerNumber; number != "" {
			facts = append(facts, fact{l.customerNumber, number})
		}
		d.letterhead(n.Recipient, facts...)
		d.paymentBox(payment{account: in.Parts[0].Invoice.BankAccount, kid: n.KID, dueName: l.deadline, due: n.DueDate, amount: n.Gross}.abroad(in.Creditor, n.Recipient), "")
		d.strip(strip)
		d.letterDemand(in, n)
		d.parts(in.Parts)
		d.owed(NoticeInput{Notice: n, Owed: sum.Owed, Compensated: in.Compensated})
		d.letterInterest(in, sum, n)
		if n.Compensation {
			d.paragraph(l.compensationBasis, smallBodyStyle)
		}
		d.paragraph(strings.Join([]string{l.cannotPay, l.objection, fmt.Sprintf(l.reachUs, d.contact()), l.alreadyPaid}, " "), bodyStyle)
	})
}

// letterDemand draws what the customer must pay, until when and how, and what can follow.
func (d *document) letterDemand(in LetterInput, n models.Notice) {
	l, words := d.language, d.language.wordsOf(len(in.Parts))
	opening, how := words.notPaid, words.kids
	if n.Sequence > 1 {
		opening = words.stillNotPaid
	}
	if n.KID != "" {
		how = words.kid
	}
	d.paragraph(opening+" "+fmt.Sprintf(l.payBy, l.day(n.DueDate))+" "+how, bodyStyle)
	d.whatFollows(n, in.Ahead)
}

// Where the columns of a letter's parts end, and how wide they are.
var (
	partEnds   = []float64{72, 100, 124, 145, 165, right}
	partWidths = []float64{24, 26, 24, 20, 19, 24}
)

// parts draws the invoices of a letter: of each a row of numbers, and below it the KID and what it is for. The titles stand on top of each page.
func (d *document) parts(parts []LetterPart) {
	l := d.language
	title := boldStyle.sized(smallBodyStyle.size)
	title.shade = accent
	row, below := smallBodyStyle, labelStyle
	titles := func() {
		d.partRow(l.invoiceTitle, []string{l.invoiceDate, l.dueDate, l.principal, l.letterInterest, l.fees, l.amount}, title)
	}
	height := row.leading() + below.leading() + 3*padding
	d.need(2 * height)
	titles()
	for _, p := range parts {
		if d.need(height) {
			titles()
		}
		i := p.Invoice
		d.partRow(fmt.Sprint(i.Number), []string{
			l.day(i.IssueDate), l.day(i.DueDate), l.money(p.Owed.Principal), l.money(p.Owed.Interest), l.money(p.Owed.Fees), l.money(p.Notice.Gross),
		}, row)
		about := l.kid + " " + p.Notice.KID
		if subject := l.subject(p.Claim, i.Note); subject != "" {
			about += " · " + subject
		}
		d.y += below.leading()
		d.text(left, d.y, d.wrap(about, right-left, below)[0], below)
		d.y += padding
		d.rule(left, d.y+padding/2, hairline)
	}
}

func (d *document) partRow(first string, cells []string, st style) {
	d.y += padding + st.leading()
	d.text(left, d.y, first, st)
	for i, cell := range cells {
		d.textRight(partEnds[i], d.y, partWidths[i], cell, st)
	}
	d.y += padding
}

// letterInterest draws until when interest is charged, and what each further day adds to all invoices together.
func (d *document) letterInterest(in LetterInput, sum letterSum, n models.Notice) {
	if sum.Interest == 0 && in.Ahead.PerDay == 0 {
		return
	}
	l := d.language
	text := fmt.Sprintf(l.wordsOf(len(in.Parts)).interestBasis, l.day(n.IssueDate))
	if a := in.Ahead; a.PerDay > 0 {
		text += " " + fmt.Sprintf(l.interestAhead, l.day(a.From), l.money(a.PerDay), l.rate(a.Rate))
	}
	d.paragraph(text, smallBodyStyle)
}

package pdf

import (
	"cmp"
	"fmt"

	"purr/models"
)

// StatementInput is the statement of a customer's account with all that its PDF shows.
type StatementInput struct {
	Creditor models.Creditor
	Logo     *Logo           // nil if the creditor has none
	Customer models.Customer // the PDF is in the customer's language
	Date     models.Date     // on which it is made
	From, To models.Date     // both inclusive; From is zero for the beginning
	Opening  models.Amount
	Lines    []StatementLine
	Closing  models.Amount
	Open     []StatementOpen
}

// StatementLine is an entry of the account.
type StatementLine struct {
	Date     models.Date
	Type     models.EntryType
	Document int64 // the number of the invoice, or of the credit note
	Credit   bool  // the document is a credit note
	Amount   models.Amount
	Balance  models.Amount // after it
}

// StatementOpen is a document that is not settled.
type StatementOpen struct {
	Number    int64
	Credit    bool // it is a credit note
	IssueDate models.Date
	DueDate   models.Date // of an invoice
	Balance   models.Amount
	Repayment models.Amount // how much of the balance is a repayment that is owed (rule D96)
	Written   models.Amount // what a run has written off: it is not asked for (rule L25)
}

// Statement draws the statement of a customer's account.
func Statement(in StatementInput) ([]byte, error) {
	l := languageOf(in.Customer.Language)
	h := heading{creditor: in.Creditor, logo: in.Logo, title: l.statementTitle, name: l.statementTitle + " " + l.day(in.To), date: in.Date, language: l}
	return render(h, func(d *document) {
		to := in.Customer.Recipient
		d.letterhead(to, []fact{
			{l.date, l.day(in.Date)},
			{l.periodFrom, l.day(in.From)},
			{l.periodTo, l.day(in.To)},
			{l.customerNumber, to.CustomerNumber},
			{l.buyerNumber, organisation(to.OrganisationNumber)},
		}...)
		d.account(in)
		d.open(in.Open)
		d.paragraph(fmt.Sprintf(l.reachUs, d.contact()), bodyStyle)
	})
}

// cells are the columns of a row of a statement: a date, a text and two amounts.
type cells [4]string

// row draws a row of a statement, with the titles on top of a new page.
func (d *document) row(titles, row cells, st style) {
	height := bodyStyle.leading() + 2*padding
	if d.need(height) {
		d.cells(titles, d.titles())
	}
	d.cells(row, st)
}

func (d *document) cells(row cells, st style) {
	const dates, amounts = 32.0, 34.0
	d.y += padding + bodyStyle.leading()
	d.text(left, d.y, row[0], st)
	d.text(left+dates, d.y, row[1], d.fit(row[1], right-left-dates-2*amounts-gap, st))
	d.textRight(right-amounts, d.y, amounts-gap, row[2], st)
	d.textRight(right, d.y, amounts-gap, row[3], st)
	d.y += padding
	d.rule(left, d.y+padding/2, hairline)
}

// titles is the style of the titles of columns.
func (d *document) titles() style {
	st := boldStyle
	st.shade = accent
	return st
}

// account draws the entries between the opening and the closing balance.
func (d *document) account(in StatementInput) {
	l := d.language
	titles := cells{l.date, l.description, l.amount, l.balance}
	d.row(titles, titles, d.titles())
	d.row(titles, cells{l.day(in.From), l.openingBalance, "", l.money(in.Opening)}, bodyStyle)
	for _, line := range in.Lines {
		d.row(titles, cells{l.day(line.Date), l.entry(line), l.money(line.Amount), l.money(line.Balance)}, bodyStyle)
	}
	d.row(titles, cells{l.day(in.To), l.closingBalance, "", l.money(in.Closing)}, boldStyle)
	d.y += 6
}

// entry returns an entry in words, with the number of its document.
func (l *language) entry(line StatementLine) string {
	document := numbered(l.invoiceTitle, line.Document)
	if line.Credit {
		document = numbered(l.creditNoteTitle, line.Document)
	}
	kind := ""
	switch line.Type {
	case models.EntryOverdueCharge:
		kind = l.fees
	case models.EntryInterest:
		kind = l.interest
	case models.EntryPayment, models.EntryOCR, models.EntryRepayment:
		if kind = l.payment; line.Amount > 0 {
			kind = l.payout
		}
	case models.EntryCreditNote:
		if !line.Credit {
			kind = l.creditNoteTitle
		}
	case models.EntryInvoice:
	}
	if kind == "" {
		return document
	}
	return kind + ", " + document
}

// open draws the documents that are not settled.
func (d *document) open(documents []StatementOpen) {
	l := d.language
	if len(documents) == 0 {
		d.paragraph(l.nothingOpen, boldStyle)
		return
	}
	titles := cells{l.date, l.openItems, l.dueDate, l.balance}
	d.need(3 * (bodyStyle.leading() + 2*padding))
	d.row(titles, titles, d.titles())
	for _, o := range documents {
		title := l.invoiceTitle
		if o.Credit {
			title = l.creditNoteTitle
		}
		d.row(titles, cells{l.day(o.IssueDate), numbered(title, o.Number), cmp.Or(l.day(o.DueDate), " "), l.money(o.Balance)}, bodyStyle)
		if o.Repayment > 0 {
			d.row(titles, cells{" ", l.repaymentOwed, " ", l.money(o.Repayment)}, bodyStyle)
		}
		if o.Written > 0 {
			d.row(titles, cells{" ", l.writtenOff, " ", l.money(o.Written)}, bodyStyle)
		}
	}
	d.y += 6
}

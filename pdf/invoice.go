package pdf

import (
	"strconv"

	"purr/models"
)

// InvoiceInput is an invoice with all that its PDF shows.
type InvoiceInput struct {
	Creditor models.Creditor
	Invoice  models.Invoice
	Lines    []models.Line
	Language string // nb, nn, en; empty is nb
}

// Invoice draws an invoice with the content that bokføringsforskriften § 5-1-1 requires, as far as the invoice
// contains it.
func Invoice(in InvoiceInput) ([]byte, error) {
	l, inv := languageOf(in.Language), in.Invoice
	h := heading{creditor: in.Creditor, title: l.invoiceTitle, name: numbered(l.invoiceTitle, inv.Number), date: inv.IssueDate, language: l}
	return render(h, func(d *document) {
		d.letterhead(
			inv.Recipient,
			fact{l.invoiceNumber, strconv.FormatInt(inv.Number, 10)},
			fact{l.invoiceDate, l.day(inv.IssueDate)},
			fact{l.dueDate, l.day(inv.DueDate)},
			fact{l.customerNumber, inv.Recipient.CustomerNumber},
		)
		d.paymentBox(payment{inv.BankAccount, inv.KID, l.dueDate, inv.DueDate, inv.Gross}, l.lateInvoice)
		d.lines(in.Lines, inv.Net, inv.Gross, l.toPay, inv.Note)
	})
}

// lines draws the lines, the totals, the gross amount with a name, and a note.
func (d *document) lines(lines []models.Line, net, gross models.Amount, name, note string) {
	sums := totals{net: net, gross: gross, name: name}
	if d.showsVAT(lines) {
		sums.rates = vatSums(lines)
	}
	d.fitLines(lines, sums.height()+4, d.paragraphHeight(note, bodyStyle)).draw(d)
	sums.draw(d)
	d.paragraph(note, bodyStyle)
}

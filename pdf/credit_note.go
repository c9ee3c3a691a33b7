package pdf

import (
	"fmt"
	"strconv"

	"purr/models"
)

// CreditNoteInput is a credit note with all that its PDF shows.
type CreditNoteInput struct {
	Creditor   models.Creditor
	CreditNote models.CreditNote
	Invoice    models.Invoice // the credited one
	Lines      []models.Line  // the credited invoice's
	Language   string         // nb, nn, en; empty is nb
}

// CreditNote draws a credit note. It shows no KID and no account, so that nobody takes it for an invoice.
func CreditNote(in CreditNoteInput) ([]byte, error) {
	l, note := languageOf(in.Language), in.CreditNote
	h := heading{creditor: in.Creditor, title: l.creditNoteTitle, name: numbered(l.creditNoteTitle, note.Number), date: note.IssueDate, language: l}
	return render(h, func(d *document) {
		d.letterhead(
			note.Recipient,
			fact{l.creditNoteNumber, strconv.FormatInt(note.Number, 10)},
			fact{l.date, l.day(note.IssueDate)},
			fact{l.creditedInvoice, strconv.FormatInt(in.Invoice.Number, 10)},
			fact{l.invoiceDate, l.day(in.Invoice.IssueDate)},
			fact{l.customerNumber, note.Recipient.CustomerNumber},
		)
		d.paragraph(fmt.Sprintf(l.creditsInvoice, in.Invoice.Number, l.day(in.Invoice.IssueDate)), bodyStyle)
		d.lines(in.Lines, note.Net, note.Gross, l.credited, note.Comment)
	})
}

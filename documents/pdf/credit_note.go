package pdf

import (
	"fmt"
	"slices"
	"strconv"

	"purr/models"
)

// CreditNoteInput is a credit note with all that its PDF shows.
type CreditNoteInput struct {
	Creditor   models.Creditor
	Logo       *Logo // nil if the creditor has none
	CreditNote models.CreditNote
	Invoice    models.Invoice // the credited one
	Lines      []models.Line  // the credited invoice's, or its own if it is partial
	Free       models.Amount  // øre that were not set off against the invoice when it was credited: the customer's
	Language   string         // nb, nn, en; empty is nb
}

// CreditNote draws a credit note. It shows no KID and no account, so that nobody takes it for an invoice.
func CreditNote(in CreditNoteInput) ([]byte, error) {
	l, note := languageOf(in.Language), in.CreditNote
	h := heading{creditor: in.Creditor, logo: in.Logo, title: l.creditNoteTitle, name: numbered(l.creditNoteTitle, note.Number), date: note.IssueDate, language: l}
	return render(h, func(d *document) {
		facts := []fact{
			{l.creditNoteNumber, strconv.FormatInt(note.Number, 10)},
			{l.date, l.day(note.IssueDate)},
			{l.creditedInvoice, strconv.FormatInt(in.Invoice.Number, 10)},
			{l.invoiceDate, l.day(in.Invoice.IssueDate)},
		}
		d.letterhead(note.Recipient, slices.Concat(facts, l.delivery(in.Invoice.Order), l.buyer(note.Recipient, in.Invoice.Order))...)
		credits := l.creditsInvoice
		if note.Partial {
			credits = l.creditsPart
		}
		d.paragraph(fmt.Sprintf(credits, in.Invoice.Number, l.day(in.Invoice.IssueDate)), bodyStyle)
		d.free(note.Gross, in.Free)
		d.lines(in.Lines, note.Net, note.Gross, l.credited, note.Comment)
	})
}

// free draws how much of a credit note is the customer's, and how it is paid back (rule L13).
func (d *document) free(gross, free models.Amount) {
	l := d.language
	if free <= 0 {
		d.paragraph(fmt.Sprintf(l.creditSettles, l.money(gross)), bodyStyle)
		return
	}
	text := fmt.Sprintf(l.creditFree, l.money(free))
	if rest := gross - free; rest > 0 {
		text = fmt.Sprintf(l.creditSetOff, l.money(rest)) + " " + text
	}
	d.paragraph(text, boldStyle)
	d.paragraph(fmt.Sprintf(l.paidBack, d.contact()), bodyStyle)
}

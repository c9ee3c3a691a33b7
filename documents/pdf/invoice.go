package pdf

import (
	"fmt"
	"slices"
	"strconv"

	"purr/models"
)

// InvoiceInput is an invoice with all that its PDF shows.
type InvoiceInput struct {
	Creditor models.Creditor
	Logo     *Logo // nil if the creditor has none
	Invoice  models.Invoice
	Lines    []models.Line
	Language string // nb, nn, en; empty is nb
	Page     string // the whole address of the debtor's page (rule W1); empty if there is none
}

// Invoice draws an invoice with the content that bokføringsforskriften § 5-1-1 requires, as far as the invoice
// contains it. A preview has neither number nor KID. One that is drawn by AvtaleGiro says so in the place of a payment box (rule G3).
func Invoice(in InvoiceInput) ([]byte, error) {
	l, inv := languageOf(in.Language), in.Invoice
	name, number := l.invoiceTitle, "–" // of a preview
	if inv.Number != 0 {
		name, number = numbered(l.invoiceTitle, inv.Number), strconv.FormatInt(inv.Number, 10)
	}
	h := heading{creditor: in.Creditor, logo: in.Logo, title: l.invoiceTitle, name: name, date: inv.IssueDate, language: l}
	strip, err := stripOf(in.Page, l.invoicePage)
	if err != nil {
		return nil, err
	}
	return render(h, func(d *document) {
		facts := []fact{
			{l.invoiceNumber, number},
			{l.invoiceDate, l.day(inv.IssueDate)},
			{l.dueDate, l.day(inv.DueDate)},
		}
		d.letterhead(inv.Recipient, slices.Concat(facts, l.delivery(inv.Order), l.buyer(inv.Recipient, inv.Order))...)
		if inv.Drawn { // a notice of AvtaleGiro has no payment slip
			d.paragraph(fmt.Sprintf(l.drawn, l.money(inv.Gross), l.day(inv.DueDate)), boldStyle)
		} else {
			d.paymentBox(payment{account: inv.BankAccount, kid: inv.KID, dueName: l.dueDate, due: inv.DueDate, amount: inv.Gross}.abroad(in.Creditor, inv.Recipient), l.lateInvoice)
		}
		d.strip(strip)
		if inv.Adopted {
			d.paragraph(l.adopted, bodyStyle)
		}
		if len(in.Lines) > 0 {
			d.lines(in.Lines, inv.Net, inv.Gross, l.toPay, inv.Note)
		} else {
			d.paragraph(inv.Note, bodyStyle)
		}
	})
}

// lines draws the lines, the totals, the gross amount with a name, why some lines have no VAT, and a note.
func (d *document) lines(lines []models.Line, net, gross models.Amount, name, note string) {
	sums := totals{net: net, gross: gross, name: name}
	if d.showsVAT(lines) {
		sums.rates = vatSums(lines)
	}
	exemption := d.exemption(lines)
	below := d.paragraphHeight(exemption, smallBodyStyle) + d.paragraphHeight(note, bodyStyle)
	d.fitLines(lines, sums.height()+4, below).draw(d)
	sums.draw(d)
	d.paragraph(exemption, smallBodyStyle)
	d.paragraph(note, bodyStyle)
}

// exemption returns why lines without VAT have none, if the creditor says so (rule L8, merverdiavgiftsloven chapters 3
// and 6).
func (d *document) exemption(lines []models.Line) string {
	if !slices.ContainsFunc(lines, func(l models.Line) bool { return l.VATPercent == 0 }) {
		return ""
	}
	switch d.creditor.VATExemption {
	case models.VATExempt:
		return d.language.vatExempt
	case models.VATZero:
		return d.language.vatZero
	}
	return ""
}

// delivery returns when and where the goods or services of an invoice were delivered (bokføringsforskriften § 5-1-1
// number 4).
func (l *language) delivery(o models.Order) []fact {
	return []fact{{l.deliveryDate, l.day(o.DeliveryDate)}, {l.deliveryPlace, o.DeliveryPlace}}
}

// buyer returns what tells the buyer what a document is about.
func (l *language) buyer(r models.Recipient, o models.Order) []fact {
	return []fact{
		{l.customerNumber, r.CustomerNumber},
		{l.buyerNumber, organisation(r.OrganisationNumber)},
		{l.yourReference, o.YourReference},
		{l.orderNumber, o.OrderNumber},
	}
}

package pdf

import (
	"fmt"
	"strconv"
)

// drawOrdinary draws the page before an invoice that AvtaleGiro does not draw after all: where and until when it is paid (rule G3a).
func (c Cover) drawOrdinary(d *document) {
	l := d.language
	d.letterhead(c.To, fact{l.date, l.day(c.Date)}, fact{l.invoiceNumber, strconv.FormatInt(c.Number, 10)}, fact{l.dueDate, l.day(c.Ordinary)})
	d.paymentBox(payment{account: c.BankAccount, kid: c.KID, dueName: l.dueDate, due: c.Ordinary, amount: c.Unpaid}.abroad(c.Creditor, c.To), l.lateInvoice)
	d.paragraph(fmt.Sprintf(l.ordinary, c.Number, l.money(c.Unpaid), l.day(c.Ordinary)), boldStyle)
	d.paragraph(l.ordinaryMore+" "+fmt.Sprintf(l.reachUs, d.contact()), bodyStyle)
}

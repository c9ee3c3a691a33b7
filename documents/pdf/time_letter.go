package pdf

import (
	"fmt"
	"strconv"
)

// drawTime draws a letter that tells of more time for an invoice (rule N11). It is no claim: it asks for no fee and names no new due date.
func (c Cover) drawTime(d *document) {
	l, t := d.language, c.Time
	d.letterhead(c.To, fact{l.date, l.day(t.Day)}, fact{l.invoiceNumber, strconv.FormatInt(c.Number, 10)}, fact{l.timeUntil, l.day(t.Until)})
	d.paymentBox(payment{account: c.BankAccount, kid: c.KID, dueName: l.timeUntil, due: t.Until, amount: t.Owed}.abroad(c.Creditor, c.To), "")
	d.paragraph(fmt.Sprintf(l.timeGiven, c.Number, l.day(t.Until)), boldStyle)
	interest := l.timeInterest
	if t.Waived {
		interest = fmt.Sprintf(l.timeWaived, l.day(t.Day), l.day(t.Until))
	}
	d.paragraph(fmt.Sprintf(l.timeOwed, l.day(t.Day), l.money(t.Owed))+" "+interest, bodyStyle)
	d.paragraph(l.timeNoClaim+" "+fmt.Sprintf(l.reachUs, d.contact()), bodyStyle)
}

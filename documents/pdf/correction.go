package pdf

import (
	"fmt"
	"strconv"
)

// drawCorrection draws the letter that tells a customer which charges on an invoice were wrong, and how much comes back (rule U6).
func (c Cover) drawCorrection(d *document) {
	l, w := d.language, c.Correction
	d.letterhead(c.To, fact{l.date, l.day(w.Day)}, fact{l.invoiceNumber, strconv.FormatInt(c.Number, 10)}, fact{l.correctionBack, l.money(w.Back)})
	if w.Owed > 0 {
		d.paymentBox(payment{account: c.BankAccount, kid: c.KID, amount: w.Owed}.abroad(c.Creditor, c.To), "")
	}
	d.paragraph(fmt.Sprintf(l.corrected, c.Number), boldStyle)
	for _, wrong := range w.Wrongs {
		back := ""
		if wrong.Fee > 0 {
			back += " " + fmt.Sprintf(l.correctedFee, l.money(wrong.Fee))
		}
		if wrong.Interest > 0 {
			back += " " + fmt.Sprintf(l.correctedInterest, l.money(wrong.Interest))
		}
		d.paragraph("– "+wrong.Text+back, bodyStyle)
	}
	if w.Withdrawn != 0 {
		d.paragraph(fmt.Sprintf(l.correctedWarning, l.day(w.Withdrawn)), bodyStyle)
	}
	if w.Collection {
		d.paragraph(l.correctedCollection, bodyStyle)
	}
	after := fmt.Sprintf(l.correctedOwed, l.day(w.Day), l.money(max(w.Owed, 0)))
	if w.Owed < 0 {
		after = fmt.Sprintf(l.correctedCredit, l.money(-w.Owed))
	}
	d.paragraph(after, bodyStyle)
	d.paragraph(l.correctionNoClaim+" "+fmt.Sprintf(l.reachUs, d.contact()), bodyStyle)
}

package pdf

import "purr/models"

const (
	paymentBottom = 268.0 // of the payment box, on the first page
	paymentRow    = 13.0
	paymentEdge   = 4.0 // of the box, around its rows
	boxGap        = 4.0 // above the box
)

// payment is what the payer types into the bank.
type payment struct {
	account string // 11 digits, or empty
	iban    string // for a payer abroad, else empty
	bic     string
	kid     string
	dueName string // what the due date is called
	due     models.Date
	amount  models.Amount
}

// abroad sets the creditor's IBAN and BIC if the recipient lives abroad.
func (p payment) abroad(c models.Creditor, to models.Recipient) payment {
	if country(to.CountryCode) != "" {
		if p.iban = c.AccountIBAN(p.account); p.iban != "" {
			p.bic = c.BIC
		}
	}
	return p
}

// paymentCell is a labelled value in the payment box.
type paymentCell struct {
	fact
	width float64
}

// paymentBox draws the payment at the bottom of the first page with a remark below, and keeps other content above it. It
// must be called while the first page is drawn.
func (d *document) paymentBox(p payment, remark string) {
	l := d.language
	rows := [][]paymentCell{{
		{fact{l.bankAccount, account(p.account)}, 38},
		{fact{l.kid, p.kid}, 56},
		{fact{p.dueName, l.day(p.due)}, 34},
		{fact{l.toPay, "NOK " + l.money(p.amount)}, 34},
	}}
	if p.iban != "" {
		rows = append(rows, []paymentCell{{fact{"IBAN", grouped(p.iban)}, 94}, {fact{"BIC", p.bic}, 68}})
	}
	height := paymentEdge + paymentRow*float64(len(rows))
	bottom := paymentBottom - d.lift
	top := bottom - height
	d.bottom = top - boxGap
	d.area(left, top, right-left, height, ground)
	for i, row := range rows {
		x, y := left+paymentEdge, top+paymentRow*float64(i)
		for _, cell := range row {
			if cell.value == "" {
				continue
			}
			d.text(x, y+6, cell.label, labelStyle)
			d.text(x, y+12.5, cell.value, d.fit(cell.value, cell.width-4, style{bold, 11, black}))
			x += cell.width
		}
	}
	d.text(left, bottom+4.5, remark, d.fit(remark, right-left, smallStyle))
}

// grouped writes an IBAN in groups of four.
func grouped(iban string) string {
	var b []byte
	for i := range len(iban) {
		if i > 0 && i%4 == 0 {
			b = append(b, "\u00A0"...)
		}
		b = append(b, iban[i])
	}
	return string(b)
}

package pdf

import "purr/models"

const (
	paymentTop    = 251.0 // of the payment box, on the first page
	paymentHeight = 17.0
)

// payment is what the payer types into the bank.
type payment struct {
	account string // 11 digits, or empty
	kid     string
	dueName string // what the due date is called
	due     models.Date
	amount  models.Amount
}

// paymentBox draws the payment at the bottom of the first page with a remark below, and keeps other content above it. It
// must be called while the first page is drawn.
func (d *document) paymentBox(p payment, remark string) {
	d.bottom = paymentTop - 4
	d.area(left, paymentTop, right-left, paymentHeight, ground)
	x := left + 4
	for _, cell := range []struct {
		label, value string
		width        float64
	}{
		{d.language.bankAccount, account(p.account), 38},
		{d.language.kid, p.kid, 56},
		{p.dueName, d.language.day(p.due), 34},
		{d.language.toPay, "NOK " + d.language.money(p.amount), 34},
	} {
		if cell.value == "" {
			continue
		}
		d.text(x, paymentTop+6, cell.label, labelStyle)
		d.text(x, paymentTop+12.5, cell.value, d.fit(cell.value, cell.width-4, style{bold, 11, black}))
		x += cell.width
	}
	d.text(left, paymentTop+paymentHeight+4.5, remark, d.fit(remark, right-left, smallStyle))
}

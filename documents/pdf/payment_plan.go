package pdf

import (
	"cmp"
	"fmt"
	"strconv"

	"purr/models"
)

// PaymentPlanInput is a payment plan with all that its letter shows (rule L15).
type PaymentPlanInput struct {
	Creditor models.Creditor
	Logo     *Logo // nil if the creditor has none
	Plan     models.PaymentPlan
	Invoice  models.Invoice // that is paid by the plan
	Language string         // nb, nn, en; empty is nb
}

// PaymentPlan draws the letter that confirms a payment plan. It is no claim: it names no fee, and what to pay first stands in the payment box.
func PaymentPlan(in PaymentPlanInput) ([]byte, error) {
	l, p, inv := languageOf(in.Language), in.Plan, in.Invoice
	h := heading{creditor: in.Creditor, logo: in.Logo, title: l.planTitle, name: l.planTitle + " · " + numbered(l.invoiceTitle, inv.Number), date: p.Since, language: l}
	return render(h, func(d *document) {
		d.letterhead(p.Recipient, fact{l.date, l.day(p.Since)}, fact{l.invoiceNumber, strconv.FormatInt(inv.Number, 10)}, fact{l.invoiceDate, l.day(inv.IssueDate)})
		first := p.Instalments[0]
		account := cmp.Or(inv.BankAccount, in.Creditor.BankAccount)
		d.paymentBox(payment{account: account, kid: inv.KID, dueName: l.dueDate, due: first.DueDate, amount: first.Amount}.abroad(in.Creditor, p.Recipient), "")
		d.paragraph(fmt.Sprintf(l.planMade, inv.Number, l.day(inv.IssueDate), l.money(p.Sum)), boldStyle)
		d.paragraph(l.planPay, bodyStyle)
		d.instalments(p.Instalments)
		d.paragraph(l.planMissed+" "+l.planInterest, bodyStyle)
		d.paragraph(fmt.Sprintf(l.reachUs, d.contact()), bodyStyle)
	})
}

// instalments draws the instalments with their sum, and the titles on top of each page.
func (d *document) instalments(all models.Instalments) {
	l, title := d.language, boldStyle
	title.shade = accent
	row := bodyStyle.leading() + 2*padding
	d.need(2 * row)
	d.claimRow(l.dueDate, l.amount, title)
	for n, i := range all {
		if d.need(row) {
			d.claimRow(l.dueDate, l.amount, title)
		}
		d.claimRow(fmt.Sprintf(l.planNumber, n+1)+" · "+l.day(i.DueDate), l.money(i.Amount), bodyStyle)
	}
	d.need(row)
	d.claimRow(l.planTotal, l.money(all.Sum()), boldStyle)
}

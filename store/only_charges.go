package store

import (
	"context"

	"gorm.io/gorm"

	"purr/models"
)

// chargedOn returns what fees and interest were charged on an invoice and not reversed, as SQL over its row's name.
func chargedOn(invoice string) string {
	return "SELECT COALESCE(SUM(c.amount), 0) FROM entries c WHERE c.invoice_id = " + invoice + ".id AND c.credit_note_id = 0 AND c.type IN ('OVERDUE_CHARGE', 'INTEREST')"
}

// OnlyCharges is an open invoice whose principal is paid, and on which fees or interest are left (rule N9).
type OnlyCharges struct {
	models.Invoice `gorm:"embedded"`
	Name1          string // of its customer now
	Interest       models.Amount
	Charged        models.Amount // fees and interest that were charged and not reversed
}

// Left returns what is left of fees and interest: fees first, since payments cover interest before fees (rule D29).
func (o OnlyCharges) Left() (fees, interest models.Amount) {
	owed := o.Claimed()
	fees = min(owed, o.Charged-o.Interest)
	return fees, owed - fees
}

// InvoicesOnlyCharges returns a page of the creditor's open invoices on which only fees and interest are left, the oldest first, and their
// number and the sum of what is left. Those that the debt collector has are not among them. It asks two questions.
func (r reads) InvoicesOnlyCharges(ctx context.Context, creditorID int64, p Page) (found []OnlyCharges, total int64, sum models.Amount, err error) {
	err = eachRow(r.onlyCharges(ctx, creditorID).Select("COUNT(*), COALESCE(SUM(i.balance - i.repayment_owed), 0)"), func() {}, &total, &sum)
	if err != nil || p.beyond(total) {
		return nil, total, sum, err
	}
	found, err = scan[[]OnlyCharges](r.onlyCharges(ctx, creditorID).Joins("JOIN customers k ON k.id = i.customer_id").
		Select(`i.*, k.name1, (` + chargedOn("i") + `) AS charged,
			(SELECT COALESCE(SUM(c.amount), 0) FROM entries c WHERE c.invoice_id = i.id AND c.credit_note_id = 0 AND c.type = 'INTEREST') AS interest`).
		Order("i.id").Offset(p.offset()).Limit(p.Size))
	return found, total, sum, err
}

// OwedOnlyCharges returns by due date what is left on these invoices (see InvoicesOnlyCharges), in order.
func (r reads) OwedOnlyCharges(ctx context.Context, creditorID int64) ([]Owed, error) {
	return scan[[]Owed](r.onlyCharges(ctx, creditorID).Group("due_date").Order("due_date").
		Select("due_date, COUNT(*) AS invoices, SUM(balance - repayment_owed) AS amount, 0 AS repayments, 0 AS only_repayments"))
}

// onlyCharges begins a query on these invoices, by the name i. Few invoices that are open have notices and are paid in part, and only of
// those are the entries read.
func (r reads) onlyCharges(ctx context.Context, creditorID int64) *gorm.DB {
	dunned := []models.Stage{models.StageReminded, models.StageWarned}
	return r.with(ctx).Table("invoices AS i").Where("i.creditor_id = ? AND i.stage IN ?", creditorID, dunned).
		Where("i.balance - i.repayment_owed < i.gross AND i.balance - i.repayment_owed <= (" + chargedOn("i") + ")")
}

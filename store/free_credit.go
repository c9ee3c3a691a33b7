package store

import (
	"context"

	"gorm.io/gorm"

	"purr/models"
)

// CustomerCredit is the free credit of a customer (rules L5, N12).
type CustomerCredit struct {
	CustomerID     int64
	CustomerNumber string
	Name1          string
	Name2          string
	Amount         models.Amount // above zero
	Reserved       models.Amount // how much of it is reserved for repayments
	Since          models.Date   // since when the oldest of it is there: the day of the last payment on its document, or of its credit note
}

// Free returns how much of the credit nobody has disposed of.
func (c CustomerCredit) Free() models.Amount { return max(c.Amount-c.Reserved, 0) }

// AllCredit is the free credit of all customers of a creditor.
type AllCredit struct {
	Customers int64
	Amount    models.Amount
	Reserved  models.Amount
}

// CustomerCredits returns a page of the creditor's customers with free credit, who has most first, and what all of them have. It asks two
// questions.
func (r reads) CustomerCredits(ctx context.Context, creditorID int64, p Page) (found []CustomerCredit, all AllCredit, err error) {
	err = eachRow(r.credits(ctx, creditorID).Select("COUNT(*), COALESCE(SUM(amount), 0), COALESCE(SUM(reserved), 0)"), func() {}, &all.Customers, &all.Amount, &all.Reserved)
	if err != nil || p.beyond(all.Customers) {
		return nil, all, err
	}
	found, err = scan[[]CustomerCredit](r.credits(ctx, creditorID).Joins("JOIN customers c ON c.id = credits.customer_id").
		Select(`credits.customer_id, c.customer_number, c.name1, c.name2, amount, reserved, since`).
		Order("amount DESC, customer_id").Offset(p.offset()).Limit(p.Size))
	return found, all, err
}

// credits begins a query on the free credit of each of the creditor's customers who have any: customer_id, amount, reserved, since.
func (r reads) credits(ctx context.Context, creditorID int64) *gorm.DB {
	invoices := r.withFree(ctx, creditorID).Select(`customer_id, free AS amount, 0 AS reserved,
		(SELECT MAX(e.transaction_date) FROM entries e WHERE e.invoice_id = invoices.id AND e.credit_note_id = 0 AND e.amount < 0) AS since`)
	notes := r.outstanding(ctx, creditorID).Select("customer_id, -balance, 0, issue_date")
	reserved := r.reservations(ctx, creditorID).Select("customer_id, 0, amount, NULL")
	sums := r.with(ctx).Table("(? UNION ALL ? UNION ALL ?) AS parts", invoices, notes, reserved).Group("customer_id").Having("SUM(amount) > 0").
		Select("customer_id, SUM(amount) AS amount, SUM(reserved) AS reserved, MIN(since) AS since")
	return r.with(ctx).Table("(?) AS credits", sums)
}

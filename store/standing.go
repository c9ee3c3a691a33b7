package store

import (
	"context"

	"gorm.io/gorm"

	"purr/models"
)

// Standing is what dunning decides by on a day for a customer, but for the invoices: the customer, whether dunning leaves it
// alone, its free credit, and the creditor's day.
type Standing struct {
	Customer    models.Customer `gorm:"embedded"`
	LikelyPayer bool            // a payment in the queue may be the customer's (rule L3)
	FreeCredit  models.Amount   // see FreeCredit
	BankNews    BankNews        `gorm:"embedded"`
	Run         models.Run      `gorm:"embedded;embeddedPrefix:run_"` // the day's, with its state, its end and whether it held back alone; without state if there is none
}

// StandingOf returns the standing of the creditor's customer on a day. It asks one question. It fails with
// models.KindNotFound if there is no such customer.
func (r reads) StandingOf(ctx context.Context, creditorID, customerID int64, today models.Date) (Standing, error) {
	payments := r.with(ctx).Model(&models.UnmatchedPayment{}).Select("1").
		Where("creditor_id = ? AND status = ? AND suggested_customer_id = ?", creditorID, models.PaymentOpen, customerID)
	credit := func(table string) *gorm.DB {
		return r.from(ctx, table, table+"_credit").Select("COALESCE(SUM(balance), 0)").
			Where("creditor_id = ? AND customer_id = ? AND balance < 0", creditorID, customerID)
	}
	asked := append([]any{payments, credit("invoices"), credit("credit_notes")}, r.bankNews(ctx, creditorID, models.SourceSFTP)...)
	return readOne[Standing](r.with(ctx).Table("customers").
		Select("customers.*, EXISTS (?) AS likely_payer, -(?) - (?) AS free_credit, "+selectBankNews+
			", runs.state AS run_state, runs.finished_at AS run_finished_at, runs.held_back AS run_held_back", asked...).
		Joins("LEFT JOIN runs ON runs.creditor_id = customers.creditor_id AND runs.kind = ? AND runs.business_date = ?", models.RunDunning, today).
		Where("customers.id = ? AND customers.creditor_id = ?", customerID, creditorID), "customer")
}

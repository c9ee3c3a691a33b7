package store

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"purr/models"
)

// Standing is an invoice with what dunning decides by on a day besides its entries, notices and letters: its customer, its
// free credit, and the creditor's day.
type Standing struct {
	Invoice     models.Invoice  `gorm:"embedded"`
	Customer    models.Customer `gorm:"embedded;embeddedPrefix:of_"`
	Queue       bool            // payments wait in the creditor's queue of unmatched payments
	LikelyPayer bool            // one of them has pointed at the customer (rules L3, D95)
	FreeCredit  models.Amount   // the customer's; see FreeCredit
	BankNews    BankNews        `gorm:"embedded"`
	HoldTurn    int64           // how often somebody has held or released the invoice (rule D115)
	ClosingTurn int64           // how often somebody has closed, handed over or reopened it
	CreditTurn  int64           // how often somebody has moved the customer's credit
	Run         models.Run      `gorm:"embedded;embeddedPrefix:run_"` // the day's, with its state, its end and whether it held back alone; without state if there is none
}

// LookAtPayments returns what reads.LookAtPayments does.
func (s Standing) LookAtPayments() models.Seen {
	turns := []int64{s.ClosingTurn, s.HoldTurn, s.CreditTurn}
	acts := map[models.Thing]LastAct{}
	for n, thing := range paymentThings(s.Invoice) {
		acts[thing] = LastAct{Turn: turns[n]}
	}
	return seenOfPayments(s.Invoice, acts)
}

// StandingOf returns the standing of the creditor's invoice on a day. It asks one question. It fails with
// models.KindNotFound if there is no such invoice.
func (r reads) StandingOf(ctx context.Context, creditorID, invoiceID int64, today models.Date) (Standing, error) {
	return r.standing(ctx, creditorID, today, "invoices.id = ?", invoiceID)
}

// StandingByNumber does what StandingOf does for the invoice with a number.
func (r reads) StandingByNumber(ctx context.Context, creditorID, number int64, today models.Date) (Standing, error) {
	return r.standing(ctx, creditorID, today, "invoices.number = ?", number)
}

func (r reads) standing(ctx context.Context, creditorID int64, today models.Date, where string, is int64) (Standing, error) {
	customer := gorm.Statement{DB: r.db}
	if err := customer.Parse(&models.Customer{}); err != nil {
		return Standing{}, err
	}
	columns := make([]string, len(customer.Schema.DBNames))
	for i, name := range customer.Schema.DBNames {
		columns[i] = "customers." + name + " AS of_" + name
	}
	overpaid := r.with(ctx).Table("invoices AS owed").Select("COALESCE(SUM(owed.free), 0)").
		Where("owed.creditor_id = ? AND owed.customer_id = customers.id AND owed.free > 0", creditorID)
	outstanding := r.with(ctx).Table("credit_notes AS owed").Select("COALESCE(-SUM(owed.balance), 0)").
		Where("owed.creditor_id = ? AND owed.customer_id = customers.id AND owed.balance < 0", creditorID)
	queue := r.with(ctx).Model(&models.UnmatchedPayment{}).Select("1").Where(openPayments, creditorID)
	pointedAt := r.with(ctx).Table("likely_payers p").Joins("JOIN unmatched_payments u ON u.id = p.payment_id").Select("1").
		Where("p.creditor_id = ? AND p.customer_id = customers.id AND u.creditor_id = p.creditor_id AND u.status = ?", creditorID, models.PaymentOpen)
	reserved := r.with(ctx).Table("repayments AS kept").Select("COALESCE(SUM(kept.amount), 0)").
		Where("kept.creditor_id = ? AND kept.customer_id = customers.id AND kept.state IN ?", creditorID, models.RepaymentsOpen)
	asked := append([]any{queue, pointedAt, overpaid, outstanding, reserved}, r.bankNews(ctx, creditorID, models.SourceSFTP)...)
	found, err := readOne[Standing](r.with(ctx).Table("invoices").
		Select("invoices.*, "+strings.Join(columns, ", ")+", EXISTS (?) AS queue, EXISTS (?) AS likely_payer, (?) + (?) - (?) AS free_credit, "+selectBankNews+
			", COALESCE(held.turn, 0) AS hold_turn, COALESCE(closed.turn, 0) AS closing_turn, COALESCE(moved.turn, 0) AS credit_turn"+
			", runs.state AS run_state, runs.finished_at AS run_finished_at, runs.held_back AS run_held_back", asked...).
		Joins("JOIN customers ON customers.id = invoices.customer_id").
		Joins("LEFT JOIN runs ON runs.creditor_id = invoices.creditor_id AND runs.kind = ? AND runs.business_date = ?", models.RunDunning, today).
		Joins("LEFT JOIN last_acts AS held ON held.creditor_id = invoices.creditor_id AND held.thing = ? AND held.thing_id = invoices.id", models.ThingHold).
		Joins("LEFT JOIN last_acts AS closed ON closed.creditor_id = invoices.creditor_id AND closed.thing = ? AND closed.thing_id = invoices.id", models.ThingClosing).
		Joins("LEFT JOIN last_acts AS moved ON moved.creditor_id = invoices.creditor_id AND moved.thing = ? AND moved.thing_id = invoices.customer_id", models.ThingCredit).
		Where("invoices.creditor_id = ? AND "+where, creditorID, is), "invoice")
	if err != nil {
		return Standing{}, err
	}
	found.FreeCredit = max(found.FreeCredit, 0)
	return found, nil
}

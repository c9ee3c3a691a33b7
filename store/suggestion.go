package store

import (
	"context"
	"time"

	"purr/models"
)

// InvoicesByID returns the creditor's invoices with the IDs, in order of ID.
func (r reads) InvoicesByID(ctx context.Context, creditorID int64, ids []int64) ([]models.Invoice, error) {
	return r.invoicesWhere(ctx, creditorID, "id IN ?", ids)
}

// InvoicesByNumber returns the creditor's invoices with the numbers, in order of ID.
func (r reads) InvoicesByNumber(ctx context.Context, creditorID int64, numbers []int64) ([]models.Invoice, error) {
	return r.invoicesWhere(ctx, creditorID, "number IN ?", numbers)
}

func (r reads) invoicesWhere(ctx context.Context, creditorID int64, where string, values []int64) ([]models.Invoice, error) {
	if len(values) == 0 {
		return nil, nil
	}
	var found []models.Invoice
	err := r.with(ctx).Where("creditor_id = ? AND "+where, creditorID, values).Order("id").Find(&found).Error
	return found, classify(err, "")
}

// InvoicesOwing returns up to limit of the creditor's open invoices on which just the amount, which is positive,
// is owed, in order of ID.
func (r reads) InvoicesOwing(ctx context.Context, creditorID int64, amount models.Amount, limit int) ([]models.Invoice, error) {
	// That the balance is above zero lets SQLite use its index of those.
	return r.openInvoices(ctx, "id", limit, "creditor_id = ? AND balance = ? AND balance > 0", creditorID, amount)
}

// OpenInvoicesOf returns up to limit of a customer's open invoices, those first that fell due first.
func (r reads) OpenInvoicesOf(ctx context.Context, creditorID, customerID int64, limit int) ([]models.Invoice, error) {
	// The pluses keep the database from reading everybody's.
	return r.openInvoices(ctx, "deadline, id", limit, "customer_id = ? AND +creditor_id = ? AND +balance > 0", customerID, creditorID)
}

func (r reads) openInvoices(ctx context.Context, order string, limit int, where string, args ...any) ([]models.Invoice, error) {
	var found []models.Invoice
	err := r.with(ctx).Where(where, args...).Where("closed = ?", models.NotClosed).Order(order).Limit(limit).Find(&found).Error
	return found, classify(err, "")
}

// CustomersPayingFrom returns up to limit of the creditor's customers who have paid from the account, in order of
// ID. Who has had all of it taken back does not count.
func (r reads) CustomersPayingFrom(ctx context.Context, creditorID int64, account string, limit int) ([]int64, error) {
	if account == "" {
		return nil, nil
	}
	var ids []int64
	// That the account is not empty lets SQLite use its index of those.
	err := r.with(ctx).Model(&models.Entry{}).Where("creditor_id = ? AND from_account_number = ? AND from_account_number <> ''", creditorID, account).
		Group("customer_id").Having("SUM(amount) < 0").Order("customer_id").Limit(limit).Pluck("customer_id", &ids).Error
	return ids, classify(err, "")
}

// CreditorsWithUnseenPayments returns the creditors who have unmatched payments for which nobody has looked for a
// suggestion. What belongs to nobody does not count.
func (r reads) CreditorsWithUnseenPayments(ctx context.Context) ([]int64, error) {
	var ids []int64
	err := r.with(ctx).Model(&models.UnmatchedPayment{}).Distinct("creditor_id").
		Where("suggested_customer_id IS NULL AND creditor_id > 0").Order("creditor_id").Pluck("creditor_id", &ids).Error
	return ids, classify(err, "")
}

// UnseenPayments returns up to limit of the creditor's unmatched payments for which nobody has looked for a
// suggestion.
func (r reads) UnseenPayments(ctx context.Context, creditorID int64, limit int) ([]models.UnmatchedPayment, error) {
	var found []models.UnmatchedPayment
	err := r.with(ctx).Where("suggested_customer_id IS NULL AND creditor_id = ?", creditorID).Order("id").Limit(limit).Find(&found).Error
	return found, classify(err, "")
}

// SuggestCustomer notes at which customer, zero for nobody, the best suggestion for the creditor's payments points:
// for those that nobody has looked at.
func (tx *Tx) SuggestCustomer(ctx context.Context, creditorID, customerID int64, paymentIDs []int64) error {
	return tx.update(ctx, &models.UnmatchedPayment{}, map[string]any{"suggested_customer_id": customerID},
		"id IN ? AND creditor_id = ? AND suggested_customer_id IS NULL", paymentIDs, creditorID)
}

// CustomersInQueue returns the customers at whom the best suggestion for an open unmatched payment points that was
// queued at the time or later, each with the latest time at which one was.
func (r reads) CustomersInQueue(ctx context.Context, creditorID int64, since time.Time) (map[int64]time.Time, error) {
	var rows []struct {
		SuggestedCustomerID int64
		CreatedAt           time.Time
	}
	err := r.with(ctx).Model(&models.UnmatchedPayment{}).Select("suggested_customer_id, created_at").
		Where("creditor_id = ? AND status = ? AND created_at >= ? AND suggested_customer_id > 0", creditorID, models.PaymentOpen, since.UTC()).
		Order("created_at").Find(&rows).Error
	latest := make(map[int64]time.Time, len(rows))
	for _, row := range rows {
		latest[row.SuggestedCustomerID] = row.CreatedAt
	}
	return latest, classify(err, "")
}

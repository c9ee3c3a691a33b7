package store

import (
	"context"

	"purr/models"
)

// Invoice returns one invoice of the creditor.
func (r reads) Invoice(ctx context.Context, creditorID, id int64) (models.Invoice, error) {
	var i models.Invoice
	err := r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID).Take(&i).Error
	return i, classify(err, "invoice")
}

// InvoiceLines returns an invoice's lines in order.
func (r reads) InvoiceLines(ctx context.Context, invoiceID int64) ([]models.Line, error) {
	var ls []models.Line
	err := r.with(ctx).Where("invoice_id = ?", invoiceID).Order("position").Find(&ls).Error
	return ls, classify(err, "")
}

// InvoicesIn returns up to limit invoices of the creditor in a stage with a deadline in the window,
// after the one with the given deadline and ID, ordered by these two.
func (r reads) InvoicesIn(ctx context.Context, creditorID int64, w models.Window, after models.Invoice, limit int) ([]models.Invoice, error) {
	g := r.with(ctx).Where("creditor_id = ? AND stage = ?", creditorID, w.Stage)
	if w.CustomerID != 0 { // the pluses keep SQLite from reading everybody's
		g = r.with(ctx).Where("customer_id = ? AND +creditor_id = ? AND +stage = ?", w.CustomerID, creditorID, w.Stage)
	}
	if from := max(w.From, after.Deadline); from != 0 {
		g = g.Where("deadline >= ?", from)
	}
	if w.To != 0 {
		g = g.Where("deadline <= ?", w.To)
	}
	if after.ID != 0 {
		g = g.Where("(deadline > ? OR id > ?)", after.Deadline, after.ID)
	}
	var found []models.Invoice
	err := g.Order("deadline, id").Limit(limit).Find(&found).Error
	return found, classify(err, "")
}

// LockInvoice reads an invoice of the creditor and locks it until the transaction ends. What is decided
// about an invoice is decided on what this returns.
func (tx *Tx) LockInvoice(ctx context.Context, creditorID, id int64) (models.Invoice, error) {
	var i models.Invoice
	err := forUpdate(tx.with(ctx)).Where("id = ? AND creditor_id = ?", id, creditorID).Take(&i).Error
	return i, classify(err, "invoice")
}

// LockedInvoice is what LockInvoices returns of an invoice.
type LockedInvoice struct {
	ID, CustomerID int64
	Balance        models.Amount
	HandedOver     models.Date
}

// LockInvoices locks the creditor's invoices with the IDs, in order of ID, and returns them by ID.
func (tx *Tx) LockInvoices(ctx context.Context, creditorID int64, ids []int64) (map[int64]LockedInvoice, error) {
	var rows []LockedInvoice
	err := forUpdate(tx.with(ctx)).Model(&models.Invoice{}).Where("id IN ? AND creditor_id = ?", ids, creditorID).Order("id").Find(&rows).Error
	locked := make(map[int64]LockedInvoice, len(rows))
	for _, row := range rows {
		locked[row.ID] = row
	}
	return locked, classify(err, "")
}

// CreateInvoices writes new invoices with the lines of each and sets their IDs and CreatedAt.
func (tx *Tx) CreateInvoices(ctx context.Context, invoices []models.Invoice, lines [][]models.Line) error {
	for n := range invoices {
		i := &invoices[n]
		i.CreatedAt = tx.Now
		i.Search, i.SearchDigit = documentSearch(i.Recipient)
	}
	if err := tx.insert(ctx, &invoices); err != nil {
		return err
	}
	var all []models.Line
	for n, i := range invoices {
		for k := range lines[n] {
			lines[n][k].InvoiceID = i.ID
		}
		all = append(all, lines[n]...)
	}
	return tx.insert(ctx, &all)
}

// FollowInvoice writes what follows an invoice: notices, deadline, closing, hand-over and hold. The
// caller has locked it. Its balance is RefreshBalances' alone, its PDF SetPDF's.
func (tx *Tx) FollowInvoice(ctx context.Context, i models.Invoice) error {
	return tx.update(ctx, &models.Invoice{}, map[string]any{
		"notices": i.Notices, "warned": i.Warned, "deadline": i.Deadline, "closed": i.Closed, "handed_over": i.HandedOver,
		"hold_held": i.Hold.Held, "hold_until": i.Hold.Until, "hold_reason": i.Hold.Reason, "hold_comment": i.Hold.Comment,
	}, "id = ?", i.ID)
}

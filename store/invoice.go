package store

import (
	"context"
	"strconv"
	"strings"

	"gorm.io/gorm"

	"purr/models"
)

// InvoiceFilter narrows a list of invoices. The zero filter takes all.
type InvoiceFilter struct {
	CustomerID int64
	Search     string // the number, or a part of the recipient's names (rule D19)
	Issued     Dates
	Statuses   []models.Status // nil takes all
	Today      models.Date     // the day the statuses are of
}

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

// Invoices returns a page of the creditor's invoices and the number of all that the filter takes.
func (r reads) Invoices(ctx context.Context, creditorID int64, f InvoiceFilter, p Page) ([]models.Invoice, int64, error) {
	g := f.Issued.apply(r.with(ctx).Where("creditor_id = ?", creditorID), "issue_date")
	if f.CustomerID != 0 {
		g = g.Where("customer_id = ?", f.CustomerID)
	}
	g = searchDocuments(g, f.Search)
	if f.Statuses != nil {
		g = inWindows(g, f.Statuses, f.Today)
	}
	return find[models.Invoice](ctx, g, p)
}

// searchDocuments narrows to a number or a part of the recipient's names (rule D19).
func searchDocuments(g *gorm.DB, search string) *gorm.DB {
	if search == "" {
		return g
	}
	number, err := strconv.ParseUint(search, 10, 63) // takes no sign
	if err != nil {
		return contains(g, search)
	}
	return g.Where("(number = ? OR search LIKE ? ESCAPE '!')", number, likePattern(search))
}

// inWindows narrows to the invoices that have one of the statuses today: spans of the index
// (creditor_id, stage, deadline). SQLite takes the index for the stages, though not for the spans.
func inWindows(g *gorm.DB, statuses []models.Status, today models.Date) *gorm.DB {
	stages := make([]models.Stage, len(statuses))
	terms := make([]string, len(statuses))
	var args []any
	for i, s := range statuses {
		w := s.Window(today)
		stages[i], terms[i] = w.Stage, "stage = ?"
		args = append(args, w.Stage)
		if w.From != 0 {
			terms[i] += " AND deadline >= ?"
			args = append(args, w.From)
		}
		if w.To != 0 {
			terms[i] += " AND deadline <= ?"
			args = append(args, w.To)
		}
	}
	return g.Where("stage IN ?", stages).Where("("+strings.Join(terms, " OR ")+")", args...)
}

// InvoicesIn returns up to limit invoices of the creditor in a stage with a deadline in the window,
// after the one with the given deadline and ID, ordered by these two.
func (r reads) InvoicesIn(ctx context.Context, creditorID int64, w models.Window, after models.Invoice, limit int) ([]models.Invoice, error) {
	g := r.with(ctx).Where("creditor_id = ? AND stage = ?", creditorID, w.Stage)
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

// LockInvoices locks the creditor's invoices with the IDs, in order of ID, and returns the customer of
// each, by the invoice's ID.
func (tx *Tx) LockInvoices(ctx context.Context, creditorID int64, ids []int64) (customers map[int64]int64, err error) {
	var rows []struct{ ID, CustomerID int64 }
	err = forUpdate(tx.with(ctx)).Model(&models.Invoice{}).Where("id IN ? AND creditor_id = ?", ids, creditorID).Order("id").Find(&rows).Error
	customers = make(map[int64]int64, len(rows))
	for _, row := range rows {
		customers[row.ID] = row.CustomerID
	}
	return customers, classify(err, "")
}

// CreateInvoice writes a new invoice with its lines and sets their IDs and CreatedAt.
func (tx *Tx) CreateInvoice(ctx context.Context, i *models.Invoice, lines []models.Line) error {
	i.CreatedAt = tx.Now
	i.Search = documentSearch(i.Recipient)
	if err := tx.insert(ctx, i); err != nil {
		return err
	}
	for n := range lines {
		lines[n].InvoiceID = i.ID
	}
	return tx.insert(ctx, &lines)
}

// FollowInvoice writes what follows an invoice: notices, deadline, closing, hand-over and hold. The
// caller has locked it. Its balance is RefreshBalances' alone, its PDF SetPDF's.
func (tx *Tx) FollowInvoice(ctx context.Context, i models.Invoice) error {
	return tx.update(ctx, &models.Invoice{}, map[string]any{
		"notices": i.Notices, "warned": i.Warned, "deadline": i.Deadline, "closed": i.Closed, "handed_over": i.HandedOver,
		"hold_held": i.Hold.Held, "hold_until": i.Hold.Until, "hold_comment": i.Hold.Comment,
	}, "id = ?", i.ID)
}

func documentSearch(r models.Recipient) string { return models.SearchText(r.Name1, r.Name2) }

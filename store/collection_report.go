package store

import (
	"context"

	"gorm.io/gorm"

	"purr/models"
)

// withCollector are the states of hand-overs that the debt collector has, or is about to get.
var withCollector = []models.HandOverState{models.BundleOwed, models.BundleDelivered}

// CollectionReports returns what the collector told of the creditor's hand-overs with the IDs, by hand-over, the first first.
func (r reads) CollectionReports(ctx context.Context, creditorID int64, handOverIDs []int64) (map[int64][]models.CollectionReport, error) {
	reports := r.with(ctx).Where("hand_over_id IN ? AND creditor_id = ?", handOverIDs, creditorID).Order("id")
	return readGroups(reports, func(c models.CollectionReport) int64 { return c.HandOverID })
}

// HandOversByID returns those of the creditor's hand-overs with the IDs, by ID.
func (r reads) HandOversByID(ctx context.Context, creditorID int64, ids []int64) (map[int64]models.HandOver, error) {
	return readBy(r.with(ctx).Where("id IN ? AND creditor_id = ?", ids, creditorID), func(h models.HandOver) int64 { return h.ID })
}

// LastHandOvers returns the last hand-over of each of the creditor's invoices with the IDs that ever was handed over, by invoice.
func (r reads) LastHandOvers(ctx context.Context, creditorID int64, invoiceIDs []int64) (map[int64]models.HandOver, error) {
	all := r.with(ctx).Where("invoice_id IN ? AND creditor_id = ?", invoiceIDs, creditorID).Order("id")
	return readBy(all, func(h models.HandOver) int64 { return h.InvoiceID })
}

// InvoicesNumbered returns those of the creditor's invoices with the numbers, by number.
func (r reads) InvoicesNumbered(ctx context.Context, creditorID int64, numbers []int64) (map[int64]models.Invoice, error) {
	return readBy(r.with(ctx).Where("creditor_id = ? AND number IN ?", creditorID, numbers), func(i models.Invoice) int64 { return i.Number })
}

// CreditorsOfHandOver returns the creditors that a collector may mean who names a hand-over by its ID, or, where that is zero, an invoice
// by its number: those that have handed such an invoice over.
func (r reads) CreditorsOfHandOver(ctx context.Context, handOverID, number int64) ([]int64, error) {
	if handOverID != 0 {
		return scan[[]int64](r.with(ctx).Raw("SELECT creditor_id FROM hand_overs WHERE id = ?", handOverID))
	}
	return scan[[]int64](r.with(ctx).Raw(`SELECT DISTINCT i.creditor_id FROM invoices i JOIN hand_overs h ON h.invoice_id = i.id
		WHERE i.number = ? ORDER BY i.creditor_id LIMIT 2`, number))
}

// lastReport is what the collector told last of a hand-over h.
const lastReport = "COALESCE((SELECT r.state FROM collection_reports r WHERE r.hand_over_id = h.id ORDER BY r.id DESC LIMIT 1), '')"

// CollectionFilter narrows a list of what the collector has. The zero filter takes all.
type CollectionFilter struct {
	Reported []models.CollectionState // what was told last of them; an empty state stands for those of which nothing was told
	After    int64                    // hand-overs with higher IDs only
	Before   int64                    // hand-overs with lower IDs only; 0 takes all
	Open     bool                     // only claims on which something is owed, and that nobody has closed
}

func (f CollectionFilter) of(g *gorm.DB, creditorID int64) *gorm.DB {
	g = g.Table("hand_overs AS h").Where("h.creditor_id = ? AND h.state IN ?", creditorID, withCollector)
	if f.Reported != nil {
		g = g.Where(lastReport+" IN ?", f.Reported)
	}
	if f.After != 0 {
		g = g.Where("h.id > ?", f.After)
	}
	if f.Before != 0 {
		g = g.Where("h.id < ?", f.Before)
	}
	if f.Open {
		g = g.Joins("JOIN invoices i ON i.id = h.invoice_id").Where("i.closed = '' AND i.balance > i.repayment_owed AND i.handed_over IS NOT NULL")
	}
	return g
}

// Collections returns a page of the creditor's hand-overs that the collector has, or is about to get, the newest first, and the number of
// all of them.
func (r reads) Collections(ctx context.Context, creditorID int64, f CollectionFilter, p Page) ([]models.HandOver, int64, error) {
	total, err := count(f.of(r.with(ctx), creditorID))
	if err != nil || p.beyond(total) {
		return nil, total, err
	}
	page := f.of(r.with(ctx), creditorID).Select("h.*").Order("h.id DESC").Limit(p.Size).Offset((p.Number - 1) * p.Size)
	found, err := scan[[]models.HandOver](page)
	return found, total, err
}

// CreateCollectionReport writes a new report and sets its ID.
func (tx *Tx) CreateCollectionReport(ctx context.Context, c *models.CollectionReport) error {
	c.CreatedAt = tx.Now
	return tx.insert(ctx, c)
}

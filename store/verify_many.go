package store

import (
	"context"
	"strings"

	"purr/models"
)

// bookTables are the tables whose rows a creditor's books are made of.
var bookTables = []string{
	"invoices", "credit_notes", "overdue_notices", "hand_overs", "statements", "entries", "shipments", "unmatched_payments", "payment_file_parts",
	"collection_reports", "direct_entries", "collector_files", "list_days", "booked_days", "deleted_entries", "invoice_texts", "lost_numbers",
}

// WithBooks returns those of some creditors whose books hold anything, or whose number series does not begin at its first number. Of the
// others there is nothing to prove: an installation has many of them (rule D113). The caller asks about a few hundred at once.
func (r reads) WithBooks(ctx context.Context, ids []int64) ([]int64, error) {
	var holds []string
	for _, table := range bookTables {
		holds = append(holds, "EXISTS (SELECT 1 FROM "+table+" b WHERE b.creditor_id = c.id)")
	}
	logged := " b WHERE b.creditor_id = c.id AND b.type IN ?)"
	holds = append(holds, "EXISTS (SELECT 1 FROM events"+logged, "EXISTS (SELECT 1 FROM new_events"+logged,
		"NOT EXISTS (SELECT 1 FROM number_series s WHERE s.creditor_id = c.id AND s.next_number = c.first_number)")
	made := []models.EventType{models.EventInvoiceCreated, models.EventInvoiceAdopted, models.EventCreditNoteCreated, models.EventNoticeCreated}
	return scan[[]int64](r.with(ctx).Raw("SELECT c.id FROM creditors c WHERE c.id IN ? AND ("+strings.Join(holds, " OR ")+") ORDER BY c.id", ids, made, made))
}

// WithNotices returns the IDs of the creditors that have issued a notice.
func (r reads) WithNotices(ctx context.Context) (map[int64]bool, error) {
	ids, err := scan[[]int64](r.with(ctx).Raw("SELECT c.id FROM creditors c WHERE EXISTS (SELECT 1 FROM overdue_notices n WHERE n.creditor_id = c.id)"))
	if err != nil {
		return nil, err
	}
	noticed := make(map[int64]bool, len(ids))
	for _, id := range ids {
		noticed[id] = true
	}
	return noticed, nil
}

// RunsAfterOf returns the runs of some creditors whose business date is after the date (rule O12), up to 100 times as many as there are
// creditors. The caller asks about a few hundred at once.
func (r reads) RunsAfterOf(ctx context.Context, ids []int64, date models.Date) ([]models.Run, error) {
	return readAll[models.Run](r.with(ctx).Where("creditor_id IN ? AND kind IN ? AND business_date > ?", ids, models.RunKinds, date).
		Order("creditor_id, business_date, id").Limit(100 * len(ids)))
}

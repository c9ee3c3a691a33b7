package store

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"gorm.io/gorm"

	"purr/models"
)

// FreeCredit returns the free credit of each of the creditor's customers with the IDs, in øre above zero: what was overpaid
// on invoices, and what is outstanding on credit notes (rule L5), without what is reserved for repayments (rule N12). It leaves out
// customers who have none.
func (r reads) FreeCredit(ctx context.Context, creditorID int64, customerIDs []int64) (map[int64]models.Amount, error) {
	type row struct {
		CustomerID int64
		Free       models.Amount
	}
	invoices := r.withFree(ctx, creditorID).Select("customer_id, free").Where("customer_id IN ?", customerIDs)
	notes := r.outstanding(ctx, creditorID).Select("customer_id, -balance").Where("customer_id IN ?", customerIDs)
	reserved := r.reservations(ctx, creditorID).Select("customer_id, -amount").Where("customer_id IN ?", customerIDs)
	rows, err := scan[[]row](r.with(ctx).Raw("SELECT customer_id, SUM(free) AS free FROM (? UNION ALL ? UNION ALL ?) AS credits GROUP BY customer_id HAVING SUM(free) > 0",
		invoices, notes, reserved))
	if err != nil {
		return nil, err
	}
	free := make(map[int64]models.Amount, len(rows))
	for _, row := range rows {
		free[row.CustomerID] = row.Free
	}
	return free, nil
}

// withFree begins a query on the creditor's invoices with free credit: what was paid beyond all that is owed, or beyond what a run has
// written off (models.Invoice.Free, rules L5, L25).
func (r reads) withFree(ctx context.Context, creditorID int64) *gorm.DB {
	return r.from(ctx, "invoices", "invoices_free").Where("creditor_id = ? AND free > 0", creditorID)
}

// outstanding begins a query on the creditor's credit notes with credit outstanding.
func (r reads) outstanding(ctx context.Context, creditorID int64) *gorm.DB {
	return r.from(ctx, "credit_notes", "credit_notes_credit").Where("creditor_id = ? AND balance < 0", creditorID)
}

// CustomersWithCredit returns the IDs of up to limit of the creditor's customers who have free credit, in order, after an
// ID.
func (r reads) CustomersWithCredit(ctx context.Context, creditorID, after int64, limit int) ([]int64, error) {
	of := func(documents *gorm.DB) *gorm.DB {
		return documents.Select("customer_id").Where("customer_id > ?", after)
	}
	return scan[[]int64](r.with(ctx).Raw(limited("SELECT customer_id FROM (? UNION ?) AS credits ORDER BY customer_id", limit),
		of(r.withFree(ctx, creditorID)), of(r.outstanding(ctx, creditorID))))
}

// InvoicesWithBalance returns all invoices of the creditor's customers on which something is owed, or free credit is, in order of
// ID.
func (r reads) InvoicesWithBalance(ctx context.Context, creditorID int64, customerIDs ...int64) ([]models.Invoice, error) {
	free := r.withFree(ctx, creditorID).Select("id").Where("customer_id IN ?", customerIDs)
	owing := r.from(ctx, "invoices", "invoices_credit").Select("id").Where("creditor_id = ? AND customer_id IN ? AND balance > 0", creditorID, customerIDs)
	found := r.with(ctx).Raw("? UNION ?", free, owing)
	return readAll[models.Invoice](r.with(ctx).Joins("JOIN (?) AS found USING (id)", found).Order("id"))
}

// CreditNotesWithBalance returns all credit notes of the creditor's customers with credit outstanding, in order of ID.
func (r reads) CreditNotesWithBalance(ctx context.Context, creditorID int64, customerIDs ...int64) ([]models.CreditNote, error) {
	return readAll[models.CreditNote](r.from(ctx, "credit_notes", "credit_notes_credit").
		Where("creditor_id = ? AND customer_id IN ? AND balance < 0", creditorID, customerIDs).Order("id"))
}

// MovedTo returns the entry that brings the credit of a move to another document, given the entry that took it away, and
// false if the entry moved no credit (rule L5).
func (r reads) MovedTo(ctx context.Context, away models.Entry) (models.Entry, bool, error) {
	return readFirst[models.Entry](r.with(ctx).Where("customer_id = ? AND moved_from = ?", cmp.Or(away.MovedTo, away.CustomerID), away.ID))
}

// FreeCreditOn returns the free credit that the notice's customer had on other documents when the notice was issued, as is known
// now: of the money on each what was booked before the entry with the ID, the notice's first, or is dated before the notice; of the
// charges what was booked before and is not reversed since (rules L5, D97). What was reserved then for a repayment that was not taken
// back is not free (rule N12).
func (r reads) FreeCreditOn(ctx context.Context, n models.Notice, entryID int64) (free models.Amount, err error) {
	charges := []models.EntryType{models.EntryOverdueCharge, models.EntryInterest}
	var money, then, now models.Amount
	// What a run has written off is not owed (rule L25).
	sums := r.with(ctx).Raw(`SELECT SUM(CASE WHEN type IN ? THEN 0 WHEN id < ? OR transaction_date < ? THEN amount ELSE 0 END) - COALESCE((SELECT i.written_off FROM invoices i WHERE i.id = e.invoice_id AND e.credit_note_id = 0), 0) AS money,
		SUM(CASE WHEN type IN ? AND id < ? THEN amount ELSE 0 END) AS charged_then, SUM(CASE WHEN type IN ? THEN amount ELSE 0 END) AS charged_now
		FROM entries e WHERE customer_id = ? AND creditor_id = ? AND (invoice_id <> ? OR credit_note_id <> 0) GROUP BY invoice_id, credit_note_id`,
		charges, entryID, n.IssueDate, charges, entryID, charges, n.CustomerID, n.CreditorID, n.InvoiceID)
	if err = eachRow(sums, func() { free += max(-money-max(min(then, now), 0), 0) }, &money, &then, &now); err != nil || free == 0 {
		return free, err
	}
	reserved, err := r.reservedAt(ctx, n)
	if err != nil {
		return 0, err
	}
	return max(free-reserved, 0), nil
}

// reservedAt returns how much of the free credit of a notice's customer was reserved for repayments when the notice was issued.
func (r reads) reservedAt(ctx context.Context, n models.Notice) (models.Amount, error) {
	return scan[models.Amount](r.with(ctx).Model(&models.Repayment{}).Select("COALESCE(SUM(amount), 0)").
		Where("creditor_id = ? AND customer_id = ? AND state IN ?", n.CreditorID, n.CustomerID, []models.RepaymentState{models.RepaymentWaiting, models.RepaymentInFile, models.RepaymentPaid}).
		Where("created_at <= ? AND (paid_at IS NULL OR paid_at > ?)", n.CreatedAt, n.CreatedAt))
}

// NoticedBesides returns the invoices with notices of the customers who have paid too much on some of the creditor's invoices, given
// by ID with a day. Each has the earliest of the days of its customer's.
func (r reads) NoticedBesides(ctx context.Context, creditorID int64, paid map[int64]models.Date) (map[int64]models.Date, error) {
	type row struct{ ID, CustomerID int64 }
	overpaid, err := scan[[]row](r.with(ctx).Model(&models.Invoice{}).Select("id, customer_id").
		Where("creditor_id = ? AND id IN ? AND free > 0", creditorID, slices.Sorted(maps.Keys(paid))))
	if err != nil || len(overpaid) == 0 {
		return nil, err
	}
	days := map[int64]models.Date{}
	for _, i := range overpaid {
		if day, met := days[i.CustomerID]; !met || paid[i.ID] < day {
			days[i.CustomerID] = paid[i.ID]
		}
	}
	noticed, err := scan[[]row](r.with(ctx).Model(&models.Invoice{}).Select("id, customer_id").
		Where("creditor_id = ? AND customer_id IN ? AND notices > 0", creditorID, slices.Sorted(maps.Keys(days))))
	if err != nil {
		return nil, err
	}
	found := map[int64]models.Date{}
	for _, i := range noticed {
		found[i.ID] = days[i.CustomerID]
	}
	return found, nil
}

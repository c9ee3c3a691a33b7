package store

import (
	"context"

	"purr/models"
)

var noticesOf = selecting[models.Notice]("FROM overdue_notices WHERE invoice_id = ? AND withdrawn IS NULL ORDER BY sequence")

// NoticeFilter narrows a list of overdue notices. The zero filter takes all.
type NoticeFilter struct{ Issued Dates }

// Notice returns one overdue notice of the creditor.
func (r reads) Notice(ctx context.Context, creditorID, id int64) (models.Notice, error) {
	return readOne[models.Notice](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "overdue notice")
}

// NoticesByID returns the creditor's overdue notices with the IDs, by ID.
func (r reads) NoticesByID(ctx context.Context, creditorID int64, ids []int64) (map[int64]models.Notice, error) {
	return readBy(r.with(ctx).Where("id IN ? AND creditor_id = ?", ids, creditorID), func(n models.Notice) int64 { return n.ID })
}

// InvoicesOfNotices returns the IDs of the invoices that the creditor's notices with the IDs are on.
func (r reads) InvoicesOfNotices(ctx context.Context, creditorID int64, noticeIDs []int64) ([]int64, error) {
	return scan[[]int64](r.with(ctx).Model(&models.Notice{}).Select("invoice_id").Where("id IN ? AND creditor_id = ?", noticeIDs, creditorID))
}

// NoticesOf returns an invoice's overdue notices in order, without those that were withdrawn.
func (r reads) NoticesOf(ctx context.Context, invoiceID int64) ([]models.Notice, error) {
	return noticesOf.all(ctx, r, invoiceID)
}

// NoticesOfInvoices does for several invoices what NoticesOf does for one, by the invoice's ID.
func (r reads) NoticesOfInvoices(ctx context.Context, invoiceIDs []int64) (map[int64][]models.Notice, error) {
	notices := r.with(ctx).Where("invoice_id IN ? AND withdrawn IS NULL", invoiceIDs).Order("sequence")
	return readGroups(notices, func(n models.Notice) int64 { return n.InvoiceID })
}

// RecalculationsOf returns the recalculations of notices, oldest first.
func (r reads) RecalculationsOf(ctx context.Context, noticeIDs ...int64) ([]models.Recalculation, error) {
	if len(noticeIDs) == 0 {
		return nil, nil
	}
	return readAll[models.Recalculation](r.with(ctx).Where("notice_id IN ?", noticeIDs).Order("id"))
}

// ReplacementOf returns the notice that took the place of a withdrawn one, and false if none did (rule L13a).
func (r reads) ReplacementOf(ctx context.Context, n models.Notice) (models.Notice, bool, error) {
	return readFirst[models.Notice](r.with(ctx).
		Where("invoice_id = ? AND withdrawn IS NULL AND sequence = ? AND id > ?", n.InvoiceID, n.Sequence, n.ID))
}

// NoticesBefore returns how many notices stood in the place of this one before, and were withdrawn. Nothing changes it.
func (r reads) NoticesBefore(ctx context.Context, n models.Notice) (int, error) {
	before, err := count(r.with(ctx).Model(&models.Notice{}).Where("invoice_id = ? AND sequence = ? AND id < ?", n.InvoiceID, n.Sequence, n.ID))
	return int(before), err
}

// NoticeLines returns a notice's lines in order.
func (r reads) NoticeLines(ctx context.Context, noticeID int64) ([]models.NoticeLine, error) {
	return readAll[models.NoticeLine](r.with(ctx).Where("notice_id = ?", noticeID).Order("position"))
}

// LinesOfNotices does for several notices what NoticeLines does for one, by the notice's ID.
func (r reads) LinesOfNotices(ctx context.Context, noticeIDs []int64) (map[int64][]models.NoticeLine, error) {
	return readGroups(r.with(ctx).Where("notice_id IN ?", noticeIDs).Order("position"), func(l models.NoticeLine) int64 { return l.NoticeID })
}

// Notices returns a page of the creditor's overdue notices that the filter takes, and the number of all of them. It leaves
// out those that were withdrawn (rule L13a).
func (r reads) Notices(ctx context.Context, creditorID int64, f NoticeFilter, p Page) ([]models.Notice, int64, error) {
	g := f.Issued.apply(r.with(ctx).Where("creditor_id = ? AND withdrawn IS NULL", creditorID), "issue_date")
	return find[models.Notice](ctx, g, p)
}

// CreateNotices writes new notices with the lines of each and sets their IDs and CreatedAt.
func (tx *Tx) CreateNotices(ctx context.Context, notices []models.Notice, lines [][]models.NoticeLine) error {
	for i := range notices {
		notices[i].CreatedAt = tx.Now
	}
	if err := tx.insert(ctx, &notices); err != nil {
		return err
	}
	var all []models.NoticeLine
	for i, n := range notices {
		for k := range lines[i] {
			lines[i][k].NoticeID = n.ID
		}
		all = append(all, lines[i]...)
	}
	return tx.add(ctx, &all)
}

// CreateRecalculations writes new recalculations of notices and sets their IDs and At.
func (tx *Tx) CreateRecalculations(ctx context.Context, recalculations []models.Recalculation) error {
	for i := range recalculations {
		recalculations[i].At = tx.Now
	}
	return tx.insert(ctx, &recalculations)
}

// ApplyNotices updates the invoices of new notices: their number of notices, their deadline, and whether the last
// notice is a warning. The caller has locked the invoices. RefreshBalances updates their balances.
func (tx *Tx) ApplyNotices(ctx context.Context, notices []models.Notice) error {
	type state struct { // of an invoice after its notice
		notices  int
		warned   bool
		deadline models.Date
	}
	alike := map[state][]int64{}
	for _, n := range notices {
		l := state{n.Sequence, n.Warning, n.RunsUntil()}
		alike[l] = append(alike[l], n.InvoiceID)
	}
	for l, ids := range alike {
		set := map[string]any{"notices": l.notices, "warned": l.warned, "deadline": l.deadline}
		if err := tx.set(ctx, &models.Invoice{}, set, "id IN ?", ids); err != nil {
			return err
		}
	}
	return nil
}

// SetCountsUntil writes until when a notice runs whose letter left late (rule D94). The caller has locked its invoice, and
// writes the invoice's deadline.
func (tx *Tx) SetCountsUntil(ctx context.Context, noticeID int64, until models.Date) error {
	return tx.set(ctx, &models.Notice{}, map[string]any{"counts_until": until}, "id = ?", noticeID)
}

// WithdrawNotice withdraws a notice, on a day. Its shipments stay as they are: WithdrawLetters withdraws them.
func (tx *Tx) WithdrawNotice(ctx context.Context, n models.Notice, on models.Date) error {
	return tx.set(ctx, &models.Notice{}, map[string]any{"withdrawn": on}, "id = ?", n.ID)
}

// FriendlyReminders returns those of the invoices for which a run of the day has owed a friendly reminder, whatever became of it (rule L14).
func (r reads) FriendlyReminders(ctx context.Context, invoiceIDs []int64, on models.Date) ([]int64, error) {
	return scan[[]int64](r.with(ctx).Model(&models.Shipment{}).Select("document_id").
		Where("document_kind = ? AND document_id IN ? AND friendly = ?", models.InvoiceDocument, invoiceIDs, on))
}

// NoticesToIssueAnew returns the creditor's reminders that are to be issued anew on paper on a day, oldest first (rule L22).
func (r reads) NoticesToIssueAnew(ctx context.Context, creditorID int64, on models.Date) ([]models.Notice, error) {
	return readAll[models.Notice](r.with(ctx).Where("creditor_id = ? AND anew_from <= ?", creditorID, on).Order("id"))
}

// IssueAnewFrom writes from which day on a withdrawn notice is issued anew on paper; zero if it is not, or was. The caller has locked its
// invoice.
func (tx *Tx) IssueAnewFrom(ctx context.Context, noticeID int64, day models.Date) error {
	return tx.set(ctx, &models.Notice{}, map[string]any{"anew_from": day}, "id = ?", noticeID)
}

// WithdrawCopies withdraws a notice's copies that are owed, and that nobody has in hand or has accepted.
func (tx *Tx) WithdrawCopies(ctx context.Context, noticeID int64) error {
	return tx.set(ctx, &models.Shipment{}, map[string]any{"state": models.ShipmentWithdrawn},
		"document_kind = ? AND document_id = ? AND copy = ? AND state = ? AND taken_by = '' AND receipt = ''", models.NoticeDocument, noticeID, true, models.ShipmentOwed)
}

// WithdrawTimeLetters withdraws an invoice's letters of more time that are owed or failed, and that nobody has in hand or has accepted
// (rule N11). It reports whether there were any.
func (tx *Tx) WithdrawTimeLetters(ctx context.Context, invoiceID int64) (bool, error) {
	n, err := tx.setSome(ctx, &models.Shipment{}, map[string]any{"state": models.ShipmentWithdrawn},
		"document_kind = ? AND document_id = ? AND more_time IS NOT NULL AND state IN ? AND taken_by = '' AND batch_id = 0 AND receipt = ''",
		models.InvoiceDocument, invoiceID, unsentStates)
	if err != nil {
		return false, err
	}
	return n > 0, nil
}

// WithdrawLetters withdraws a notice's shipments that are owed or failed (rule E6f).
func (tx *Tx) WithdrawLetters(ctx context.Context, noticeID int64) error {
	return tx.set(ctx, &models.Shipment{}, map[string]any{"state": models.ShipmentWithdrawn},
		"document_kind = ? AND document_id = ? AND state IN ?", models.NoticeDocument, noticeID, unsentStates)
}

package store

import (
	"context"
	"time"

	"purr/models"
)

// Shipment returns one shipment of any creditor: jobs and the command line know a shipment by its ID alone.
func (r reads) Shipment(ctx context.Context, id int64) (models.Shipment, error) {
	return readOne[models.Shipment](r.with(ctx).Where("id = ?", id), "shipment")
}

// ShipmentsByID returns those of the shipments that exist, by ID, of any creditor.
func (r reads) ShipmentsByID(ctx context.Context, ids []int64) (map[int64]models.Shipment, error) {
	return readBy(r.with(ctx).Where("id IN ?", ids), func(s models.Shipment) int64 { return s.ID })
}

// ShipmentsOf returns a document's shipments, the original first.
func (r reads) ShipmentsOf(ctx context.Context, d models.Document) ([]models.Shipment, error) {
	return readAll[models.Shipment](r.with(ctx).Where("document_kind = ? AND document_id = ?", d.Kind, d.ID).Order("id"))
}

// OriginalsOf returns the shipments of the invoices that are no copies, by the invoice's ID.
func (r reads) OriginalsOf(ctx context.Context, invoiceIDs []int64) (map[int64][]models.Shipment, error) {
	originals := r.with(ctx).Where("document_kind = ? AND document_id IN ? AND NOT copy", models.InvoiceDocument, invoiceIDs).Order("id")
	return readGroups(originals, func(s models.Shipment) int64 { return s.DocumentID })
}

// NoticeLetter is the letter of a notice, with what dunning needs to know of the notice.
type NoticeLetter struct {
	InvoiceID int64
	NoticeID  int64
	Sequence  int         // the notice's
	IssueDate models.Date // the notice's
	Withdrawn models.Date // the notice's, or zero
	State     models.ShipmentState
	SentAt    *time.Time
	Failure   string
}

// LettersOf returns the letters of the invoices' notices by the invoice's ID, in order of the notices. Of a notice that
// was withdrawn it returns only letters that are owed or failed: a person may have them sent again (rule L2).
func (r reads) LettersOf(ctx context.Context, invoiceIDs []int64) (map[int64][]NoticeLetter, error) {
	letters := r.with(ctx).Table("overdue_notices AS n").
		Select("n.invoice_id, n.id AS notice_id, n.sequence, n.issue_date, n.withdrawn, s.state, s.sent_at, s.failure").
		Joins("JOIN shipments s ON s.document_kind = ? AND s.document_id = n.id", models.NoticeDocument).
		Where("n.invoice_id IN ? AND (n.withdrawn IS NULL OR s.state IN ?)", invoiceIDs, unsentStates).
		Order("n.sequence, n.id, s.id")
	return readGroups(letters, func(l NoticeLetter) int64 { return l.InvoiceID })
}

// unsentStates are the states of shipments that have not left and still can.
var unsentStates = []models.ShipmentState{models.ShipmentOwed, models.ShipmentFailed}

// FailedLetters returns the letters of the creditor's notices that failed, oldest first.
func (r reads) FailedLetters(ctx context.Context, creditorID int64) ([]models.Shipment, error) {
	return readAll[models.Shipment](r.with(ctx).
		Where("state = ? AND creditor_id = ? AND document_kind = ?", models.ShipmentFailed, creditorID, models.NoticeDocument).Order("id"))
}

// FailedShipments returns the shipments that failed permanently and wait for a person, oldest first.
func (r reads) FailedShipments(ctx context.Context) ([]models.Shipment, error) {
	return readAll[models.Shipment](r.with(ctx).Where("state = ?", models.ShipmentFailed).Order("id"))
}

// CreditorsToShip returns the creditors with shipments that are due by the moment and that nobody has in hand.
func (r reads) CreditorsToShip(ctx context.Context, by time.Time) (ids []int64, err error) {
	const due = "EXISTS (SELECT 1 FROM shipments s WHERE s.state = ? AND s.creditor_id = creditors.id AND s.next_attempt <= ? AND s.taken_by = '')"
	return scan[[]int64](r.with(ctx).Model(&models.Creditor{}).Select("id").Where(due, models.ShipmentOwed, by).Order("id"))
}

// DueShipments returns up to limit shipments of the creditor that go by one of the methods, are due by the moment, and
// that nobody has in hand, the longest due first.
func (r reads) DueShipments(ctx context.Context, creditorID int64, by time.Time, limit int, methods ...models.ShipmentMethod) ([]models.Shipment, error) {
	return readAll[models.Shipment](r.with(ctx).
		Where("state = ? AND creditor_id = ? AND next_attempt <= ? AND taken_by = '' AND method IN ?", models.ShipmentOwed, creditorID, by, methods).
		Order("next_attempt, id").Limit(limit))
}

// NextShipment returns when the next owed shipment is due, and false if none is owed.
func (r reads) NextShipment(ctx context.Context) (time.Time, bool, error) {
	s, found, err := readFirst[models.Shipment](r.with(ctx).Where("state = ? AND taken_by = ''", models.ShipmentOwed).Order("next_attempt"))
	if err != nil {
		return time.Time{}, false, err
	}
	return s.NextAttempt, found, nil
}

// LockShipment reads a shipment and locks it until the transaction ends.
func (tx *Tx) LockShipment(ctx context.Context, id int64) (models.Shipment, error) {
	return readOne[models.Shipment](forUpdate(tx.with(ctx)).Where("id = ?", id), "shipment")
}

// CreateShipments writes new shipments and sets their IDs. They are owed at once.
func (tx *Tx) CreateShipments(ctx context.Context, ss []models.Shipment) error {
	for i := range ss {
		ss[i].State, ss[i].NextAttempt, ss[i].CreatedAt = models.ShipmentOwed, tx.Common, tx.Now
	}
	return tx.insert(ctx, &ss)
}

// UpdateShipment writes all fields of a shipment, which the caller has locked.
func (tx *Tx) UpdateShipment(ctx context.Context, s models.Shipment) error {
	return classify(tx.with(ctx).Save(&s).Error, "")
}

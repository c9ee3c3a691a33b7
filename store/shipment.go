package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"purr/internal/tracing"
	"purr/models"
)

// Shipment returns one shipment of any creditor: jobs and the command line know a shipment by its ID alone.
func (r reads) Shipment(ctx context.Context, id int64) (models.Shipment, error) {
	return readOne[models.Shipment](r.with(ctx).Where("id = ?", id), "shipment")
}

// CreditorShipment returns one shipment of the creditor.
func (r reads) CreditorShipment(ctx context.Context, creditorID, id int64) (models.Shipment, error) {
	return readOne[models.Shipment](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "shipment")
}

// ShipmentFilter narrows a list of shipments. The zero filter takes all.
type ShipmentFilter struct {
	Document models.Document
	States   []models.ShipmentState
	Method   models.ShipmentMethod
	Pending  bool  // of those that failed or came back, only what a person can still bring further
	Before   int64 // only those with a lower ID; zero takes all
}

// Shipments returns a page of the creditor's shipments that the filter takes, and the number of all of them.
func (r reads) Shipments(ctx context.Context, creditorID int64, f ShipmentFilter, p Page) ([]models.Shipment, int64, error) {
	return find[models.Shipment](ctx, f.of(ctx, r, creditorID), p)
}

// of returns the query of the creditor's shipments that the filter takes. Most shipments have left, so those are found in
// the order of their IDs; the few of any other state are found by their state.
func (f ShipmentFilter) of(ctx context.Context, r reads, creditorID int64) *gorm.DB {
	index := "shipments_list"
	switch {
	case f.Document != models.Document{}:
		index = "shipments_document"
	case len(f.States) > 0 && !slices.ContainsFunc(f.States, models.ShipmentState.HasLeft):
		index = "shipments_turns"
	}
	g := r.from(ctx, "shipments", index).Where("creditor_id = ?", creditorID)
	if d := f.Document; d != (models.Document{}) {
		g = g.Where("document_kind = ? AND document_id = ?", d.Kind, d.ID)
	}
	if len(f.States) > 0 {
		g = g.Where("state IN ?", f.States)
	}
	if f.Method != "" {
		g = g.Where("method = ?", f.Method)
	}
	if f.Pending {
		g = g.Where(pending)
	}
	if f.Before != 0 {
		g = g.Where("id < ?", f.Before)
	}
	return g
}

// NewestShipments returns the creditor's newest shipments that the filter takes, up to limit, oldest first.
func (r reads) NewestShipments(ctx context.Context, creditorID int64, f ShipmentFilter, limit int) ([]models.Shipment, error) {
	found, err := readAll[models.Shipment](f.of(ctx, r, creditorID).Order("id DESC").Limit(limit))
	if err != nil {
		return nil, err
	}
	slices.Reverse(found)
	return found, nil
}

// CountShipmentsOf counts the creditor's shipments in each of the states that a person can still bring further.
// Few shipments are in these states: do not ask for those that have left.
func (r reads) CountShipmentsOf(ctx context.Context, creditorID int64, states ...models.ShipmentState) (map[models.ShipmentState]int64, error) {
	return countStates(ShipmentFilter{States: states, Pending: true}.of(ctx, r, creditorID))
}

// countStates counts the shipments that the query finds, by state.
func countStates(g *gorm.DB) (map[models.ShipmentState]int64, error) {
	type count struct {
		State models.ShipmentState
		Items int64
	}
	counts, err := scan[[]count](g.Select("state, COUNT(*) AS items").Group("state"))
	if err != nil {
		return nil, err
	}
	byState := make(map[models.ShipmentState]int64)
	for _, c := range counts {
		byState[c.State] = c.Items
	}
	return byState, nil
}

// NumbersOf returns the numbers of the documents that the shipments send, by document; of a notice the invoice's, and of a
// statement the customer's ID.
func (r reads) NumbersOf(ctx context.Context, shipments ...models.Shipment) (map[models.Document]int64, error) {
	ds := make([]models.Document, len(shipments))
	for i, s := range shipments {
		ds[i] = s.Document()
	}
	var of []string
	var args []any
	for kind, ids := range byKind(ds) {
		table := documentTables[kind]
		of = append(of, "SELECT ? AS kind, d.id, "+table.number+" AS number FROM "+table.name+" d"+table.join+" WHERE d.id IN ?")
		args = append(args, kind, ids)
	}
	if len(of) == 0 {
		return nil, nil
	}
	found, err := scan[[]struct {
		Kind       models.DocumentKind
		ID, Number int64
	}](r.with(ctx).Raw(strings.Join(of, " UNION ALL "), args...))
	if err != nil {
		return nil, err
	}
	numbers := make(map[models.Document]int64, len(shipments))
	for _, row := range found {
		numbers[models.Document{Kind: row.Kind, ID: row.ID}] = row.Number
	}
	return numbers, nil
}

// ShipmentReports returns what was reported of a shipment, in the order of the moments that the reports tell of.
func (r reads) ShipmentReports(ctx context.Context, shipmentID int64) ([]models.ShipmentReport, error) {
	return readAll[models.ShipmentReport](r.with(ctx).Where("shipment_id = ?", shipmentID).Order("at, id"))
}

// HasShipmentReport reports whether the same report is kept: of the shipment, the state and the moment.
func (r reads) HasShipmentReport(ctx context.Context, report models.ShipmentReport) (bool, error) {
	_, found, err := readFirst[models.ShipmentReport](r.with(ctx).
		Where("shipment_id = ? AND state = ? AND at = ?", report.ShipmentID, report.State, report.At))
	return found, err
}

// ShipmentsByID returns those of the shipments that exist, by ID, of any creditor.
func (r reads) ShipmentsByID(ctx context.Context, ids []int64) (map[int64]models.Shipment, error) {
	return readBy(r.with(ctx).Where("id IN ?", ids), shipmentID)
}

func shipmentID(s models.Shipment) int64 { return s.ID }

// ShipmentsOf returns a document's shipments, the original first.
func (r reads) ShipmentsOf(ctx context.Context, d models.Document) ([]models.Shipment, error) {
	return shipmentsOfDocument.all(ctx, r, d.Kind, d.ID)
}

var shipmentsOfDocument = selecting[models.Shipment]("FROM shipments WHERE document_kind = ? AND document_id = ? ORDER BY id")

// pending is true of a shipment, failed or come back, that a person can still bring further: no other one was sent in its
// place, and if it is the letter of a notice, it goes on paper and the invoice is neither paid nor closed nor handed over. A reminder whose
// e-mail bounced is issued anew on paper without a person (rule L22).
const pending = "NOT EXISTS (SELECT 1 FROM shipments f WHERE f.document_kind = shipments.document_kind AND f.document_id = shipments.document_id AND f.fallback_of = shipments.id)" +
	" AND NOT (document_kind IN ('overdue_notice', 'letter') AND method = 'EMAIL' AND NOT copy)" +
	" AND NOT (document_kind = 'letter' AND NOT EXISTS (SELECT 1 FROM overdue_notices n JOIN invoices i ON i.id = n.invoice_id" +
	" WHERE n.letter_id = shipments.document_id AND i.stage IN ('open', 'reminded', 'warned')))" +
	" AND NOT (document_kind = 'overdue_notice' AND EXISTS (SELECT 1 FROM overdue_notices n JOIN invoices i ON i.id = n.invoice_id" +
	" WHERE n.id = shipments.document_id AND i.stage NOT IN ('open', 'reminded', 'warned')))"

// FailedShipments returns the IDs of the creditor's shipments that failed for good and wait for a person, oldest first.
func (r reads) FailedShipments(ctx context.Context, creditorID int64) ([]int64, error) {
	return idsOf(r.with(ctx).Model(&models.Shipment{}).
		Where("creditor_id = ? AND state = ? AND "+pending, creditorID, models.ShipmentFailed).Order("id"))
}

// Letter is a shipment, but no copy, of an invoice or of one of its notices.
type Letter struct {
	InvoiceID int64
	NoticeID  int64 // zero for the invoice itself
	Sequence  int   // the notice's, as the next four are
	IssueDate models.Date
	DueDate   models.Date
	Counts    models.Date `gorm:"column:counts_until"` // see models.Notice
	Withdrawn models.Date // zero if it was not
	Method    models.ShipmentMethod
	State     models.ShipmentState
	SentAt    *time.Time
	Failure   string
	ID        int64       // the shipment's
	Ordinary  models.Date // see models.Shipment
}

// LettersOf returns the letters of the invoices by the invoice's ID: first the invoice's own, then those of its notices in
// their order. Of a notice that was withdrawn it returns only letters that are owed or failed, which a person may have sent again (rule L2),
// and e-mails that came back (rule L22).
func (r reads) LettersOf(ctx context.Context, invoiceIDs []int64) (map[int64][]Letter, error) {
	// MariaDB would begin with all letters of all notices.
	notices := r.with(ctx).Table("overdue_notices AS n /*! FORCE INDEX (overdue_notices_sequence) */").
		Select("/*! STRAIGHT_JOIN */ n.invoice_id, n.id AS notice_id, n.sequence, n.issue_date, n.due_date, n.counts_until, n.withdrawn, s.method, s.state, s.sent_at, s.failure, s.id, s.ordinary").
		Joins("JOIN shipments s /*! FORCE INDEX (shipments_document) */ ON s.document_kind = ? AND s.document_id = n.id AND NOT s.copy", models.NoticeDocument).
		Where("n.invoice_id IN ? AND (n.withdrawn IS NULL OR s.state IN ? OR s.state = ? AND s.method = ?)", invoiceIDs, unsentStates, models.ShipmentReturned, models.ByEmail)
	joint := r.with(ctx).Table("overdue_notices AS n /*! FORCE INDEX (overdue_notices_sequence) */").
		Select("/*! STRAIGHT_JOIN */ n.invoice_id, n.id AS notice_id, n.sequence, n.issue_date, n.due_date, n.counts_until, n.withdrawn, s.method, s.state, s.sent_at, s.failure, s.id, s.ordinary").
		Joins("JOIN shipments s /*! FORCE INDEX (shipments_document) */ ON s.document_kind = ? AND s.document_id = n.letter_id AND NOT s.copy", models.LetterDocument).
		Where("n.letter_id <> 0 AND n.invoice_id IN ? AND (n.withdrawn IS NULL OR s.state IN ? OR s.state = ? AND s.method = ?)", invoiceIDs, unsentStates, models.ShipmentReturned, models.ByEmail)
	originals := r.with(ctx).Table("shipments").Select("document_id, 0, 0, NULL, NULL, NULL, NULL, method, state, sent_at, failure, id, ordinary").
		Where("document_kind = ? AND document_id IN ? AND NOT copy", models.InvoiceDocument, invoiceIDs)
	letters := r.with(ctx).Table("(? UNION ALL ? UNION ALL ?) AS letters", notices, joint, originals).Order("sequence, notice_id, id")
	return readGroups(letters, func(l Letter) int64 { return l.InvoiceID })
}

// unsentStates are the states of shipments that have not left and still can.
var unsentStates = []models.ShipmentState{models.ShipmentOwed, models.ShipmentFailed}

// FailedLetters returns the letters of the creditor's notices that failed, oldest first, without the e-mails: their reminders are issued
// anew on paper (rule L22).
func (r reads) FailedLetters(ctx context.Context, creditorID int64) ([]models.Shipment, error) {
	return readAll[models.Shipment](r.with(ctx).Where(failedLetters, creditorID).Order("id"))
}

const failedLetters = "state = 'failed' AND creditor_id = ? AND document_kind IN ('overdue_notice', 'letter') AND NOT copy AND method <> 'EMAIL'"

// someShipments is how many due shipments are read to find their creditors. If there are more, the creditors are asked one by one: one
// of them may have very many.
const someShipments = "2000"

// CreditorsToShip returns the creditors with shipments that are due by the moment, that nobody has in hand, and that go by
// one of the methods.
func (r reads) CreditorsToShip(ctx context.Context, by time.Time, methods ...models.ShipmentMethod) (ids []int64, err error) {
	owed, err := scan[int64](r.with(ctx).Raw("SELECT COUNT(*) FROM (SELECT 1 AS owed FROM shipments WHERE state = ? AND next_attempt <= ? LIMIT "+someShipments+") s", models.ShipmentOwed, by))
	if err != nil {
		return nil, err
	}
	if strconv.FormatInt(owed, 10) != someShipments {
		return scan[[]int64](r.from(ctx, "shipments", "shipments_owed").Distinct("creditor_id").
			Where("state = ? AND next_attempt <= ? AND taken_by = '' AND batch_id = 0 AND method IN ?", models.ShipmentOwed, by, methods).Order("creditor_id"))
	}
	const due = "EXISTS (SELECT 1 FROM shipments s WHERE s.state = ? AND s.creditor_id = creditors.id AND s.next_attempt <= ? AND s.taken_by = '' AND s.batch_id = 0 AND s.method IN ?)"
	return idsOf(r.with(ctx).Model(&models.Creditor{}).Where(due, models.ShipmentOwed, by, methods).Order("id"))
}

// DueShipments returns up to limit shipments of the creditor that go by one of the methods, are due by the moment, and
// that nobody has in hand, the longest due first.
func (r reads) DueShipments(ctx context.Context, creditorID int64, by time.Time, limit int, methods ...models.ShipmentMethod) ([]models.Shipment, error) {
	return readAll[models.Shipment](r.dueShipments(ctx, creditorID, by, limit, methods))
}

// DueShipmentIDs returns the IDs of the shipments that DueShipments returns.
func (r reads) DueShipmentIDs(ctx context.Context, creditorID int64, by time.Time, limit int, methods ...models.ShipmentMethod) ([]int64, error) {
	return idsOf(r.dueShipments(ctx, creditorID, by, limit, methods).Model(&models.Shipment{}))
}

func (r reads) dueShipments(ctx context.Context, creditorID int64, by time.Time, limit int, methods []models.ShipmentMethod) *gorm.DB {
	return r.with(ctx).
		Where("state = ? AND creditor_id = ? AND next_attempt <= ? AND taken_by = '' AND batch_id = 0 AND method IN ?", models.ShipmentOwed, creditorID, by, methods).
		Order("next_attempt, id").Limit(limit)
}

// LeasedShipments are the shipments that are to leave one by one. A letter that is in a batch leaves with it.
var LeasedShipments = Leased{
	Table: "shipments", Name: "shipments", Words: "shipments",
	model: func() any { return new(models.Shipment) }, states: anyOf(models.ShipmentOwed), free: " AND batch_id = 0",
	late: " AND (held_for = 0 AND kept_back <> '" + models.KeptAudit + "' AND reported_at IS NULL OR next_attempt > ?)", longest: func(w longestWaits) []any { return []any{w.attempt, w.long} },
}

// LockShipment reads a shipment and locks it until the transaction ends.
func (tx *Tx) LockShipment(ctx context.Context, id int64) (models.Shipment, error) {
	return readOne[models.Shipment](forUpdate(tx.with(ctx)).Where("id = ?", id), "shipment")
}

// LockShipments reads the shipments with the IDs and locks them, in order of ID, until the transaction ends. It returns them
// by ID, without IDs that do not exist.
func (tx *Tx) LockShipments(ctx context.Context, ids []int64) (map[int64]models.Shipment, error) {
	return readBy(forUpdate(tx.with(ctx)).Where("id IN ?", ids).Order("id"), shipmentID)
}

// CreateShipments writes new shipments and sets their IDs. They are owed at once.
func (tx *Tx) CreateShipments(ctx context.Context, ss []models.Shipment) error {
	trace := tracing.Mark(ctx)
	for i := range ss {
		ss[i].State, ss[i].NextAttempt, ss[i].CreatedAt, ss[i].Trace = models.ShipmentOwed, tx.Common, tx.Now, trace
	}
	return tx.insert(ctx, &ss)
}

// ReleaseLetters lets the letters to a customer that are held be sent at once.
func (tx *Tx) ReleaseLetters(ctx context.Context, creditorID, customerID int64) error {
	ids, err := idsOf(tx.with(ctx).Model(&models.Shipment{}).
		Where("state = ? AND creditor_id = ? AND held_for = ?", models.ShipmentOwed, creditorID, customerID))
	if err != nil || len(ids) == 0 {
		return err
	}
	return tx.set(ctx, &models.Shipment{}, map[string]any{"held_for": 0, "failure": "", "next_attempt": tx.Common}, "id IN ? AND held_for = ?", ids, customerID)
}

// CreateShipmentReport keeps a report, whose shipment the caller has locked.
func (tx *Tx) CreateShipmentReport(ctx context.Context, report models.ShipmentReport) error {
	report.CreatedAt = tx.Now
	return tx.insert(ctx, &report)
}

// UpdateShipment writes what can become of a shipment, which the caller has locked. What it sends, and whose it is, never changes.
func (tx *Tx) UpdateShipment(ctx context.Context, s models.Shipment) error { return tx.put(ctx, &s) }

// UpdateShipments does for several shipments, with one statement, what UpdateShipment does for one.
func (tx *Tx) UpdateShipments(ctx context.Context, ss []models.Shipment) error {
	return tx.put(ctx, &ss)
}

package store

import (
	"context"
	"strconv"
	"strings"
	"time"

	"purr/models"
)

// openAsks find what is not closed of a customer, each as a word and a number. The argument is the customer.
var openAsks = []string{
	"SELECT 'invoice' AS what, number FROM invoices WHERE customer_id = ? AND (closed = '' AND balance <> 0 OR balance < 0)",
	"SELECT 'credit note', number FROM credit_notes WHERE customer_id = ? AND balance <> 0",
	"SELECT 'repayment', id FROM repayments WHERE customer_id = ? AND state IN ('waiting', 'in_file')",
	"SELECT 'claim of AvtaleGiro on invoice', i.number FROM bank_claims b JOIN invoices i ON i.id = b.invoice_id WHERE b.customer_id = ? AND b.state IN ('owed', 'sent', 'accepted')",
	"SELECT 'hand-over of invoice', i.number FROM hand_overs h JOIN invoices i ON i.id = h.invoice_id WHERE i.customer_id = ? AND h.state IN ('owed', 'taken_back')",
	"SELECT 'what the debt collector is to be told of invoice', i.number FROM direct_entries d JOIN invoices i ON i.id = d.invoice_id WHERE i.customer_id = ? AND d.file_id = 0",
	"SELECT 'payment in the queue', l.payment_id FROM likely_payers l JOIN unmatched_payments u ON u.id = l.payment_id WHERE l.customer_id = ? AND u.status = 'open'",
}

// newestAsks find the newest day of each kind of document and entry of a customer.
var newestAsks = []string{
	"SELECT MAX(issue_date) AS day, MAX(created_at) AS at FROM invoices WHERE customer_id = ?",
	"SELECT MAX(issue_date), MAX(created_at) FROM credit_notes WHERE customer_id = ?",
	"SELECT MAX(n.issue_date), MAX(n.created_at) FROM overdue_notices n JOIN invoices i ON i.id = n.invoice_id WHERE i.customer_id = ?",
	"SELECT MAX(transaction_date), MAX(created_at) FROM entries WHERE customer_id = ?",
	"SELECT MAX(transaction_date), MAX(deleted_at) FROM deleted_entries WHERE customer_id = ?",
	"SELECT MAX(paid_on), MAX(created_at) FROM repayments WHERE customer_id = ?",
}

// Affairs returns what decides whether a customer of the creditor can be forgotten (rule O14). Moments are days in the zone.
func (r reads) Affairs(ctx context.Context, creditorID, customerID int64, zone *time.Location) (a models.Affairs, err error) {
	if _, err := r.Customer(ctx, creditorID, customerID); err != nil {
		return a, err
	}
	for _, ask := range openAsks {
		type open struct {
			What   string
			Number int64
		}
		found, err := scan[[]open](r.with(ctx).Raw(limited(ask, models.MostOpenTold+1), customerID))
		if err != nil {
			return a, err
		}
		for _, o := range found {
			a.Open = append(a.Open, o.What+" "+strconv.FormatInt(o.Number, 10))
		}
	}
	inHand, err := r.inHand(ctx, customerID)
	if err != nil {
		return a, err
	}
	if a.Open = append(a.Open, inHand...); len(a.Open) > models.MostOpenTold {
		a.Open = append(a.Open[:models.MostOpenTold:models.MostOpenTold], "and more")
	}
	for _, ask := range newestAsks {
		var day models.Date
		var at *string
		if err := eachRow(r.with(ctx).Raw(ask, customerID), func() {}, &day, &at); err != nil {
			return a, err
		}
		a.Newest = max(a.Newest, day)
		if at != nil {
			moment, err := parseMoment(*at)
			if err != nil {
				return a, err
			}
			a.Newest = max(a.Newest, models.DateOf(moment.In(zone)))
		}
	}
	return a, nil
}

// parseMoment reads a moment that a database has computed, which SQLite and MySQL write in their own ways.
func parseMoment(text string) (time.Time, error) {
	text = strings.Replace(strings.TrimSuffix(text, "+00:00"), "T", " ", 1)
	return time.ParseInLocation("2006-01-02 15:04:05.999999999", strings.TrimSuffix(text, "Z"), time.UTC)
}

// inHand returns the shipments of a customer that a worker has in hand at this moment: they are leaving.
func (r reads) inHand(ctx context.Context, customerID int64) (open []string, err error) {
	rows := his{}
	for _, kind := range models.DocumentKinds() {
		table := documentTables[kind].name
		if rows[table], err = idsOf(r.with(ctx).Table(table).Where("customer_id = ?", customerID)); err != nil {
			return nil, err
		}
	}
	ids, err := r.shipmentsOf(ctx, rows)
	if err != nil {
		return nil, err
	}
	err = some(ids, func(part []int64) error {
		taken, err := idsOf(r.with(ctx).Table("shipments").Where("id IN ? AND state = ? AND (taken_by <> '' OR batch_id <> 0)", part, models.ShipmentOwed))
		if err != nil {
			return err
		}
		for _, id := range taken {
			open = append(open, "shipment "+strconv.FormatInt(id, 10))
		}
		return nil
	})
	return open, err
}

// Unforgotten returns the IDs of the creditor's customers who are not forgotten, after an ID, in order, up to limit.
func (r reads) Unforgotten(ctx context.Context, creditorID, after int64, limit int) ([]int64, error) {
	return idsOf(r.with(ctx).Model(&models.Customer{}).Where("creditor_id = ? AND id > ? AND forgotten_at IS NULL", creditorID, after).Order("id").Limit(limit))
}

// Forgotten is a customer who was forgotten, without a word.
type Forgotten struct {
	CreditorID int64
	CustomerID int64
	At         time.Time
}

// AllForgotten returns the customers of all creditors who were forgotten, as the events tell, in order of the creditors (rule O14b).
func (db *DB) AllForgotten(ctx context.Context) ([]Forgotten, error) {
	if err := db.NumberEvents(ctx); err != nil {
		return nil, err
	}
	return scan[[]Forgotten](db.with(ctx).Raw("SELECT e.creditor_id, e.subject_id AS customer_id, e.at FROM creditors c JOIN events e ON e.creditor_id = c.id AND e.type = ? ORDER BY e.creditor_id, e.id",
		models.EventCustomerForgotten))
}

// ForgottenSince returns the customers of all creditors who were forgotten after a moment, in order of time.
func (r reads) ForgottenSince(ctx context.Context, after time.Time) ([]Forgotten, error) {
	return scan[[]Forgotten](r.with(ctx).Raw("SELECT creditor_id, id AS customer_id, forgotten_at AS at FROM customers WHERE forgotten_at > ? ORDER BY forgotten_at, id", after))
}

// IsForgotten reports whether one of the documents is of a customer who was forgotten.
func (r reads) IsForgotten(ctx context.Context, ds ...models.Document) (bool, error) {
	for kind, of := range byKind(ds) {
		found, err := exists(r.with(ctx).Table(documentTables[kind].name+" d").Joins("JOIN customers c ON c.id = d.customer_id").
			Where("d.id IN ? AND c.forgotten_at IS NOT NULL", of))
		if err != nil || found {
			return found, err
		}
	}
	return false, nil
}

// NumberedDocument is a document with the number that names it.
type NumberedDocument struct{ ID, Number int64 }

// NumberedDocumentsOf returns the documents of a kind of a customer of the creditor, in order of ID.
func (r reads) NumberedDocumentsOf(ctx context.Context, creditorID, customerID int64, kind models.DocumentKind) ([]NumberedDocument, error) {
	t := documentTables[kind]
	return scan[[]NumberedDocument](r.with(ctx).Raw("SELECT d.id, "+t.number+" AS number FROM "+t.name+" d"+t.join+" WHERE d.customer_id = ? AND d.creditor_id = ? ORDER BY d.id", customerID, creditorID))
}

// EventsOfCustomer returns the events about a customer of the creditor and about his invoices, in order of ID. Those that have no ID yet
// (NumberEvents) are not among them.
func (r reads) EventsOfCustomer(ctx context.Context, creditorID, customerID int64) ([]models.Event, error) {
	return readAll[models.Event](r.with(ctx).Where("creditor_id = ? AND (customer_id = ? OR invoice_id IN (SELECT id FROM invoices WHERE customer_id = ?))", creditorID, customerID, customerID).Order("id"))
}

// ForgottenUnknown is the setting with the moment of a backup that was restored, while nobody has said who was forgotten since (rule O14b).
const ForgottenUnknown = "forgotten_unknown_since"

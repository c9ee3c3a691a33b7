package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"purr/models"
)

// BookedEntry is an entry as it was booked, or its deletion, with what its documents and its customer are called (rule N5).
type BookedEntry struct {
	ID               int64 // of the entry
	DeletionID       int64 // of its deletion, whose row this is; zero for the booking
	CustomerID       int64
	InvoiceID        int64
	CreditNoteID     int64
	Type             models.EntryType
	Movement         models.Movement
	Amount           models.Amount // of a deletion with the sign turned
	TransactionDate  models.Date
	Comment          string
	BookedAt         time.Time // of a deletion when the entry was deleted
	InvoiceNumber    int64
	CreditNoteNumber int64  // zero for an entry of the invoice itself
	KID              string `gorm:"column:kid"` // of the document
	CustomerName     string
	CustomerNumber   string
	DueDate          models.Date // of the invoice, like its order number and its reference
	OrderNumber      string
	YourReference    string
	Actor            string `gorm:"-"` // who booked or deleted it; the program, where no event says who
}

// BookedMark is a place in the list of what was booked: the last booking and the last deletion before it.
type BookedMark struct{ Entry, Deletion int64 }

// BookedFilter narrows the list of what was booked to some days, and to a movement; an empty one takes all.
type BookedFilter struct {
	Dates    Dates
	Zone     *time.Location // in which the days are
	Movement models.Movement
}

// BookedEntries returns up to limit of the creditor's entries and deletions that the filter takes, after a mark, in the order in which
// they were booked.
func (r reads) BookedEntries(ctx context.Context, creditorID int64, f BookedFilter, after BookedMark, limit int) ([]BookedEntry, error) {
	days := f.Dates.whole()
	from, to := moments(days, f.Zone)
	first, last, err := r.bookedBetween(ctx, creditorID, days)
	if err != nil {
		return nil, err
	}
	booked := func(table, id, index string) *gorm.DB {
		where := fmt.Sprintf("e.creditor_id = ? AND e.%[1]s > ? AND e.%[1]s <= ? AND e.created_at >= ? AND e.created_at < ?", id)
		return r.bookedFrom(ctx, bookedSource{table, id, index, "0", "e.amount", "e.created_at", id}, f.Movement, limit,
			where, creditorID, max(after.Entry, first-1), last, from, to)
	}
	gone := r.bookedFrom(ctx, bookedSource{"deleted_entries", "entry_id", "deleted_entries_at", "e.id", "-e.amount", "e.deleted_at", "id"}, f.Movement, limit,
		"e.creditor_id = ? AND e.id > ? AND e.deleted_at >= ? AND e.deleted_at < ?", creditorID, after.Deletion, from, to)
	found, err := scan[[]BookedEntry](r.with(ctx).Raw("? UNION ALL ? UNION ALL ?",
		booked("entries", "id", "entries_list"), booked("deleted_entries", "entry_id", "deleted_entries_entry"), gone))
	if err != nil {
		return nil, err
	}
	return inBookingOrder(found, limit), nil
}

// inBookingOrder returns the first of some bookings and deletions, which are the first of each kind. Those of one kind stay in the order
// of their IDs, so that a mark has all of them before it.
func inBookingOrder(found []BookedEntry, limit int) []BookedEntry {
	var booked, gone []BookedEntry
	for _, e := range found {
		if e.DeletionID == 0 {
			booked = append(booked, e)
		} else {
			gone = append(gone, e)
		}
	}
	slices.SortFunc(booked, func(a, b BookedEntry) int { return cmp.Compare(a.ID, b.ID) })
	slices.SortFunc(gone, func(a, b BookedEntry) int { return cmp.Compare(a.DeletionID, b.DeletionID) })
	var ordered []BookedEntry
	for len(ordered) < limit && len(booked)+len(gone) > 0 {
		if len(gone) == 0 || len(booked) > 0 && !booked[0].BookedAt.After(gone[0].BookedAt) {
			ordered, booked = append(ordered, booked[0]), booked[1:]
		} else {
			ordered, gone = append(ordered, gone[0]), gone[1:]
		}
	}
	return ordered
}

// Mark returns the mark after an entry of the list, given the one before it.
func (e BookedEntry) Mark(before BookedMark) BookedMark {
	if e.DeletionID != 0 {
		before.Deletion = e.DeletionID
	} else {
		before.Entry = e.ID
	}
	return before
}

// bookedSource is a table of entries as one part of the list of what was booked, with the columns that differ.
type bookedSource struct{ table, id, index, deletion, amount, at, order string }

// bookedFrom returns the query of a part of the list.
func (r reads) bookedFrom(ctx context.Context, s bookedSource, m models.Movement, limit int, where string, args ...any) *gorm.DB {
	movement := movementOf(s.table, s.id)
	if m != "" {
		where += " AND e.type IN ? AND " + movement + " = ?"
		args = append(args, m.Types(), m)
	}
	text := strings.NewReplacer("{table}", s.table, "{id}", s.id, "{index}", r.using(s.index), "{deletion}", s.deletion, "{amount}", s.amount, "{at}", s.at,
		"{order}", s.order, "{movement}", movement, "{where}", where).Replace(`SELECT e.{id} AS id, {deletion} AS deletion_id, e.customer_id, e.invoice_id, e.credit_note_id,
		e.type, {movement} AS movement, {amount} AS amount, e.transaction_date, e.comment, {at} AS booked_at, i.number AS invoice_number,
		COALESCE(n.number, 0) AS credit_note_number, COALESCE(n.kid, i.kid) AS kid, c.name1 AS customer_name, c.customer_number,
		i.due_date, i.order_number, i.your_reference
		FROM {table} e{index} JOIN invoices i ON i.id = e.invoice_id JOIN customers c ON c.id = e.customer_id LEFT JOIN credit_notes n ON n.id = e.credit_note_id
		WHERE {where} ORDER BY e.{order}`)
	return r.with(ctx).Raw(apart(dialect(r.db.Name()), limited(text, limit)), args...)
}

// bookedBetween returns between which IDs the entries lie that were booked on some days.
func (r reads) bookedBetween(ctx context.Context, creditorID int64, d Dates) (first, last int64, err error) {
	const all = int64(1)<<62 - 1
	var from, to, counted int64
	var day models.Date
	err = r.each(ctx, `SELECT COALESCE(MIN(CASE WHEN day >= ? THEN first_id END), 0), COALESCE(MAX(CASE WHEN day <= ? THEN last_id END), 0),
		COALESCE(MAX(last_id), 0), MAX(day) FROM booked_days WHERE creditor_id = ?`, []any{d.From, d.To, creditorID}, func() {}, &from, &to, &counted, &day)
	if err != nil {
		return 0, 0, err
	}
	if from == 0 {
		from = counted + 1
	}
	if day == 0 || d.To >= day { // what no night has counted was booked on the last counted day at the earliest
		to = all
	}
	return from, to, nil
}

// ActorsOfBooked sets who booked and deleted the entries of the creditor: the actors of the events of the same moment on the invoice, or,
// of credit that was moved, on the customer.
func (r reads) ActorsOfBooked(ctx context.Context, creditorID int64, es []BookedEntry) error {
	if len(es) == 0 {
		return nil
	}
	var invoices []int64
	first, last := es[0].BookedAt, es[0].BookedAt
	for _, e := range es {
		invoices = append(invoices, e.InvoiceID)
		if e.BookedAt.Before(first) {
			first = e.BookedAt
		}
		if e.BookedAt.After(last) {
			last = e.BookedAt
		}
	}
	of := func(table, where string, arg any) *gorm.DB {
		return r.with(ctx).Table(table).Select("invoice_id, customer_id, at, actor").
			Where("creditor_id = ? AND at >= ? AND at <= ? AND actor <> ?", creditorID, first, last, models.ActorProgram).Where(where, arg)
	}
	moves := []models.EventType{models.EventCreditMoved, models.EventCreditMovedBack}
	found, err := scan[[]models.Event](r.with(ctx).Raw("? UNION ALL ? UNION ALL ?",
		of("events", "invoice_id IN ?", invoices), of("events", "type IN ?", moves), of("new_events", "1 = ?", 1)))
	if err != nil {
		return err
	}
	nameActors(es, found)
	return nil
}

// nameActors sets the actors of entries, by the events of persons.
func nameActors(es []BookedEntry, events []models.Event) {
	type moment struct {
		customer bool
		of, at   int64
	}
	actors := map[moment]string{}
	for _, e := range events {
		actors[moment{e.InvoiceID == 0, cmp.Or(e.InvoiceID, e.CustomerID), e.At.UnixMicro()}] = e.Actor
	}
	for n := range es {
		e := &es[n]
		at := e.BookedAt.UnixMicro()
		e.Actor = cmp.Or(actors[moment{false, e.InvoiceID, at}], actors[moment{true, e.CustomerID, at}], models.ActorProgram)
	}
}

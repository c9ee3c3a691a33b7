package store

import (
	"context"
	"slices"
	"time"

	"gorm.io/gorm"

	"purr/models"
)

// DeletedEntry is an entry that a person deleted, or that was taken back with one.
type DeletedEntry struct {
	EntryID         int64 // the ID that it had
	CustomerID      int64
	InvoiceID       int64
	CreditNoteID    int64
	Type            models.EntryType
	Amount          models.Amount
	TransactionDate models.Date
	CreatedAt       time.Time
	DeletedAt       time.Time
}

// TableName names the store's table.
func (DeletedEntry) TableName() string { return "deleted_entries" }

// AuditRows reads all rows that an audit of the creditor's invoices looks at. It asks the same number of questions for one invoice and
// for many; the caller gives some hundred at a time.
func (r reads) AuditRows(ctx context.Context, creditorID int64, invoices []models.Invoice) (AuditRows, error) {
	a := auditing{reads: r, ctx: ctx, creditorID: creditorID}
	for _, i := range invoices {
		a.invoiceIDs = append(a.invoiceIDs, i.ID)
		a.customerIDs = append(a.customerIDs, i.CustomerID)
		if i.Closed != models.NotClosed {
			a.eventful = append(a.eventful, i.ID)
		}
	}
	slices.Sort(a.customerIDs)
	a.customerIDs = slices.Compact(a.customerIDs)
	for _, read := range []func() error{a.ledger, a.repaid, a.notices, a.post, a.handOvers, a.standing, a.queue, a.credit} {
		if err := read(); err != nil {
			return AuditRows{}, err
		}
	}
	return a.rows, nil
}

// AuditTimelineRows reads of the creditor's invoices what their timelines show: entries, notices and hand-overs.
func (r reads) AuditTimelineRows(ctx context.Context, creditorID int64, invoices []models.Invoice) (rows AuditRows, err error) {
	a := auditing{reads: r, ctx: ctx, creditorID: creditorID}
	ids := make([]int64, len(invoices))
	for n, i := range invoices {
		ids[n] = i.ID
	}
	if rows.Entries, err = a.entries(ids); err != nil {
		return rows, err
	}
	if rows.Notices, err = a.noticesOf("invoice_id", ids, func(n *models.Notice) int64 { return n.InvoiceID }); err != nil {
		return rows, err
	}
	rows.HandOvers, err = a.handOversOf(ids)
	return rows, err
}

// auditing reads the rows of an audit, part by part.
type auditing struct {
	reads
	ctx                               context.Context //nolint:containedctx // it lives for one call
	creditorID                        int64
	invoiceIDs, customerIDs, eventful []int64
	rows                              AuditRows
}

// among returns the creditor's rows whose column has one of the IDs. The sign before creditor_id keeps a database without statistics from
// reading all rows of the creditor instead.
func (a *auditing) among(column string, ids []int64) *gorm.DB {
	return a.with(a.ctx).Where(column+" IN ? AND +creditor_id = ?", ids, a.creditorID)
}

// entries returns the entries of invoices and of their credit notes, by invoice.
func (a *auditing) entries(invoiceIDs []int64) (map[int64][]models.Entry, error) {
	return auditedEntries.groups(a.among("invoice_id", invoiceIDs), 5*len(invoiceIDs), func(e *models.Entry) int64 { return e.InvoiceID }, func(e *models.Entry) int64 { return e.ID })
}

// noticesOf returns the notices whose column has one of the IDs, by that.
func (a *auditing) noticesOf(column string, ids []int64, by func(*models.Notice) int64) (map[int64][]models.Notice, error) {
	return auditedNotices.groups(a.among(column, ids), 2*len(ids), by, func(n *models.Notice) int64 { return n.ID })
}

// handOversOf returns the hand-overs of invoices, by invoice.
func (a *auditing) handOversOf(invoiceIDs []int64) (map[int64][]models.HandOver, error) {
	return auditedHandOvers.groups(a.among("invoice_id", invoiceIDs), 0, func(h *models.HandOver) int64 { return h.InvoiceID }, func(h *models.HandOver) int64 { return h.ID })
}

func (a *auditing) ledger() (err error) {
	if a.rows.Entries, err = a.entries(a.invoiceIDs); err != nil {
		return err
	}
	if a.rows.Deleted, err = readGroups(a.among("customer_id", a.customerIDs).Order("id"), func(e DeletedEntry) int64 { return e.InvoiceID }); err != nil {
		return err
	}
	notes := a.among("invoice_id", a.invoiceIDs).Select("id, creditor_id, customer_id, invoice_id, partial, number, issue_date, gross, net, balance, created_at").Order("id")
	a.rows.CreditNotes, err = readGroups(notes, func(c models.CreditNote) int64 { return c.InvoiceID })
	return err
}

// repaid reads what was put right on the invoices before (rule U6). Only where a charge was taken back can there be any.
func (a *auditing) repaid() (err error) {
	var ids []int64
	for _, id := range a.invoiceIDs {
		if slices.ContainsFunc(a.rows.Entries[id], func(e models.Entry) bool {
			return (e.Type == models.EntryOverdueCharge || e.Type == models.EntryInterest) && e.Amount < 0
		}) {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	a.rows.Repaid, err = readGroups(a.among("invoice_id", ids).Order("id"), func(r models.AuditRepayment) int64 { return r.InvoiceID })
	return err
}

func (a *auditing) notices() (err error) {
	if a.rows.Notices, err = a.noticesOf("invoice_id", a.invoiceIDs, func(n *models.Notice) int64 { return n.InvoiceID }); err != nil {
		return err
	}
	var ids, letters []int64
	for _, all := range a.rows.Notices {
		for _, n := range all {
			ids = append(ids, n.ID)
			if n.LetterID != 0 {
				letters = append(letters, n.LetterID)
			}
		}
	}
	slices.Sort(ids)
	slices.Sort(letters)
	letters = slices.Compact(letters)
	if len(ids) > 0 {
		if a.rows.Lines, err = auditedLines.groups(a.with(a.ctx).Where("notice_id IN ?", ids), 4*len(ids),
			func(l *models.NoticeLine) int64 { return l.NoticeID }, func(l *models.NoticeLine) int64 { return int64(l.Position) }); err != nil {
			return err
		}
		if a.rows.Recalculations, err = readGroups(a.with(a.ctx).Where("notice_id IN ?", ids).Order("id"), func(r models.Recalculation) int64 { return r.NoticeID }); err != nil {
			return err
		}
	}
	if len(letters) == 0 {
		return nil
	}
	if a.rows.Letters, err = readBy(a.among("id", letters), func(l models.Letter) int64 { return l.ID }); err != nil {
		return err
	}
	a.rows.OfLetters, err = a.noticesOf("letter_id", letters, func(n *models.Notice) int64 { return n.LetterID })
	return err
}

// post reads the shipments of invoices, notices and letters, without copies, and what was told of them.
func (a *auditing) post() (err error) {
	ids := make(map[models.DocumentKind][]int64)
	ids[models.InvoiceDocument] = a.invoiceIDs
	for _, all := range a.rows.Notices {
		for _, n := range all {
			at := n.SentAs()
			ids[at.Kind] = append(ids[at.Kind], at.ID)
		}
	}
	a.rows.Shipments = map[models.Document][]models.Shipment{}
	var all []int64
	for _, kind := range []models.DocumentKind{models.InvoiceDocument, models.NoticeDocument, models.LetterDocument} {
		if len(ids[kind]) == 0 {
			continue
		}
		slices.Sort(ids[kind])
		found, err := auditedShipments.groups(a.among("document_id", slices.Compact(ids[kind])).Where("document_kind = ? AND NOT copy", kind), len(ids[kind]),
			func(s *models.Shipment) int64 { return s.DocumentID }, func(s *models.Shipment) int64 { return s.ID })
		if err != nil {
			return err
		}
		for id, some := range found {
			a.rows.Shipments[models.Document{Kind: kind, ID: id}] = some
			for i := range some {
				all = append(all, some[i].ID)
			}
		}
	}
	if len(all) == 0 {
		return nil
	}
	slices.Sort(all)
	a.rows.Reports, err = readGroups(a.with(a.ctx).Where("shipment_id IN ?", all).Order("id"), func(r models.ShipmentReport) int64 { return r.ShipmentID })
	return err
}

func (a *auditing) handOvers() (err error) {
	if a.rows.HandOvers, err = a.handOversOf(a.invoiceIDs); err != nil {
		return err
	}
	var entries []int64
	for id, all := range a.rows.HandOvers {
		a.eventful = append(a.eventful, id)
		for _, e := range a.rows.Entries[id] {
			if e.ID > all[0].LastEntryID {
				entries = append(entries, e.ID)
			}
		}
	}
	if len(a.eventful) == 0 {
		return nil
	}
	slices.Sort(a.eventful)
	if err := a.events("invoice_id", slices.Compact(a.eventful), &a.rows.Events, func(e *models.Event) int64 { return e.InvoiceID },
		models.EventInvoiceHandedOver, models.EventInvoiceClosed, models.EventInvoiceReopened, models.EventNoticeLeftLate, models.EventNoticeWithdrawn); err != nil {
		return err
	}
	if len(entries) == 0 {
		return nil
	}
	slices.Sort(entries)
	told, err := scan[[]int64](a.with(a.ctx).Model(&models.DirectEntry{}).Select("entry_id").Where("entry_id IN ? AND +creditor_id = ? AND NOT deleted", entries, a.creditorID))
	if err != nil {
		return err
	}
	a.rows.Direct = map[int64]bool{}
	for _, id := range told {
		a.rows.Direct[id] = true
	}
	return nil
}

// events reads events of some types about some things, those that have no number yet last.
func (a *auditing) events(column string, ids []int64, into *map[int64][]models.Event, of func(*models.Event) int64, types ...models.EventType) error {
	*into = map[int64][]models.Event{}
	for _, table := range []string{"events", "new_events"} {
		found, err := auditedEvents.groups(a.among(column, ids).Table(table).Where("+type IN ?", types), 0, of, func(e *models.Event) int64 { return e.ID })
		if err != nil {
			return err
		}
		for id, some := range found {
			(*into)[id] = append((*into)[id], some...)
		}
	}
	return nil
}

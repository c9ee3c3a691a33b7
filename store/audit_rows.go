package store

import (
	"context"
	"maps"
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
	if rows.Entries, err = readGroups(a.among(auditedColumns.entry, "invoice_id", ids), func(e models.Entry) int64 { return e.InvoiceID }); err != nil {
		return rows, err
	}
	if rows.Notices, err = readGroups(a.among(auditedColumns.notice, "invoice_id", ids), func(n models.Notice) int64 { return n.InvoiceID }); err != nil {
		return rows, err
	}
	rows.HandOvers, err = readGroups(a.among(auditedColumns.handOver, "invoice_id", ids), func(h models.HandOver) int64 { return h.InvoiceID })
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

// among returns the creditor's rows whose column has one of the IDs, in the order of their own IDs. The sign before creditor_id keeps a database
// without statistics from reading all rows of the creditor instead.
func (a *auditing) among(columns, column string, ids []int64) *gorm.DB {
	return a.with(a.ctx).Select(columns).Where(column+" IN ? AND +creditor_id = ?", ids, a.creditorID).Order("id")
}

func (a *auditing) ledger() (err error) {
	if a.rows.Entries, err = readGroups(a.among(auditedColumns.entry, "invoice_id", a.invoiceIDs), func(e models.Entry) int64 { return e.InvoiceID }); err != nil {
		return err
	}
	deleted := a.with(a.ctx).Where("customer_id IN ? AND +creditor_id = ?", a.customerIDs, a.creditorID).Order("id")
	if a.rows.Deleted, err = readGroups(deleted, func(e DeletedEntry) int64 { return e.InvoiceID }); err != nil {
		return err
	}
	notes := a.among("id, creditor_id, customer_id, invoice_id, partial, number, issue_date, gross, net, balance, created_at", "invoice_id", a.invoiceIDs)
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
	a.rows.Repaid, err = readGroups(a.with(a.ctx).Where("invoice_id IN ? AND +creditor_id = ?", ids, a.creditorID).Order("id"), func(r models.AuditRepayment) int64 { return r.InvoiceID })
	return err
}

func (a *auditing) notices() (err error) {
	if a.rows.Notices, err = readGroups(a.among(auditedColumns.notice, "invoice_id", a.invoiceIDs), func(n models.Notice) int64 { return n.InvoiceID }); err != nil {
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
		if a.rows.Lines, err = readGroups(a.with(a.ctx).Select("id, notice_id, position, gross, type, transaction_date").Where("notice_id IN ?", ids).Order("notice_id, position"),
			func(l models.NoticeLine) int64 { return l.NoticeID }); err != nil {
			return err
		}
		if a.rows.Recalculations, err = readGroups(a.with(a.ctx).Where("notice_id IN ?", ids).Order("id"), func(r models.Recalculation) int64 { return r.NoticeID }); err != nil {
			return err
		}
	}
	if len(letters) == 0 {
		return nil
	}
	if a.rows.Letters, err = readBy(a.among("*", "id", letters), func(l models.Letter) int64 { return l.ID }); err != nil {
		return err
	}
	a.rows.OfLetters, err = readGroups(a.among(auditedColumns.notice, "letter_id", letters), func(n models.Notice) int64 { return n.LetterID })
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
	a.rows.Shipments, a.rows.Reports = map[models.Document][]models.Shipment{}, map[int64][]models.ShipmentReport{}
	var all []int64
	for _, kind := range []models.DocumentKind{models.InvoiceDocument, models.NoticeDocument, models.LetterDocument} {
		if len(ids[kind]) == 0 {
			continue
		}
		slices.Sort(ids[kind])
		found, err := readAll[models.Shipment](a.with(a.ctx).Select(auditedColumns.shipment).
			Where("document_kind = ? AND document_id IN ? AND +creditor_id = ? AND NOT copy", kind, slices.Compact(ids[kind]), a.creditorID).Order("id"))
		if err != nil {
			return err
		}
		for _, s := range found {
			a.rows.Shipments[s.Document()] = append(a.rows.Shipments[s.Document()], s)
			all = append(all, s.ID)
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
	if a.rows.HandOvers, err = readGroups(a.among(auditedColumns.handOver, "invoice_id", a.invoiceIDs), func(h models.HandOver) int64 { return h.InvoiceID }); err != nil {
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
	if err := a.events("invoice_id", slices.Compact(a.eventful), &a.rows.Events, func(e models.Event) int64 { return e.InvoiceID },
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
func (a *auditing) events(column string, ids []int64, into *map[int64][]models.Event, of func(models.Event) int64, types ...models.EventType) error {
	*into = map[int64][]models.Event{}
	for _, table := range []string{"events", "new_events"} {
		found, err := readAll[models.Event](a.with(a.ctx).Table(table).Where(column+" IN ? AND +creditor_id = ? AND +type IN ?", ids, a.creditorID, types).Order("id"))
		if err != nil {
			return err
		}
		for _, e := range found {
			(*into)[of(e)] = append((*into)[of(e)], e)
		}
	}
	return nil
}

// standing reads who the customers are, what stopped dunning, and when the customers were changed.
func (a *auditing) standing() (err error) {
	if a.rows.Customers, err = readBy(a.with(a.ctx).Where("id IN ? AND +creditor_id = ?", a.customerIDs, a.creditorID), func(c models.Customer) int64 { return c.ID }); err != nil {
		return err
	}
	if a.rows.Standstills, err = readGroups(a.among("*", "customer_id", a.customerIDs), func(s models.Standstill) int64 { return s.CustomerID }); err != nil {
		return err
	}
	if a.rows.Plans, err = readGroups(a.among("*", "invoice_id", a.invoiceIDs), func(p models.PaymentPlan) int64 { return p.InvoiceID }); err != nil {
		return err
	}
	var sellers []int64
	for _, all := range a.rows.Notices {
		for _, n := range all {
			if n.SellerID != 0 {
				sellers = append(sellers, n.SellerID)
			}
		}
	}
	slices.Sort(sellers)
	if sellers = slices.Compact(sellers); len(sellers) > 0 {
		if a.rows.Sellers, err = a.SellersByID(a.ctx, a.creditorID, sellers); err != nil {
			return err
		}
	}
	return a.events("customer_id", a.customerIDs, &a.rows.Moves, func(e models.Event) int64 { return e.CustomerID }, models.EventCustomerChanged, models.EventCustomerDeleted)
}

// credit reads the documents of the customers on which there is free credit, or from which credit was moved to the invoices (rule L5).
func (a *auditing) credit() (err error) {
	var from []int64
	for _, all := range a.rows.Entries {
		for _, e := range all {
			if e.MovedFrom != 0 {
				from = append(from, e.MovedFrom)
			}
		}
	}
	type source struct{ CustomerID, InvoiceID, CreditNoteID int64 }
	free := a.withFree(a.ctx, a.creditorID).Select("customer_id, id AS invoice_id, 0 AS credit_note_id").Where("customer_id IN ?", a.customerIDs)
	notes := a.outstanding(a.ctx, a.creditorID).Select("customer_id, invoice_id, id").Where("customer_id IN ?", a.customerIDs)
	found, err := scan[[]source](a.with(a.ctx).Raw("? UNION ALL ?", free, notes))
	if err != nil {
		return err
	}
	if len(from) > 0 {
		if a.rows.Sources, err = readBy(a.among(auditedColumns.entry, "id", from), func(e models.Entry) int64 { return e.ID }); err != nil {
			return err
		}
		var ids []int64
		for _, e := range a.rows.Sources {
			found, ids = append(found, source{e.CustomerID, e.InvoiceID, e.CreditNoteID}), append(ids, e.InvoiceID)
		}
		if a.rows.Givers, err = readBy(a.among(auditedColumns.invoice, "id", ids), func(i models.Invoice) int64 { return i.ID }); err != nil {
			return err
		}
	}
	if len(found) == 0 {
		return nil
	}
	documents, invoices := map[source]bool{}, map[int64]bool{}
	customers := map[int64]bool{}
	for _, s := range found {
		documents[s], invoices[s.InvoiceID], customers[s.CustomerID] = true, true, true
	}
	entries, err := readAll[models.Entry](a.among(auditedColumns.entry, "invoice_id", slices.Sorted(maps.Keys(invoices))))
	if err != nil {
		return err
	}
	a.rows.Credit = map[int64]map[models.Document][]models.Entry{}
	for _, e := range entries {
		if !documents[source{e.CustomerID, e.InvoiceID, e.CreditNoteID}] {
			continue
		}
		of := models.Document{Kind: models.InvoiceDocument, ID: e.InvoiceID}
		if e.CreditNoteID != 0 {
			of = models.Document{Kind: models.CreditNoteDocument, ID: e.CreditNoteID}
		}
		if a.rows.Credit[e.CustomerID] == nil {
			a.rows.Credit[e.CustomerID] = map[models.Document][]models.Entry{}
		}
		a.rows.Credit[e.CustomerID][of] = append(a.rows.Credit[e.CustomerID][of], e)
	}
	a.rows.Reserved, err = readGroups(a.among("*", "customer_id", slices.Sorted(maps.Keys(customers))), func(r models.Repayment) int64 { return r.CustomerID })
	return err
}

package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"purr/models"
)

// AuditNight returns how far the nights of the creditor have come. It returns no marks for one who had none.
func (r reads) AuditNight(ctx context.Context, creditorID int64) (models.AuditNight, error) {
	n, found, err := readFirst[models.AuditNight](r.with(ctx).Where("creditor_id = ?", creditorID))
	if err != nil || !found {
		return models.AuditNight{CreditorID: creditorID}, err
	}
	return n, nil
}

// LockAuditNight does what AuditNight does, and locks the row, which it writes if there is none.
func (tx *Tx) LockAuditNight(ctx context.Context, creditorID int64) (models.AuditNight, error) {
	if _, err := tx.insertIgnoring(ctx, &models.AuditNight{CreditorID: creditorID}); err != nil {
		return models.AuditNight{}, err
	}
	return readOne[models.AuditNight](forUpdate(tx.with(ctx)).Where("creditor_id = ?", creditorID), "night")
}

// UpdateAuditNight writes how far the nights of a creditor have come. The caller has locked the row.
func (tx *Tx) UpdateAuditNight(ctx context.Context, n models.AuditNight) error {
	return tx.put(ctx, &n)
}

// commitsWithin is how long a transaction may be open: so long, it may yet commit rows whose IDs are below those of others.
const commitsWithin = 15 * time.Minute

// noNews are events of which an audit of changes takes no note: what the audits tell themselves, and of customers who have got nothing yet.
const noNews = " AND type NOT IN ('" + string(models.EventAuditFinding) + "', '" + string(models.EventAuditDisagreed) + "', '" + string(models.EventCustomerCreated) + "')"

// growing are the tables that the marks are of, with what is counted of them.
var growing = []struct {
	table, only string
	mark        func(*models.AuditMarks) *int64
}{
	{"events", " AND (invoice_id <> 0 OR customer_id <> 0)" + noNews, func(m *models.AuditMarks) *int64 { return &m.Events }},
	{"entries", "", func(m *models.AuditMarks) *int64 { return &m.Entries }},
	{"overdue_notices", "", func(m *models.AuditMarks) *int64 { return &m.Notices }},
	{"shipment_reports", "", func(m *models.AuditMarks) *int64 { return &m.Reports }},
	{"direct_entries", "", func(m *models.AuditMarks) *int64 { return &m.Direct }},
}

// AuditMarksAfter returns the creditor's marks as they are now, and whether anything came after the given ones that an audit looks at. What came so
// lately that a transaction beside it may still be open is found, and stays above the marks: it is found again. An event
// that has no number yet is found the next time. It asks one question.
func (r reads) AuditMarksAfter(ctx context.Context, creditorID int64, after models.AuditMarks, now time.Time) (models.AuditMarks, bool, error) {
	marks, changed := after, false
	text, args := marksQuestion(creditorID, after, now)
	var n int
	var mark int64
	var is bool
	err := r.each(ctx, text, args, func() {
		at := growing[n].mark(&marks)
		*at, changed = max(*at, mark), changed || is
	}, &n, &mark, &is)
	return marks, changed, err
}

// marksQuestion asks for the highest ID of each of the tables that grow, and whether there is anything above the mark of it.
func marksQuestion(creditorID int64, after models.AuditMarks, now time.Time) (text string, args []any) {
	var parts []string
	for n, g := range growing {
		above := fmt.Sprintf("FROM %s WHERE creditor_id = ? AND id > ?", g.table)
		settled, mark := "", *g.mark(&after)
		args = append(args, creditorID, mark)
		if g.table != "events" {
			settled = " AND created_at < ?"
			args = append(args, now.Add(-commitsWithin).UTC())
		}
		parts = append(parts, fmt.Sprintf("SELECT %d AS n, COALESCE((SELECT MAX(id) %s%s), 0) AS mark, EXISTS (SELECT 1 %s%s) AS changed", n, above, settled, above, g.only))
		args = append(args, creditorID, mark)
	}
	return strings.Join(parts, " UNION ALL "), args
}

// ChangedSince returns the IDs of the creditor's invoices of which anything came after the marks, in order and each once: events, entries,
// notices, reports, and what the debt collector is told. If something came of a customer as a whole, or its credit changed, it returns all of
// its invoices with notices.
func (r reads) ChangedSince(ctx context.Context, creditorID int64, m models.AuditMarks) (ids []int64, err error) {
	var customers []int64
	for _, q := range changesSince(creditorID, m) {
		into := &ids
		if q.ofCustomers {
			into = &customers
		}
		var id int64
		if err := r.each(ctx, q.text, q.args, func() { *into = append(*into, id) }, &id); err != nil {
			return nil, err
		}
	}
	slices.Sort(customers)
	for some := range slices.Chunk(slices.Compact(customers), 400) {
		more, err := scan[[]int64](r.with(ctx).Model(&models.Invoice{}).Select("id").Where("customer_id IN ? AND +creditor_id = ? AND notices > 0", some, creditorID))
		if err != nil {
			return nil, err
		}
		ids = append(ids, more...)
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// changes is a question for what changed: the IDs of invoices, or of customers.
type changes struct {
	ofCustomers bool
	text        string
	args        []any
}

// changesSince are the questions of ChangedSince. Each reads by an index what came after the marks, and no more.
func changesSince(creditorID int64, m models.AuditMarks) []changes {
	const of = "creditor_id = ? AND id > ?"
	news := "FROM shipment_reports r JOIN shipments s ON s.id = r.shipment_id %s WHERE r.creditor_id = ? AND r.id > ? AND s.document_kind = ?"
	return []changes{
		{false, "SELECT DISTINCT invoice_id FROM events WHERE " + of + " AND invoice_id <> 0" + noNews, []any{creditorID, m.Events}},
		{true, "SELECT DISTINCT customer_id FROM events WHERE " + of + " AND invoice_id = 0 AND customer_id <> 0" + noNews, []any{creditorID, m.Events}},
		{false, "SELECT DISTINCT invoice_id FROM entries WHERE " + of, []any{creditorID, m.Entries}},
		{true, "SELECT DISTINCT customer_id FROM entries WHERE " + of + " AND credit_note_id <> 0", []any{creditorID, m.Entries}},
		{true, "SELECT DISTINCT e.customer_id FROM entries e JOIN invoices i ON i.id = e.invoice_id WHERE e.creditor_id = ? AND e.id > ? AND i.free > 0", []any{creditorID, m.Entries}},
		{false, "SELECT DISTINCT invoice_id FROM overdue_notices WHERE " + of, []any{creditorID, m.Notices}},
		{false, "SELECT DISTINCT invoice_id FROM direct_entries WHERE " + of, []any{creditorID, m.Direct}},
		{false, "SELECT DISTINCT s.document_id " + fmt.Sprintf(news, ""), []any{creditorID, m.Reports, models.InvoiceDocument}},
		{false, "SELECT DISTINCT n.invoice_id " + fmt.Sprintf(news, "JOIN overdue_notices n ON n.id = s.document_id"), []any{creditorID, m.Reports, models.NoticeDocument}},
		{false, "SELECT DISTINCT n.invoice_id " + fmt.Sprintf(news, "JOIN overdue_notices n ON n.letter_id = s.document_id"), []any{creditorID, m.Reports, models.LetterDocument}},
	}
}

// NoticesInTurn returns the invoices of up to limit of the creditor's notices after an ID, in order of the notices, and the last notice: zero
// if there are no more after it.
func (r reads) NoticesInTurn(ctx context.Context, creditorID, after int64, limit int) (ids []int64, last int64, err error) {
	var id, invoiceID int64
	n := 0
	err = r.each(ctx, limited("SELECT id, invoice_id FROM overdue_notices WHERE creditor_id = ? AND id > ? ORDER BY id", limit), []any{creditorID, after}, func() {
		ids, last = append(ids, invoiceID), id
		n++
	}, &id, &invoiceID)
	if n < limit {
		last = 0
	}
	return ids, last, err
}

// FindingsOfNights returns what nights have found on some of the creditor's invoices.
func (r reads) FindingsOfNights(ctx context.Context, creditorID int64, invoiceIDs []int64) ([]models.AuditFinding, error) {
	return readAll[models.AuditFinding](r.with(ctx).Where("invoice_id IN ? AND +creditor_id = ? AND night IS NOT NULL", invoiceIDs, creditorID).Order("id"))
}

// findingShown is for how many days a finding of a night is told of that nobody has to do anything about: a doubt, a rule, or what was unlawful and
// costs nothing on an invoice that is not on hold.
const findingShown = 30

// openFindings returns the query for the findings of law that nights have made and nobody has settled: the invoice is still on hold as it was
// then, or, where it was on none, something is to be paid back or the finding is young. What was put right is not among them (rule U6). f is
// the finding and i its invoice.
func (r reads) openFindings(ctx context.Context, today models.Date) *gorm.DB {
	return r.notPutRight(ctx).Joins("JOIN invoices i ON i.id = f.invoice_id").Where("f.class = ?", models.FindingLaw).
		Where("(f.held_for <> '' AND i.hold_held = ? AND COALESCE(NULLIF(i.hold_reason, ''), ?) = f.held_for AND (i.hold_until IS NULL OR i.hold_until >= ?) AND i.closed = ''"+
			" OR f.held_for = '' AND (f.back_fee + f.back_interest > 0 OR f.night > ?))", true, models.HoldOther, today, today-findingShown)
}

// OpenFindings returns up to limit of those findings of the creditor's, in order of ID.
func (r reads) OpenFindings(ctx context.Context, creditorID int64, today models.Date, limit int) ([]models.AuditFinding, error) {
	return scan[[]models.AuditFinding](r.openFindings(ctx, today).Where("f.creditor_id = ?", creditorID).Select("f.*").Order("f.id").Limit(limit))
}

func (r reads) notPutRight(ctx context.Context) *gorm.DB {
	return r.with(ctx).Table("audit_findings f").Where("f.night IS NOT NULL").
		Where("NOT EXISTS (SELECT 1 FROM audit_repayments p WHERE p.invoice_id = f.invoice_id AND p.notice_id = f.notice_id AND p.code = f.code)")
}

// CountFindings counts, by class, what nights have found of all creditors that is open: of law as Today shows it, of the others what the last 30
// days brought.
func (r reads) CountFindings(ctx context.Context, today models.Date) (map[models.FindingClass]int64, error) {
	law := r.openFindings(ctx, today).Select("f.class, COUNT(*) AS n").Group("f.class")
	others := r.notPutRight(ctx).Where("f.class <> ? AND f.night > ?", models.FindingLaw, today-findingShown).Select("f.class, COUNT(*) AS n").Group("f.class")
	found, err := scan[[]struct {
		Class models.FindingClass
		N     int64
	}](r.with(ctx).Raw("? UNION ALL ?", law, others))
	if err != nil {
		return nil, err
	}
	counts := make(map[models.FindingClass]int64)
	for _, class := range models.FindingClasses {
		counts[class] = 0
	}
	for _, f := range found {
		counts[f.Class] = f.N
	}
	return counts, nil
}

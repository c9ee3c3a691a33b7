package store

import (
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"

	"purr/models"
)

var (
	invoiceByID    = selecting[models.Invoice]("FROM invoices WHERE id = ? AND creditor_id = ?")
	linesOfInvoice = selecting[models.Line]("FROM invoice_lines WHERE invoice_id = ? ORDER BY position")
)

// Invoice returns one invoice of the creditor.
func (r reads) Invoice(ctx context.Context, creditorID, id int64) (models.Invoice, error) {
	return invoiceByID.one(ctx, r, "invoice", id, creditorID)
}

// InvoiceLines returns an invoice's lines in order.
func (r reads) InvoiceLines(ctx context.Context, invoiceID int64) ([]models.Line, error) {
	return linesOfInvoice.all(ctx, r, invoiceID)
}

// LinesOfInvoices does for several invoices what InvoiceLines does for one, by the invoice's ID.
func (r reads) LinesOfInvoices(ctx context.Context, invoiceIDs []int64) (map[int64][]models.Line, error) {
	return readGroups(r.with(ctx).Where("invoice_id IN ?", invoiceIDs).Order("position"), func(l models.Line) int64 { return l.InvoiceID })
}

// InvoiceByNumber returns the creditor's invoice with the number.
func (r reads) InvoiceByNumber(ctx context.Context, creditorID, number int64) (models.Invoice, error) {
	return readOne[models.Invoice](r.with(ctx).Where("creditor_id = ? AND number = ?", creditorID, number), "invoice")
}

// InvoicesByID returns the creditor's invoices with the IDs, in order of ID.
func (r reads) InvoicesByID(ctx context.Context, creditorID int64, ids []int64) ([]models.Invoice, error) {
	return r.invoicesWhere(ctx, creditorID, "id IN ?", ids)
}

// InvoicesByNumber returns the creditor's invoices with the numbers, in order of ID.
func (r reads) InvoicesByNumber(ctx context.Context, creditorID int64, numbers []int64) ([]models.Invoice, error) {
	return r.invoicesWhere(ctx, creditorID, "number IN ?", numbers)
}

func (r reads) invoicesWhere(ctx context.Context, creditorID int64, where string, values []int64) ([]models.Invoice, error) {
	if len(values) == 0 {
		return nil, nil
	}
	return readAll[models.Invoice](r.with(ctx).Where("creditor_id = ? AND "+where, creditorID, values).Order("id"))
}

// InvoicesOwing returns, by amount, up to limit of the creditor's open invoices on which exactly the amount is owed, in
// order of ID: with the repayment that is owed on one, or without it, as letters ask for it (rule D96). The amounts must be
// positive and in order.
func (r reads) InvoicesOwing(ctx context.Context, creditorID int64, amounts []models.Amount, limit int) (map[models.Amount][]models.Invoice, error) {
	// Each part reads the beginning of an index. The condition on a balance above zero lets SQLite use its index of open invoices.
	of := func(owed string) string {
		return limited("SELECT id FROM (SELECT id FROM invoices WHERE creditor_id = ? AND "+owed+" AND closed = ? ORDER BY id", limit) + ") AS part"
	}
	query := limited("SELECT invoices.* FROM ("+of("balance = ? AND balance > 0")+" UNION "+of("repayment_owed > 0 AND balance > 0 AND balance - repayment_owed = ?")+
		") AS owing JOIN invoices ON invoices.id = owing.id ORDER BY invoices.id", limit)
	found, err := forEach[models.Invoice](r.with(ctx), query, amounts, func(owed models.Amount) []any {
		return []any{creditorID, owed, models.NotClosed, creditorID, owed, models.NotClosed}
	})
	if err != nil {
		return nil, err
	}
	owing := make(map[models.Amount][]models.Invoice, len(amounts))
	for _, i := range found { // one that is asked for twice, by both amounts, is found twice
		for _, amount := range []models.Amount{i.Balance, i.Claimed()} {
			_, wanted := slices.BinarySearch(amounts, amount)
			if wanted && len(owing[amount]) < limit && !slices.ContainsFunc(owing[amount], func(o models.Invoice) bool { return o.ID == i.ID }) {
				owing[amount] = append(owing[amount], i)
			}
		}
	}
	return owing, nil
}

// OpenInvoice is an invoice on which something is owed, with what its last notice in force says and the hold of its customer.
type OpenInvoice struct {
	models.Invoice `gorm:"embedded"`
	NoticeGross    models.Amount // all that the notice asks for; zero without a notice
	NoticeCharges  models.Amount // what the notice charged of it
	CustomerHold   models.Hold   `gorm:"embedded;embeddedPrefix:customer_hold_"`
}

// OpenInvoicesOf returns, by customer, up to limit of the customer's open invoices, the earliest due first. It asks one question for
// mostIDsAsked customers.
func (r reads) OpenInvoicesOf(ctx context.Context, creditorID int64, customerIDs []int64, limit int) (map[int64][]OpenInvoice, error) {
	var all []OpenInvoice
	for some := range slices.Chunk(customerIDs, mostIDsAsked) {
		// The pluses keep SQLite from using an index of all customers.
		open := r.from(ctx, "invoices", "invoices_credit").Select("id, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY deadline, id) AS place").
			Where("customer_id IN ? AND +creditor_id = ? AND +balance > 0 AND closed = ?", some, creditorID, models.NotClosed)
		found, err := scan[[]OpenInvoice](r.with(ctx).Table("(?) AS open", open).
			Joins("JOIN invoices i ON i.id = open.id JOIN customers c ON c.id = i.customer_id").
			Joins("LEFT JOIN overdue_notices n ON n.invoice_id = i.id AND n.sequence = i.notices AND n.withdrawn IS NULL").
			Select(`i.*, COALESCE(n.gross, 0) AS notice_gross, COALESCE(n.fee + n.interest, 0) AS notice_charges,
				c.hold_held AS customer_hold_held, c.hold_until AS customer_hold_until, c.hold_reason AS customer_hold_reason, c.hold_comment AS customer_hold_comment`).
			Where("open.place <= ?", limit).Order("i.deadline, i.id"))
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return groupBy(all, func(i OpenInvoice) int64 { return i.CustomerID }), nil
}

// InvoicesInWindow returns up to limit invoices of the creditor in the window, in order of deadline and ID. It begins after
// the invoice with the deadline and ID of after.
func (r reads) InvoicesInWindow(ctx context.Context, creditorID int64, w models.Window, after models.Invoice, limit int) ([]models.Invoice, error) {
	return readAll[models.Invoice](r.inWindow(ctx, creditorID, w, after, limit))
}

// InvoicesInWindowWithoutPlan returns as InvoicesInWindow does, but only invoices for which no payment plan runs (rule L15).
func (r reads) InvoicesInWindowWithoutPlan(ctx context.Context, creditorID int64, w models.Window, after models.Invoice, limit int) ([]models.Invoice, error) {
	return readAll[models.Invoice](r.inWindow(ctx, creditorID, w, after, limit).Where("plan_id = 0"))
}

// InvoicesOwingOnlyCharges returns as InvoicesInWindow does, but only invoices of which no more is claimed than the fees and
// the interest that were charged on them: their principal is paid (rule L7).
func (r reads) InvoicesOwingOnlyCharges(ctx context.Context, creditorID int64, w models.Window, after models.Invoice, limit int) ([]models.Invoice, error) {
	return readAll[models.Invoice](r.inWindow(ctx, creditorID, w, after, limit).Where(`balance - repayment_owed <=
		(SELECT COALESCE(SUM(e.amount), 0) FROM entries e WHERE e.invoice_id = invoices.id AND e.credit_note_id = 0 AND e.type IN ?)`,
		[]models.EntryType{models.EntryOverdueCharge, models.EntryInterest}))
}

func (r reads) inWindow(ctx context.Context, creditorID int64, w models.Window, after models.Invoice, limit int) *gorm.DB {
	w.From = max(w.From, after.Deadline)
	where, args := windowConditions(creditorID, w)
	g := r.with(ctx).Where(where, args...)
	if after.ID != 0 {
		g = g.Where("(deadline > ? OR id > ?)", after.Deadline, after.ID)
	}
	return g.Order("deadline, id").Limit(limit)
}

// windowConditions returns what the creditor's invoices in the window meet.
func windowConditions(creditorID int64, w models.Window) (where string, args []any) {
	where, args = "creditor_id = ? AND stage = ?", []any{creditorID, w.Stage}
	if w.CustomerID != 0 { // the pluses keep SQLite from using an index of all customers
		where, args = "customer_id = ? AND +creditor_id = ? AND +stage = ?", []any{w.CustomerID, creditorID, w.Stage}
	}
	if w.From != 0 {
		where, args = where+" AND deadline >= ?", append(args, w.From)
	}
	if w.To != 0 {
		where, args = where+" AND deadline <= ?", append(args, w.To)
	}
	if w.Below != 0 {
		where, args = where+" AND balance > 0 AND (balance - repayment_owed < ? OR (notices > 0 OR adopted) AND balance - repayment_owed < ? + ("+chargedOn("invoices")+"))", append(args, w.Below, w.Below)
	}
	return where, args
}

// WindowsWithInvoices returns those of the windows in which the creditor has invoices.
func (r reads) WindowsWithInvoices(ctx context.Context, creditorID int64, windows []models.Window) (with []models.Window, err error) {
	for some := range slices.Chunk(windows, mostSelects) {
		has, asks := make([]bool, len(some)), make([]string, len(some))
		var args, into []any
		for n, w := range some {
			where, of := windowConditions(creditorID, w)
			asks[n], args, into = "EXISTS (SELECT 1 FROM invoices WHERE "+where+")", append(args, of...), append(into, &has[n])
		}
		if err := eachRow(r.with(ctx).Raw("SELECT "+strings.Join(asks, ", "), args...), func() {}, into...); err != nil {
			return nil, err
		}
		for n, w := range some {
			if has[n] {
				with = append(with, w)
			}
		}
	}
	return with, nil
}

// LockInvoice reads an invoice of the creditor and locks it until the transaction ends. Callers base every
// decision about the invoice on the row that it returns.
func (tx *Tx) LockInvoice(ctx context.Context, creditorID, id int64) (models.Invoice, error) {
	return readOne[models.Invoice](forUpdate(tx.with(ctx)).Where("id = ? AND creditor_id = ?", id, creditorID), "invoice")
}

// LockedInvoice is what LockInvoices returns of an invoice.
type LockedInvoice struct {
	ID, CustomerID int64
	Balance        models.Amount
	WrittenOff     models.Amount
	Notices        int
	HandedOver     models.Date
}

// LockInvoices locks the creditor's invoices with the IDs, in order of ID, and returns them by ID.
func (tx *Tx) LockInvoices(ctx context.Context, creditorID int64, ids []int64) (map[int64]LockedInvoice, error) {
	invoices := forUpdate(tx.with(ctx)).Model(&models.Invoice{}).Where("id IN ? AND creditor_id = ?", ids, creditorID).Order("id")
	return readBy(invoices, func(i LockedInvoice) int64 { return i.ID })
}

// CreateInvoices writes new invoices with the lines of each and sets their IDs and CreatedAt.
func (tx *Tx) CreateInvoices(ctx context.Context, invoices []models.Invoice, lines [][]models.Line) error {
	for n := range invoices {
		i := &invoices[n]
		i.CreatedAt, i.LapsesOn = tx.Now, models.LapsesOn(i.DueDate, i.Acknowledged)
		i.Search, i.SearchDigit = documentSearch(i.Recipient)
	}
	if err := tx.insert(ctx, &invoices); err != nil {
		return err
	}
	var all []models.Line
	for n, i := range invoices {
		for k := range lines[n] {
			lines[n][k].InvoiceID = i.ID
		}
		all = append(all, lines[n]...)
	}
	return tx.add(ctx, &all)
}

// SetWrittenOff sets the principal that a run has written off on an invoice, which the caller has locked (rule L25).
func (tx *Tx) SetWrittenOff(ctx context.Context, invoiceID int64, amount models.Amount) error {
	return tx.set(ctx, &models.Invoice{}, map[string]any{"written_off": amount}, "id = ?", invoiceID)
}

// UpdateInvoice writes the fields that dunning changes: notices, deadline, closing, hand-over, hold, more time and payment plan. The caller
// has locked the invoice. Its plan is looked at by the next run. Only RefreshBalances writes its balance, only Acknowledge and RefreshLapses when it lapses, and only SetPDFs its PDF.
func (tx *Tx) UpdateInvoice(ctx context.Context, i models.Invoice) error {
	err := tx.set(ctx, &models.Invoice{}, map[string]any{
		"notices": i.Notices, "warned": i.Warned, "deadline": i.Deadline, "closed": i.Closed, "written_off": i.WrittenOff, "kept_open": i.KeptOpen, "handed_over": i.HandedOver,
		"hold_held": i.Hold.Held, "hold_until": i.Hold.Until, "hold_reason": i.Hold.Reason, "hold_comment": i.Hold.Comment,
		"more_time_since": i.MoreTime.Since, "more_time_until": i.MoreTime.Until, "more_time_reason": i.MoreTime.Reason, "interest_free": i.InterestFree,
		"plan_id": i.PlanID,
	}, "id = ?", i.ID)
	if err != nil || i.PlanID == 0 {
		return err
	}
	return tx.LookAtPlans(ctx, i.ID)
}

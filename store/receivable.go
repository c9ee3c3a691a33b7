package store

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"purr/models"
)

// Owed is what is owed on the open invoices that have one due date. An invoice is open if its balance is above zero and
// nobody has closed it. An invoice that went to debt collection is open.
type Owed struct {
	DueDate        models.Date
	Invoices       int
	Amount         models.Amount // above zero
	Repayments     models.Amount // how much of it is owed as repayments, which are due when they are asked for (rule D96)
	OnlyRepayments int           // on how many of the invoices nothing else is owed
}

// OwedByDueDate returns what is owed to the creditor by due date, in order. With a day it returns what was owed at the end of
// that day: by the dates of the entries, on the invoices that are not closed now. A zero day takes all entries.
func (r reads) OwedByDueDate(ctx context.Context, creditorID int64, day models.Date) ([]Owed, error) {
	owed, err := r.owed(ctx, creditorID, day)
	if err != nil {
		return nil, err
	}
	each := owed.Select("due_date, balance, "+repaymentOn+" AS repayment", creditorID)
	return scan[[]Owed](r.with(ctx).Table("(?) AS owed", each).Group("due_date").Order("due_date").Select(`due_date, COUNT(*) AS invoices, SUM(balance) AS amount,
		SUM(CASE WHEN repayment < balance THEN repayment ELSE balance END) AS repayments, SUM(CASE WHEN repayment < balance THEN 0 ELSE 1 END) AS only_repayments`))
}

// repaymentOn is what is owed as a repayment now on the invoice of a row that owed selects, as SQL whose parameter is the creditor's
// ID (rule D96). The few invoices that have one are found by their index, so the rows are still read from the index of balances.
const repaymentOn = `CASE WHEN invoices.id IN (SELECT few.id FROM invoices AS few WHERE few.creditor_id = ? AND few.repayment_owed > 0)
	THEN (SELECT one.repayment_owed FROM invoices AS one WHERE one.id = invoices.id) ELSE 0 END`

// repaying begins a query on the creditor's open invoices on which a repayment is owed.
func (r reads) repaying(ctx context.Context, creditorID int64) *gorm.DB {
	return r.from(ctx, "invoices", "invoices_repayment").Where("creditor_id = ? AND repayment_owed > 0 AND closed = ?", creditorID, models.NotClosed)
}

// OwedInvoice is what a customer owes on an open invoice.
type OwedInvoice struct {
	CustomerID int64
	Age        int           // the first place among the days that OwedInvoices was given
	Amount     models.Amount // above zero
	Repayment  models.Amount // how much of it is owed as a repayment, which is due when it is asked for (rule D96)
}

// OwedInvoices calls do for each of the creditor's open invoices, in no order. A day is as in OwedByDueDate. since are days,
// the latest first. An invoice has the age n if it fell due on since[n] or later, but before since[n-1]. What is older than
// all of them has the age len(since).
func (r reads) OwedInvoices(ctx context.Context, creditorID int64, day models.Date, since []models.Date, do func(OwedInvoice)) error {
	age, args := "CASE", []any{}
	for n, first := range since {
		age += fmt.Sprintf(" WHEN due_date >= ? THEN %d", n)
		args = append(args, first)
	}
	owed, err := r.owed(ctx, creditorID, day)
	if err != nil {
		return err
	}
	var customerID, balance, place, repayment int64 // which are set faster than other types
	return eachRow(owed.Select("customer_id, balance, "+age+fmt.Sprintf(" ELSE %d END AS age, ", len(since))+repaymentOn+" AS repayment", append(args, creditorID)...), func() {
		amount := models.Amount(balance)
		do(OwedInvoice{customerID, int(place), amount, min(models.Amount(repayment), amount)})
	}, &customerID, &balance, &place, &repayment)
}

// owed begins a query on the creditor's open invoices, with the balance of each at the end of a day. An invoice without
// later entries has the balance that stands on its row. So only later entries are read: of those that a night has counted,
// none has a lower ID than the first of the later days.
func (r reads) owed(ctx context.Context, creditorID int64, day models.Date) (*gorm.DB, error) {
	open := func(g *gorm.DB) *gorm.DB {
		return g.Where("creditor_id = ? AND balance > 0 AND closed = ?", creditorID, models.NotClosed)
	}
	now := open(r.from(ctx, "invoices", "invoices_balance"))
	if day == 0 {
		return now, nil
	}
	all, err := r.counted(ctx, entryList, creditorID, Dates{}, "")
	if err != nil {
		return nil, err
	}
	counted, err := r.counted(ctx, entryList, creditorID, Dates{From: day + 1}, "")
	if err != nil {
		return nil, err
	}
	first := all.Last + 1
	if counted.Items > 0 {
		first = counted.First
	}
	later := func() *gorm.DB {
		return r.from(ctx, "entries", "entries_list").
			Where("creditor_id = ? AND id >= ? AND transaction_date > ? AND credit_note_id = 0", creditorID, first, day)
	}
	moved := r.from(ctx, "invoices", "PRIMARY").Joins("JOIN (?) AS later ON later.invoice_id = invoices.id",
		later().Select("invoice_id, SUM(amount) AS amount").Group("invoice_id")).
		Select("id, creditor_id, balance - later.amount AS balance, closed, due_date, customer_id")
	unmoved := now.Where("id NOT IN (?)", later().Select("invoice_id")).Select("id, creditor_id, balance, closed, due_date, customer_id")
	return open(r.with(ctx).Table("(? UNION ALL ?) AS invoices", unmoved, moved)), nil
}

// Balances returns the balance of each of the creditor's customers with the IDs: the sum of the balances of its invoices
// and credit notes, which is the sum of its entries (rule D33). It leaves out customers without documents.
func (r reads) Balances(ctx context.Context, creditorID int64, customerIDs []int64) (map[int64]models.Amount, error) {
	of := func(table string) *gorm.DB {
		return r.from(ctx, table, table+"_credit").Select("customer_id, balance").Where("creditor_id = ? AND customer_id IN ?", creditorID, customerIDs)
	}
	rows, err := scan[[]struct {
		CustomerID int64
		Balance    models.Amount
	}](r.with(ctx).Raw("SELECT customer_id, SUM(balance) AS balance FROM (? UNION ALL ?) AS documents GROUP BY customer_id", of("invoices"), of("credit_notes")))
	if err != nil {
		return nil, err
	}
	balances := make(map[int64]models.Amount, len(rows))
	for _, row := range rows {
		balances[row.CustomerID] = row.Balance
	}
	return balances, nil
}

// DayMoney is the sum of the entries of one type that have one date.
type DayMoney struct {
	Day    models.Date
	Type   models.EntryType
	Amount models.Amount
}

// MoneyByDay returns the sums of the creditor's entries by date and type, in order of date. It adds the entries of the last
// hours to the sums that each night keeps (see CountLists).
func (r reads) MoneyByDay(ctx context.Context, creditorID int64, d Dates) ([]DayMoney, error) {
	counted, err := r.counted(ctx, entryList, creditorID, Dates{}, "")
	if err != nil {
		return nil, err
	}
	kept := d.apply(r.with(ctx).Table("list_days").Select("day, type, amount").Where("creditor_id = ? AND list = ?", creditorID, entryList.table), "day")
	since := d.apply(r.from(ctx, "entries", entryList.index).Select("transaction_date AS day, type, amount").
		Where("creditor_id = ? AND id > ?", creditorID, counted.Last), "transaction_date")
	return scan[[]DayMoney](r.with(ctx).Raw("SELECT day, type, SUM(amount) AS amount FROM (? UNION ALL ?) AS days GROUP BY day, type ORDER BY day, type", kept, since))
}

// PaidInvoice is a payment on an invoice.
type PaidInvoice struct {
	DueDate models.Date // of the invoice
	Paid    models.Date
}

// LastPayments returns the last payments on the creditor's invoices, the last first: at most as many as the limit. With a
// customer's ID it takes that customer's alone. It leaves out credit that was moved from another document.
func (r reads) LastPayments(ctx context.Context, creditorID, customerID int64, limit int) ([]PaidInvoice, error) {
	last := r.from(ctx, "entries", entryList.index).Where("creditor_id = ?", creditorID)
	if customerID != 0 {
		last = r.from(ctx, "entries", "entries_customer").Where("customer_id = ? AND creditor_id = ?", customerID, creditorID)
	}
	last = last.Select("id").Where("type IN ?", payments).Order("id DESC").Limit(limit)
	return scan[[]PaidInvoice](r.with(ctx).Table("(?) AS last", last).Joins("JOIN entries USING (id)").Joins("JOIN invoices ON invoices.id = entries.invoice_id").
		Where("entries.amount < 0 AND entries.credit_note_id = 0 AND entries.moved_from = 0").
		Select("invoices.due_date, entries.transaction_date AS paid").Order("last.id DESC"))
}

// payments are the types of entries that are money from the customer, or back to it.
var payments = []models.EntryType{models.EntryPayment, models.EntryOCR, models.EntryRepayment}

// NoticeResult says what became of the invoice of a notice.
type NoticeResult struct {
	Sequence  int
	IssueDate models.Date
	Paid      models.Date // of the payment that covered the principal, if nothing of it is owed any more; else zero (rule N9)
}

// NoticeResults returns the results of the last of the creditor's notices on some days: at most as many as the limit. It
// leaves out notices that were withdrawn.
func (r reads) NoticeResults(ctx context.Context, creditorID int64, issued Dates, limit int) ([]NoticeResult, error) {
	last := issued.apply(r.from(ctx, "overdue_notices", "overdue_notices_list_days").Select("id").
		Where("creditor_id = ? AND withdrawn IS NULL", creditorID), "issue_date").Order("issue_date DESC, id DESC").Limit(limit)
	return scan[[]NoticeResult](r.with(ctx).Table("(?) AS last", last).Joins("JOIN overdue_notices AS n USING (id)").Joins("JOIN invoices AS i ON i.id = n.invoice_id").
		Select(`n.sequence, n.issue_date, CASE WHEN i.balance <= i.repayment_owed + (`+chargedOn("i")+`) THEN (SELECT COALESCE(MIN(CASE WHEN
				(SELECT SUM(-p.amount) FROM entries p WHERE p.invoice_id = i.id AND p.credit_note_id = 0 AND p.transaction_date <= e.transaction_date
					AND p.type NOT IN ('INVOICE', 'OVERDUE_CHARGE', 'INTEREST')) >= i.gross THEN e.transaction_date END), MAX(e.transaction_date)) FROM entries e
			WHERE e.invoice_id = i.id AND e.credit_note_id = 0 AND e.amount < 0 AND e.type IN ?) END AS paid`, payments))
}

// SentLetter is a shipment with the numbers of its document.
type SentLetter struct {
	models.Shipment `gorm:"embedded"`
	InvoiceNumber   int64 // of the invoice that it is or is about
	Number          int64 // of the document; of a notice and a payment plan the invoice's, and of a statement the customer's ID
}

// NewestLettersOf returns up to limit of the shipments of a customer's newest documents, the newest first.
func (r reads) NewestLettersOf(ctx context.Context, creditorID, customerID int64, limit int) ([]SentLetter, error) {
	return scan[[]SentLetter](r.with(ctx).Raw(fmt.Sprintf(`SELECT s.*, d.invoice_number, d.number FROM (
			SELECT * FROM (SELECT 'invoice' AS kind, id, number AS invoice_number, number FROM invoices WHERE customer_id = ? AND creditor_id = ? ORDER BY id DESC LIMIT %[1]d) AS i
			UNION ALL
			SELECT * FROM (SELECT 'credit_note' AS kind, c.id, i.number AS invoice_number, c.number FROM credit_notes c JOIN invoices i ON i.id = c.invoice_id
				WHERE c.customer_id = ? AND c.creditor_id = ? ORDER BY c.id DESC LIMIT %[1]d) AS c
			UNION ALL
			SELECT * FROM (SELECT 'overdue_notice' AS kind, n.id, i.number AS invoice_number, i.number AS number FROM invoices i JOIN overdue_notices n ON n.invoice_id = i.id
				WHERE i.customer_id = ? AND i.creditor_id = ? ORDER BY n.id DESC LIMIT %[1]d) AS n
			UNION ALL
			SELECT * FROM (SELECT 'letter' AS kind, id, 0 AS invoice_number, number FROM letters WHERE customer_id = ? AND creditor_id = ? ORDER BY id DESC LIMIT %[1]d) AS l
			UNION ALL
			SELECT * FROM (SELECT 'statement' AS kind, id, 0 AS invoice_number, customer_id AS number FROM statements WHERE customer_id = ? AND creditor_id = ? ORDER BY id DESC LIMIT %[1]d) AS st
			UNION ALL
			SELECT * FROM (SELECT 'payment_plan' AS kind, p.id, i.number AS invoice_number, i.number AS number FROM payment_plans p JOIN invoices i ON i.id = p.invoice_id
				WHERE p.customer_id = ? AND p.creditor_id = ? ORDER BY p.id DESC LIMIT %[1]d) AS pl
		) AS d JOIN shipments s ON s.document_kind = d.kind AND s.document_id = d.id ORDER BY s.id DESC LIMIT %[1]d`, limit),
		customerID, creditorID, customerID, creditorID, customerID, creditorID, customerID, creditorID, customerID, creditorID, customerID, creditorID))
}

// below narrows a query to IDs below one, unless that is zero.
func below(g *gorm.DB, column string, before int64) *gorm.DB {
	if before == 0 {
		return g
	}
	return g.Where(column+" < ?", before)
}

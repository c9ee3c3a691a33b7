package store

import (
	"context"

	"gorm.io/gorm"

	"purr/models"
)

// mostAdded is the most rows of a list that are added up while a page is made. Tests lower it.
var mostAdded int64 = 10_000

// ListSum is what all rows of a list are together (rule N14). Of more than can be added up while a page is made, Added is false, and only
// their number is there.
type ListSum struct {
	Number int64
	Amount models.Amount
	Rest   models.Amount // the sum of a second column of money, such as what is owed
	Added  bool
}

// sumOf counts the rows of a query and adds up two of its columns, which are named amount and rest, in one question.
func (r reads) sumOf(ctx context.Context, rows *gorm.DB, columns string) (ListSum, error) {
	rows = rows.Session(&gorm.Session{Context: ctx})
	sum, err := scan[ListSum](r.with(ctx).Table("(?) AS listed", rows.Select(columns).Limit(int(mostAdded)+1)).
		Select("COUNT(*) AS number, COALESCE(SUM(amount), 0) AS amount, COALESCE(SUM(rest), 0) AS rest"))
	switch {
	case err != nil:
		return ListSum{}, err
	case sum.Number <= mostAdded:
		sum.Added = true
		return sum, nil
	}
	number, err := count(rows)
	if err != nil {
		return ListSum{}, err
	}
	return ListSum{Number: number}, nil
}

// atMost counts the rows of a query, but no more than one above mostAdded. It returns whether these are all.
func (r reads) atMost(ctx context.Context, rows *gorm.DB) (n int64, all bool, err error) {
	if n, err = count(r.with(ctx).Table("(?) AS listed", rows.Select("id").Limit(int(mostAdded)+1))); err != nil {
		return 0, false, err
	}
	return min(n, mostAdded), n <= mostAdded, nil
}

// SummedPayments returns what PaymentsToMatch does, with the sum of all open unmatched payments, by one question. Of too many, their number
// is not there either.
func (r reads) SummedPayments(ctx context.Context, creditorID, after int64, limit int) ([]models.UnmatchedPayment, ListSum, error) {
	open := r.from(ctx, "unmatched_payments", "unmatched_payments_status").Where("creditor_id = ? AND status = ?", creditorID, models.PaymentOpen).
		Session(&gorm.Session{})
	all := r.with(ctx).Table("(?) AS queue", open.Select("amount").Limit(int(mostAdded)+1)).Session(&gorm.Session{})
	found, err := scan[[]struct {
		models.UnmatchedPayment `gorm:"embedded"`

		QueueNumber int64
		QueueAmount models.Amount
	}](open.Select("*, (?) AS queue_number, (?) AS queue_amount", all.Select("COUNT(*)"), all.Select("SUM(amount)")).Where("id > ?", after).Order("id").Limit(limit))
	if err != nil {
		return nil, ListSum{}, err
	}
	var sum ListSum
	payments := make([]models.UnmatchedPayment, len(found))
	for n, one := range found {
		if payments[n] = one.UnmatchedPayment; one.QueueNumber <= mostAdded {
			sum = ListSum{Number: one.QueueNumber, Amount: one.QueueAmount, Added: true}
		}
	}
	return payments, sum, nil
}

// PaymentSum returns the sum of the creditor's unmatched payments that have one of the statuses.
func (r reads) PaymentSum(ctx context.Context, creditorID int64, statuses ...string) (ListSum, error) {
	of := r.from(ctx, "unmatched_payments", "unmatched_payments_status").Where("creditor_id = ? AND status IN ?", creditorID, statuses)
	return r.sumOf(ctx, of, "amount, 0 AS rest")
}

// PaymentFileSum returns the number of the files that NewestPaymentFiles lists, and what the creditor's parts of them come to.
func (r reads) PaymentFileSum(ctx context.Context, creditorID int64) (ListSum, error) {
	part := r.with(ctx).Table("payment_file_parts p").Select("amount").Where("p.payment_file_id = payment_files.id AND p.creditor_id = ?", creditorID)
	amounts := r.filesSeenBy(ctx, creditorID).Table("payment_files").Select("(?) AS amount, 0 AS rest", part)
	return r.sumOf(ctx, r.with(ctx).Table("(?) AS files", amounts), "amount, rest")
}

// StatementSum returns the sum of the lines that StatementLines lists.
func (r reads) StatementSum(ctx context.Context, creditorID int64, f StatementFilter) (ListSum, error) {
	return r.sumOf(ctx, r.with(ctx).Table("(?) AS whole_lines", r.wholeLines(ctx, creditorID, f)), "amount, 0 AS rest")
}

// RunSum returns the number of the creditor's runs of a kind, with the fees and the interest that they charged.
func (r reads) RunSum(ctx context.Context, creditorID int64, kind models.RunKind) (ListSum, error) {
	of := r.with(ctx).Table("runs").Where("creditor_id = ? AND kind = ?", creditorID, kind)
	return r.sumOf(ctx, of, "fees AS amount, interest AS rest")
}

// ListedEvents counts the creditor's events that the filter takes, up to a bound. It returns whether these are all.
func (r reads) ListedEvents(ctx context.Context, creditorID int64, f EventFilter) (n int64, all bool, err error) {
	return r.atMost(ctx, f.of(r.with(ctx).Table("events"), creditorID))
}

// ListedShipments counts the creditor's shipments that the filter takes, up to a bound. It returns whether these are all.
func (r reads) ListedShipments(ctx context.Context, creditorID int64, f ShipmentFilter) (n int64, all bool, err error) {
	return r.atMost(ctx, f.of(ctx, r, creditorID))
}

// SummedInvoices returns what OrderedInvoices does, with the gross and the balance of all invoices that the filter takes. Of more than can
// be added up, but all of the creditor's, only the balance is there.
func (r reads) SummedInvoices(
	ctx context.Context, creditorID int64, f InvoiceFilter, o InvoiceOrder, after InvoiceMark, limit int,
) ([]models.ListedInvoice, ListSum, error) {
	if f.Search != "" {
		ids, found, err := r.soughtIDs(ctx, creditorID, f, o, after, limit)
		if err != nil {
			return nil, ListSum{}, err
		}
		rows, err := r.inOrder(ctx, ids)
		switch {
		case err != nil || int64(len(found)) > mostAdded:
			return rows, ListSum{Number: int64(len(found))}, err
		case len(rows) == len(found):
			return rows, sumOfAll(rows), nil
		}
		sum, err := r.invoiceSum(ctx, r.with(ctx).Table("invoices").Where("id IN ?", append(found, 0)))
		return rows, sum, err
	}
	total, s, err := r.countSpan(ctx, creditorID, f)
	if err != nil || total == 0 {
		return nil, ListSum{Added: true}, err
	}
	ids, err := r.orderedIDs(ctx, creditorID, f, o, after, limit, total)
	if err != nil {
		return nil, ListSum{}, err
	}
	rows, err := r.inOrder(ctx, ids)
	if err != nil {
		return nil, ListSum{}, err
	}
	if int64(len(rows)) == total && total <= mostAdded {
		return rows, sumOfAll(rows), nil
	}
	sum, err := r.sumOfInvoices(ctx, creditorID, f, total, s)
	return rows, sum, err
}

// sumOfAll adds up the invoices of a list of which no more are left.
func sumOfAll(rows []models.ListedInvoice) ListSum {
	sum := ListSum{Number: int64(len(rows)), Added: true}
	for _, i := range rows {
		sum.Amount, sum.Rest = sum.Amount+i.Gross, sum.Rest+i.Balance
	}
	return sum
}

// sumOfInvoices adds up the invoices that the filter takes, but for its search. They are so many, and s is the span of those on its days, if
// it has no statuses or also the paid.
func (r reads) sumOfInvoices(ctx context.Context, creditorID int64, f InvoiceFilter, total int64, s span) (ListSum, error) {
	narrow := f.narrow(creditorID)
	switch {
	case total > mostAdded && f.narrows():
		return ListSum{Number: total}, nil
	case total > mostAdded:
		owed, err := r.owedOnAll(ctx, creditorID)
		if err != nil {
			return ListSum{}, err
		}
		return ListSum{Number: total, Rest: owed}, nil
	case f.CustomerID != 0:
		return r.invoiceSum(ctx, narrow(r.with(ctx).Table("invoices")))
	case s == span{}:
		return r.invoiceSum(ctx, narrow(r.from(ctx, "invoices", "invoices_stage")))
	}
	return r.invoiceSum(ctx, narrow(r.from(ctx, "invoices", invoiceList.index)).Where("id BETWEEN ? AND ?", s.First, s.Last))
}

func (r reads) invoiceSum(ctx context.Context, invoices *gorm.DB) (ListSum, error) {
	return r.sumOf(ctx, invoices, "gross AS amount, balance AS rest")
}

// owedOnAll returns the sum of the balances of all the creditor's invoices. It reads indexes of those that have a balance.
func (r reads) owedOnAll(ctx context.Context, creditorID int64) (models.Amount, error) {
	of := func(sign string) *gorm.DB {
		return r.from(ctx, "invoices", "invoices_balance").Select("balance").Where("creditor_id = ? AND balance "+sign+" 0", creditorID)
	}
	return scan[models.Amount](r.with(ctx).Raw("SELECT COALESCE(SUM(balance), 0) FROM (? UNION ALL ?) AS balances", of("<"), of(">")))
}

// CustomersBalance returns the sum of the balances of the creditor's customers that Customers finds with a text, or of all. It reports
// false where they are too many to be added up.
func (r reads) CustomersBalance(ctx context.Context, creditorID int64, text string) (sum models.Amount, added bool, err error) {
	outstanding := func(g *gorm.DB) *gorm.DB {
		return g.Select("balance").Where("creditor_id = ? AND balance < 0", creditorID)
	}
	if text == "" {
		if sum, err = r.owedOnAll(ctx, creditorID); err != nil {
			return 0, false, err
		}
		credit, err := scan[models.Amount](r.with(ctx).Table("(?) AS credits", outstanding(r.from(ctx, "credit_notes", "credit_notes_credit"))).
			Select("COALESCE(SUM(balance), 0)"))
		if err != nil {
			return 0, false, err
		}
		return sum + credit, true, nil
	}
	ids, few, err := customerTexts(text).few(ctx, r, func(g *gorm.DB) *gorm.DB { return g.Where("creditor_id = ?", creditorID) })
	if err != nil || !few || int64(len(ids)) > mostAdded {
		return 0, false, err
	}
	balances, err := r.Balances(ctx, creditorID, ids)
	if err != nil {
		return 0, false, err
	}
	for _, balance := range balances {
		sum += balance
	}
	return sum, true, nil
}

// RepaymentFileSum returns the number of the creditor's files of repayments, with the sum of those that were not withdrawn.
func (r reads) RepaymentFileSum(ctx context.Context, creditorID int64) (ListSum, error) {
	return r.sumOf(ctx, r.with(ctx).Table("repayment_files").Where("creditor_id = ?", creditorID),
		"CASE WHEN state = '"+string(models.RepaymentFileWithdrawn)+"' THEN 0 ELSE amount END AS amount, 0 AS rest")
}

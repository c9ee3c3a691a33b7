package store

import (
	"context"

	"gorm.io/gorm"

	"purr/models"
)

// listed is what a question for some rows of a list says of all of them, beside each.
type listed struct {
	ListedNumber             int64
	ListedAmount, ListedRest models.Amount
}

// sum returns the sum of the list. Of very many rows only the bound of what is added up is known.
func (l listed) sum() ListSum {
	if l.ListedNumber > mostAdded {
		return ListSum{Number: mostAdded}
	}
	return ListSum{Number: l.ListedNumber, Amount: l.ListedAmount, Rest: l.ListedRest, Added: true}
}

// besideAll adds to a query of some rows of a list the columns of listed, of all its rows. The columns are named amount and rest.
func (r reads) besideAll(ctx context.Context, rows, all *gorm.DB, columns string) *gorm.DB {
	sums := r.with(ctx).Table("(?) AS each_row", all.Select(columns).Limit(int(mostAdded)+1)).
		Select("COUNT(*) AS listed_number, COALESCE(SUM(amount), 0) AS listed_amount, COALESCE(SUM(rest), 0) AS listed_rest")
	return rows.Joins("CROSS JOIN (?) AS all_rows", sums)
}

// NewestInvoicesOf returns up to limit of a customer's invoices, the newest first, of those with a lower ID than before; a before of zero
// takes all. It returns the sum of all of them too, by the same question, unless there is no row.
func (r reads) NewestInvoicesOf(ctx context.Context, creditorID, customerID, before int64, limit int) ([]models.Invoice, ListSum, error) {
	of := r.from(ctx, "invoices", "invoices_customer").Where("customer_id = ? AND creditor_id = ?", customerID, creditorID).Session(&gorm.Session{})
	found, err := scan[[]struct {
		models.Invoice `gorm:"embedded"`

		All listed `gorm:"embedded"`
	}](r.besideAll(ctx, below(of, "id", before), of, "gross AS amount, balance AS rest").Select("invoices.*, all_rows.*").Order("id DESC").Limit(limit))
	if err != nil {
		return nil, ListSum{}, err
	}
	var sum ListSum
	invoices := make([]models.Invoice, len(found))
	for n, one := range found {
		invoices[n], sum = one.Invoice, one.All.sum()
	}
	return invoices, sum, nil
}

// NewestPaymentsOf returns up to limit of a customer's payments and payouts, the last entered first, as NewestInvoicesOf does.
func (r reads) NewestPaymentsOf(ctx context.Context, creditorID, customerID, before int64, limit int) ([]StatementEntry, ListSum, error) {
	of := r.from(ctx, "entries", "entries_customer").
		Where("entries.customer_id = ? AND entries.creditor_id = ? AND type IN ?", customerID, creditorID, payments).Session(&gorm.Session{})
	rows := r.besideAll(ctx, numbered(below(of, "entries.id", before)), of, "amount, 0 AS rest")
	found, err := scan[[]struct {
		StatementEntry `gorm:"embedded"`

		All listed `gorm:"embedded"`
	}](rows.Select(numberedColumns + ", all_rows.*").Order("entries.id DESC").Limit(limit))
	if err != nil {
		return nil, ListSum{}, err
	}
	var sum ListSum
	entries := make([]StatementEntry, len(found))
	for n, one := range found {
		entries[n], sum = one.StatementEntry, one.All.sum()
	}
	return entries, sum, nil
}

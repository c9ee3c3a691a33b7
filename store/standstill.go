package store

import (
	"context"

	"gorm.io/gorm"

	"purr/models"
)

// StandstillFilter narrows a list of what stands still.
type StandstillFilter struct {
	Today models.Date           // what runs until then or longer is running
	Ended bool                  // takes what is over, not what runs
	Kind  models.StandstillKind // empty takes all
}

// StandstillMark is the last row of a part of the list. The zero mark is before the first row.
type StandstillMark struct {
	LastDay models.Date
	ID      int64
}

// StoodStill is a standstill with whose it is, and what is owed there now.
type StoodStill struct {
	models.Standstill `gorm:"embedded"`
	InvoiceNumber     int64 // zero if it is the customer's
	Name1             string
	CustomerNumber    string
	Owed              models.Amount // on the invoice, or on all open invoices of the customer; without what is owed as a repayment
}

// Mark returns the mark of the row.
func (s StoodStill) Mark() StandstillMark { return StandstillMark{s.LastDay, s.ID} }

// StandstillSums are the number of the rows that a filter takes, and what is owed there, each invoice once.
type StandstillSums struct {
	Number int64
	Owed   models.Amount
}

// owedStanding is what is owed where a row s stands still, whose invoice is i.
const owedStanding = `CASE WHEN s.invoice_id = 0
	THEN COALESCE((SELECT SUM(o.balance - o.repayment_owed) FROM invoices o WHERE o.customer_id = s.customer_id AND o.balance > 0 AND o.closed = ''), 0)
	WHEN i.balance > 0 AND i.closed = '' THEN i.balance - i.repayment_owed ELSE 0 END`

// conditions returns what the filter's rows s meet.
func (f StandstillFilter) conditions() (where string, args []any) {
	where, args = "s.last_day >= ?", []any{f.Today}
	if f.Ended {
		where = "s.last_day < ?"
	}
	if f.Kind != "" {
		where, args = where+" AND s.kind = ?", append(args, f.Kind)
	}
	return where, args
}

// Standstills returns up to limit of the creditor's rows that the filter takes, after the mark: of what runs the first to end first,
// of what is over the last to end.
func (r reads) Standstills(ctx context.Context, creditorID int64, f StandstillFilter, after StandstillMark, limit int) ([]StoodStill, error) {
	some := r.standstills(ctx, creditorID, f)
	if after.ID != 0 {
		beyond := "s.last_day >= ? AND (s.last_day > ? OR s.id > ?)"
		if f.Ended {
			beyond = "s.last_day <= ? AND (s.last_day < ? OR s.id < ?)"
		}
		some = some.Where(beyond, after.LastDay, after.LastDay, after.ID)
	}
	return r.stoodStill(ctx, f, some.Limit(limit))
}

// StandstillPage returns a page of the rows, in the same order, of which there are so many.
func (r reads) StandstillPage(ctx context.Context, creditorID int64, f StandstillFilter, p Page, total int64) ([]StoodStill, error) {
	if p.beyond(total) { // the offset could overflow
		return nil, nil
	}
	return r.stoodStill(ctx, f, r.standstills(ctx, creditorID, f).Offset(p.offset()).Limit(p.Size))
}

func (r reads) standstills(ctx context.Context, creditorID int64, f StandstillFilter) *gorm.DB {
	return r.stopped(ctx, creditorID, f).Order(f.order())
}

// stopped begins a query of the creditor's rows that the filter takes.
func (r reads) stopped(ctx context.Context, creditorID int64, f StandstillFilter) *gorm.DB {
	where, args := f.conditions()
	return r.with(ctx).Table("standstills AS s").Where("s.creditor_id = ?", creditorID).Where(where, args...)
}

func (f StandstillFilter) order() string {
	if f.Ended {
		return "s.last_day DESC, s.id DESC"
	}
	return "s.last_day, s.id"
}

// stoodStill reads the rows that a query finds, with what belongs to them.
func (r reads) stoodStill(ctx context.Context, f StandstillFilter, some *gorm.DB) ([]StoodStill, error) {
	return scan[[]StoodStill](r.with(ctx).Table("(?) AS s", some.Select("s.*")).
		Joins("LEFT JOIN invoices i ON i.id = s.invoice_id JOIN customers c ON c.id = s.customer_id").
		Select("s.*, COALESCE(i.number, 0) AS invoice_number, c.name1 AS name1, c.customer_number AS customer_number, " + owedStanding + " AS owed").Order(f.order()))
}

// StandstillSums returns how many rows the filter takes, and what is owed there. An invoice of which several rows tell counts once.
func (r reads) StandstillSums(ctx context.Context, creditorID int64, f StandstillFilter) (sums StandstillSums, err error) {
	if sums.Number, err = count(r.stopped(ctx, creditorID, f)); err != nil || sums.Number == 0 {
		return sums, err
	}
	invoices := r.stopped(ctx, creditorID, f).Where("s.invoice_id <> 0").Select("s.invoice_id AS id")
	ofCustomers := r.stopped(ctx, creditorID, f).Where("s.invoice_id = 0").Joins("JOIN invoices o ON o.customer_id = s.customer_id AND o.balance > 0").Select("o.id")
	sums.Owed, err = scan[models.Amount](r.with(ctx).Raw(`SELECT COALESCE(SUM(i.balance - i.repayment_owed), 0)
		FROM (? UNION ?) AS standing JOIN invoices i ON i.id = standing.id WHERE i.balance > 0 AND i.closed = ?`, invoices, ofCustomers, models.NotClosed))
	return sums, err
}

// SummedStandstills returns what StandstillSums does. Of more rows than can be added up while a page is made only their number is there.
func (r reads) SummedStandstills(ctx context.Context, creditorID int64, f StandstillFilter) (ListSum, error) {
	switch number, err := count(r.stopped(ctx, creditorID, f)); {
	case err != nil:
		return ListSum{}, err
	case number > mostAdded:
		return ListSum{Number: number}, nil
	}
	sums, err := r.StandstillSums(ctx, creditorID, f)
	if err != nil {
		return ListSum{}, err
	}
	return ListSum{Number: sums.Number, Amount: sums.Owed, Added: true}, nil
}

// StandStill writes what a person did to stop dunning. It sets the row's ID, Since and LastDay. The caller has locked the invoice, or
// the customer.
func (tx *Tx) StandStill(ctx context.Context, s *models.Standstill) error {
	since := tx.Now
	s.Since, s.LastDay = &since, s.Until
	if s.Until == 0 {
		s.LastDay = models.EndlessDay
	}
	return tx.insert(ctx, s)
}

// EndStandstill notes that what ran of the kinds has ended today, for an invoice or, where that is zero, for the customer himself. The
// caller has locked the invoice, or the customer.
func (tx *Tx) EndStandstill(ctx context.Context, creditorID, customerID, invoiceID int64, today models.Date, actor string, kinds ...models.StandstillKind) error {
	return tx.set(ctx, &models.Standstill{}, map[string]any{"last_day": today - 1, "ended_at": tx.Now, "ended_by": actor},
		"customer_id = ? AND invoice_id = ? AND creditor_id = ? AND last_day >= ? AND kind IN ?", customerID, invoiceID, creditorID, today, kinds)
}

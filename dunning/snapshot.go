package dunning

import (
	"context"
	"slices"
	"time"

	"purr/dunning/law"
	"purr/models"
	"purr/store"
)

// LikelyPayerDays is how many days the likely payer of an open unmatched payment is not dunned, the day on which it was
// queued included (rule E6g).
const LikelyPayerDays = 10

// pageSize is how many invoices are read at once.
const pageSize = 500

// Snapshot is what dunning looks at on a day besides the invoices, read once: rules, policies, likely payers and whether
// the bank's files are late. Runs, plans and forecasts are made from it. It is safe for concurrent use.
type Snapshot struct {
	db           *store.DB
	rules        *law.Rules
	creditor     models.Creditor
	today        models.Date
	policies     policies
	likelyPayers map[int64]models.Date // customers who are not dunned, each with the last day of that (rule E6g)
	filesLate    bool                  // today: on later days the bank's files are assumed to come in time
}

// TakeSnapshot reads the snapshot of a creditor's dunning on a day.
func TakeSnapshot(ctx context.Context, db *store.DB, rules *law.Rules, c models.Creditor, today models.Date) (*Snapshot, error) {
	filesLate, err := FilesLate(ctx, db, c, today)
	if err != nil {
		return nil, err
	}
	payers, err := readLikelyPayers(ctx, db, c, today)
	if err != nil {
		return nil, err
	}
	policies, err := readPolicies(ctx, db, c)
	if err != nil {
		return nil, err
	}
	return &Snapshot{
		db: db, rules: rules, creditor: c, today: today, policies: policies, likelyPayers: payers, filesLate: filesLate,
	}, nil
}

// readLikelyPayers reads which of a creditor's customers are likely payers of what waits in the queue on a day or later,
// and until when.
func readLikelyPayers(ctx context.Context, db *store.DB, c models.Creditor, on models.Date) (map[int64]models.Date, error) {
	zone, err := c.Location()
	if err != nil {
		return nil, err
	}
	year, month, day := (on - LikelyPayerDays + 1).Time().Date()
	queued, err := db.LikelyPayers(ctx, c.ID, time.Date(year, month, day, 0, 0, 0, 0, zone))
	if err != nil {
		return nil, err
	}
	payers := make(map[int64]models.Date, len(queued))
	for customerID, at := range queued {
		payers[customerID] = models.DateOf(at.In(zone)) + LikelyPayerDays - 1
	}
	return payers, nil
}

// Today returns the snapshot's day.
func (s *Snapshot) Today() models.Date { return s.today }

// Warnings returns what is to be warned of when a plan or a forecast reaches to a day (rule E6h).
func (s *Snapshot) Warnings(on models.Date) []law.Warning {
	return s.rules.Warnings(on, s.creditor.Policy)
}

// decide decides on an invoice on a day, given its customer's hold and the policy for the customer (rule E6e).
func (s *Snapshot) decide(invoice models.Invoice, customerHold models.Hold, p models.Policy, on models.Date) Decision {
	return Decide(State{
		Invoice: invoice, CustomerHold: customerHold,
		LikelyPayer: on <= s.likelyPayers[invoice.CustomerID], FilesLate: s.filesLate && on == s.today,
	}, p, s.rules, on)
}

// decideUnread decides on an invoice today whose customer is not read. An invoice that it leaves alone is left alone in
// any case.
func (s *Snapshot) decideUnread(invoice models.Invoice) Decision {
	return s.decide(invoice, models.Hold{}, s.policies.of(invoice.CustomerID), s.today)
}

func (s *Snapshot) policyFor(customer models.Customer) models.Policy {
	return customer.Policy.Apply(s.creditor.Policy)
}

// eachDue calls do with the invoices that a step may be due on today, a page at a time. do may change them.
func (s *Snapshot) eachDue(ctx context.Context, read invoicesIn, do func(page []models.Invoice) error) error {
	return s.eachIn(ctx, read, func(p models.Policy) []models.Window { return Windows(s.today, p) }, do)
}

// eachIn calls do with the invoices in the windows under the policies for their customers, a page at a time.
func (s *Snapshot) eachIn(ctx context.Context, read invoicesIn, under func(models.Policy) []models.Window, do func(page []models.Invoice) error) error {
	for _, w := range s.policies.windows(under) {
		err := eachPage(ctx, read, s.creditor.ID, w, func(page []models.Invoice) error {
			return do(slices.DeleteFunc(page, func(i models.Invoice) bool { return s.policies.inAnother(w, i) }))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// invoicesIn is store's read of a window, from the database, a view of it or a transaction.
type invoicesIn func(ctx context.Context, creditorID int64, w models.Window, after models.Invoice, limit int) ([]models.Invoice, error)

// eachPage calls do with a creditor's invoices in a window, a page at a time. do may change the page.
func eachPage(ctx context.Context, read invoicesIn, creditorID int64, w models.Window, do func(page []models.Invoice) error) error {
	var last models.Invoice
	for {
		page, err := read(ctx, creditorID, w, last, pageSize)
		if err != nil || len(page) == 0 {
			return err
		}
		full := len(page) == pageSize
		last = page[len(page)-1]
		if err := do(page); err != nil || !full {
			return err
		}
	}
}

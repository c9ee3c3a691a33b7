package dunning

import (
	"context"
	"slices"

	"purr/models"
	"purr/store"
)

// Outlook is a creditor's dunning as it stands on a day: what a run of that day does, and what those of later days
// will do if nothing more is paid. It is safe for concurrent use, and grows old with what it has looked at.
type Outlook struct {
	db        *store.DB
	rules     *Rules
	creditor  models.Creditor
	today     models.Date
	policies  policies
	shields   shields
	filesLate bool // today: of later days it is taken that the bank's files come in time
}

// Look looks at a creditor's dunning on its day.
func Look(ctx context.Context, db *store.DB, rules *Rules, c models.Creditor, today models.Date) (*Outlook, error) {
	filesLate, err := FilesLate(ctx, db, c, today)
	if err != nil {
		return nil, err
	}
	shields, err := readShields(ctx, db, c, today)
	if err != nil {
		return nil, err
	}
	policies, err := readPolicies(ctx, db, c)
	if err != nil {
		return nil, err
	}
	return &Outlook{
		db: db, rules: rules, creditor: c, today: today, policies: policies, shields: shields, filesLate: filesLate,
	}, nil
}

// Warnings returns what is to be warned of when a plan or a forecast reaches to a day (rule E6h).
func (o *Outlook) Warnings(on models.Date) []Warning { return o.rules.Warnings(on, o.creditor.Policy) }

// Today returns the day on which was looked.
func (o *Outlook) Today() models.Date { return o.today }

// decide decides on an invoice on a day, by the policy for its customer (rule E6e).
func (o *Outlook) decide(invoice models.Invoice, customer models.Customer, on models.Date) Decision {
	return Decide(o.state(invoice, customer, on), o.policyFor(customer), o.rules, on)
}

// atFirstSight decides on an invoice today without its customer: what is left alone so, is left alone.
func (o *Outlook) atFirstSight(invoice models.Invoice) Decision {
	return Decide(o.state(invoice, models.Customer{}, o.today), o.policies.of(invoice.CustomerID), o.rules, o.today)
}

func (o *Outlook) state(invoice models.Invoice, customer models.Customer, on models.Date) State {
	return State{
		Invoice: invoice, CustomerHold: customer.Hold,
		PaymentInQueue: on <= o.shields[invoice.CustomerID], FilesLate: o.filesLate && on == o.today,
	}
}

func (o *Outlook) policyFor(customer models.Customer) models.Policy {
	return customer.Policy.Apply(o.creditor.Policy)
}

// order returns the notice that was decided on.
func (o *Outlook) order(customer models.Customer, d Decision, on models.Date) order {
	return order{
		customer: customer, policy: o.policyFor(customer), warning: d.Action == Warn, fee: d.Fee, addInterest: d.AddInterest, today: on,
	}
}

// eachDue calls do with the invoices that a step may be due on today, a page at a time. do may take them further.
func (o *Outlook) eachDue(ctx context.Context, read invoicesIn, do func(page []models.Invoice) error) error {
	return o.eachWhere(ctx, read, func(p models.Policy) []models.Window { return Windows(o.today, p) }, do)
}

// eachWhere calls do with the invoices in the windows under the policies for their customers, a page at a time.
func (o *Outlook) eachWhere(ctx context.Context, read invoicesIn, under func(models.Policy) []models.Window, do func(page []models.Invoice) error) error {
	for _, w := range o.policies.windows(under) {
		err := eachIn(ctx, read, o.creditor.ID, w, func(page []models.Invoice) error {
			return do(slices.DeleteFunc(page, func(i models.Invoice) bool { return o.policies.foundElsewhere(w, i) }))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// invoicesIn is store's read of a window, from the database or a view of it.
type invoicesIn func(ctx context.Context, creditorID int64, w models.Window, after models.Invoice, limit int) ([]models.Invoice, error)

// eachIn calls do with a creditor's invoices in a window, a page at a time. What do leaves of a page is no matter.
func eachIn(ctx context.Context, read invoicesIn, creditorID int64, w models.Window, do func(page []models.Invoice) error) error {
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

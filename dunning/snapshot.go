package dunning

import (
	"context"
	"slices"
	"time"

	"purr/law"
	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
)

// pageSize is how many invoices are read at once.
const pageSize = 500

// Snapshot is everything besides the invoices that dunning depends on for a day: rules, policies, likely payers,
// and whether the bank's files are late. It is read once. Runs, plans and forecasts are made from it. It is safe
// for concurrent use.
type Snapshot struct {
	db           *store.DB // nil in a snapshot of a transaction
	rules        *law.Rules
	creditor     models.Creditor
	missing      []string // what the creditor lacks for dunning (rule L8)
	today        models.Date
	policies     policies
	likelyPayers map[int64]bool // customers who are not dunned: a payment that may be theirs is in the queue (rules E6g, L3, D95)
	creditMoved  bool           // today's run has moved the free credit (rule L5)
	plansSettled bool           // nothing has become of a payment plan by today that was not told (rule L15)
	nextRun      models.Date    // the day of the next run as things stand: today, or tomorrow
	runDone      bool           // today's run is made, and holds nothing back (rule L12)
	approved     bool           // a person has approved today's run
	news         BankNews       // of today
	filesLate    bool           // today; on later days the bank's files are assumed to come in time
}

// TakeSnapshot reads the snapshot of a creditor's dunning on a day.
func TakeSnapshot(ctx context.Context, db *store.DB, rules *law.Rules, c models.Creditor, today models.Date) (s *Snapshot, err error) {
	err = db.View(ctx, func(v store.View) error {
		if s, err = fullSnapshot(ctx, v, rules, c, today); err != nil {
			return err
		}
		s.db = db
		return nil
	})
	return s, err
}

// fullSnapshot reads a snapshot as TakeSnapshot does. It has no database to read from later.
func fullSnapshot(ctx context.Context, v store.View, rules *law.Rules, c models.Creditor, today models.Date) (*Snapshot, error) {
	s, err := takeSnapshot(ctx, v, rules, c, today)
	if err != nil {
		return nil, err
	}
	if s.policies, err = readPolicies(ctx, v, c); err != nil {
		return nil, err
	}
	run, _, err := v.RunOf(ctx, c.ID, models.RunDunning, today)
	if err != nil {
		return nil, err
	}
	return s, s.setRun(run)
}

// setRun sets whether today's run is approved, and whether it is made; a run without state is not. It is made again if a
// person made it before it fell due, and if it held invoices back for a bank file that has come since (rules E6b, E6f).
func (s *Snapshot) setRun(run models.Run) error {
	s.approved = run.ApprovedAt != nil
	if s.nextRun = s.today; run.State != models.RunDone {
		return nil
	}
	zone, err := s.creditor.Location()
	if err != nil {
		return err
	}
	year, month, day := s.today.Time().Date()
	early := run.FinishedAt != nil && run.FinishedAt.Before(time.Date(year, month, day, models.DunningHour, 0, 0, 0, zone))
	s.runDone = !early && !run.HeldBack
	if s.runDone || run.HeldBack && s.filesLate {
		s.nextRun = s.today + 1
	}
	return nil
}

// takeSnapshot reads a snapshot without the customers' policies, which only the reading of windows needs.
func takeSnapshot(ctx context.Context, v store.View, rules *law.Rules, c models.Creditor, today models.Date) (*Snapshot, error) {
	news, err := ReadBankNews(ctx, v, c)
	if err != nil {
		return nil, err
	}
	payers, err := unmatched.LikelyPayers(ctx, v, c)
	if err != nil {
		return nil, err
	}
	return &Snapshot{rules: rules, creditor: c, missing: c.MissingToDun(), today: today, likelyPayers: payers, news: news, filesLate: news.Late(today)}, nil
}

// Today returns the snapshot's day.
func (s *Snapshot) Today() models.Date { return s.today }

// RunDone reports whether today's run is made, and nothing that it held back is still to come today (rule L12).
func (s *Snapshot) RunDone() bool { return s.runDone }

// Spared returns how many customers are not dunned because a payment in the queue may be theirs (rule L3).
func (s *Snapshot) Spared() int { return len(s.likelyPayers) }

// Missing returns the elements that the creditor lacks, by their names in the interface: no step is taken until it has
// them (rule L8).
func (s *Snapshot) Missing() []string { return s.missing }

// Warnings returns the warnings for a plan or a forecast that ends on a day (rule E6h).
func (s *Snapshot) Warnings(on models.Date) []law.Warning {
	return s.rules.Warnings(on, s.creditor.Policy)
}

// decide decides on an invoice on a day under the policy for its customer (rule E6e). It adds to the state what the
// snapshot knows.
func (s *Snapshot) decide(state State, p models.Policy, on models.Date) Decision {
	state.NotReady = len(s.missing) > 0
	state.LikelyPayer = s.likelyPayers[state.Invoice.CustomerID]
	state.FilesLate = s.filesLate && on == s.today
	return Decide(state, p, s.rules, on)
}

// decideUnread decides on an invoice today without reading its customer, the customer's credit, the invoice's
// entries, notices and letters. If it decides on Nothing, so does the decision with them: a warning is at least as old as its
// least deadline.
func (s *Snapshot) decideUnread(invoice models.Invoice) Decision {
	return s.decide(State{Invoice: invoice, WarnedOn: invoice.Deadline - models.MinNoticeDays}, s.policies.of(invoice.CustomerID), s.today)
}

func (s *Snapshot) policyFor(customer models.Customer) models.Policy {
	return customer.Policy.Apply(s.creditor.Policy)
}

// eachDue calls do with the invoices for which a step may be due today, a page at a time. do may change the page. Once plans are settled, none is
// due for an invoice whose plan runs.
func (s *Snapshot) eachDue(ctx context.Context, from invoices, do func(page []models.Invoice) error) error {
	read := from.InvoicesInWindow
	if s.plansSettled {
		read = from.InvoicesInWindowWithoutPlan
	}
	return s.eachIn(ctx, from, read, s.dueUnder, do)
}

// dueUnder returns the windows of the invoices for which a step may be due today under a policy.
func (s *Snapshot) dueUnder(p models.Policy) []models.Window { return Windows(s.today, p) }

// closingUnder returns the windows of the invoices that today's run may close for a small remainder under a policy.
func (s *Snapshot) closingUnder(p models.Policy) []models.Window { return closingWindows(s.today, p) }

// eachIn calls do with the invoices in the windows under the policies for their customers, a page at a time. do may change the
// page.
func (s *Snapshot) eachIn(
	ctx context.Context, from invoices, read invoicesIn, under func(models.Policy) []models.Window, do func(page []models.Invoice) error,
) error {
	windows, err := s.windows(ctx, from, under)
	if err != nil {
		return err
	}
	for _, w := range windows {
		err := eachPage(ctx, read, s.creditor.ID, w, func(page []models.Invoice) error {
			return do(slices.DeleteFunc(page, func(i models.Invoice) bool { return s.policies.inAnother(w, i) }))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// windows returns the windows under the policies for the creditor's customers in which there are invoices. For a creditor that
// is not ready it returns none: no step is due (rule L8).
func (s *Snapshot) windows(ctx context.Context, from invoices, under func(models.Policy) []models.Window) ([]models.Window, error) {
	if len(s.missing) > 0 {
		return nil, nil
	}
	return from.WindowsWithInvoices(ctx, s.creditor.ID, s.policies.windows(under))
}

// invoices are a database, a view of one, or a transaction.
type invoices interface {
	WindowsWithInvoices(ctx context.Context, creditorID int64, windows []models.Window) ([]models.Window, error)
	InvoicesInWindow(ctx context.Context, creditorID int64, w models.Window, after models.Invoice, limit int) ([]models.Invoice, error)
	InvoicesInWindowWithoutPlan(ctx context.Context, creditorID int64, w models.Window, after models.Invoice, limit int) ([]models.Invoice, error)
}

// invoicesIn reads invoices of a window. It is a method of those that read.
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

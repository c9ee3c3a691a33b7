package dunning

import (
	"context"
	"slices"

	"purr/models"
	"purr/store"
)

// PlanDays is how far ahead a plan is made, in days (rule E6).
const PlanDays = 366

// CanPlan returns nil where a plan of the day is made today, and otherwise the fault that says why not: date_in_past
// or out_of_range (rule E6).
func CanPlan(on, today models.Date) error {
	switch {
	case on < today:
		return models.Invalid("date_in_past", "date", "must not be before today, %s", today)
	case on > today+PlanDays:
		return models.Invalid("out_of_range", "date", "must be at most %d days ahead, %s", PlanDays, today+PlanDays)
	}
	return nil
}

// Plan returns a page of the plan of a day, today or later: for every overdue invoice what the run of the day does to
// it, or why not, in order of the invoices' IDs, and how many they are (rule E6). The plan of a later day takes it that
// the runs until then are made, each on its day, and that nothing is paid.
func (o *Outlook) Plan(ctx context.Context, on models.Date, p store.Page) (steps []Step, total int64, err error) {
	first, err := o.firstRun(ctx)
	if err != nil {
		return nil, 0, err
	}
	err = o.db.View(ctx, func(v store.View) error {
		var page []models.Invoice
		if page, total, err = o.planned(ctx, v, first, on, p); err != nil {
			return err
		}
		steps, err = o.steps(ctx, v, page, first, on)
		return err
	})
	return steps, total, err
}

// EachStep calls do with every step of a day's plan: stage by stage as the invoices stand today, the longest due first.
func (o *Outlook) EachStep(ctx context.Context, on models.Date, do func(Step) error) error {
	first, err := o.firstRun(ctx)
	if err != nil {
		return err
	}
	return o.db.View(ctx, func(v store.View) error {
		return o.eachOverdue(ctx, v, on, func(page []models.Invoice) error {
			steps, err := o.steps(ctx, v, page, first, on)
			if err != nil {
				return err
			}
			for _, s := range steps {
				if err := do(s); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// firstRun returns the day of the next run: today, unless that is made.
func (o *Outlook) firstRun(ctx context.Context) (models.Date, error) {
	run, _, err := o.db.RunOf(ctx, o.creditor.ID, models.RunDunning, o.today)
	if run.State == models.RunDone && !run.HeldBack {
		return o.today + 1, err
	}
	return o.today, err
}

// planned returns the invoices of a page of the plan of a day, and how many the plan lists.
func (o *Outlook) planned(ctx context.Context, v store.View, first, on models.Date, p store.Page) ([]models.Invoice, int64, error) {
	gone, err := o.handedOver(ctx, v, first, on-1)
	if err != nil {
		return nil, 0, err
	}
	var ids []int64
	var total int64
	if len(gone) == 0 {
		var page []models.InvoiceSummary
		page, total, err = v.Invoices(ctx, o.creditor.ID, store.InvoiceFilter{Statuses: overdueStatuses, Today: on}, p)
		for _, i := range page {
			ids = append(ids, i.ID)
		}
	} else {
		ids, err = v.InvoiceIDs(ctx, o.creditor.ID, overdueStatuses, on)
		ids = slices.DeleteFunc(ids, func(id int64) bool {
			_, is := slices.BinarySearch(gone, id)
			return is
		})
		ids, total = p.Of(ids), int64(len(ids))
	}
	if err != nil {
		return nil, 0, err
	}
	invoices, err := v.InvoicesByID(ctx, o.creditor.ID, ids)
	return invoices, total, err
}

// handedOver returns the IDs of the invoices that the runs of the days from first to last hand over, both inclusive,
// in order.
func (o *Outlook) handedOver(ctx context.Context, v store.View, first, last models.Date) ([]int64, error) {
	if last < first {
		return nil, nil
	}
	var gone []int64
	under := func(p models.Policy) []models.Window { return handOverWindows(last, p) }
	err := o.eachWhere(ctx, v.InvoicesIn, under, func(page []models.Invoice) error {
		courses, err := o.courses(ctx, v, page)
		for _, c := range courses {
			if c.follow(first, last, func(Step) {}); c.invoice.HandedOver != 0 {
				gone = append(gone, c.invoice.ID)
			}
		}
		return err
	})
	slices.Sort(gone)
	return gone, err
}

// overdueStatuses are those of the invoices that the plan lists: overdue, or with a notice whose deadline runs. In each
// stage the longest due come first.
var overdueStatuses = []models.Status{
	models.InvoiceOverdueChargeable, models.InvoiceOverdue, models.OverdueNoticeOverdue, models.OverdueNoticeSent,
	models.DebtCollectionNoticeOverdue, models.DebtCollectionNoticeSent,
}

// eachOverdue calls do with the invoices that will be overdue on a day if nothing is paid, a page at a time.
func (o *Outlook) eachOverdue(ctx context.Context, v store.View, on models.Date, do func(page []models.Invoice) error) error {
	for _, s := range overdueStatuses {
		if err := eachIn(ctx, v.InvoicesIn, o.creditor.ID, s.Window(on), do); err != nil {
			return err
		}
	}
	return nil
}

// steps returns what the run of a day does to each of the invoices, or why not. Those that the plan does not list are
// left out.
func (o *Outlook) steps(ctx context.Context, v store.View, invoices []models.Invoice, first, on models.Date) ([]Step, error) {
	courses, err := o.courses(ctx, v, invoices)
	if err != nil {
		return nil, err
	}
	steps := make([]Step, len(courses))
	var noticed []int
	for i, c := range courses {
		notices := 0
		c.follow(first, on-1, func(s Step) { notices += s.notices() })
		if steps[i] = c.run(on); notices+steps[i].notices() > 0 {
			noticed = append(noticed, i)
		}
	}
	if err := o.addAccounts(ctx, v, courses, noticed); err != nil {
		return nil, err
	}
	for _, i := range noticed {
		c := courses[i]
		c.follow(first, on-1, func(Step) {})
		steps[i] = c.run(on)
	}
	return slices.DeleteFunc(steps, func(s Step) bool { return s.Action == Nothing && !s.Reason.Listed() }), nil
}

// courses returns the course of each of the invoices from today on, without entries.
func (o *Outlook) courses(ctx context.Context, v store.View, invoices []models.Invoice) ([]course, error) {
	ids := make([]int64, len(invoices))
	for i, invoice := range invoices {
		ids[i] = invoice.CustomerID
	}
	slices.Sort(ids)
	customers, err := v.CustomersByID(ctx, o.creditor.ID, slices.Compact(ids))
	courses := make([]course, len(invoices))
	for i, invoice := range invoices {
		courses[i] = course{Outlook: o, account: account{invoice: invoice}, customer: customers[invoice.CustomerID]}
	}
	return courses, err
}

// addAccounts gives some of the courses, by their places, what their amounts are reckoned from.
func (o *Outlook) addAccounts(ctx context.Context, v store.View, courses []course, places []int) error {
	if len(places) == 0 {
		return nil
	}
	ids := make([]int64, len(places))
	for n, i := range places {
		ids[n] = courses[i].invoice.ID
	}
	entries, err := v.EntriesOfInvoices(ctx, ids)
	if err != nil {
		return err
	}
	notices, err := v.NoticesOfInvoices(ctx, ids)
	for n, i := range places {
		courses[i].account = newAccount(courses[i].invoice, entries[ids[n]], notices[ids[n]])
	}
	return err
}

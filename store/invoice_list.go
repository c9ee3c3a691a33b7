package store

import (
	"cmp"
	"context"
	"slices"

	"gorm.io/gorm"

	"purr/models"
)

// InvoiceFilter narrows a list of invoices. The zero filter takes all.
type InvoiceFilter struct {
	CustomerID int64
	Search     string // the number, or a part of the recipient's names (rule D19)
	Issued     Dates
	Wide       bool            // the search also takes a KID, and an amount of kroner with øre
	Statuses   []models.Status // nil takes all
	Today      models.Date     // the day for which the statuses hold
}

// Invoices returns a page of the creditor's invoices that the filter takes, and the number of all of them.
func (r reads) Invoices(ctx context.Context, creditorID int64, f InvoiceFilter, p Page) ([]models.InvoiceSummary, int64, error) {
	narrow := f.narrow(creditorID)
	switch {
	case f.Search != "":
		ids, _, err := r.soughtInvoices(ctx, creditorID, f)
		if err != nil {
			return nil, 0, err
		}
		return r.summariesOf(ctx, ids, p)
	case f.CustomerID != 0:
		return find[models.InvoiceSummary](ctx, narrow(r.with(ctx)), p)
	case f.Statuses != nil && !slices.Contains(f.Statuses, models.InvoicePaid):
		// One reading of the index finds all IDs, faster than one that counts them and another that finds the page.
		var ids []int64
		if err := narrow(r.from(ctx, "invoices", "invoices_stage")).Pluck("id", &ids).Error; err != nil {
			return nil, 0, classify(err, "")
		}
		slices.Sort(ids)
		return r.summariesOf(ctx, ids, p)
	}
	s, err := r.span(ctx, invoiceList, creditorID, f.Issued, "")
	if err != nil {
		return nil, 0, err
	}
	total, err := r.countIn(ctx, creditorID, f, s)
	if err != nil {
		return nil, 0, err
	}
	if p.beyond(total) {
		return nil, total, nil
	}
	ids := p.within(narrow(r.from(ctx, "invoices", invoiceList.index)).Where("id BETWEEN ? AND ?", s.First, s.Last))
	if f.Statuses == nil && f.Issued == (Dates{}) {
		if ids, err = p.from(ctx, r, invoiceList, creditorID, narrow(r.from(ctx, "invoices", invoiceList.index))); err != nil {
			return nil, 0, err
		}
	}
	items, err := pageOf[models.InvoiceSummary](r.with(ctx), ids)
	return items, total, err
}

// summariesOf returns the page of the invoices with the IDs, which are in order, and their number.
func (r reads) summariesOf(ctx context.Context, ids []int64, p Page) ([]models.InvoiceSummary, int64, error) {
	total := int64(len(ids))
	if p.beyond(total) {
		return nil, total, nil
	}
	items, err := readAll[models.InvoiceSummary](r.with(ctx).Where("id IN ?", OnPage(p, ids)).Order("id"))
	return items, total, err
}

// narrow returns what narrows a query of invoices to those that the filter takes, but for its search.
func (f InvoiceFilter) narrow(creditorID int64) func(*gorm.DB) *gorm.DB {
	return func(g *gorm.DB) *gorm.DB {
		g = f.Issued.apply(g.Where("creditor_id = ?", creditorID), "issue_date")
		if f.CustomerID != 0 {
			g = g.Where("customer_id = ?", f.CustomerID)
		}
		if f.Statuses != nil {
			g = f.inWindows(g)
		}
		return g
	}
}

func (f InvoiceFilter) texts(creditorID int64) texts {
	t := documentTexts("invoices", invoiceList.index, f.Search)
	if f.Wide {
		t.widen(creditorID, f.Search)
	}
	return t
}

// CountInvoices returns how many of the creditor's invoices the filter takes.
func (r reads) CountInvoices(ctx context.Context, creditorID int64, f InvoiceFilter) (n int64, err error) {
	narrow := f.narrow(creditorID)
	switch {
	case f.Search != "":
		found, _, err := r.soughtInvoices(ctx, creditorID, f)
		if err != nil {
			return 0, err
		}
		return int64(len(found)), nil
	case f.CustomerID != 0:
		err := narrow(r.with(ctx).Model(&models.InvoiceSummary{})).Count(&n).Error
		return n, classify(err, "")
	case f.Statuses != nil && !slices.Contains(f.Statuses, models.InvoicePaid):
		return r.countStatuses(ctx, creditorID, f)
	}
	s, err := r.span(ctx, invoiceList, creditorID, f.Issued, "")
	if err != nil {
		return 0, err
	}
	return r.countIn(ctx, creditorID, f, s)
}

// countIn returns how many invoices of the span on the filter's days have one of its statuses.
func (r reads) countIn(ctx context.Context, creditorID int64, f InvoiceFilter, s span) (int64, error) {
	switch {
	case f.Statuses == nil:
		return s.Items, nil
	case slices.Contains(f.Statuses, models.InvoicePaid):
		// In the end nearly all invoices are paid. So it is faster to count the others.
		others, err := r.countStatuses(ctx, creditorID, f.without())
		if err != nil {
			return 0, err
		}
		return s.Items - others, nil
	}
	return r.countStatuses(ctx, creditorID, f)
}

// InvoiceIDs returns the IDs of all the creditor's invoices that have one of the statuses today, in order.
func (r reads) InvoiceIDs(ctx context.Context, creditorID int64, statuses []models.Status, today models.Date) ([]int64, error) {
	var ids []int64
	g := r.from(ctx, "invoices", "invoices_stage").Where("creditor_id = ?", creditorID)
	err := InvoiceFilter{Statuses: statuses, Today: today}.inWindows(g).Order("id").Pluck("id", &ids).Error
	return ids, classify(err, "")
}

// without returns the filter that takes all other statuses.
func (f InvoiceFilter) without() InvoiceFilter {
	f.Statuses = slices.DeleteFunc(slices.Clone(models.Statuses), func(s models.Status) bool { return slices.Contains(f.Statuses, s) })
	return f
}

func (r reads) countStatuses(ctx context.Context, creditorID int64, f InvoiceFilter) (n int64, err error) {
	if len(f.Statuses) == 0 {
		return 0, nil
	}
	g := r.from(ctx, "invoices", "invoices_stage").Where("creditor_id = ?", creditorID)
	err = f.Issued.apply(f.inWindows(g), "issue_date").Count(&n).Error
	return n, classify(err, "")
}

// inWindows narrows to the invoices that have one of the statuses today. These are ranges of the index (creditor_id,
// stage, deadline). SQLite uses the index for the stages, but not for the deadlines. The condition is kept short: it is
// tried on each entry.
func (f InvoiceFilter) inWindows(g *gorm.DB) *gorm.DB {
	var all []models.Stage
	var deadlines []Dates
	stagesOf := map[Dates][]models.Stage{}
	for _, w := range windowsOf(f.Statuses, f.Today) {
		of := Dates{max(w.From, f.Issued.From), w.To} // nothing falls due before it is issued
		if stagesOf[of] == nil {
			deadlines = append(deadlines, of)
		}
		all, stagesOf[of] = append(all, w.Stage), append(stagesOf[of], w.Stage)
	}
	g = g.Where("stage IN ?", all)
	if len(deadlines) == 1 {
		return deadlines[0].apply(g, "deadline")
	}
	either := g.Session(&gorm.Session{NewDB: true})
	for _, of := range deadlines {
		either = either.Or(of.apply(g.Session(&gorm.Session{NewDB: true}).Where("stage IN ?", stagesOf[of]), "deadline"))
	}
	return g.Where(either)
}

// windowsOf returns the windows of the statuses on a day. Those of one stage that meet are one.
func windowsOf(statuses []models.Status, day models.Date) (joined []models.Window) {
	all := make([]models.Window, len(statuses))
	for i, s := range statuses {
		all[i] = s.Window(day)
	}
	slices.SortFunc(all, func(a, b models.Window) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.From, b.From))
	})
	for _, w := range all {
		if n := len(joined) - 1; n >= 0 && joined[n].Stage == w.Stage && joined[n].To+1 >= w.From {
			joined[n].To = w.To
			continue
		}
		joined = append(joined, w)
	}
	return joined
}

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
		if t := f.texts(creditorID); t.byName() && !f.narrows() {
			return r.pageHolding(ctx, creditorID, t, p)
		}
		ids, _, err := r.soughtInvoices(ctx, creditorID, f)
		if err != nil {
			return nil, 0, err
		}
		return r.summariesOf(ctx, ids, p)
	case f.CustomerID != 0:
		return find[models.InvoiceSummary](ctx, narrow(r.with(ctx)), p)
	case f.Statuses != nil && !slices.Contains(f.Statuses, models.InvoicePaid):
		// One reading of the index finds all IDs, faster than one that counts them and another that finds the page.
		ids, err := idsOf(narrow(r.from(ctx, "invoices", "invoices_stage")).Limit(fewFound + 1))
		if err != nil {
			return nil, 0, err
		}
		if len(ids) > fewFound {
			return r.pageOfMany(ctx, creditorID, f, p)
		}
		slices.Sort(ids)
		return r.summariesOf(ctx, ids, p)
	case f.Statuses != nil && f.Issued == (Dates{}) && p.offset() >= markEvery:
		return r.pageFarDown(ctx, creditorID, f, p)
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

// part is how many invoices have some statuses, of those whose IDs are from First on and below First+partIDs.
type part struct{ First, Items int64 }

// partIDs is how many IDs a part of a list spans. Tests lower it.
var partIDs int64 = 10_000

// partsOf returns the parts of the invoices that the filter takes by its statuses and days, in order, without empty ones. It reads
// the index as a count does.
func (r reads) partsOf(ctx context.Context, creditorID int64, f InvoiceFilter) (parts []part, total int64, err error) {
	if len(f.Statuses) == 0 {
		return nil, 0, nil
	}
	parts, err = scan[[]part](f.narrow(creditorID)(r.from(ctx, "invoices", "invoices_stage")).
		Select("id - id % ? AS first, COUNT(*) AS items", partIDs).Group("first").Order("first"))
	if err != nil {
		return nil, 0, err
	}
	for _, p := range parts {
		total += p.Items
	}
	return parts, total, nil
}

// pageOfMany returns a page of the many invoices that the filter takes by its statuses and days. It counts them in parts, and
// then reads the parts that the page lies in.
func (r reads) pageOfMany(ctx context.Context, creditorID int64, f InvoiceFilter, p Page) ([]models.InvoiceSummary, int64, error) {
	parts, total, err := r.partsOf(ctx, creditorID, f)
	if err != nil || p.beyond(total) {
		return nil, total, err
	}
	before, first, last := int64(0), int64(0), int64(0)
	for items := int64(0); len(parts) > 0 && items < int64(p.offset()+p.Size); parts = parts[1:] {
		if items += parts[0].Items; items <= int64(p.offset()) {
			before = items
			continue
		}
		if last == 0 {
			first = parts[0].First
		}
		last = parts[0].First + partIDs - 1
	}
	index := invoiceList.index
	if last-first > 10*partIDs { // few of the invoices between have the statuses
		index = "invoices_stage"
	}
	ids := f.narrow(creditorID)(r.from(ctx, "invoices", index)).Where("id BETWEEN ? AND ?", first, last)
	items, err := pageOf[models.InvoiceSummary](r.with(ctx), p.after(ids, before))
	return items, total, err
}

// pageFarDown returns a page of the invoices that have one of the statuses, of which one is InvoicePaid, that begins behind the
// first mark (see CountLists). It counts the others in parts.
func (r reads) pageFarDown(ctx context.Context, creditorID int64, f InvoiceFilter, p Page) ([]models.InvoiceSummary, int64, error) {
	s, err := r.span(ctx, invoiceList, creditorID, f.Issued, "")
	if err != nil {
		return nil, 0, err
	}
	parts, others, err := r.partsOf(ctx, creditorID, f.without())
	if err != nil {
		return nil, 0, err
	}
	total := s.Items - others
	if p.beyond(total) {
		return nil, total, nil
	}
	first, before, err := r.lastMark(ctx, creditorID, f.without(), parts, int64(p.offset()))
	if err != nil {
		return nil, 0, err
	}
	ids := f.narrow(creditorID)(r.from(ctx, "invoices", invoiceList.index)).Where("id >= ?", first)
	items, err := pageOf[models.InvoiceSummary](r.with(ctx), p.after(ids, before))
	return items, total, err
}

// lastMark returns the ID of the last mark of the list of invoices before which there are no more invoices without the others
// than given, and how many there are. The others come in parts. Without a mark both are zero.
func (r reads) lastMark(ctx context.Context, creditorID int64, others InvoiceFilter, parts []part, most int64) (first, before int64, err error) {
	marks, err := scan[[]struct{ ID, Position int64 }](r.with(ctx).Table("list_marks").Select("id, position").
		Where("creditor_id = ? AND list = ?", creditorID, invoiceList.table).Order("position"))
	if err != nil {
		return 0, 0, err
	}
	below := int64(0) // others in the parts before the mark's own
	for _, mark := range marks {
		for len(parts) > 0 && parts[0].First+partIDs <= mark.ID {
			below, parts = below+parts[0].Items, parts[1:]
		}
		if mark.Position-below <= most {
			first, before = mark.ID, mark.Position-below
		}
	}
	if len(others.Statuses) == 0 {
		return first, before, nil
	}
	// others in the mark's own part
	beside, err := count(others.narrow(creditorID)(r.from(ctx, "invoices", invoiceList.index)).Where("id >= ? AND id < ?", first-first%partIDs, first))
	if err != nil {
		return 0, 0, err
	}
	return first, before - beside, nil
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

// narrows reports whether the filter takes some invoices only, but for its search.
func (f InvoiceFilter) narrows() bool {
	return f.CustomerID != 0 || f.Issued != (Dates{}) || f.Statuses != nil
}

// Narrows reports whether the filter may leave invoices out.
func (f InvoiceFilter) Narrows() bool { return f.Search != "" || f.narrows() }

func (f InvoiceFilter) texts(creditorID int64) texts {
	t := documentTexts("invoices", invoiceList.index, f.Search)
	if f.Wide {
		t.widen(creditorID, f.Search)
	}
	return t
}

// CountInvoices returns how many of the creditor's invoices the filter takes.
func (r reads) CountInvoices(ctx context.Context, creditorID int64, f InvoiceFilter) (int64, error) {
	if f.Search != "" {
		found, _, err := r.soughtInvoices(ctx, creditorID, f)
		if err != nil {
			return 0, err
		}
		return int64(len(found)), nil
	}
	n, _, err := r.countSpan(ctx, creditorID, f)
	return n, err
}

// countSpan returns how many invoices the filter takes, but for its search, and the span of those on its days, if it counts by that.
func (r reads) countSpan(ctx context.Context, creditorID int64, f InvoiceFilter) (n int64, s span, err error) {
	switch {
	case f.CustomerID != 0:
		n, err = count(f.narrow(creditorID)(r.with(ctx).Model(&models.InvoiceSummary{})))
		return n, span{}, err
	case f.Statuses != nil && !slices.Contains(f.Statuses, models.InvoicePaid):
		n, err = r.countStatuses(ctx, creditorID, f)
		return n, span{}, err
	}
	if s, err = r.span(ctx, invoiceList, creditorID, f.Issued, ""); err != nil {
		return 0, span{}, err
	}
	n, err = r.countIn(ctx, creditorID, f, s)
	return n, s, err
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
	g := r.from(ctx, "invoices", "invoices_stage").Where("creditor_id = ?", creditorID)
	return idsOf(InvoiceFilter{Statuses: statuses, Today: today}.inWindows(g).Order("id"))
}

// without returns the filter that takes all other statuses.
func (f InvoiceFilter) without() InvoiceFilter {
	f.Statuses = slices.DeleteFunc(slices.Clone(models.Statuses), func(s models.Status) bool { return slices.Contains(f.Statuses, s) })
	return f
}

func (r reads) countStatuses(ctx context.Context, creditorID int64, f InvoiceFilter) (int64, error) {
	if len(f.Statuses) == 0 {
		return 0, nil
	}
	g := r.from(ctx, "invoices", "invoices_stage").Where("creditor_id = ?", creditorID)
	return count(f.Issued.apply(f.inWindows(g), "issue_date"))
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
	var all []models.Window
	for _, s := range statuses {
		all = append(all, s.Windows(day)...)
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

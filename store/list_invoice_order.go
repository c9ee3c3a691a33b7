package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"purr/models"
)

// InvoiceOrder is an order in which a person reads invoices.
type InvoiceOrder int

// The orders of invoices.
const (
	NewestFirst     InvoiceOrder = iota
	LongestDueFirst              // by the due date of the last document
	LargestFirst                 // by balance
)

// InvoiceMark is the last invoice of a part of an ordered list: its ID, and its deadline or balance in the order of which
// it is. The zero mark is before the first invoice.
type InvoiceMark struct{ Key, ID int64 }

// Mark returns the mark of an invoice in an order.
func (o InvoiceOrder) Mark(i models.ListedInvoice) InvoiceMark {
	switch o {
	case NewestFirst:
	case LongestDueFirst:
		return InvoiceMark{int64(i.Deadline), i.ID}
	case LargestFirst:
		return InvoiceMark{int64(i.Balance), i.ID}
	}
	return InvoiceMark{ID: i.ID}
}

// after narrows a query to the invoices after the mark, and puts them in order.
func (o InvoiceOrder) after(g *gorm.DB, m InvoiceMark) *gorm.DB {
	switch o {
	case NewestFirst:
		if m.ID != 0 {
			g = g.Where("id < ?", m.ID)
		}
		return g.Order("id DESC")
	case LongestDueFirst:
		if m.ID != 0 {
			day := models.Date(m.Key)
			g = g.Where("deadline >= ? AND (deadline > ? OR id > ?)", day, day, m.ID)
		}
		return g.Order("deadline, id")
	case LargestFirst:
		if m.ID != 0 {
			g = g.Where("balance <= ? AND (balance < ? OR id < ?)", m.Key, m.Key, m.ID)
		}
		return g.Order("balance DESC, id DESC")
	}
	return g
}

// OrderedInvoices returns up to limit of the creditor's invoices that the filter takes, in an order, after a mark, and the
// number of all that it takes. Other than a page of Invoices, a part of the list is found without those before it.
func (r reads) OrderedInvoices(
	ctx context.Context, creditorID int64, f InvoiceFilter, o InvoiceOrder, after InvoiceMark, limit int,
) ([]models.ListedInvoice, int64, error) {
	if f.Search != "" {
		ids, found, err := r.soughtIDs(ctx, creditorID, f, o, after, limit)
		if err != nil {
			return nil, 0, err
		}
		rows, err := r.inOrder(ctx, ids)
		return rows, int64(len(found)), err
	}
	total, err := r.CountInvoices(ctx, creditorID, f)
	if err != nil || total == 0 {
		return nil, 0, err
	}
	ids, err := r.orderedIDs(ctx, creditorID, f, o, after, limit, total)
	if err != nil {
		return nil, 0, err
	}
	rows, err := r.inOrder(ctx, ids)
	return rows, total, err
}

// EachInvoice calls do with each of the creditor's invoices that the filter takes, in an order.
func (r reads) EachInvoice(ctx context.Context, creditorID int64, f InvoiceFilter, o InvoiceOrder, do func(models.ListedInvoice) error) error {
	const part = 1000
	for after := (InvoiceMark{}); ; {
		rows, _, err := r.OrderedInvoices(ctx, creditorID, f, o, after, part)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := do(row); err != nil {
				return err
			}
			after = o.Mark(row)
		}
		if len(rows) < part {
			return nil
		}
	}
}

// inOrder returns the invoices with the IDs, in the order of these.
func (r reads) inOrder(ctx context.Context, ids []int64) ([]models.ListedInvoice, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := readAll[models.ListedInvoice](r.with(ctx).Where("id IN ?", ids))
	if err != nil {
		return nil, err
	}
	place := make(map[int64]int, len(ids))
	for n, id := range ids {
		place[id] = n
	}
	slices.SortFunc(rows, func(a, b models.ListedInvoice) int { return place[a.ID] - place[b.ID] })
	return rows, nil
}

// soughtIDs returns the IDs of a part of what a search finds, and of all in order of ID.
func (r reads) soughtIDs(
	ctx context.Context, creditorID int64, f InvoiceFilter, o InvoiceOrder, after InvoiceMark, limit int,
) (ids, found []int64, err error) {
	found, numbered, err := r.soughtInvoices(ctx, creditorID, f)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case o == NewestFirst:
		return newestOf(found, after.ID, limit), found, nil
	case len(found) <= fewFound:
		ids, err = o.ids(r.with(ctx).Table("invoices").Where("id IN ?", append(found, 0)), after, limit)
		return ids, found, err
	}
	// So many hold the text that the first of them in the order come soon.
	holding := func(g *gorm.DB) *gorm.DB {
		return g.Where("(INSTR(search, ?) > 0 OR id IN ?)", f.texts(creditorID).needle, append(numbered, 0))
	}
	ids, err = r.walk(ctx, creditorID, f, o, holding, after, limit)
	return ids, found, err
}

// walk reads the first invoices of an order by the index that has it, until there are enough of those that also takes too.
func (r reads) walk(
	ctx context.Context, creditorID int64, f InvoiceFilter, o InvoiceOrder, also func(*gorm.DB) *gorm.DB, after InvoiceMark, limit int,
) ([]int64, error) {
	if o == LongestDueFirst {
		return r.longestDue(ctx, creditorID, f, also, after, limit)
	}
	g := also(f.narrow(creditorID)(r.from(ctx, "invoices", o.index())))
	if slices.Equal(f.Statuses, []models.Status{models.InvoicePaid}) {
		g = g.Where("balance <= 0")
	}
	return o.ids(g, after, limit)
}

// newestOf returns up to limit of the IDs, which are in order, below one, the last first. before is zero for none.
func newestOf(ids []int64, before int64, limit int) []int64 {
	if at, _ := slices.BinarySearch(ids, before); before != 0 {
		ids = ids[:at]
	}
	ids = slices.Clone(ids[max(0, len(ids)-limit):])
	slices.Reverse(ids)
	return ids
}

// fewSorted is the most invoices of some statuses that are read and sorted by balance, instead of seeking them in order of
// balance among all.
const fewSorted = 1000

func (r reads) orderedIDs(
	ctx context.Context, creditorID int64, f InvoiceFilter, o InvoiceOrder, after InvoiceMark, limit int, total int64,
) (ids []int64, err error) {
	narrow := f.narrow(creditorID)
	few := int64(fewFound) // the index of the statuses has the IDs, but not the balances
	if o == LargestFirst {
		few = min(few, fewSorted)
	}
	switch {
	case f.CustomerID != 0:
		ids, err = o.ids(narrow(r.with(ctx).Table("invoices")), after, limit)
	case o != LongestDueFirst && f.Statuses != nil && total <= few && !slices.Contains(f.Statuses, models.InvoicePaid):
		ids, err = o.ids(narrow(r.from(ctx, "invoices", "invoices_stage")), after, limit)
	default:
		ids, err = r.walk(ctx, creditorID, f, o, func(g *gorm.DB) *gorm.DB { return g }, after, limit)
	}
	return ids, err
}

// index returns the index that has the rows in the order.
func (o InvoiceOrder) index() string {
	if o == LargestFirst {
		return "invoices_balance"
	}
	return invoiceList.index
}

func (o InvoiceOrder) ids(g *gorm.DB, after InvoiceMark, limit int) ([]int64, error) {
	return idsOf(o.after(g, after).Limit(limit))
}

// longestDue reads the first rows of each stage by the index (creditor_id, stage, deadline, id), and puts them together.
func (r reads) longestDue(
	ctx context.Context, creditorID int64, f InvoiceFilter, also func(*gorm.DB) *gorm.DB, after InvoiceMark, limit int,
) ([]int64, error) {
	statuses := f.Statuses
	if statuses == nil {
		statuses = models.Statuses
	}
	var arms []string
	var args []any
	for _, s := range statuses {
		one := InvoiceFilter{Issued: f.Issued, Statuses: []models.Status{s}, Today: f.Today}
		arms = append(arms, fmt.Sprintf("SELECT id, deadline FROM (?) AS arm%d", len(arms)))
		args = append(args, LongestDueFirst.after(also(one.narrow(creditorID)(r.from(ctx, "invoices", "invoices_stage").Select("id, deadline"))), after).Limit(limit))
	}
	return scan[[]int64](r.with(ctx).Raw(limited("SELECT id FROM ("+strings.Join(arms, unionAll)+") AS arms ORDER BY deadline, id", limit), args...))
}

package console

import (
	"context"
	"html/template"
	"slices"
	"strconv"

	"purr/console/locale"
	"purr/models"
	"purr/store"
)

// customerTabs are the tabs of the page, with the labels of each.
var customerTabs = []string{"invoices", "payments", "letters"}

func (p *customerPage) showTabs() {
	if slices.Contains(customerTabs, p.Asked("tab")) {
		p.Tab = p.Asked("tab")
	}
	for _, name := range customerTabs {
		p.Tabs = append(p.Tabs, link{Label: p.rq.words.Say("customer.tab." + name), Path: p.URL("customers", p.Customer.ID) + "?tab=" + name, Present: name == p.Tab})
	}
}

// readTab reads the rows of the tab that the URL asks for.
func (p *customerPage) readTab(ctx context.Context, v store.View) (err error) {
	p.showTabs()
	of, id := p.Creditor.ID, p.Customer.ID
	before, err := strconv.ParseInt(p.Asked("before"), 10, 64)
	if err != nil || before < 0 {
		before = 0
	}
	var sum store.ListSum
	switch p.Tab {
	case "letters":
		if p.Letters, err = v.NewestLettersOf(ctx, of, id, perPage); err != nil {
			return err
		}
		n := len(p.Letters)
		p.Rows = p.rq.numbered("customer.rows.letters", "customer.rows.letters_many", int64(n), n < perPage)
		return nil
	case "payments":
		if p.Payments, sum, err = v.NewestPaymentsOf(ctx, of, id, before, perPage); err != nil {
			return err
		}
		sumTab(p, before, p.Payments, sum, func(e store.StatementEntry) int64 { return e.ID })
	default:
		if p.Invoices, sum, err = v.NewestInvoicesOf(ctx, of, id, before, perPage); err != nil {
			return err
		}
		sumTab(p, before, p.Invoices, sum, func(i models.Invoice) int64 { return i.ID })
	}
	return nil
}

// sumTab says how many rows the tab has and what they come to, and leads to the older ones. Where the page has none of them it says nothing.
func sumTab[T any](p *customerPage, before int64, rows []T, sum store.ListSum, id func(T) int64) {
	switch {
	case len(rows) == 0 && before != 0:
		return
	case len(rows) == 0:
		sum.Added = true // of nothing
	case len(rows) == perPage:
		p.Older = p.With("before", strconv.FormatInt(id(rows[perPage-1]), 10))
	}
	p.Rows = p.rq.summed("customer.rows."+p.Tab, "customer.rows."+p.Tab+"_many", sum)
}

// Entry returns what an entry is, in words.
func (p *customerPage) Entry(e store.StatementEntry) string { return p.rq.entry(e) }

// At returns when a letter left, in the creditor's time.
func (p *customerPage) At(s store.SentLetter) template.HTML {
	if s.SentAt == nil {
		return ""
	}
	return locale.Moment(*s.SentAt, p.rq.zone)
}

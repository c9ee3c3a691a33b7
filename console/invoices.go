package console

import (
	"context"
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"purr/models"
	"purr/store"
)

func (s *Server) invoiceRoutes() []route {
	const one = "/c/{creditor}/invoices/{number}"
	return []route{
		{path: "/c/{creditor}/invoices", area: "invoices", get: s.invoicesPage, csv: s.invoicesCSV},
		{path: "/c/{creditor}/invoices/selected", area: "invoices", get: s.selectedPage, post: s.holdSelected, scope: models.ScopeWrite},
		{path: "/c/{creditor}/invoices/selected/release", area: "invoices", post: s.releaseSelected, scope: models.ScopeWrite},
		{path: "/c/{creditor}/invoices/new", area: "invoices", get: s.newInvoicePage, post: s.newInvoice, scope: models.ScopeWrite},
		{path: "/c/{creditor}/invoices/adopt", area: "invoices", get: s.adoptPage, post: s.adopt, scope: models.ScopeWrite},
		{path: one, area: "invoices", get: s.invoicePage},
		{path: one + "/told-balance", area: "invoices", get: s.tellBalancePage, post: s.tellBalance, scope: models.ScopeWrite},
		{path: one + "/pdf", get: s.invoicePDF},
		{path: one + "/ehf", get: s.invoiceEHF},
		{path: one + "/bundle", get: s.bundle},
		{path: one + "/notices/{notice}/pdf", get: s.noticePDF},
		{path: one + "/notices/{notice}/calculation", area: "invoices", get: s.calculationPage},
		{path: one + "/pay", area: "invoices", get: s.payPage, post: s.pay, scope: models.ScopeWrite},
		{path: one + "/payments/{entry}/delete", area: "invoices", post: s.deletePayment, again: s.invoicePage, scope: models.ScopeWrite},
		{path: one + "/hold", area: "invoices", get: s.holdPage, post: s.hold, scope: models.ScopeWrite},
		{path: one + "/hold/release", area: "invoices", post: s.release, again: s.invoicePage, scope: models.ScopeWrite},
		{path: one + "/notice", area: "invoices", get: s.noticePage, post: s.notice, scope: models.ScopeWrite},
		{path: one + "/notice/pdf", get: s.noticePreview},
		{path: one + "/close", area: "invoices", get: s.closePage, post: s.close, scope: models.ScopeWrite},
		{path: one + "/hand-over", area: "invoices", get: s.handOverPage, post: s.handOver, scope: models.ScopeWrite},
		{path: one + "/reopen", area: "invoices", post: s.reopen, again: s.invoicePage, scope: models.ScopeWrite},
		{path: one + "/credit", area: "invoices", get: s.creditPage, post: s.credit, scope: models.ScopeWrite},
	}
}

// invoicesPage lists the creditor's invoices.
type invoicesPage struct {
	view
	Today    models.Date
	Invoices []models.ListedInvoice
	Pager    pager
}

// invoiceFilter reads what the URL narrows the list to.
func (rq *request) invoiceFilter() (f store.InvoiceFilter, o store.InvoiceOrder, err error) {
	f = store.InvoiceFilter{Search: rq.query("search"), Wide: true, Today: rq.today()}
	if asked := rq.query("status"); asked != "" {
		values := strings.Split(asked, "|")
		if asked == "open" {
			values = []string{"waiting", "overdue", string(models.DebtCollection)}
		}
		var known bool
		if f.Statuses, known = models.ParseStatuses(values); !known {
			return f, o, models.Malformed("unknown_status", "status", "is not a status of invoices")
		}
	}
	if f.Issued, err = rq.days(store.Dates{}); err != nil {
		return f, o, err
	}
	o, known := invoiceOrders[rq.query("order")]
	if !known {
		return f, o, models.Malformed("unknown_order", "order", "is not an order of invoices")
	}
	return f, o, nil
}

// invoiceOrders are the orders that a URL may ask for.
var invoiceOrders = map[string]store.InvoiceOrder{"": store.NewestFirst, "due": store.LongestDueFirst, "balance": store.LargestFirst}

// afterIn reads where the part of a list before this one ended: an ID, or a key, a dot and an ID.
func afterIn(rq *request, keyed bool) (m store.InvoiceMark, err error) {
	text := rq.query("after")
	if text == "" {
		return m, nil
	}
	key, id, both := strings.Cut(text, ".")
	if !both {
		key, id = "0", text
	}
	if m.Key, err = strconv.ParseInt(key, 10, 64); err == nil {
		m.ID, err = strconv.ParseInt(id, 10, 64)
	}
	if err != nil || m.ID < 1 || both != keyed {
		return store.InvoiceMark{}, models.Malformed("invalid_id", "after", "is not a place in this list")
	}
	return m, nil
}

// markOf writes the place of an invoice in a list, as afterIn reads it.
func markOf(o store.InvoiceOrder, i models.ListedInvoice) string {
	m := o.Mark(i)
	if o == store.NewestFirst {
		return toPath(m.ID)
	}
	return fmt.Sprintf("%d.%d", m.Key, m.ID)
}

func (s *Server) invoicesPage(ctx context.Context, rq *request) (reply, error) {
	p := &invoicesPage{view: rq.view("invoices.title"), Today: rq.today()}
	f, o, err := rq.invoiceFilter()
	if err != nil {
		return reply{}, err
	}
	after, err := afterIn(rq, o != store.NewestFirst)
	if err != nil {
		return reply{}, err
	}
	var sum store.ListSum
	var all int64
	err = s.db.View(ctx, func(v store.View) (err error) {
		if p.Invoices, sum, err = v.SummedInvoices(ctx, rq.creditor.ID, f, o, after, perPage+1); err != nil {
			return err
		}
		if all = sum.Number; f.Narrows() {
			all, err = v.CountInvoices(ctx, rq.creditor.ID, store.InvoiceFilter{})
		}
		return err
	})
	if err != nil {
		return reply{}, err
	}
	p.Invoices = onPage(p.Invoices, &p.Pager, func(last models.ListedInvoice) string { return p.With("after", markOf(o, last)) })
	p.Lead = rq.leadOf(f, sum, all)
	return show("invoices", p)
}

// leadOf says in words which invoices the list shows, and what they come to: the gross and what is owed, or of very many at least that.
func (rq *request) leadOf(f store.InvoiceFilter, sum store.ListSum, all int64) template.HTML {
	say := rq.words.SayHTML
	what := say("invoices.all")
	switch asked := rq.query("status"); asked {
	case "":
	case "overdue", "open", "waiting", "paid":
		what = say("invoices." + asked)
	default:
		var each []string
		for _, s := range f.Statuses {
			each = append(each, rq.words.Say("status."+string(s)))
		}
		what = template.HTML(template.HTMLEscapeString(strings.Join(each, ", "))) //nolint:gosec // it was escaped
	}
	dates := say("invoices.any_date")
	switch from, to := f.Issued.From, f.Issued.To; {
	case from != 0 && to != 0:
		dates = say("invoices.between", "from", from, "to", to)
	case from != 0:
		dates = say("invoices.since", "from", from)
	case to != 0:
		dates = say("invoices.before", "to", to)
	}
	lead := say("invoices.lead", "what", what, "dates", dates, "n", sum.Number, "m", all)
	if f.Search != "" {
		lead = say("invoices.lead_search", "what", what, "dates", dates, "search", f.Search, "n", sum.Number, "m", all)
	}
	switch {
	case sum.Added:
		lead += say("invoices.sums", "gross", sum.Amount, "owed", sum.Rest)
	case !f.Narrows():
		lead += say("invoices.owed_in_all", "owed", sum.Rest)
	}
	return lead
}

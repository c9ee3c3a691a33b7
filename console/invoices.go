package console

import (
	"context"

	"purr/models"
	"purr/store"
)

func (s *Server) invoiceRoutes() []route {
	return []route{
		{path: "/c/{creditor}/invoices", area: "invoices", get: s.invoicesPage},
	}
}

// invoicesPage lists the creditor's invoices.
type invoicesPage struct {
	view
	Today    models.Date
	Invoices []models.InvoiceSummary
	Pager    pager
}

func (s *Server) invoicesPage(ctx context.Context, rq *request) (reply, error) {
	p := &invoicesPage{view: rq.view("invoices.title"), Today: rq.today()}
	f := store.InvoiceFilter{Search: rq.query("search"), Today: p.Today}
	found, total, err := s.db.Invoices(ctx, rq.creditor.ID, f, store.Page{Number: 1, Size: perPage})
	if err != nil {
		return reply{}, err
	}
	p.Invoices = found
	p.Lead = rq.words.sayHTML("invoices.lead", "n", total)
	return show("invoices", p)
}

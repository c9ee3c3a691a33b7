package console

import (
	"context"

	"purr/console/locale"
	"purr/models"
	"purr/store"
)

// invoicesCSV answers with all invoices of the list, each with what the books need of it: net and VAT by rate, customer number, KID, and
// when it was paid (rule N5).
func (s *Server) invoicesCSV(ctx context.Context, rq *request) (reply, error) {
	f, o, err := rq.invoiceFilter()
	if err != nil {
		return reply{}, err
	}
	rates, err := s.ratesInvoiced(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	header := rq.words.Header("invoices.number", "invoices.customer", "invoices.issued", "invoices.due", "invoices.state", "invoices.gross", "invoices.owed",
		"customers.number", "month.kid", "month.paid_on", "month.net", "month.vat")
	for _, rate := range rates {
		name := locale.Number(rate.String()) + "\u00A0%"
		header = append(header, rq.words.Say("month.net_at", "rate", name), rq.words.Say("month.vat_at", "rate", name))
	}
	return rq.csv("invoices", header, func(write func(...any) error) error {
		part := make([]models.ListedInvoice, 0, csvBatch)
		flush := func() error {
			defer func() { part = part[:0] }()
			return s.writeInvoices(ctx, rq, part, rates, write)
		}
		err := s.db.EachInvoice(ctx, rq.creditor.ID, f, o, func(i models.ListedInvoice) error {
			if part = append(part, i); len(part) < csvBatch {
				return nil
			}
			return flush()
		})
		if err != nil {
			return err
		}
		return flush()
	})
}

// ratesInvoiced returns the VAT rates of all that the creditor has invoiced, the lowest first.
func (s *Server) ratesInvoiced(ctx context.Context, rq *request) (rates []models.Percent, err error) {
	sums, err := s.db.Booked(ctx, rq.creditor.ID, store.Dates{}, rq.creditor.DisplayZone())
	if err != nil {
		return nil, err
	}
	for _, sum := range sums { // in order of movement and rate
		if sum.OfRate() && sum.Movement == models.MovementInvoiced {
			rates = append(rates, sum.Rate)
		}
	}
	return rates, nil
}

// writeInvoices writes some rows of the file.
func (s *Server) writeInvoices(ctx context.Context, rq *request, part []models.ListedInvoice, rates []models.Percent, write func(...any) error) error {
	ids := make([]int64, len(part))
	for n, i := range part {
		ids[n] = i.ID
	}
	facts, err := s.db.InvoiceFacts(ctx, rq.creditor.ID, ids)
	if err != nil {
		return err
	}
	for _, i := range part {
		of := facts[i.ID]
		row := []any{
			i.Number, i.RecipientName1, i.IssueDate, i.DueDate, rq.words.Say("status." + string(i.Status(rq.today()))), i.Gross, i.Balance,
			of.CustomerNumber, of.KID, of.PaidOn, i.Net, i.Gross - i.Net,
		}
		for _, rate := range rates {
			sum := of.ByRate[int64(rate)]
			row = append(row, sum.Net, sum.VAT)
		}
		if err := write(row...); err != nil {
			return err
		}
	}
	return nil
}

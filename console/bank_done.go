package console

import (
	"context"
	"slices"

	"purr/models"
)

// donePage is the payments that a person has matched or dismissed, the newest first. Each can be taken back, whenever.
type donePage struct {
	view
	Payments []donePayment
	Pager    pager
}

// donePayment is a payment with what was done with it.
type donePayment struct {
	models.UnmatchedPayment
	Invoices []int64 // the numbers of those that it is matched with
	Undo     string
	Seen     models.Seen // the payment and these invoices, as the page shows them
}

// donePage shows the payments below ?before=ID. ?payment=ID begins with that one.
func (s *Server) donePage(ctx context.Context, rq *request) (reply, error) {
	p := &donePage{view: rq.view("bank.done")}
	before, err := s.doneBefore(ctx, rq)
	if err != nil {
		return reply{}, err
	}
	found, err := s.db.PaymentsDone(ctx, rq.creditor.ID, before, perPage+1)
	if err != nil {
		return reply{}, err
	}
	found = onPage(found, &p.Pager, func(u models.UnmatchedPayment) string {
		return rq.base + "/bank?status=resolved&before=" + toPath(u.ID)
	})
	if before != 0 {
		p.Pager.Previous = rq.base + "/bank?status=resolved"
	}
	if p.Payments, err = s.donePayments(ctx, rq, found); err != nil {
		return reply{}, err
	}
	sum, err := s.db.PaymentSum(ctx, rq.creditor.ID, models.PaymentMatched, models.PaymentDismissed)
	if err != nil {
		return reply{}, err
	}
	p.Lead = rq.summed("bank.done_lead", "bank.done_lead_many", sum)
	return show("bank_done", p)
}

// doneBefore returns the ID below which the URL asks for payments, or 0 for all.
func (s *Server) doneBefore(ctx context.Context, rq *request) (int64, error) {
	payment, err := rq.idOr("payment", rq.r.PathValue("payment"))
	if err != nil {
		return 0, err
	}
	if payment == 0 {
		return rq.idOr("before", "")
	}
	_, err = s.db.UnmatchedPayment(ctx, rq.creditor.ID, payment)
	return payment + 1, err
}

// paidBy returns the numbers of the invoices that the payments were matched with, by entry.
func (s *Server) paidBy(ctx context.Context, rq *request, found []models.UnmatchedPayment) (map[int64]int64, error) {
	var entries []int64
	for _, u := range found {
		entries = append(entries, u.EntryIDs()...)
	}
	return s.db.InvoicesPaidBy(ctx, rq.creditor.ID, entries)
}

// donePayments returns the payments with what they were matched with, and how that is undone.
func (s *Server) donePayments(ctx context.Context, rq *request, found []models.UnmatchedPayment) (all []donePayment, err error) {
	seen, err := s.db.LookAtMatches(ctx, rq.creditor.ID, found...)
	if err != nil {
		return nil, err
	}
	numbers, err := s.paidBy(ctx, rq, found)
	if err != nil {
		return nil, err
	}
	for _, u := range found {
		d := donePayment{UnmatchedPayment: u, Invoices: slices.Compact(inOrder(u, numbers)), Undo: rq.paymentPath(u.ID, "unmatch"), Seen: seen[u.ID]}
		if u.Status == models.PaymentDismissed {
			d.Undo = rq.paymentPath(u.ID, "reopen")
		}
		all = append(all, d)
	}
	return all, nil
}

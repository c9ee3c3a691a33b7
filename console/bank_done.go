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
	before, err := rq.idOr("before", "")
	if err != nil {
		return reply{}, err
	}
	payment, err := rq.idOr("payment", rq.r.PathValue("payment"))
	if err != nil {
		return reply{}, err
	}
	if payment != 0 {
		if _, err := s.db.UnmatchedPayment(ctx, rq.creditor.ID, payment); err != nil {
			return reply{}, err
		}
		before = payment + 1
	}
	found, err := s.db.PaymentsDone(ctx, rq.creditor.ID, before, perPage+1)
	if err != nil {
		return reply{}, err
	}
	if len(found) > perPage {
		found = found[:perPage]
		p.Pager.Next = rq.base + "/bank?status=resolved&before=" + toPath(found[perPage-1].ID)
	}
	if before != 0 {
		p.Pager.Previous = rq.base + "/bank?status=resolved"
	}
	var entries []int64
	for _, u := range found {
		entries = append(entries, u.EntryIDs()...)
	}
	seen, err := s.db.LookAtMatches(ctx, rq.creditor.ID, found...)
	if err != nil {
		return reply{}, err
	}
	numbers, err := s.db.InvoicesPaidBy(ctx, rq.creditor.ID, entries)
	if err != nil {
		return reply{}, err
	}
	for _, u := range found {
		d := donePayment{UnmatchedPayment: u, Invoices: slices.Compact(inOrder(u, numbers)), Undo: rq.paymentPath(u.ID, "unmatch"), Seen: seen[u.ID]}
		if u.Status == models.PaymentDismissed {
			d.Undo = rq.paymentPath(u.ID, "reopen")
		}
		p.Payments = append(p.Payments, d)
	}
	p.Lead = rq.words.SayHTML("bank.done_lead")
	return show("bank_done", p)
}

package console

import (
	"context"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// tellBalancePage asks what the other system says is owed of an invoice now.
type tellBalancePage struct {
	view
	Invoice models.Invoice
	Seen    models.Seen
}

func (s *Server) tellBalancePage(ctx context.Context, rq *request) (reply, error) {
	i, err := s.invoice(ctx, rq, s.db)
	if err != nil {
		return reply{}, err
	}
	if !i.Adopted {
		return reply{}, models.NotFound("adopted invoice")
	}
	p := &tellBalancePage{view: rq.view("tell_balance.title", "number", numberOf(i)), Invoice: i}
	p.Lead = rq.words.SayHTML("act.lead", "customer", i.Recipient.Name1, "owed", i.Balance)
	if p.Seen, err = s.db.LookAtInvoice(ctx, i); err != nil {
		return reply{}, err
	}
	return show("tell_balance", p)
}

// tellBalance books what the other system says, as its nightly list would.
func (s *Server) tellBalance(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	told := ledger.Told{Balance: f.amount("balance"), Actor: rq.actor(), Seen: rq.surelySeen()}
	if err := f.done(); err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		i, err := s.invoice(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		told.Number = i.Number
		change, err := ledger.TellBalance(ctx, tx, rq.creditor.ID, told)
		if err == nil {
			err = change.Refusal()
		}
		if err != nil {
			return done{}, err
		}
		return done{to: rq.back(rq.pathOf(i)), message: rq.said("tell_balance.done", "number", numberOf(i), "balance", told.Balance)}, nil
	})
}

package console

import (
	"context"

	"purr/dunning"
	"purr/models"
	"purr/store"
)

// moreTimeRoutes are the forms that give a customer more time for an invoice, and end it (rule N11).
func (s *Server) moreTimeRoutes() []route {
	const one = "/c/{creditor}/invoices/{number}/more-time"
	return []route{
		{path: one, area: "invoices", get: s.moreTimePage, post: s.giveMoreTime, scope: models.ScopeWrite},
		{path: one + "/end", area: "invoices", post: s.endMoreTime, again: s.invoicePage, scope: models.ScopeWrite},
	}
}

// moreTimePage asks until when and why a customer gets more time.
type moreTimePage struct {
	view
	Invoice models.Invoice
	Old     models.MoreTime // what runs
	Waived  bool            // and it bears no interest
	Latest  models.Date     // how far ahead it may be
	Seen    models.Seen
}

func (s *Server) moreTimePage(ctx context.Context, rq *request) (reply, error) {
	i, err := s.invoice(ctx, rq, s.db)
	if err != nil {
		return reply{}, err
	}
	p := &moreTimePage{view: rq.view("more_time.title", "number", numberOf(i)), Invoice: i, Latest: rq.today() + models.MaxMoreDays}
	p.Lead = rq.words.SayHTML("act.lead", "customer", i.Recipient.Name1, "owed", i.Balance)
	if i.MoreTime.Active(rq.today()) {
		p.Old, p.Waived = i.MoreTime, i.InterestFree.Has(i.MoreTime.Until)
	}
	p.Seen, err = s.db.Look(ctx, rq.creditor.ID, models.Thing{Kind: models.ThingHold, ID: i.ID})
	if err != nil {
		return reply{}, err
	}
	return show("more_time", p)
}

func (s *Server) giveMoreTime(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	asked := models.MoreTimeRequest{Until: f.date("until"), Reason: f.text("reason"), WaiveInterest: f.has("waive_interest")}
	if err := f.done(asked.Validate(rq.today())); err != nil {
		return reply{}, err
	}
	return s.onMoreTime(ctx, rq, func(ctx context.Context, tx *store.Tx, was models.Invoice) (message, error) {
		if _, err := dunning.GiveMoreTime(ctx, tx, rq.creditor, was.ID, asked, rq.actor(), rq.seen()); err != nil {
			return message{}, err
		}
		said := rq.undoable(rq.pathOf(was)+"/more-time/end", "more_time.done", "number", numberOf(was), "date", asked.Until)
		return rq.older(said, was), nil
	})
}

func (s *Server) endMoreTime(ctx context.Context, rq *request) (reply, error) {
	return s.onMoreTime(ctx, rq, func(ctx context.Context, tx *store.Tx, was models.Invoice) (message, error) {
		if err := dunning.EndMoreTime(ctx, tx, rq.creditor, was.ID, rq.actor(), rq.seen()); err != nil {
			return message{}, err
		}
		return rq.older(rq.said("more_time.ended", "number", numberOf(was)), was), nil
	})
}

// older returns a message whose Undo gives the time again that ran for an invoice before, if any did.
func (rq *request) older(said message, was models.Invoice) message {
	if !was.MoreTime.Active(rq.today()) {
		return said
	}
	said.Undo = rq.pathOf(was) + "/more-time"
	said = said.carrying("until", was.MoreTime.Until.String()).carrying("reason", was.MoreTime.Reason)
	if was.InterestFree.Has(was.MoreTime.Until) {
		said = said.carrying("waive_interest", "1")
	}
	return said
}

// onMoreTime does an act on the time of the invoice in the path, which do gets locked, as it was.
func (s *Server) onMoreTime(ctx context.Context, rq *request, do func(context.Context, *store.Tx, models.Invoice) (message, error)) (reply, error) {
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		i, err := s.invoice(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		if i, err = tx.LockInvoice(ctx, rq.creditor.ID, i.ID); err != nil {
			return done{}, err
		}
		said, err := do(ctx, tx, i)
		if err != nil {
			return done{}, err
		}
		if said.Undo != "" {
			if said, err = said.undoes(ctx, tx, rq.creditor.ID, models.ThingHold, i.ID); err != nil {
				return done{}, err
			}
		}
		return done{to: rq.back(rq.pathOf(i)), message: said}, nil
	})
}

// refuseDisputed refuses what is not offered for a disputed claim: a notice and a hand-over, before the dispute is settled (rule N11).
func (rq *request) refuseDisputed(ctx context.Context, tx *store.Tx, i models.Invoice) error {
	customer, err := tx.Customer(ctx, rq.creditor.ID, i.CustomerID)
	if err != nil {
		return err
	}
	if i.Hold.Disputed(rq.today()) || customer.Hold.Disputed(rq.today()) {
		return models.Conflict("claim_disputed", "the claim is disputed: no notice and no hand-over before the hold is taken away")
	}
	return nil
}

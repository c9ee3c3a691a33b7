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
	// Whom a letter goes to, as the reader sees him.
	Customer     models.Customer
	SeenCustomer models.Seen
}

// Letter returns the field with the ways in which a letter tells the customer.
func (p *moreTimePage) Letter() input {
	in := p.Select("shipment_method", "more_time.letter", "", "", "more_time.no_letter", string(models.ByEmail), "send.email", string(models.ByPaper), "send.paper")
	in.Hint = p.rq.words.Say("more_time.letter_hint")
	return in
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
	if p.Customer, err = s.db.Customer(ctx, rq.creditor.ID, i.CustomerID); err != nil {
		return reply{}, err
	}
	hold, customer := models.Thing{Kind: models.ThingHold, ID: i.ID}, models.Thing{Kind: models.ThingCustomer, ID: i.CustomerID}
	acts, err := s.db.LastActs(ctx, rq.creditor.ID, hold, customer)
	if err != nil {
		return reply{}, err
	}
	p.Seen, p.SeenCustomer = acts[hold].Look(), acts[customer].Look()
	return show("more_time", p)
}

func (s *Server) giveMoreTime(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	asked := models.MoreTimeRequest{
		Until: f.date("until"), Reason: f.text("reason"), WaiveInterest: f.has("waive_interest"), Method: models.ShipmentMethod(f.text("shipment_method")),
		SeenCustomer: models.Seen(f.text("seen_customer")),
	}
	if err := f.done(asked.Validate(rq.today())); err != nil {
		return reply{}, err
	}
	return s.onMoreTime(ctx, rq, func(ctx context.Context, tx *store.Tx, was models.Invoice) (done, error) {
		given, err := dunning.GiveMoreTime(ctx, tx, rq.creditor, was.ID, asked, rq.actor(), rq.seen())
		if err != nil {
			return done{}, err
		}
		return rq.saidOfTime(ctx, tx, was, given, asked)
	})
}

// saidOfTime says what was given, and where the letter goes that a person asked for.
func (rq *request) saidOfTime(ctx context.Context, tx *store.Tx, was, given models.Invoice, asked models.MoreTimeRequest) (done, error) {
	key, address, made := "more_time.done", "", (*models.Document)(nil)
	if asked.Method != "" {
		sent, err := tx.ShipmentsOf(ctx, was.Document())
		if err != nil {
			return done{}, err
		}
		for _, s := range sent {
			if !s.Tells(given) {
				continue
			}
			key, address = "more_time.done_told", s.Method.Address(s.To())
			if s.State == models.ShipmentOwed {
				d := was.Document()
				key, made = "more_time.done_letter", &d
			}
		}
	}
	said := rq.undoable(rq.pathOf(was)+"/more-time/end", key, "number", numberOf(was), "date", asked.Until, "address", address)
	return done{message: rq.older(said, was), made: made}, nil
}

func (s *Server) endMoreTime(ctx context.Context, rq *request) (reply, error) {
	return s.onMoreTime(ctx, rq, func(ctx context.Context, tx *store.Tx, was models.Invoice) (done, error) {
		if err := dunning.EndMoreTime(ctx, tx, rq.creditor, was.ID, rq.actor(), rq.seen()); err != nil {
			return done{}, err
		}
		return done{message: rq.older(rq.said("more_time.ended", "number", numberOf(was)), was)}, nil
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
func (s *Server) onMoreTime(ctx context.Context, rq *request, do func(context.Context, *store.Tx, models.Invoice) (done, error)) (reply, error) {
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		i, err := s.invoice(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		if i, err = tx.LockInvoice(ctx, rq.creditor.ID, i.ID); err != nil {
			return done{}, err
		}
		did, err := do(ctx, tx, i)
		if err != nil {
			return done{}, err
		}
		if did.message.Undo != "" {
			if did.message, err = did.message.undoes(ctx, tx, rq.creditor.ID, models.ThingHold, i.ID); err != nil {
				return done{}, err
			}
		}
		did.to = rq.back(rq.pathOf(i))
		return did, nil
	})
}

// refuseDisputed refuses what is not offered for a disputed claim, or while a payment plan runs: a notice and a hand-over, before the dispute
// is settled or the plan is ended (rules N11, L15).
func (rq *request) refuseDisputed(ctx context.Context, tx *store.Tx, i models.Invoice) error {
	if i.PlanID != 0 {
		return models.Conflict("plan_runs", "a payment plan runs: no notice and no hand-over before it is ended")
	}
	customer, err := tx.Customer(ctx, rq.creditor.ID, i.CustomerID)
	if err != nil {
		return err
	}
	if i.Hold.Disputed(rq.today()) || customer.Hold.Disputed(rq.today()) {
		return models.Conflict("claim_disputed", "the claim is disputed: no notice and no hand-over before the hold is taken away")
	}
	return nil
}

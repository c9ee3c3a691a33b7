package console

import (
	"context"
	"fmt"
	"slices"

	"purr/billing"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

// actPage is the form of an act on an invoice, with what the act depends on.
type actPage struct {
	view
	Today    models.Date
	Invoice  models.Invoice
	Owed     models.Amount // what a person would pay now
	Over     models.Amount // what was overpaid
	Email    bool          // the customer has an e-mail address
	Forced   bool          // the warning's deadline runs: the act needs a word more
	Warnable bool          // the law lets the creditor send a debt-collection warning today
	Chargeable,
	Disputed bool
	Fee      models.Amount
	Customer models.Customer
	Seen     models.Seen // the invoice, as the page shows it
}

func (s *Server) actPage(ctx context.Context, rq *request, title string) (*actPage, error) {
	i, err := s.invoice(ctx, rq, s.db)
	if err != nil {
		return nil, err
	}
	p := &actPage{view: rq.view(title, "number", numberOf(i)), Today: rq.today(), Invoice: i, Owed: max(i.Balance, 0), Over: i.Free()}
	p.Lead = rq.words.SayHTML("act.lead", "customer", i.Recipient.Name1, "owed", i.Balance)
	p.Seen, err = s.db.LookAtInvoice(ctx, i)
	return p, err
}

func (s *Server) payPage(ctx context.Context, rq *request) (reply, error) {
	p, err := s.actPage(ctx, rq, "pay.title")
	if err != nil {
		return reply{}, err
	}
	return show("pay", p)
}

// Ways returns the field with the ways by which a reminder goes (rule L22).
func (p *actPage) Ways() input {
	in := p.Select("shipment_method", "notice.way", "", "", "notice.as_policy", string(models.ByPaper), "policy.by_paper", string(models.Auto), "policy.by_auto", string(models.ByEmail), "send.email")
	in.Hint = p.rq.words.Say("notice.way_hint")
	return in
}

func (s *Server) noticePage(ctx context.Context, rq *request) (reply, error) {
	p, err := s.actPage(ctx, rq, "notice.title")
	if err != nil {
		return reply{}, err
	}
	rules, err := dunning.RulesFor(ctx, s.cfg.Rules, s.db, rq.creditor.ID)
	if err != nil {
		return reply{}, err
	}
	if p.Customer, err = s.db.Customer(ctx, rq.creditor.ID, p.Invoice.CustomerID); err != nil {
		return reply{}, err
	}
	p.Warnable = dunning.WarningAllowed(rules, p.Today) == nil
	p.Disputed = dunning.FeeAllowed(p.Invoice, p.Customer, p.Today) != nil
	p.Chargeable = dunning.Conditions(p.Invoice, true, p.Today) == nil && !p.Disputed
	if !p.Chargeable {
		return show("notice", p)
	}
	err = s.db.View(ctx, func(v store.View) error {
		n, err := dunning.PreviewNotice(ctx, v, rules, rq.creditor, p.Customer, p.Invoice, p.Today, dunning.Request{AddFee: true, Actor: rq.actor()})
		if err != nil {
			return err
		}
		p.Fee = n.Fee
		return nil
	})
	if err != nil {
		return reply{}, err
	}
	return show("notice", p)
}

// noticePreview shows the reminder, or the warning, that would be sent today (rule L24).
func (s *Server) noticePreview(ctx context.Context, rq *request) (reply, error) {
	rules, err := dunning.RulesFor(ctx, s.cfg.Rules, s.db, rq.creditor.ID)
	if err != nil {
		return reply{}, err
	}
	i, err := s.invoice(ctx, rq, s.db)
	if err != nil {
		return reply{}, err
	}
	var p dunning.Preview
	err = s.db.View(ctx, func(v store.View) error {
		p, err = dunning.PreviewOf(ctx, v, rules, rq.creditor, i.ID, rq.query("warning") == "1", rq.today())
		return err
	})
	if err != nil {
		return reply{}, err
	}
	content, err := s.cfg.Documents.PreviewNotice(ctx, p.Invoice, p.Notice, p.Lines, p.Earlier)
	if err != nil {
		return reply{}, err
	}
	return pdf(fmt.Sprintf("preview-%d.pdf", i.Number), content), nil
}

// notice sends a notice now (rule D27).
func (s *Server) notice(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	asked := dunning.Request{
		AddFee: f.has("add_overdue_charge"), AddInterest: f.has("add_interest"), Warning: f.has("is_incasso_notice"), Method: models.ShipmentMethod(f.text("shipment_method")), Comment: f.text("comment"), Actor: rq.actor(),
		Seen: rq.surelySeen(),
	}
	if err := f.done(asked.Validate()); err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		i, err := s.invoice(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		rules, err := dunning.RulesFor(ctx, s.cfg.Rules, tx, rq.creditor.ID)
		if err != nil {
			return done{}, err
		}
		if err := rq.refuseDisputed(ctx, tx, i); err != nil {
			return done{}, err
		}
		n, err := dunning.IssueNotice(ctx, tx, rules, rq.creditor, i.ID, asked)
		if err != nil {
			return done{}, err
		}
		made := n.Document()
		return done{to: rq.back(rq.pathOf(i)), message: rq.said("notice.done", "number", numberOf(i), "gross", n.Gross, "due", n.DueDate), made: &made}, nil
	})
}

func (s *Server) closePage(ctx context.Context, rq *request) (reply, error) {
	p, err := s.actPage(ctx, rq, "close.title")
	if err != nil {
		return reply{}, err
	}
	return show("close", p)
}

func (s *Server) close(ctx context.Context, rq *request) (reply, error) {
	f := rq.fields()
	cl := dunning.Closing{Reason: models.Closing(f.text("reason")), Comment: f.text("comment"), Actor: rq.actor(), Seen: rq.surelySeen()}
	if err := f.done(cl.Validate()); err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		i, err := s.invoice(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		if _, err := dunning.CloseInvoice(ctx, tx, rq.creditor, i.ID, cl); err != nil {
			return done{}, err
		}
		said, err := rq.undoable(rq.pathOf(i)+"/reopen", "close.done", "number", numberOf(i)).undoes(ctx, tx, rq.creditor.ID, models.ThingClosing, i.ID)
		if err != nil {
			return done{}, err
		}
		return done{to: rq.back(rq.pathOf(i)), message: said}, nil
	})
}

func (s *Server) handOverPage(ctx context.Context, rq *request) (reply, error) {
	p, err := s.actPage(ctx, rq, "hand_over.title")
	if err != nil {
		return reply{}, err
	}
	p.Forced = dunning.WarningRuns(p.Invoice, p.Today)
	return show("hand_over", p)
}

func (s *Server) handOver(ctx context.Context, rq *request) (reply, error) {
	handOver := dunning.HandOverInvoice
	if rq.fields().has("force") {
		handOver = dunning.ForceHandOver
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		i, err := s.invoice(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		if err := rq.refuseDisputed(ctx, tx, i); err != nil {
			return done{}, err
		}
		if _, err := handOver(ctx, tx, rq.creditor, i.ID, rq.actor(), rq.surelySeen()); err != nil {
			return done{}, err
		}
		said, err := rq.undoable(rq.pathOf(i)+"/reopen", "hand_over.done", "number", numberOf(i)).undoes(ctx, tx, rq.creditor.ID, models.ThingClosing, i.ID)
		if err != nil {
			return done{}, err
		}
		return done{to: rq.back(rq.pathOf(i)), message: said}, nil
	})
}

// reopen opens a closed invoice again, or takes a hand-over back. Undo closes it as it was; a hand-over is made anew by a
// person who has looked, and what a run had closed (rule L25) by one who closes it.
func (s *Server) reopen(ctx context.Context, rq *request) (reply, error) {
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		i, err := s.invoice(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		if i, err = tx.LockInvoice(ctx, rq.creditor.ID, i.ID); err != nil {
			return done{}, err
		}
		after, err := dunning.ReopenInvoice(ctx, tx, rq.creditor, i.ID, rq.actor(), rq.seen())
		if err != nil {
			return done{}, err
		}
		m := rq.said("reopen.done", "number", numberOf(i))
		if i.Closed == models.NotClosed || i.WrittenOff > 0 {
			return done{to: rq.back(rq.pathOf(i)), message: m}, nil
		}
		seen, err := tx.LookAtInvoice(ctx, after)
		if err != nil {
			return done{}, err
		}
		m = rq.undoable(rq.pathOf(i)+"/close", "reopen.done", "number", numberOf(i))
		m.With = map[string]string{"reason": string(i.Closed), "seen": string(seen)}
		return done{to: rq.back(rq.pathOf(i)), message: m}, nil
	})
}

// Methods returns the field with the ways to send a credit note.
func (p *actPage) Methods(label string) input {
	not := func(m models.ShipmentMethod) bool { return m.AskedFor(models.CreditNoteDocument) != nil }
	return p.methods(label, p.Email, slices.DeleteFunc(slices.Clone(models.ShipmentMethods), not))
}

// FeeHint says what the fee of a notice is today.
func (p *actPage) FeeHint() string { return "says=" + p.rq.words.Say("notice.fee_hint", "fee", p.Fee) }

// fieldOfSending returns the field of a form that asks how a document is sent: what the way of sending lacks stands at it.
func fieldOfSending(e *models.Error) string {
	if e.Place.Is(billing.AtMethod()) || e.Place.Is(models.At("recipient", "email")) || e.Code == "organisation_number_required" && e.Place.Is(models.At("recipient")) {
		return "method"
	}
	return fieldAtPlace(e)
}

package console

import (
	"context"
	"net/url"

	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
)

// mostParts is how many open invoices of a customer a payment can be divided among.
const mostParts = 100

// choosePage divides a payment among open invoices of a customer, whom a person finds there (rule N7).
type choosePage struct {
	view
	Payment  models.UnmatchedPayment
	Sought   string
	Payers   []payer
	More     bool            // more were found
	Customer models.Customer // without ID until one is chosen
	Parts    []paidPart
	MoreOpen bool // the customer has more open invoices
	Divided  models.Amount
	Rest     models.Amount
	RestOn   *paidPart // where the rest goes; nil if nothing is chosen
	Reckoned string    // what Match sends: each part that is shown, with what is owed now; empty if something is wrong
	Changed  bool      // Match was pressed, and something else was typed than what was reckoned
}

// choosePage shows who may have paid, or what ?payer= finds. ?customer= is the one who has: his open invoices, with what is left on each.
func (s *Server) choosePage(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("payment")
	if err != nil {
		return reply{}, err
	}
	p := &choosePage{view: rq.view("choose.title"), Sought: rq.query("payer")}
	if p.Payment, err = s.db.UnmatchedPayment(ctx, rq.creditor.ID, id); err != nil {
		return reply{}, err
	}
	switch waits := p.Payment.Status == models.PaymentOpen; {
	case p.Payment.Amount <= 0: // money out pays nothing
		return reply{}, models.NotFound("page")
	case !waits && rq.form != nil && rq.refused == nil:
		return reply{}, models.Conflict("payment_resolved", "the payment is %s already", p.Payment.Status)
	case !waits && rq.form != nil:
		return s.paymentPage(ctx, rq)
	case !waits:
		return rq.to(rq.base + "/bank?payment=" + toPath(id)), nil
	}
	p.Lead = rq.words.SayHTML("choose.lead", "amount", p.Payment.Amount, "payer", rq.payer(p.Payment), "day", p.Payment.TransactionDate)
	customer, err := rq.idOr("customer", "")
	if err != nil {
		return reply{}, err
	}
	err = s.db.View(ctx, func(v store.View) error {
		switch {
		case customer != 0:
			return p.readParts(ctx, v, customer)
		case p.Sought != "":
			return p.find(ctx, v)
		}
		return p.suggest(ctx, v)
	})
	if err != nil {
		return reply{}, err
	}
	if p.Sought != "" && customer == 0 && len(p.Payers) == 1 && rq.isGet() {
		return rq.to(p.PayerPath(p.Payers[0].ID)), nil
	}
	return show("choose", p)
}

// PayerPath returns the path of this page with a customer chosen.
func (p *choosePage) PayerPath(id int64) string {
	to := p.rq.paymentPath(p.Payment.ID, "choose") + "?customer=" + toPath(id)
	if back := p.rq.back(""); back != "" {
		to += "&" + url.Values{"back": {back}}.Encode()
	}
	return to
}

// readParts reads the customer's open invoices, and divides the payment among them: as a person has typed, or as is likeliest.
func (p *choosePage) readParts(ctx context.Context, v store.View, customer int64) (err error) {
	if p.Customer, err = v.Customer(ctx, p.Creditor.ID, customer); err != nil {
		return err
	}
	open, err := v.OpenInvoicesOf(ctx, p.Creditor.ID, []int64{customer}, mostParts+1)
	if err != nil {
		return err
	}
	if err := p.lookAt(ctx, v, models.Thing{Kind: models.ThingPayment, ID: p.Payment.ID}); err != nil {
		return err
	}
	p.MoreOpen = len(open[customer]) > mostParts
	for _, i := range open[customer][:min(mostParts, len(open[customer]))] {
		p.Parts = append(p.Parts, paidPart{Invoice: i.Invoice})
	}
	if p.rq.form == nil {
		p.propose()
	} else if err := p.readTyped(); err != nil && p.rq.refused == nil {
		return err
	} else if err == nil {
		p.Changed = p.rq.refused == nil && p.rq.form.Get("act") != "reckon"
		p.reckon()
	}
	for n := range p.Parts {
		p.Parts[n].Field = p.field(p.Parts[n])
	}
	return nil
}

// choose matches the payment with the parts that the page has shown. If something else was typed, the page shows first what is left then.
func (s *Server) choose(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("payment")
	if err != nil {
		return reply{}, err
	}
	parts, err := partsIn(rq.form.Get("reckoned"))
	if err != nil {
		return reply{}, err
	}
	if rq.form.Get("act") == "reckon" || !rq.asReckoned(parts) {
		return s.choosePage(ctx, rq)
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		u, err := unmatched.MatchParts(ctx, tx, rq.creditor, id, parts, rq.actor(), rq.surelySeen())
		if err != nil {
			return done{}, err
		}
		return rq.matched(ctx, tx, u)
	})
}

package console

import (
	"context"
	"slices"

	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
)

// mostPerhaps is how many payments in the queue a page of a customer or an invoice shows.
const mostPerhaps = 10

// perhapsPart is the payments in the queue that may be a customer's, on the customer's page and on those of the invoices (rule N6).
type perhapsPart struct {
	*view
	Customer models.Customer
	Rows     []perhapsRow
	Denied   []unmatched.Perhaps
	More     bool
}

// perhapsRow is a payment with what it would be matched with, which may be nothing.
type perhapsRow struct {
	unmatched.Perhaps
	choice
}

// perhaps returns the payments that may be a customer's. A payment that fits none of his invoices is matched with the one of the page, if
// money is owed on it.
func (v *view) perhaps(queue unmatched.InQueue, c models.Customer, of *models.Invoice) perhapsPart {
	part := perhapsPart{view: v, Customer: c, Denied: queue.Denied, More: queue.More}
	for _, p := range queue.Perhaps {
		row := perhapsRow{Perhaps: p}
		switch owed := of != nil && of.Balance > 0 && of.Closed == models.NotClosed && p.Payment.Amount > 0; {
		case p.For != nil:
			row.choice = v.rq.choice(p.Payment, *p.For)
		case owed:
			row.choice = v.rq.choice(p.Payment, unmatched.Suggestion{Invoices: []models.Invoice{*of}, Reasons: []models.Hint{models.HintName}})
		default:
			row.Hints = []string{v.rq.words.Say("hint." + string(models.HintName))}
		}
		part.Rows = append(part.Rows, row)
	}
	return part
}

// CanBelieve reports whether the customer may say that the invoice is paid: it is dunned, and nothing holds it.
func (p *invoicePage) CanBelieve() bool {
	return !p.HeldOwn && p.Invoice.Claimed() > 0 && p.Invoice.Closed == models.NotClosed && p.Invoice.HandedOver == 0
}

// Label returns what the button says that matches the payment.
func (r perhapsRow) Label(p perhapsPart) string {
	return p.rq.words.Say("perhaps.match", "invoice", p.rq.lower(r.Invoices))
}

// lower names invoices within a sentence.
func (rq *request) lower(invoices []models.Invoice) string {
	var numbers []int64
	for _, i := range invoices {
		numbers = append(numbers, i.Number)
	}
	return rq.words.Say("perhaps.invoice", "n", len(numbers), "numbers", rq.words.List(numbers))
}

// denyPayer notes that the payment in the path is not a customer's. Undo takes it back.
func (s *Server) denyPayer(ctx context.Context, rq *request) (reply, error) {
	return rq.sayWhose(ctx, unmatched.DenyPayer, "payer", "perhaps.denied")
}

// allowPayer takes back what denyPayer noted.
func (s *Server) allowPayer(ctx context.Context, rq *request) (reply, error) {
	return rq.sayWhose(ctx, unmatched.AllowPayer, "not-payer", "perhaps.allowed")
}

// sayWhose does what a form asks for that says whether a payment is of the customer that it names. undo is the path of the opposite.
func (rq *request) sayWhose(
	ctx context.Context, do func(context.Context, *store.Tx, models.Creditor, int64, int64, string, ...models.Seen) (models.UnmatchedPayment, error), undo, said string,
) (reply, error) {
	id, err := rq.pathID("payment")
	if err != nil {
		return reply{}, err
	}
	f := rq.fields()
	customer := f.number("customer")
	if err := f.done(); err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		u, err := do(ctx, tx, rq.creditor, id, customer, rq.actor(), rq.seen())
		if err != nil {
			return done{}, err
		}
		c, err := tx.Customer(ctx, rq.creditor.ID, customer)
		if err != nil {
			return done{}, err
		}
		m := rq.undoable(rq.paymentPath(id, undo), said, "amount", u.Amount, "payer", rq.payer(u), "name", c.Recipient.Name1)
		if m, err = m.carrying("customer", toPath(customer)).undoes(ctx, tx, rq.creditor.ID, models.ThingPayment, id); err != nil {
			return done{}, err
		}
		return done{to: rq.back(rq.base + "/bank?payment=" + toPath(id)), message: m}, nil
	})
}

// notOf reads the customers of whom a person said that the selected payment is not theirs.
func (p *bankPage) notOf(ctx context.Context, v store.View) error {
	if len(p.Selected.NotOf) == 0 {
		return nil
	}
	customers, err := v.CustomersByID(ctx, p.Creditor.ID, p.Selected.NotOf)
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(slices.Values(p.Selected.NotOf)) {
		if c, found := customers[id]; found {
			p.NotOf = append(p.NotOf, c)
		}
	}
	return nil
}

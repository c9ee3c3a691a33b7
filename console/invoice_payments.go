package console

import (
	"context"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// pay registers a payment, a repayment, or the reversal of a fee or of interest (rules D32, E3). A person types how much it
// is, without a sign.
func (s *Server) pay(ctx context.Context, rq *request) (reply, error) {
	p, err := rq.payment()
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		i, err := s.invoice(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		e, err := ledger.RegisterOnInvoice(ctx, tx, rq.creditor.ID, i.ID, p, rq.today())
		if err != nil {
			return done{}, err
		}
		m := rq.said("pay.done", "amount", max(p.Amount, -p.Amount), "number", numberOf(i))
		if e.Type == models.EntryPayment {
			if m, err = rq.deletable(ctx, tx, m, i.Number, e); err != nil {
				return done{}, err
			}
		}
		return done{to: rq.back(rq.pathOf(i)), message: m}, nil
	})
}

// payment reads the form.
func (rq *request) payment() (ledger.Payment, error) {
	f := rq.fields()
	p := ledger.Payment{Amount: -f.amount("amount"), Date: f.date("transaction_date"), Comment: f.text("comment"), Actor: rq.actor(), Seen: rq.surelySeen()}
	if p.Amount > 0 {
		f.faults.Add("not_positive", "amount", "must be above zero")
	}
	switch f.text("kind") {
	case "", "payment":
	case "repayment":
		p.Amount = -p.Amount
	case "fee":
		p.Type = models.EntryOverdueCharge
	case "interest":
		p.Type = models.EntryInterest
	default:
		f.faults.Add("invalid_kind", "kind", "is not a kind of payment")
	}
	return p, f.done(p.Validate(rq.today()))
}

// deletable adds to what is said of a new payment on an invoice that it may be deleted again.
func (rq *request) deletable(ctx context.Context, tx *store.Tx, m message, invoice int64, e models.Entry) (message, error) {
	after, err := tx.InvoiceByNumber(ctx, rq.creditor.ID, invoice)
	if err != nil {
		return m, err
	}
	seen, err := tx.LookAtPayments(ctx, after)
	if err != nil {
		return m, err
	}
	m.Undo = rq.pathOf(after) + "/payments/" + toPath(e.ID) + "/delete"
	return m.carrying("seen", string(seen)), nil
}

// deletePayment deletes a payment that a person registered (rule D31). Undo registers it again.
func (s *Server) deletePayment(ctx context.Context, rq *request) (reply, error) {
	id, err := rq.pathID("entry")
	if err != nil {
		return reply{}, err
	}
	return rq.act(ctx, func(ctx context.Context, tx *store.Tx) (done, error) {
		i, err := s.invoice(ctx, rq, tx)
		if err != nil {
			return done{}, err
		}
		e, err := ledger.SeenEntry(ctx, tx, rq.creditor.ID, id)
		if err != nil {
			return done{}, err
		}
		if e.InvoiceID != i.ID || e.CreditNoteID != 0 {
			return done{}, models.NotFound("payment")
		}
		if err := ledger.DeletePayment(ctx, tx, rq.creditor.ID, id, rq.today(), rq.actor(), rq.surelySeen()); err != nil {
			return done{}, err
		}
		m, err := rq.deleted(ctx, tx, i.Number, e)
		if err != nil {
			return done{}, err
		}
		return done{to: rq.back(rq.pathOf(i)), message: m}, nil
	})
}

// deleted says that a payment on an invoice is deleted, and offers to register it again.
func (rq *request) deleted(ctx context.Context, tx *store.Tx, invoice int64, e models.Entry) (message, error) {
	amount, kind := -e.Amount, "payment"
	if e.Amount > 0 {
		amount, kind = e.Amount, "repayment"
	}
	m := rq.said("pay.deleted", "amount", amount, "date", e.TransactionDate)
	if e.MovedFrom != 0 || e.MovedTo != 0 { // both halves of a move are gone, and a payment is not one
		return m, nil
	}
	after, err := tx.InvoiceByNumber(ctx, rq.creditor.ID, invoice)
	if err != nil {
		return m, err
	}
	seen, err := tx.LookAtInvoice(ctx, after)
	if err != nil {
		return m, err
	}
	m.Undo = rq.pathOf(after) + "/pay"
	m.With = map[string]string{
		"amount": amount.String(), "transaction_date": e.TransactionDate.String(), "comment": e.Comment, "kind": kind, "seen": string(seen),
	}
	return m, nil
}

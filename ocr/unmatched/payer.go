package unmatched

import (
	"context"
	"fmt"
	"slices"

	"purr/models"
	"purr/store"
)

// Perhaps is an open unmatched payment that may be a customer's.
type Perhaps struct {
	Payment models.UnmatchedPayment
	Seen    models.Seen // what a person sees of the payment (store's Look)
	For     *Suggestion // what it may be for, the best of the customer; nil if only the name is alike
}

// InQueue is what waits in a creditor's queue of one customer (rule N6).
type InQueue struct {
	Perhaps []Perhaps // the payments that may be his, the oldest first
	More    bool      // there are more of them
	Denied  []Perhaps // those of which a person said that they are not his, though something says that they may be
	Points  bool      // one of the payments points at him as things are now (see LikelyPayers)
}

// PaymentsPerhapsOf returns up to limit of the creditor's open payments that may be the customer's: one of the suggestions for it is of the
// customer, or a name is alike (rule N6). Of those that a person said are not his it returns as many. It says too whether one points at
// him as things are now; whom they pointed at before store's Standing says. It reads only the payments that may be his, pageSize at a
// time: seven questions however long the queue is, unless more than pageSize may be.
func PaymentsPerhapsOf(ctx context.Context, v store.View, c models.Creditor, customerID int64, limit int) (InQueue, error) {
	var q InQueue
	for after := int64(0); ; {
		queued, err := v.PaymentsPerhapsOf(ctx, c.ID, customerID, after, pageSize)
		if err != nil || len(queued) == 0 {
			return q, err
		}
		if err := q.add(ctx, v, c, customerID, queued, limit); err != nil {
			return q, err
		}
		if after = queued[len(queued)-1].ID; len(queued) < pageSize || q.Points && len(q.Perhaps) >= limit {
			return q, nil
		}
	}
}

// add adds those of the payments that may be the customer's.
func (q *InQueue) add(ctx context.Context, v store.View, c models.Creditor, customerID int64, queued []store.QueuedPayment, limit int) error {
	payments := make([]models.UnmatchedPayment, len(queued))
	for n, u := range queued {
		payments[n] = u.UnmatchedPayment
	}
	found, err := findCandidates(ctx, v, c, payments)
	if err != nil {
		return fmt.Errorf("find which of %d unmatched payments may be customer %d's: %w", len(payments), customerID, err)
	}
	for n, u := range payments {
		p, best := Perhaps{Payment: u, Seen: queued[n].Look()}, found[n].rank()
		if at := slices.IndexFunc(best, func(s Suggestion) bool { return s.CustomerID == customerID }); at >= 0 {
			p.For = &best[at]
		}
		perhaps := p.For != nil || slices.Contains(found[n].alike, customerID)
		q.Points = q.Points || slices.Contains(found[n].pointAt(best), customerID)
		q.More = q.More || perhaps && len(q.Perhaps) == limit
		switch denied := slices.Contains(u.NotOf, customerID); {
		case perhaps && len(q.Perhaps) < limit:
			q.Perhaps = append(q.Perhaps, p)
		case denied && len(q.Denied) < limit:
			q.Denied = append(q.Denied, p)
		}
	}
	return nil
}

// DenyPayer notes that an open payment is not a customer's: he is not suggested for it any more, and the payment does not shield him from
// dunning (rule N6). It does nothing if that is noted already. It fails with the conflict payment_resolved if the payment is not open.
// seen is what the person saw of the payment (store's Look), if he looked.
func DenyPayer(ctx context.Context, tx *store.Tx, c models.Creditor, paymentID, customerID int64, actor string, seen ...models.Seen) (models.UnmatchedPayment, error) {
	return sayWhose(ctx, tx, c, paymentID, customerID, true, actor, seen)
}

// AllowPayer takes back what DenyPayer noted: the payment points at the customer again, if anything says so. It does nothing if nothing is
// noted.
func AllowPayer(ctx context.Context, tx *store.Tx, c models.Creditor, paymentID, customerID int64, actor string, seen ...models.Seen) (models.UnmatchedPayment, error) {
	return sayWhose(ctx, tx, c, paymentID, customerID, false, actor, seen)
}

// sayWhose notes whether a payment is surely not a customer's.
func sayWhose(
	ctx context.Context, tx *store.Tx, c models.Creditor, paymentID, customerID int64, denied bool, actor string, seen []models.Seen,
) (models.UnmatchedPayment, error) {
	return change(ctx, tx, c.ID, paymentID, seen, func(u *models.UnmatchedPayment) error {
		if err := checkOpen(*u); err != nil {
			return err
		}
		customer, err := tx.Customer(ctx, c.ID, customerID)
		if err != nil {
			return err
		}
		if slices.Contains(u.NotOf, customerID) == denied {
			return nil
		}
		t, said := models.EventPayerDenied, "is not of "
		if denied {
			u.NotOf = append(u.NotOf, customerID)
			err = tx.ForgetLikelyPayer(ctx, c.ID, customerID, paymentID)
		} else {
			t, said = models.EventPayerAllowed, "may be of "
			u.NotOf = slices.DeleteFunc(u.NotOf, func(id int64) bool { return id == customerID })
		}
		if err != nil {
			return err
		}
		facts := models.Facts{"amount": u.Amount, "transaction_date": u.TransactionDate, "name": customer.Recipient.Name1, "actor": actor}
		return tx.Log(ctx, models.Event{
			CreditorID: c.ID, Type: t, Actor: actor, CustomerID: customerID, SubjectID: u.ID, Facts: facts,
			Text: fmt.Sprintf("Payment of %s of %s %s%s, by %s", u.Amount, u.TransactionDate, said, customer.Recipient.Name1, actor),
		})
	})
}

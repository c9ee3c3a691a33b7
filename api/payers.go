package api

import (
	"context"

	"purr/api/form"
	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
)

// denyPayer notes that the unmatched payment in the path is not a customer's (rule N6).
func denyPayer(rq *request, id int64, body form.Body) (act, error) {
	f, err := form.Parse(body, "not_payer")
	if err != nil {
		return nil, err
	}
	uri, sent := f.Child("customer").Attr("uri")
	customer, found := rq.idIn(uri, "customer")
	switch {
	case !sent:
		f.Fault("customer", "required", "is required: the uri of a customer")
	case !found:
		f.Fault("customer", "not_found", "no such customer")
	}
	if err := f.Done(nil); err != nil {
		return nil, err
	}
	return rq.onPayment(func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error) {
		return unmatched.DenyPayer(ctx, tx, rq.creditor, id, customer, rq.actor())
	}), nil
}

// allowPayers takes back that the unmatched payment in the path is not of some customers.
func allowPayers(ctx context.Context, tx *store.Tx, rq *request, id int64) error {
	u, err := tx.LockUnmatchedPayment(ctx, rq.creditor.ID, id)
	if err != nil {
		return err
	}
	for _, customer := range u.NotOf {
		if _, err := unmatched.AllowPayer(ctx, tx, rq.creditor, id, customer, rq.actor()); err != nil {
			return err
		}
	}
	return nil
}

// mostPerhaps is how many payments in the queue are shown that may be a customer's.
const mostPerhaps = 500

// listPaymentsPerhapsOf lists the payments in the queue that may be the customer's, the oldest first (rule N6).
func (s *Server) listPaymentsPerhapsOf(ctx context.Context, rq *request) (answer, error) {
	return listed("unmatched_payments", rq.query(), rq.unmatchedPayment, func(p store.Page) (some []models.UnmatchedPayment, total int64, err error) {
		var queue unmatched.InQueue
		err = s.db.View(ctx, func(v store.View) (err error) {
			queue, err = unmatched.PaymentsPerhapsOf(ctx, v, rq.creditor, rq.customerID, mostPerhaps)
			return err
		})
		if err != nil {
			return nil, 0, err
		}
		for _, of := range store.OnPage(p, queue.Perhaps) {
			some = append(some, of.Payment)
		}
		return some, int64(len(queue.Perhaps)), nil
	})
}

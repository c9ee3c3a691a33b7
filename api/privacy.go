package api

import (
	"context"

	"purr/api/form"
	"purr/models"
	"purr/register/privacy"
	"purr/store"
)

// forgetCustomer forgets the customer in the path: its names, addresses and texts go, and sums, numbers and dates stay. The answer is what is
// left of the customer. A second time it is the same, and nothing is told (rule O14b).
func forgetCustomer(rq *request, id int64, body form.Body) (act, error) {
	if err := form.ParseEmpty(body, "forget"); err != nil {
		return nil, err
	}
	return func(ctx context.Context, tx *store.Tx) (any, error) {
		customer, err := privacy.Forget(ctx, tx, rq.creditor, id, models.Forgetting{}, rq.actor())
		if err != nil {
			return nil, err
		}
		return rq.customerWithMandates(ctx, tx.View(), customer)
	}, nil
}

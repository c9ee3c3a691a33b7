package operator

import (
	"context"

	"purr/models"
	"purr/ocr/unmatched"
	"purr/store"
)

// EachUnmatched calls do for each of a creditor's unmatched payments, oldest first: the open ones, or all.
func (o *Operator) EachUnmatched(ctx context.Context, c models.Creditor, all bool, do func(models.UnmatchedPayment)) error {
	for p := (store.Page{Number: 1, Size: 1000}); ; p.Number++ {
		found, _, err := o.DB.UnmatchedPayments(ctx, c.ID, true, all, p)
		if err != nil {
			return err
		}
		for _, u := range found {
			do(u)
		}
		if len(found) < p.Size {
			return nil
		}
	}
}

// Unmatched returns a creditor's unmatched payment. If it is open, Unmatched also returns suggestions for it.
func (o *Operator) Unmatched(ctx context.Context, c models.Creditor, id int64) (u models.UnmatchedPayment, meant []unmatched.Suggestion, err error) {
	err = o.DB.View(ctx, func(v store.View) error {
		if u, err = v.UnmatchedPayment(ctx, c.ID, id); err != nil || u.Status != models.PaymentOpen {
			return err
		}
		meant, err = unmatched.Suggest(ctx, v, c, u)
		return err
	})
	if err != nil {
		return models.UnmatchedPayment{}, nil, err
	}
	return u, meant, nil
}

// MatchPayment posts a creditor's unmatched payment on the invoices with the numbers, one or several (rule E5).
func (o *Operator) MatchPayment(ctx context.Context, c models.Creditor, id int64, numbers []int64) (models.UnmatchedPayment, error) {
	return inTx(ctx, o, func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error) {
		ids := make([]int64, len(numbers))
		for n, number := range numbers {
			invoice, err := numbered(ctx, tx.View(), c, number)
			if err != nil {
				return models.UnmatchedPayment{}, err
			}
			ids[n] = invoice.ID
		}
		return unmatched.Match(ctx, tx, c, id, ids, o.Actor)
	})
}

// UnmatchPayment withdraws a manual match of a creditor's payment.
func (o *Operator) UnmatchPayment(ctx context.Context, c models.Creditor, id int64) (models.UnmatchedPayment, error) {
	return inTx(ctx, o, func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error) {
		return unmatched.Unmatch(ctx, tx, c, id, o.Actor)
	})
}

// DismissPayment closes a creditor's unmatched payment without posting it (rule E5).
func (o *Operator) DismissPayment(ctx context.Context, c models.Creditor, id int64, comment string) (models.UnmatchedPayment, error) {
	return inTx(ctx, o, func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error) {
		return unmatched.Dismiss(ctx, tx, c, id, comment, o.Actor)
	})
}

// ReopenPayment takes the dismissal of a creditor's payment back.
func (o *Operator) ReopenPayment(ctx context.Context, c models.Creditor, id int64) (models.UnmatchedPayment, error) {
	return inTx(ctx, o, func(ctx context.Context, tx *store.Tx) (models.UnmatchedPayment, error) {
		return unmatched.Reopen(ctx, tx, c, id, o.Actor)
	})
}

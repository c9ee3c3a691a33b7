package ocr

import (
	"context"

	"purr/models"
	"purr/store"
)

// lookPage is how many payments are looked at between two transactions.
const lookPage = 100

// LookAtQueue notes, for each of the creditor's unmatched payments that nobody has looked at, the customer at whom
// its best suggestion points: dunning leaves that customer alone for a while (rule E6g). What is broken off goes on
// with what is left.
func LookAtQueue(ctx context.Context, db *store.DB, c models.Creditor) error {
	for {
		payments, err := db.UnseenPayments(ctx, c.ID, lookPage)
		if err != nil || len(payments) == 0 {
			return err
		}
		pointed := map[int64][]int64{} // payments by customer
		err = db.View(ctx, func(v store.View) error {
			for _, u := range payments {
				customerID, err := suggestedCustomer(ctx, v, c, u)
				if err != nil {
					return err
				}
				pointed[customerID] = append(pointed[customerID], u.ID)
			}
			return nil
		})
		if err != nil {
			return err
		}
		err = db.InTx(ctx, func(tx *store.Tx) error {
			for customerID, ids := range pointed {
				if err := tx.SuggestCustomer(ctx, c.ID, customerID, ids); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// suggestedCustomer returns at whom the best suggestion points, zero for nobody.
func suggestedCustomer(ctx context.Context, v store.View, c models.Creditor, u models.UnmatchedPayment) (int64, error) {
	if u.Status != models.PaymentOpen {
		return 0, nil
	}
	best, err := Suggest(ctx, v, c, u)
	if err != nil || len(best) == 0 {
		return 0, err
	}
	return best[0].CustomerID, nil
}

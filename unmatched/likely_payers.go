package unmatched

import (
	"context"

	"purr/models"
	"purr/store"
)

// pageSize is how many payments FindLikelyPayers reads and writes at a time.
const pageSize = 100

// FindLikelyPayers finds the likely payer of each of the creditor's unmatched payments that has not been searched yet.
// It writes the likely payer on the payment: the customer of the best suggestion, or none. Dunning skips a likely
// payer for a while (rule E6g). If a search was broken off, the next call continues it.
func FindLikelyPayers(ctx context.Context, db *store.DB, c models.Creditor) error {
	for {
		payments, err := db.PaymentsWithoutLikelyPayer(ctx, c.ID, pageSize)
		if err != nil || len(payments) == 0 {
			return err
		}
		byPayer := map[int64][]int64{} // IDs of payments, by their likely payer
		err = db.View(ctx, func(v store.View) error {
			suggestions, err := SuggestEach(ctx, v, c, payments)
			if err != nil {
				return err
			}
			clear(byPayer)
			for n, u := range payments {
				payer := likelyPayer(u, suggestions[n])
				byPayer[payer] = append(byPayer[payer], u.ID)
			}
			return nil
		})
		if err != nil {
			return err
		}
		err = db.InTx(ctx, func(tx *store.Tx) error {
			for payer, ids := range byPayer {
				if err := tx.SetLikelyPayer(ctx, c.ID, payer, ids); err != nil {
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

// likelyPayer returns the customer of the best suggestion for a payment, zero if there is none or it does not wait.
func likelyPayer(u models.UnmatchedPayment, best []Suggestion) int64 {
	if u.Status != models.PaymentOpen || len(best) == 0 {
		return 0
	}
	return best[0].CustomerID
}

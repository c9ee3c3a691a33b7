package unmatched

import (
	"context"
	"slices"

	"purr/models"
	"purr/store"
)

// pageSize is how many payments are searched for their likely payers at a time.
const pageSize = 100

// FindLikelyPayers finds the likely payer of each of the creditor's unmatched payments that has not been searched yet.
// It writes the likely payer on the payment: the customer of the best suggestion at arrival, or none. LikelyPayers says who is
// one today. If a search was broken off, the next call continues it.
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
		if err := setLikelyPayers(ctx, db, c, byPayer); err != nil {
			return err
		}
	}
}

// LikelyPayers returns the customers whom a creditor's open unmatched payments point at. They are not dunned (rules E6g, L3). A
// payment points at the customer of its best suggestion as things are now, and at all those whom it pointed at when it came or
// since (rule D95). Everybody who asks who is a likely payer asks here, or, about one customer, PointsAt.
func LikelyPayers(ctx context.Context, v store.View, c models.Creditor) (map[int64]bool, error) {
	payers, queue := map[int64]bool{}, false
	err := eachOpen(ctx, v, c, func(_ models.UnmatchedPayment, now int64) {
		if queue = true; now != 0 {
			payers[now] = true
		}
	})
	if err != nil || !queue {
		return payers, err
	}
	before, err := v.LikelyPayers(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	for _, customers := range before {
		for _, customer := range customers {
			payers[customer] = true
		}
	}
	return payers, nil
}

// PointsAt reports whether one of the creditor's open payments points at the customer as things are now. Whom they pointed at before
// store's Standing says. It reads only the payments that may point at the customer, a hundred at a time, until one does: six statements
// however long the queue is, unless more than a hundred may.
func PointsAt(ctx context.Context, v store.View, c models.Creditor, customerID int64) (bool, error) {
	for after := int64(0); ; {
		payments, err := v.PaymentsPerhapsOf(ctx, c.ID, customerID, after, pageSize)
		if err != nil || len(payments) == 0 {
			return false, err
		}
		suggestions, err := SuggestEach(ctx, v, c, payments)
		if err != nil {
			return false, err
		}
		for n, u := range payments {
			if likelyPayer(u, suggestions[n]) == customerID {
				return true, nil
			}
		}
		if after = payments[len(payments)-1].ID; len(payments) < pageSize {
			return false, nil
		}
	}
}

// RememberLikelyPayers keeps whom each of the creditor's open payments points at now. Who was pointed at once stays shielded while the
// payment is in the queue (rules L3, D95). Each run calls it.
func RememberLikelyPayers(ctx context.Context, db *store.DB, c models.Creditor) error {
	byPayer := map[int64][]int64{}
	err := db.View(ctx, func(v store.View) error {
		clear(byPayer)
		before, err := v.LikelyPayers(ctx, c.ID)
		if err != nil {
			return err
		}
		return eachOpen(ctx, v, c, func(u models.UnmatchedPayment, now int64) {
			if now != 0 && !slices.Contains(before[u.ID], now) {
				byPayer[now] = append(byPayer[now], u.ID)
			}
		})
	})
	if err != nil || len(byPayer) == 0 {
		return err
	}
	return setLikelyPayers(ctx, db, c, byPayer)
}

// eachOpen calls do with each of the creditor's open payments and the customer that it points at now, zero for none.
func eachOpen(ctx context.Context, v store.View, c models.Creditor, do func(u models.UnmatchedPayment, now int64)) error {
	for after := int64(0); ; {
		payments, err := v.PaymentsToMatch(ctx, c.ID, after, pageSize)
		if err != nil || len(payments) == 0 {
			return err
		}
		suggestions, err := SuggestEach(ctx, v, c, payments)
		if err != nil {
			return err
		}
		for n, u := range payments {
			do(u, likelyPayer(u, suggestions[n]))
		}
		if after = payments[len(payments)-1].ID; len(payments) < pageSize {
			return nil
		}
	}
}

// setLikelyPayers writes the likely payers of payments, by payer.
func setLikelyPayers(ctx context.Context, db *store.DB, c models.Creditor, byPayer map[int64][]int64) error {
	return db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		for payer, ids := range byPayer {
			for some := range slices.Chunk(ids, pageSize) {
				if err := tx.SetLikelyPayer(ctx, c.ID, payer, some); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// likelyPayer returns the customer of the best suggestion for a payment, zero if there is none or it does not wait.
func likelyPayer(u models.UnmatchedPayment, best []Suggestion) int64 {
	if u.Status != models.PaymentOpen || len(best) == 0 {
		return 0
	}
	return best[0].CustomerID
}

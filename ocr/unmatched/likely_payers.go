package unmatched

import (
	"context"
	"fmt"
	"slices"

	"purr/models"
	"purr/store"
)

// pageSize is how many payments are searched for their likely payers at a time.
const pageSize = 500

// FindLikelyPayers finds the likely payer of each of the creditor's unmatched payments that has not been searched yet.
// It writes the likely payers of the payment: those that it points at, or none. LikelyPayers says who is one today. If a search was broken off, the next call continues it.
func FindLikelyPayers(ctx context.Context, db *store.DB, c models.Creditor) error {
	for {
		payments, err := db.PaymentsWithoutLikelyPayer(ctx, c.ID, pageSize)
		if err != nil || len(payments) == 0 {
			return err
		}
		byPayer := map[int64][]int64{} // IDs of payments, by their likely payer
		err = db.View(ctx, func(v store.View) error {
			pointed, err := pointing(ctx, v, c, payments)
			if err != nil {
				return err
			}
			clear(byPayer)
			for n, u := range payments {
				byPayer[0] = append(byPayer[0], u.ID) // it was sought
				for _, payer := range pointed[n] {
					byPayer[payer] = append(byPayer[payer], u.ID)
				}
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
// payment points at the customer of its best suggestion as things are now, at every customer whose name is like the payer's (rule N1;
// of more than mostNamesakes at those who owe the amount), and at all those whom it pointed at when it came or since (rule D95), but not at
// one of whom a person said that it is not his (rule N6). Everybody who asks who is a likely payer asks here, or, about one customer,
// PaymentsPerhapsOf.
func LikelyPayers(ctx context.Context, v store.View, c models.Creditor) (map[int64]bool, error) {
	payers, queue := map[int64]bool{}, false
	err := eachOpen(ctx, v, c, func(_ models.UnmatchedPayment, now []int64) {
		queue = true
		for _, payer := range now {
			payers[payer] = true
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
		return eachOpen(ctx, v, c, func(u models.UnmatchedPayment, now []int64) {
			for _, payer := range now {
				if !slices.Contains(before[u.ID], payer) {
					byPayer[payer] = append(byPayer[payer], u.ID)
				}
			}
		})
	})
	if err != nil || len(byPayer) == 0 {
		return err
	}
	return setLikelyPayers(ctx, db, c, byPayer)
}

// eachOpen calls do with each of the creditor's open payments and the customers that it points at now.
func eachOpen(ctx context.Context, v store.View, c models.Creditor, do func(u models.UnmatchedPayment, now []int64)) error {
	for after := int64(0); ; {
		payments, err := v.PaymentsToMatch(ctx, c.ID, after, pageSize)
		if err != nil || len(payments) == 0 {
			return err
		}
		pointed, err := pointing(ctx, v, c, payments)
		if err != nil {
			return err
		}
		for n, u := range payments {
			do(u, pointed[n])
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

// pointing returns the customers that each of the payments points at as things are now: the customer of its best suggestion, and those
// whose name is alike. One that does not wait points at nobody.
func pointing(ctx context.Context, v store.View, c models.Creditor, payments []models.UnmatchedPayment) ([][]int64, error) {
	found, err := findCandidates(ctx, v, c, payments)
	if err != nil {
		return nil, fmt.Errorf("find likely payers of %d unmatched payments: %w", len(payments), err)
	}
	at := make([][]int64, len(payments))
	for n, u := range payments {
		if u.Status == models.PaymentOpen {
			at[n] = found[n].pointAt(found[n].rank())
		}
	}
	return at, nil
}

// pointAt returns the customers whose name is alike, and that of the best of the suggestions.
func (c *candidates) pointAt(best []Suggestion) []int64 {
	at := slices.Clone(c.alike)
	if len(best) > 0 && !slices.Contains(at, best[0].CustomerID) {
		at = append(at, best[0].CustomerID)
	}
	return at
}

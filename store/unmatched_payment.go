package store

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"purr/models"
)

// UnmatchedPayment returns one unmatched payment of the creditor.
func (r reads) UnmatchedPayment(ctx context.Context, creditorID, id int64) (models.UnmatchedPayment, error) {
	return readOne[models.UnmatchedPayment](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "unmatched payment")
}

// UnmatchedPayments returns a page of the creditor's unmatched payments: the open ones, the resolved ones, or both.
func (r reads) UnmatchedPayments(ctx context.Context, creditorID int64, open, resolved bool, p Page) ([]models.UnmatchedPayment, int64, error) {
	g := r.with(ctx).Where("creditor_id = ?", creditorID)
	if open != resolved {
		compare := "status = 'open'"
		if resolved {
			compare = "status <> 'open'"
		}
		g = g.Where(compare)
	}
	return find[models.UnmatchedPayment](ctx, g, p)
}

// PaymentsToMatch returns up to limit of the creditor's open unmatched payments with an ID above after, oldest first.
func (r reads) PaymentsToMatch(ctx context.Context, creditorID, after int64, limit int) ([]models.UnmatchedPayment, error) {
	return readAll[models.UnmatchedPayment](r.with(ctx).
		Where("creditor_id = ? AND status = ? AND id > ?", creditorID, models.PaymentOpen, after).Order("id").Limit(limit))
}

// PaymentsDone returns up to limit of the creditor's payments that were matched or dismissed by a person, with an ID below
// before, newest first. A zero before takes all.
func (r reads) PaymentsDone(ctx context.Context, creditorID, before int64, limit int) ([]models.UnmatchedPayment, error) {
	if before == 0 {
		before = math.MaxInt64
	}
	query := limited("SELECT * FROM unmatched_payments WHERE creditor_id = ? AND status = ? AND id < ? ORDER BY id DESC", limit)
	done, err := forEach[models.UnmatchedPayment](r.with(ctx), query, []string{models.PaymentMatched, models.PaymentDismissed},
		func(status string) []any { return []any{creditorID, status, before} })
	if err != nil {
		return nil, err
	}
	slices.SortFunc(done, func(a, b models.UnmatchedPayment) int { return cmp.Compare(b.ID, a.ID) })
	return done[:min(len(done), limit)], nil
}

// InvoicesPaidBy returns the numbers of the invoices on which the creditor's entries are, by the entry's ID.
func (r reads) InvoicesPaidBy(ctx context.Context, creditorID int64, entryIDs []int64) (map[int64]int64, error) {
	if len(entryIDs) == 0 {
		return nil, nil
	}
	found, err := scan[[]struct{ ID, Number int64 }](r.with(ctx).Table("entries e").Joins("JOIN invoices i ON i.id = e.invoice_id").
		Select("e.id, i.number").Where("e.creditor_id = ? AND e.id IN ?", creditorID, entryIDs))
	if err != nil {
		return nil, err
	}
	numbers := make(map[int64]int64, len(found))
	for _, e := range found {
		numbers[e.ID] = e.Number
	}
	return numbers, nil
}

// LockUnmatchedPayment reads an unmatched payment of the creditor and locks it until the transaction ends.
func (tx *Tx) LockUnmatchedPayment(ctx context.Context, creditorID, id int64) (models.UnmatchedPayment, error) {
	return readOne[models.UnmatchedPayment](forUpdate(tx.with(ctx)).Where("id = ? AND creditor_id = ?", id, creditorID), "unmatched payment")
}

// CreateUnmatchedPayments writes new unmatched payments and sets their IDs.
func (tx *Tx) CreateUnmatchedPayments(ctx context.Context, us []models.UnmatchedPayment) error {
	for i := range us {
		us[i].CreatedAt = tx.Now
	}
	if err := tx.insert(ctx, &us); err != nil {
		return err
	}
	var words []word
	for _, u := range us {
		words = append(words, wordsOfPayment(u)...)
	}
	return tx.addWords(ctx, words)
}

// UpdateUnmatchedPayment writes all fields of an unmatched payment, which the caller has locked.
func (tx *Tx) UpdateUnmatchedPayment(ctx context.Context, u models.UnmatchedPayment) error {
	return tx.put(ctx, &u)
}

// CustomersPayingFrom returns, by account, the IDs of up to limit of the creditor's customers who have paid from the
// account, in order. A customer does not count if all these payments were undone.
func (r reads) CustomersPayingFrom(ctx context.Context, creditorID int64, accounts []string, limit int) (map[string][]int64, error) {
	type payer struct {
		Account    string
		CustomerID int64
	}
	// The condition that the account is not empty lets SQLite use its index of payers' accounts.
	query := limited(`SELECT from_account_number AS account, customer_id FROM entries
		WHERE creditor_id = ? AND from_account_number = ? AND from_account_number <> ''
		GROUP BY from_account_number, customer_id HAVING SUM(amount) < 0 ORDER BY customer_id`, limit)
	rows, err := forEach[payer](r.with(ctx), query, accounts, func(account string) []any { return []any{creditorID, account} })
	if err != nil {
		return nil, err
	}
	payers := map[string][]int64{}
	for _, p := range rows {
		payers[p.Account] = append(payers[p.Account], p.CustomerID)
	}
	return payers, nil
}

// CreditorsWithoutLikelyPayers returns the IDs of the creditors with unmatched payments whose suggestions were not
// sought yet. It leaves out payments that no creditor has.
func (r reads) CreditorsWithoutLikelyPayers(ctx context.Context) ([]int64, error) {
	return scan[[]int64](r.with(ctx).Model(&models.UnmatchedPayment{}).Distinct("creditor_id").
		Where("suggested_customer_id IS NULL AND creditor_id > 0").Order("creditor_id"))
}

// PaymentsWithoutLikelyPayer returns up to limit of the creditor's unmatched payments whose suggestions were not
// sought yet.
func (r reads) PaymentsWithoutLikelyPayer(ctx context.Context, creditorID int64, limit int) ([]models.UnmatchedPayment, error) {
	return readAll[models.UnmatchedPayment](r.with(ctx).Where(unsoughtPayments, creditorID).Order("id").Limit(limit))
}

// WaitingPayments returns up to limit of the creditor's open unmatched payments that were queued before the moment and of
// which nobody was told yet, oldest first.
func (r reads) WaitingPayments(ctx context.Context, creditorID int64, before time.Time, limit int) ([]models.UnmatchedPayment, error) {
	return readAll[models.UnmatchedPayment](r.with(ctx).
		Where(waitingPayments, creditorID, before.UTC()).Order("id").Limit(limit))
}

// The conditions of what a creditor's dunning run looks for in the queue: see Chores.
const (
	unsoughtPayments = "suggested_customer_id IS NULL AND creditor_id = ?"
	openPayments     = "creditor_id = ? AND status = 'open'"
	waitingPayments  = "creditor_id = ? AND status = 'open' AND created_at < ? AND NOT waiting_long"
)

// SetWaitingLong notes that a person was told how long the payments wait.
func (tx *Tx) SetWaitingLong(ctx context.Context, paymentIDs []int64) error {
	return tx.set(ctx, &models.UnmatchedPayment{}, map[string]any{"waiting_long": true}, "id IN ?", paymentIDs)
}

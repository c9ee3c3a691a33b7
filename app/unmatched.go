package app

import (
	"context"
	"errors"
	"fmt"

	"purr/models"
	"purr/store"
	"purr/unmatched"
)

// actor is who acts where a person does by the command line.
const actor = "the command line"

// OneCreditor returns the creditor with the name or number or, where that is empty, the only one that there is. It
// fails where there are several.
func (a *App) OneCreditor(ctx context.Context, nameOrNumber string) (models.Creditor, error) {
	if nameOrNumber != "" {
		return a.Creditor(ctx, nameOrNumber)
	}
	creditors, err := a.DB.Creditors(ctx)
	switch {
	case err != nil:
		return models.Creditor{}, err
	case len(creditors) == 0:
		return models.Creditor{}, errors.New("there is no creditor yet: purr creditor create")
	case len(creditors) > 1:
		return models.Creditor{}, errors.New("there are several creditors: say which one with --creditor; purr creditor list shows them")
	}
	return creditors[0], nil
}

// EachUnmatched calls do for each of a creditor's unmatched payments, oldest first: the open ones, or all.
func (a *App) EachUnmatched(ctx context.Context, c models.Creditor, all bool, do func(models.UnmatchedPayment)) error {
	for p := (store.Page{Number: 1, Size: 1000}); ; p.Number++ {
		found, _, err := a.DB.UnmatchedPayments(ctx, c.ID, true, all, p)
		for _, u := range found {
			do(u)
		}
		if err != nil || len(found) < p.Size {
			return err
		}
	}
}

// Unmatched returns a creditor's unmatched payment and, where it is open, what it may be meant for.
func (a *App) Unmatched(ctx context.Context, c models.Creditor, id int64) (u models.UnmatchedPayment, meant []unmatched.Suggestion, err error) {
	err = a.DB.View(ctx, func(v store.View) error {
		if u, err = v.UnmatchedPayment(ctx, c.ID, id); err != nil || u.Status != models.PaymentOpen {
			return err
		}
		meant, err = unmatched.Suggest(ctx, v, c, u)
		return err
	})
	return u, meant, err
}

// MatchPayment posts a creditor's unmatched payment on the invoice with the number, or on several (rule E5).
func (a *App) MatchPayment(ctx context.Context, c models.Creditor, id int64, invoiceNumbers []int64) (u models.UnmatchedPayment, err error) {
	err = a.DB.InTx(ctx, func(tx *store.Tx) error {
		ids := make([]int64, len(invoiceNumbers))
		for n, number := range invoiceNumbers {
			invoices, err := tx.InvoicesByNumber(ctx, c.ID, []int64{number})
			if err != nil {
				return err
			}
			if len(invoices) == 0 {
				return models.NotFound(fmt.Sprintf("invoice: %d", number))
			}
			ids[n] = invoices[0].ID
		}
		u, err = unmatched.Match(ctx, tx, c, id, ids, actor)
		return err
	})
	return u, err
}

// UnmatchPayment takes back that a creditor's payment was matched by hand.
func (a *App) UnmatchPayment(ctx context.Context, c models.Creditor, id int64) (u models.UnmatchedPayment, err error) {
	err = a.DB.InTx(ctx, func(tx *store.Tx) error {
		u, err = unmatched.Unmatch(ctx, tx, c, id, actor)
		return err
	})
	return u, err
}

// DismissPayment closes a creditor's unmatched payment without posting it (rule E5).
func (a *App) DismissPayment(ctx context.Context, c models.Creditor, id int64, comment string) (u models.UnmatchedPayment, err error) {
	err = a.DB.InTx(ctx, func(tx *store.Tx) error {
		u, err = unmatched.Dismiss(ctx, tx, c, id, comment, actor)
		return err
	})
	return u, err
}

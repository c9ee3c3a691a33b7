package unmatched

import (
	"context"
	"errors"
	"slices"

	"purr/models"
	"purr/store"
)

// Choice is a match that a person decided on, with what the person saw: the payment, and what was owed on each invoice.
type Choice struct {
	PaymentID int64
	Payment   models.Seen // empty if nobody looked at what was done with it
	Invoices  []Seen
}

// Seen is an invoice and what was owed on it when a person looked.
type Seen struct {
	InvoiceID int64
	Balance   models.Amount
}

// ChoiceOf returns the choice to match the payment as suggested.
func ChoiceOf(paymentID int64, s Suggestion) Choice {
	choice := Choice{PaymentID: paymentID}
	for _, i := range s.Invoices {
		choice.Invoices = append(choice.Invoices, Seen{i.ID, i.Balance})
	}
	return choice
}

// MatchChosen matches a payment as Match does, if nobody has acted on it since. It fails with the conflict balance_changed if
// something else is owed on an invoice than the person saw.
func MatchChosen(ctx context.Context, tx *store.Tx, c models.Creditor, choice Choice, actor string) (models.UnmatchedPayment, error) {
	ids := make([]int64, len(choice.Invoices))
	for n, seen := range choice.Invoices {
		ids[n] = seen.InvoiceID
	}
	if len(ids) == 1 {
		back, is, err := spreadWith(ctx, tx, c, choice.PaymentID, ids[0])
		if err != nil {
			return models.UnmatchedPayment{}, err
		}
		if is {
			return takeSpreadBack(ctx, tx, c, choice.PaymentID, back, actor, []models.Seen{choice.Payment})
		}
	}
	return match(ctx, tx, c, choice.PaymentID, ids, actor, []models.Seen{choice.Payment}, func(ctx context.Context, tx *store.Tx, u models.UnmatchedPayment, invoices []models.Invoice) (parts, error) {
		for n, i := range invoices {
			if seen := choice.Invoices[n].Balance; i.Balance != seen {
				return nil, balanceChanged(i, seen)
			}
		}
		return split(ctx, tx, u, invoices)
	})
}

// balanceChanged says that something else is owed on an invoice than a person saw.
func balanceChanged(i models.Invoice, seen models.Amount) *models.Error {
	return models.Conflict("balance_changed", "on invoice %d %s is owed now; it was %s", i.Number, i.Balance, seen)
}

// LeftOut is a payment that MatchEach did not match, and why.
type LeftOut struct {
	PaymentID int64
	Why       *models.Error
}

// refusals are the kinds of errors that say that a payment cannot be matched as chosen.
var refusals = []models.Kind{models.KindConflict, models.KindInvalid, models.KindNotFound}

// MatchEach matches each payment as chosen, in a transaction of its own. It leaves out those that cannot be matched like
// that any more, because somebody matched or dismissed the payment or something else is owed on an invoice now. If it fails,
// it returns what was done before the failure.
func MatchEach(ctx context.Context, db *store.DB, c models.Creditor, choices []Choice, actor string) (matched []models.UnmatchedPayment, left []LeftOut, err error) {
	for _, choice := range choices {
		var u models.UnmatchedPayment
		err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			u, err = MatchChosen(ctx, tx, c, choice, actor)
			return err
		})
		var refusal *models.Error
		switch {
		case err == nil:
			matched = append(matched, u)
		case errors.As(err, &refusal) && slices.Contains(refusals, refusal.Kind):
			left = append(left, LeftOut{choice.PaymentID, refusal})
		default:
			return matched, left, err
		}
	}
	return matched, left, nil
}

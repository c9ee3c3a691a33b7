package unmatched

import (
	"context"
	"slices"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// reader is a view of a database, or a transaction.
type reader interface {
	ReferencesOf(ctx context.Context, creditorID int64, kids []string) (map[string]store.Reference, error)
	Letter(ctx context.Context, creditorID, id int64) (models.Letter, error)
}

// LetterOf returns the letter with whose KID a payment came, filling zeros or not, and false if there is none (rule L23). It is what an open
// payment is most likely for.
func LetterOf(ctx context.Context, from reader, creditorID int64, u models.UnmatchedPayment) (models.Letter, bool, error) {
	if u.KID == "" {
		return models.Letter{}, false, nil
	}
	kids := []string{u.KID}
	for kid := u.KID; len(kid) > models.MinKIDLength && kid[0] == '0'; {
		kid = kid[1:]
		kids = append(kids, kid)
	}
	found, err := from.ReferencesOf(ctx, creditorID, kids)
	if err != nil || len(found) != 1 {
		return models.Letter{}, false, err
	}
	for _, ref := range found {
		if ref.LetterID == 0 {
			return models.Letter{}, false, nil
		}
		l, err := from.Letter(ctx, creditorID, ref.LetterID)
		return l, err == nil, err
	}
	return models.Letter{}, false, nil
}

// MatchLetter posts an open unmatched payment on the invoices of a letter: money in is spread over them as a payment with the letter's KID is,
// and money out takes all entries of such a payment of the same amount back (rule L23). It fails as Match does, and with amounts_differ if
// no payment of the letter is of the amount that went out.
func MatchLetter(ctx context.Context, tx *store.Tx, c models.Creditor, paymentID, letterID int64, actor string, seen ...models.Seen) (models.UnmatchedPayment, error) {
	l, err := tx.Letter(ctx, c.ID, letterID)
	if err != nil {
		return models.UnmatchedPayment{}, err
	}
	u, err := tx.UnmatchedPayment(ctx, c.ID, paymentID)
	if err != nil {
		return models.UnmatchedPayment{}, err
	}
	if u.Amount < 0 {
		back, is, err := lockSpread(ctx, tx, u, l, func(models.UnmatchedPayment) (bool, error) { return true, nil })
		if err != nil {
			return models.UnmatchedPayment{}, err
		}
		if !is && u.Status == models.PaymentOpen {
			return models.UnmatchedPayment{}, models.Invalid("amounts_differ", "letter", "no payment of %s came with the KID of letter %d that was not taken back", -u.Amount, l.Number)
		}
		return takeSpreadBack(ctx, tx, c, paymentID, back, actor, seen)
	}
	ids, err := tx.InvoicesOfLetters(ctx, c.ID, []int64{l.ID})
	if err != nil {
		return models.UnmatchedPayment{}, err
	}
	return change(ctx, tx, c.ID, paymentID, seen, func(u *models.UnmatchedPayment) error {
		if err := checkOpen(*u); err != nil {
			return err
		}
		if _, err := lockInvoices(ctx, tx, c.ID, ids); err != nil {
			return err
		}
		spreading, err := ledger.ReadSpreading(ctx, tx, c.ID, ids)
		if err != nil {
			return err
		}
		shares, err := spreading.Spread(ctx, tx, ids, u.Amount, u.TransactionDate)
		if err != nil {
			return err
		}
		invoices, amounts := make([]models.Invoice, len(shares)), make(parts, len(shares))
		for n, s := range shares {
			invoices[n], amounts[n] = s.Invoice, s.Amount
		}
		entries, err := postParts(ctx, tx, u, invoices, amounts, actor)
		if err != nil {
			return err
		}
		return logEach(ctx, tx, models.EventPaymentMatched, *u, invoices, entries, "matched", actor)
	})
}

// spreadWith returns the payment that an open reversal takes back which a person matches with an invoice: one of the same amount with the same
// letter's KID, of which the invoice got a part. It locks that payment.
func spreadWith(ctx context.Context, tx *store.Tx, c models.Creditor, paymentID, invoiceID int64) (models.UnmatchedPayment, bool, error) {
	u, err := tx.UnmatchedPayment(ctx, c.ID, paymentID)
	if err != nil || u.Amount >= 0 || u.Status != models.PaymentOpen {
		return models.UnmatchedPayment{}, false, err
	}
	l, is, err := LetterOf(ctx, tx, c.ID, u)
	if err != nil || !is {
		return models.UnmatchedPayment{}, false, err
	}
	return lockSpread(ctx, tx, u, l, func(of models.UnmatchedPayment) (bool, error) {
		entries, err := tx.EntriesByID(ctx, c.ID, of.EntryIDs())
		if err != nil {
			return false, err
		}
		return slices.ContainsFunc(entries, func(e models.Entry) bool { return e.InvoiceID == invoiceID }), nil
	})
}

// lockSpread finds and locks the newest payment of a letter that a reversal may take back, and that is as the caller wants it.
func lockSpread(
	ctx context.Context, tx *store.Tx, reversal models.UnmatchedPayment, l models.Letter, wanted func(models.UnmatchedPayment) (bool, error),
) (models.UnmatchedPayment, bool, error) {
	all, err := tx.SpreadPayments(ctx, l)
	if err != nil {
		return models.UnmatchedPayment{}, false, err
	}
	for _, u := range all {
		if u.Amount != -reversal.Amount || u.ID == reversal.ID {
			continue
		}
		is, err := wanted(u)
		if err != nil {
			return models.UnmatchedPayment{}, false, err
		}
		if !is {
			continue
		}
		if u, err = tx.LockUnmatchedPayment(ctx, u.CreditorID, u.ID); err != nil {
			return models.UnmatchedPayment{}, false, err
		}
		if u.Status == models.PaymentMatched {
			return u, true, nil
		}
	}
	return models.UnmatchedPayment{}, false, nil
}

// takeSpreadBack posts the opposite of each entry of a payment that was spread, by a reversal of the same amount. The payment is locked.
func takeSpreadBack(
	ctx context.Context, tx *store.Tx, c models.Creditor, reversalID int64, back models.UnmatchedPayment, actor string, seen []models.Seen,
) (models.UnmatchedPayment, error) {
	return change(ctx, tx, c.ID, reversalID, seen, func(u *models.UnmatchedPayment) error {
		if err := checkOpen(*u); err != nil {
			return err
		}
		taken, invoices, err := lockMatched(ctx, tx, back)
		if err != nil {
			return err
		}
		amounts := make(parts, len(taken))
		for n, e := range taken {
			amounts[n] = e.Amount // money in is negative in the ledger, and a part of money out is too
		}
		if amounts.sum() != u.Amount {
			return models.Invalid("amounts_differ", "letter", "the payment that is taken back was of %s, not of %s", -amounts.sum(), -u.Amount)
		}
		u.ReversalOf = back.ID
		entries, err := postParts(ctx, tx, u, invoices, amounts, actor)
		if err != nil {
			return err
		}
		return logEach(ctx, tx, models.EventPaymentMatched, *u, invoices, entries, "matched", actor)
	})
}

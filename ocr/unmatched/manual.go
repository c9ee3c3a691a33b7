package unmatched

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// Match posts an open unmatched payment on invoices of any status. It makes the entries that an import would have made
// (rule E5): money in lowers what is owed, money out raises it. One invoice accepts any amount. Several invoices must
// together owe the payment's amount, and each gets what it owes. What a notice charged too much, because the payment
// came before it, is not owed (rule L4). Match fails with the conflict payment_resolved if the
// payment is not open. A reversal with a letter's KID takes all entries of the letter's payment back, whichever of its invoices it is matched with
// (rule L23). It fails with amounts_differ if several invoices owe another amount. seen is what the person saw of the
// payment (store's Look), if he looked: if somebody has acted on it since, Match fails with the conflict changed_meanwhile, as
// do Unmatch, Dismiss and Reopen (rule D115).
func Match(ctx context.Context, tx *store.Tx, c models.Creditor, paymentID int64, invoiceIDs []int64, actor string, seen ...models.Seen) (models.UnmatchedPayment, error) {
	if len(invoiceIDs) == 1 {
		back, is, err := spreadWith(ctx, tx, c, paymentID, invoiceIDs[0])
		if err != nil {
			return models.UnmatchedPayment{}, err
		}
		if is {
			return takeSpreadBack(ctx, tx, c, paymentID, back, actor, seen)
		}
	}
	return match(ctx, tx, c, paymentID, invoiceIDs, actor, seen, split)
}

// Part is how much of a payment an invoice gets.
type Part struct {
	InvoiceID int64
	Amount    models.Amount  // above zero
	Seen      *models.Amount // what was owed on the invoice when a person looked; nil if nobody did
}

// MatchParts posts an open unmatched payment as Match does, but each invoice gets the part that a person decided on, whatever is owed on
// it (rule N7). What the parts leave over is free credit on the last of the invoices. It fails with amounts_differ if the parts are more
// than the payment, or the payment is no money in, and with the conflict balance_changed if something else is owed on an invoice than the
// person saw.
func MatchParts(ctx context.Context, tx *store.Tx, c models.Creditor, paymentID int64, decided []Part, actor string, seen ...models.Seen) (models.UnmatchedPayment, error) {
	ids, amounts := make([]int64, len(decided)), make(parts, len(decided))
	for n, part := range decided {
		if ids[n], amounts[n] = part.InvoiceID, part.Amount; part.Amount <= 0 {
			return models.UnmatchedPayment{}, models.Invalid("not_positive", "amount", "must be above zero")
		}
	}
	return match(ctx, tx, c, paymentID, ids, actor, seen, func(_ context.Context, _ *store.Tx, u models.UnmatchedPayment, invoices []models.Invoice) (parts, error) {
		if len(amounts) == 0 {
			return nil, models.Invalid("required", "invoice", "is required")
		}
		for n, i := range invoices {
			if seen := decided[n].Seen; seen != nil && *seen != i.Balance {
				return nil, balanceChanged(i, *seen)
			}
		}
		rest := u.Amount - amounts.sum()
		if u.Amount < 0 || rest < 0 {
			return nil, models.Invalid("amounts_differ", "invoice", "the payment is of %s, and its parts are %s together", u.Amount, amounts.sum())
		}
		amounts[len(amounts)-1] += rest
		return amounts, nil
	})
}

// dividing returns what each of the locked invoices gets of a payment, in their order. It fails if they cannot be matched with it.
type dividing func(ctx context.Context, tx *store.Tx, u models.UnmatchedPayment, invoices []models.Invoice) (parts, error)

// match posts a payment on invoices, each its part.
func match(
	ctx context.Context, tx *store.Tx, c models.Creditor, paymentID int64, invoiceIDs []int64, actor string, seen []models.Seen, divide dividing,
) (models.UnmatchedPayment, error) {
	return change(ctx, tx, c.ID, paymentID, seen, func(u *models.UnmatchedPayment) error {
		if err := checkOpen(*u); err != nil {
			return err
		}
		invoices, err := lockInvoices(ctx, tx, c.ID, invoiceIDs)
		if err != nil {
			return err
		}
		parts, err := divide(ctx, tx, *u, invoices)
		if err != nil {
			return err
		}
		entries, err := postParts(ctx, tx, u, invoices, parts, actor)
		if err != nil {
			return err
		}
		return logEach(ctx, tx, models.EventPaymentMatched, *u, invoices, entries, "matched", actor)
	})
}

// change locks an unmatched payment, changes it and writes it. It fails with the conflict changed_meanwhile if somebody has
// acted on the payment since the person saw it (rule D115), who may have seen nothing.
func change(
	ctx context.Context, tx *store.Tx, creditorID, paymentID int64, seen []models.Seen, do func(u *models.UnmatchedPayment) error,
) (models.UnmatchedPayment, error) {
	u, err := tx.LockUnmatchedPayment(ctx, creditorID, paymentID)
	if err != nil {
		return models.UnmatchedPayment{}, err
	}
	if err := tx.Unchanged(ctx, creditorID, models.Thing{Kind: models.ThingPayment, ID: paymentID}, seen...); err != nil {
		return models.UnmatchedPayment{}, err
	}
	if err := do(&u); err != nil {
		return models.UnmatchedPayment{}, err
	}
	return u, tx.UpdateUnmatchedPayment(ctx, u)
}

func checkOpen(u models.UnmatchedPayment) error {
	if u.Status != models.PaymentOpen {
		return models.Conflict("payment_resolved", "the payment is %s already", u.Status)
	}
	return nil
}

// lockInvoices locks invoices by ascending ID, as every transaction does, and returns them in the order of ids.
func lockInvoices(ctx context.Context, tx *store.Tx, creditorID int64, ids []int64) ([]models.Invoice, error) {
	invoices := make([]models.Invoice, len(ids))
	sorted := slices.Sorted(slices.Values(ids))
	for n, id := range sorted {
		if n > 0 && id == sorted[n-1] {
			return nil, models.Invalid("duplicate_element", "invoice", "the same invoice is there twice")
		}
		invoice, err := tx.LockInvoice(ctx, creditorID, id)
		if err != nil {
			return nil, err
		}
		invoices[slices.Index(ids, id)] = invoice
	}
	return invoices, nil
}

// split returns the part of a payment that each of the invoices gets. The parts of several are what
// is owed if they were paid on the day of the payment (rule L4), or else their balances, or either without the repayments that are owed, as
// letters ask for them (rule D96).
func split(ctx context.Context, tx *store.Tx, u models.UnmatchedPayment, invoices []models.Invoice) (parts, error) {
	amount := u.Amount
	switch len(invoices) {
	case 0:
		return nil, models.Invalid("required", "invoice", "is required")
	case 1:
		return parts{amount}, nil
	}
	var ways [4]parts
	for _, i := range invoices {
		if i.Balance == 0 || i.Balance < 0 != (amount < 0) {
			return nil, models.Invalid("amounts_differ", "invoice", "on invoice %d %s is owed: of several invoices each must have something to settle", i.Number, i.Balance)
		}
		owed, err := ledger.OwedIfPaidOn(ctx, tx, i, u.TransactionDate)
		if err != nil {
			return nil, err
		}
		for way, part := range []models.Amount{owed, i.Balance, owed - i.RepaymentOwed, i.Claimed()} {
			ways[way] = append(ways[way], part)
		}
	}
	for way, parts := range ways {
		claims := way >= 2
		if parts.sum() == amount && (!claims || !slices.Contains(parts, 0)) {
			return parts, nil
		}
	}
	return nil, models.Invalid("amounts_differ", "invoice", "the payment is of %s, and %s is owed on the invoices: several must add up to the payment; else match it with one", amount, ways[0].sum())
}

// parts are what of a payment several invoices get.
type parts []models.Amount

func (p parts) sum() (sum models.Amount) {
	for _, part := range p {
		sum += part
	}
	return sum
}

// lockMatched returns the entries of a matched payment, and their invoices, which it locks.
func lockMatched(ctx context.Context, tx *store.Tx, u models.UnmatchedPayment) (entries []models.Entry, invoices []models.Invoice, err error) {
	var invoiceIDs []int64
	for _, id := range u.EntryIDs() {
		e, err := tx.Entry(ctx, u.CreditorID, id)
		if err != nil {
			return nil, nil, err
		}
		entries, invoiceIDs = append(entries, e), append(invoiceIDs, e.InvoiceID)
	}
	invoices, err = lockInvoices(ctx, tx, u.CreditorID, invoiceIDs)
	return entries, invoices, err
}

// postParts posts each invoice's part of a payment, and notes the entries on the payment.
func postParts(ctx context.Context, tx *store.Tx, u *models.UnmatchedPayment, invoices []models.Invoice, parts []models.Amount, actor string) (entries []models.Entry, err error) {
	entries, ids := make([]models.Entry, len(invoices)), make(models.IDs, len(invoices))
	for n, invoice := range invoices {
		entries[n], err = post(ctx, tx, models.Entry{
			CreditorID: u.CreditorID, CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Type: models.EntryOCR, Amount: -parts[n],
			TransactionDate: u.TransactionDate, BankDate: u.BankDate, FromAccountNumber: u.FromAccountNumber, PaymentFileID: u.PaymentFileID,
		}, actor)
		if err != nil {
			return nil, err
		}
		ids[n] = entries[n].ID
	}
	u.Status, u.EntryID, u.FurtherEntryIDs = models.PaymentMatched, ids[0], ids[1:]
	return entries, nil
}

// Unmatch withdraws a match and opens the payment again. Entries never change (rule D31), so Unmatch posts the
// opposite of each, with the same dates. It fails with the conflict payment_not_matched if the payment is not matched. seen is what
// the person saw of the payment and of the invoices that it is matched with (store's LookAtMatches).
func Unmatch(ctx context.Context, tx *store.Tx, c models.Creditor, paymentID int64, actor string, seen ...models.Seen) (models.UnmatchedPayment, error) {
	return change(ctx, tx, c.ID, paymentID, nil, func(u *models.UnmatchedPayment) error {
		if u.Status != models.PaymentMatched {
			if err := tx.SameMatch(ctx, *u, nil, seen...); err != nil {
				return err
			}
			return models.Conflict("payment_not_matched", "the payment is %s; only a matched one can be taken back", u.Status)
		}
		entries, invoices, err := lockMatched(ctx, tx, *u)
		if err != nil {
			return err
		}
		if err := tx.SameMatch(ctx, *u, invoices, seen...); err != nil {
			return err
		}
		for n, e := range entries {
			e.ID, e.Amount = 0, -e.Amount
			if entries[n], err = post(ctx, tx, e, actor); err != nil {
				return err
			}
		}
		u.Status, u.EntryID, u.FurtherEntryIDs, u.LikelyPayerID, u.ReversalOf = models.PaymentOpen, 0, nil, nil, 0
		return logEach(ctx, tx, models.EventPaymentReopened, *u, invoices, entries, "no longer matched", actor)
	})
}

// Dismiss closes an open unmatched payment without an entry, because the money was sent back or does not belong to the
// creditor (rule E5). The comment is required and says why. Dismiss fails with the conflict payment_resolved if the
// payment is not open.
func Dismiss(ctx context.Context, tx *store.Tx, c models.Creditor, paymentID int64, comment, actor string, seen ...models.Seen) (models.UnmatchedPayment, error) {
	if faults := ValidateDismissal(comment); len(faults) > 0 {
		return models.UnmatchedPayment{}, faults
	}
	return change(ctx, tx, c.ID, paymentID, seen, func(u *models.UnmatchedPayment) error {
		if err := checkOpen(*u); err != nil {
			return err
		}
		u.Status, u.Comment = models.PaymentDismissed, comment
		return log(ctx, tx, models.EventPaymentDismissed, *u, models.Entry{}, "dismissed", details{Comment: comment, Actor: actor})
	})
}

// Reopen takes a dismissal back: the payment waits for a person again. It fails with the conflict payment_not_dismissed if
// the payment is not dismissed.
func Reopen(ctx context.Context, tx *store.Tx, c models.Creditor, paymentID int64, actor string, seen ...models.Seen) (models.UnmatchedPayment, error) {
	return change(ctx, tx, c.ID, paymentID, seen, func(u *models.UnmatchedPayment) error {
		if u.Status != models.PaymentDismissed {
			return models.Conflict("payment_not_dismissed", "the payment is %s; only a dismissed one can be reopened", u.Status)
		}
		u.Status, u.Comment, u.LikelyPayerID = models.PaymentOpen, "", nil
		return log(ctx, tx, models.EventPaymentReopened, *u, models.Entry{}, "is no longer dismissed", details{Actor: actor})
	})
}

// ValidateDismissal returns every fault of the comment of a dismissal (rules D16, E5).
func ValidateDismissal(comment string) models.Errors {
	var faults models.Errors
	if strings.TrimSpace(comment) == "" {
		faults.Add("required", "comment", "is required")
	}
	faults.Prose("comment", comment, models.MaxComment)
	return faults
}

// post posts an entry on a locked invoice. The entry has no line key: the unmatched payment keeps it, so that each
// file line is in one place.
func post(ctx context.Context, tx *store.Tx, e models.Entry, actor string) (models.Entry, error) {
	entries := []models.Entry{e}
	err := ledger.Post(ctx, tx, entries, actor)
	return entries[0], err
}

// logEach writes an event for each invoice that the payment was matched with or unmatched from.
func logEach(
	ctx context.Context, tx *store.Tx, t models.EventType, u models.UnmatchedPayment, invoices []models.Invoice, entries []models.Entry, done, actor string,
) error {
	for n, e := range entries {
		text := fmt.Sprintf("%s with invoice %d", done, invoices[n].Number)
		if len(entries) > 1 {
			text += fmt.Sprintf(", %s of it", max(e.Amount, -e.Amount))
		}
		if err := log(ctx, tx, t, u, e, text, details{EntryID: e.ID, Number: invoices[n].Number, Part: max(e.Amount, -e.Amount), Actor: actor}); err != nil {
			return err
		}
	}
	return nil
}

// details are what the event of a manual act holds for programs.
type details struct {
	EntryID int64         // the entry that was posted, if any
	Number  int64         // the number of its invoice
	Part    models.Amount // how much of the payment it is
	Comment string
	Actor   string
}

func (d details) facts(u models.UnmatchedPayment) models.Facts {
	f := models.Facts{"amount": u.Amount, "transaction_date": u.TransactionDate, "actor": d.Actor}
	if d.EntryID != 0 {
		f["entry"], f["invoice_number"], f["part"] = d.EntryID, d.Number, d.Part
	}
	if d.Comment != "" {
		f["comment"] = d.Comment
	}
	return f
}

// log writes the event of a manual act. The entry gives the invoice and the customer, if any.
func log(ctx context.Context, tx *store.Tx, t models.EventType, u models.UnmatchedPayment, e models.Entry, done string, d details) error {
	text := fmt.Sprintf("Payment of %s of %s %s, by %s", u.Amount, u.TransactionDate, done, d.Actor)
	if d.Comment != "" {
		text += ": " + d.Comment
	}
	return tx.Log(ctx, models.Event{
		CreditorID: u.CreditorID, Type: t, Actor: d.Actor, InvoiceID: e.InvoiceID, CustomerID: e.CustomerID, SubjectID: u.ID, Text: text, Facts: d.facts(u),
	})
}

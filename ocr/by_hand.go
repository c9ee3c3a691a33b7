package ocr

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// Match posts an open unmatched payment on invoices, of whatever status, as the entries that the bank file would have
// made (rule E5): money in lowers what is owed, money out raises it. On one invoice it posts whatever the amount is.
// Several must be settled by it: each gets just what is owed on it. The actor says who does it. It fails with the
// conflict payment_resolved where the payment is not open, and with amounts_differ where several invoices together owe
// another amount.
func Match(ctx context.Context, tx *store.Tx, c models.Creditor, paymentID int64, invoiceIDs []int64, actor string) (models.UnmatchedPayment, error) {
	u, err := lockOpen(ctx, tx, c.ID, paymentID)
	if err != nil {
		return u, err
	}
	invoices, err := lockInOrder(ctx, tx, c.ID, invoiceIDs)
	if err != nil {
		return u, err
	}
	parts, err := split(u.Amount, invoices)
	if err != nil {
		return u, err
	}
	var posted []models.Entry
	for n, invoice := range invoices {
		e, err := postByHand(ctx, tx, c, models.Entry{
			CreditorID: c.ID, CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Type: models.EntryOCR, Amount: -parts[n],
			TransactionDate: u.TransactionDate, BankDate: u.BankDate, FromAccountNumber: u.FromAccountNumber, PaymentFileID: u.PaymentFileID,
		})
		if err != nil {
			return u, err
		}
		posted = append(posted, e)
	}
	u.Status, u.EntryID, u.FurtherEntryIDs = models.PaymentMatched, posted[0].ID, nil
	for _, e := range posted[1:] {
		u.FurtherEntryIDs = append(u.FurtherEntryIDs, e.ID)
	}
	if err := tx.UpdateUnmatchedPayment(ctx, u); err != nil {
		return u, err
	}
	return u, logEach(ctx, tx, models.EventPaymentMatched, u, invoices, posted, "matched", actor)
}

// lockInOrder locks invoices, the lowest ID first as everybody does, and returns them in the order that was asked for.
func lockInOrder(ctx context.Context, tx *store.Tx, creditorID int64, ids []int64) ([]models.Invoice, error) {
	locked := map[int64]models.Invoice{}
	for _, id := range slices.Sorted(slices.Values(ids)) {
		if _, again := locked[id]; again {
			return nil, models.Invalid("duplicate_element", "invoice", "the same invoice is there twice")
		}
		invoice, err := tx.LockInvoice(ctx, creditorID, id)
		if err != nil {
			return nil, err
		}
		locked[id] = invoice
	}
	invoices := make([]models.Invoice, len(ids))
	for n, id := range ids {
		invoices[n] = locked[id]
	}
	return invoices, nil
}

// split returns what of a payment is for each of the invoices.
func split(amount models.Amount, invoices []models.Invoice) ([]models.Amount, error) {
	switch len(invoices) {
	case 0:
		return nil, models.Invalid("required", "invoice", "is required")
	case 1:
		return []models.Amount{amount}, nil
	}
	var sum models.Amount
	parts := make([]models.Amount, len(invoices))
	for n, i := range invoices {
		if i.Balance == 0 || i.Balance < 0 != (amount < 0) {
			return nil, models.Invalid("amounts_differ", "invoice", "on invoice %d %s is owed: of several invoices each must have something to settle", i.Number, i.Balance)
		}
		parts[n] = i.Balance
		sum += i.Balance
	}
	if sum != amount {
		return nil, models.Invalid("amounts_differ", "invoice", "the payment is of %s, and %s is owed on the invoices: several must add up to the payment; else match it with one", amount, sum)
	}
	return parts, nil
}

// Unmatch takes a match back: the opposite of each entry is posted, of the same day, because entries never change (rule
// D31), and the payment is open again. It fails with the conflict payment_not_matched where it was not matched.
func Unmatch(ctx context.Context, tx *store.Tx, c models.Creditor, paymentID int64, actor string) (models.UnmatchedPayment, error) {
	u, err := tx.LockUnmatchedPayment(ctx, c.ID, paymentID)
	if err != nil {
		return u, err
	}
	if u.Status != models.PaymentMatched {
		return u, models.Conflict("payment_not_matched", "the payment is %s; only a matched one can be taken back", u.Status)
	}
	entries := make([]models.Entry, len(u.EntryIDs()))
	invoiceIDs := make([]int64, len(entries))
	for n, id := range u.EntryIDs() {
		if entries[n], err = tx.Entry(ctx, c.ID, id); err != nil {
			return u, err
		}
		invoiceIDs[n] = entries[n].InvoiceID
	}
	invoices, err := lockInOrder(ctx, tx, c.ID, invoiceIDs)
	if err != nil {
		return u, err
	}
	for n, e := range entries {
		e.ID, e.Amount = 0, -e.Amount
		if entries[n], err = postByHand(ctx, tx, c, e); err != nil {
			return u, err
		}
	}
	u.Status, u.EntryID, u.FurtherEntryIDs, u.SuggestedCustomerID = models.PaymentOpen, 0, nil, nil
	if err := tx.UpdateUnmatchedPayment(ctx, u); err != nil {
		return u, err
	}
	return u, logEach(ctx, tx, models.EventPaymentReopened, u, invoices, entries, "no longer matched", actor)
}

// Dismiss closes an open unmatched payment without an entry: money sent back, or not ours (rule E5). The comment,
// which is required, says which. It fails with the conflict payment_resolved where the payment is not open.
func Dismiss(ctx context.Context, tx *store.Tx, c models.Creditor, paymentID int64, comment, actor string) (models.UnmatchedPayment, error) {
	if faults := ValidateDismissal(comment); len(faults) > 0 {
		return models.UnmatchedPayment{}, faults
	}
	u, err := lockOpen(ctx, tx, c.ID, paymentID)
	if err != nil {
		return u, err
	}
	u.Status, u.Comment = models.PaymentDismissed, comment
	if err := tx.UpdateUnmatchedPayment(ctx, u); err != nil {
		return u, err
	}
	text := inWords(u) + " dismissed"
	return u, logByHand(ctx, tx, models.EventPaymentDismissed, u, models.Entry{}, text, byHand{Comment: comment, Actor: actor})
}

// ValidateDismissal returns every fault of the comment with which a payment is dismissed (rules D16, E5).
func ValidateDismissal(comment string) models.Errors {
	var faults models.Errors
	if strings.TrimSpace(comment) == "" {
		faults.Add("required", "comment", "is required")
	}
	faults.Prose("comment", comment, models.MaxComment)
	return faults
}

// lockOpen locks an unmatched payment that is open.
func lockOpen(ctx context.Context, tx *store.Tx, creditorID, paymentID int64) (models.UnmatchedPayment, error) {
	u, err := tx.LockUnmatchedPayment(ctx, creditorID, paymentID)
	if err == nil && u.Status != models.PaymentOpen {
		err = models.Conflict("payment_resolved", "the payment is %s already", u.Status)
	}
	return u, err
}

// postByHand posts an entry on an invoice, which is locked. Its line is not the entry's: the payment in the queue
// keeps it, so that a line is known in one place. What is owed on a credited invoice anew is settled again, as when
// a payment on it is deleted (rule D21).
func postByHand(ctx context.Context, tx *store.Tx, c models.Creditor, e models.Entry) (models.Entry, error) {
	entries := []models.Entry{e}
	if err := ledger.Post(ctx, tx, entries); err != nil || e.Amount < 0 {
		return entries[0], err
	}
	note, credited, err := tx.CreditNoteOf(ctx, e.InvoiceID)
	if err != nil || !credited {
		return entries[0], err
	}
	if note, err = tx.LockCreditNote(ctx, c.ID, note.ID); err != nil {
		return entries[0], err
	}
	today, err := c.Today(tx.Now)
	if err != nil {
		return entries[0], err
	}
	return entries[0], ledger.Settle(ctx, tx, note, today)
}

// logEach writes an event for each invoice that a person has matched a payment with, or has no longer.
func logEach(
	ctx context.Context, tx *store.Tx, t models.EventType, u models.UnmatchedPayment, invoices []models.Invoice, posted []models.Entry, done, actor string,
) error {
	for n, e := range posted {
		text := fmt.Sprintf("%s %s with invoice %d", inWords(u), done, invoices[n].Number)
		if len(posted) > 1 {
			text += fmt.Sprintf(", %s of it", max(e.Amount, -e.Amount))
		}
		if err := logByHand(ctx, tx, t, u, e, text, byHand{Entry: e.ID, Actor: actor}); err != nil {
			return err
		}
	}
	return nil
}

// inWords says what an unmatched payment is, such as "Payment of 400.00 of 2026-03-02".
func inWords(u models.UnmatchedPayment) string {
	return fmt.Sprintf("Payment of %s of %s", u.Amount, u.TransactionDate)
}

// byHand is what an event keeps, for programs, of what a person did with a payment.
type byHand struct {
	Entry   int64  `json:"entry,omitempty"` // that was posted
	Comment string `json:"comment,omitempty"`
	Actor   string `json:"actor"`
}

// logByHand writes the event of what a person did with a payment; the entry says on what invoice, where on any.
func logByHand(ctx context.Context, tx *store.Tx, t models.EventType, u models.UnmatchedPayment, e models.Entry, text string, b byHand) error {
	data, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("describe what was done with payment %d: %w", u.ID, err)
	}
	text += ", by " + b.Actor
	if b.Comment != "" {
		text += ": " + b.Comment
	}
	return tx.Log(ctx, models.Event{
		CreditorID: u.CreditorID, Type: t, Actor: b.Actor, InvoiceID: e.InvoiceID, CustomerID: e.CustomerID, SubjectID: u.ID, Text: text, Data: string(data),
	})
}

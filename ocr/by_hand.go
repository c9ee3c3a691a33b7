package ocr

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// Match posts an open unmatched payment on an invoice, of whatever status, as the entry that the bank file would
// have made (rule E5): money in lowers what is owed, money out raises it. The actor says who does it. It fails
// with the conflict payment_resolved where the payment is not open.
func Match(ctx context.Context, tx *store.Tx, c models.Creditor, paymentID, invoiceID int64, actor string) (models.UnmatchedPayment, error) {
	u, err := lockOpen(ctx, tx, c.ID, paymentID)
	if err != nil {
		return u, err
	}
	invoice, err := tx.LockInvoice(ctx, c.ID, invoiceID)
	if err != nil {
		return u, err
	}
	e, err := postByHand(ctx, tx, c, models.Entry{
		CreditorID: c.ID, CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, Type: models.EntryOCR, Amount: -u.Amount,
		TransactionDate: u.TransactionDate, BankDate: u.BankDate, FromAccountNumber: u.FromAccountNumber, PaymentFileID: u.PaymentFileID,
	})
	if err != nil {
		return u, err
	}
	u.Status, u.EntryID = models.PaymentMatched, e.ID
	if err := tx.UpdateUnmatchedPayment(ctx, u); err != nil {
		return u, err
	}
	text := fmt.Sprintf("%s matched with invoice %d", inWords(u), invoice.Number)
	return u, logByHand(ctx, tx, models.EventPaymentMatched, u, e, text, byHand{Entry: e.ID, Actor: actor})
}

// Unmatch takes a match back: the opposite entry of the same day is posted, because entries never change (rule
// D31), and the payment is open again. It fails with the conflict payment_not_matched where it was not matched.
func Unmatch(ctx context.Context, tx *store.Tx, c models.Creditor, paymentID int64, actor string) (models.UnmatchedPayment, error) {
	u, err := tx.LockUnmatchedPayment(ctx, c.ID, paymentID)
	if err != nil {
		return u, err
	}
	if u.Status != models.PaymentMatched {
		return u, models.Conflict("payment_not_matched", "the payment is %s; only a matched one can be taken back", u.Status)
	}
	e, err := tx.Entry(ctx, c.ID, u.EntryID)
	if err != nil {
		return u, err
	}
	invoice, err := tx.LockInvoice(ctx, c.ID, e.InvoiceID)
	if err != nil {
		return u, err
	}
	e.ID, e.Amount = 0, -e.Amount
	if e, err = postByHand(ctx, tx, c, e); err != nil {
		return u, err
	}
	u.Status, u.EntryID, u.SuggestedCustomerID = models.PaymentOpen, 0, nil
	if err := tx.UpdateUnmatchedPayment(ctx, u); err != nil {
		return u, err
	}
	text := fmt.Sprintf("%s no longer matched with invoice %d", inWords(u), invoice.Number)
	return u, logByHand(ctx, tx, models.EventPaymentReopened, u, e, text, byHand{Entry: e.ID, Actor: actor})
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
		CreditorID: u.CreditorID, Type: t, InvoiceID: e.InvoiceID, CustomerID: e.CustomerID, SubjectID: u.ID, Text: text, Data: string(data),
	})
}

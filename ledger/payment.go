package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"purr/models"
	"purr/store"
)

// Payment is what a person registers on an invoice or a credit note: a payment, a repayment, a payout or a reversal.
type Payment struct {
	Amount  models.Amount
	Date    models.Date
	Comment string
	Actor   string           // who registers it, for the event log
	Type    models.EntryType // empty is PAYMENT; OVERDUE_CHARGE and INTEREST reverse (rule E3)
	Seen    models.Seen      // the invoice or the credit note, as the person saw it (rule D115); may be empty
}

// Validate returns the faults of a registration on an invoice that can be found without the invoice (rules D16, D32,
// E3).
func (p Payment) Validate(today models.Date) models.Errors {
	faults := p.faults(today)
	switch p.Type {
	case "", models.EntryPayment:
	case models.EntryOverdueCharge, models.EntryInterest:
		if p.Amount > 0 {
			faults.Add("amount_not_negative", "amount", "a reversal is negative")
		}
	default:
		faults.Add("invalid_transaction_type", "transaction_type", "must be PAYMENT, OVERDUE_CHARGE or INTEREST")
	}
	return faults
}

// ValidatePayout returns the faults of a registration on a credit note that can be found without the credit note (rules
// D16, D32).
func (p Payment) ValidatePayout(today models.Date) models.Errors {
	faults := p.faults(today)
	if p.Type != "" && p.Type != models.EntryPayment {
		faults.Add("invalid_transaction_type", "transaction_type", "only a payout can be registered on a credit note")
	}
	if p.Amount < 0 {
		faults.Add("amount_not_positive", "amount", "a payout on a credit note is positive")
	}
	return faults
}

func (p Payment) faults(today models.Date) models.Errors {
	var faults models.Errors
	if p.Amount == 0 {
		faults.Add("amount_zero", "amount", "must not be zero")
	}
	if p.Date == 0 {
		faults.Add("required", "transaction_date", "is required")
	}
	if p.Date > today {
		faults.Add("date_in_future", "transaction_date", "must not be after today, %s", today)
	}
	faults.Prose("comment", p.Comment, models.MaxComment)
	return faults
}

// RegisterOnInvoice posts a payment (negative), a repayment of what was overpaid (positive), or the reversal of a fee or
// of interest (negative) on an invoice (rules D32, E3).
func RegisterOnInvoice(ctx context.Context, tx *store.Tx, creditorID, invoiceID int64, p Payment, today models.Date) (models.Entry, error) {
	if faults := p.Validate(today); len(faults) > 0 {
		return models.Entry{}, faults
	}
	invoice, err := tx.LockInvoice(ctx, creditorID, invoiceID)
	if err != nil {
		return models.Entry{}, err
	}
	if err := tx.SameInvoice(ctx, invoice, p.Seen); err != nil {
		return models.Entry{}, err
	}
	if p.Type != "" && p.Type != models.EntryPayment {
		return reverse(ctx, tx, invoice, p)
	}
	if overpaid := invoice.Free(); p.Amount > overpaid {
		return models.Entry{}, models.Invalid("amount_too_large", "amount", "a repayment is at most what was overpaid, %s; a payment is negative", overpaid)
	}
	if p.Amount > 0 {
		if err := unreserved(ctx, tx, creditorID, invoice.CustomerID, p.Amount); err != nil {
			return models.Entry{}, err
		}
	}
	e := entryOf(p, models.EntryPayment, invoice.CreditorID, invoice.CustomerID, invoice.ID, 0)
	return postWithEvent(ctx, tx, e, p.Actor, models.EventPaymentRegistered, fmt.Sprintf("%s registered on invoice %d", inWords(e), invoice.Number),
		models.Facts{"kind": kindOf(e), "invoice_number": invoice.Number})
}

// RegisterOnCreditNote posts a payout (positive) of outstanding credit (rule D32).
func RegisterOnCreditNote(ctx context.Context, tx *store.Tx, creditorID, creditNoteID int64, p Payment, today models.Date) (models.Entry, error) {
	if faults := p.ValidatePayout(today); len(faults) > 0 {
		return models.Entry{}, faults
	}
	note, err := tx.LockCreditNote(ctx, creditorID, creditNoteID)
	if err != nil {
		return models.Entry{}, err
	}
	if err := tx.SameNote(ctx, note, p.Seen); err != nil {
		return models.Entry{}, err
	}
	if p.Amount > -note.Balance {
		return models.Entry{}, models.Invalid("amount_too_large", "amount", "a payout is at most the credit outstanding, %s", -note.Balance)
	}
	if err := unreserved(ctx, tx, creditorID, note.CustomerID, p.Amount); err != nil {
		return models.Entry{}, err
	}
	e := entryOf(p, models.EntryPayment, note.CreditorID, note.CustomerID, note.InvoiceID, note.ID)
	return postWithEvent(ctx, tx, e, p.Actor, models.EventPaymentRegistered, fmt.Sprintf("%s registered on credit note %d", inWords(e), note.Number),
		models.Facts{"kind": kindOf(e), "credit_note_number": note.Number})
}

// reverse posts the reversal of a fee or interest on a locked invoice (rule E3).
func reverse(ctx context.Context, tx *store.Tx, invoice models.Invoice, p Payment) (models.Entry, error) {
	entries, err := tx.EntriesOfInvoice(ctx, invoice.ID)
	if err != nil {
		return models.Entry{}, err
	}
	charged := TotalsOf(entries).Fees
	if p.Type == models.EntryInterest {
		charged = TotalsOf(entries).Interest
	}
	if -p.Amount > charged {
		return models.Entry{}, models.Invalid("amount_too_large", "amount", "a reversal is at most what was charged and not yet reversed, %s", charged)
	}
	e := entryOf(p, p.Type, invoice.CreditorID, invoice.CustomerID, invoice.ID, 0)
	return postWithEvent(ctx, tx, e, p.Actor, models.EventEntryReversed, fmt.Sprintf("%s of %s reversed on invoice %d", p.Type, -p.Amount, invoice.Number),
		models.Facts{"type": e.Type, "invoice_number": invoice.Number})
}

func entryOf(p Payment, t models.EntryType, creditorID, customerID, invoiceID, creditNoteID int64) models.Entry {
	return models.Entry{
		CreditorID: creditorID, CustomerID: customerID, InvoiceID: invoiceID, CreditNoteID: creditNoteID,
		Type: t, Amount: p.Amount, TransactionDate: p.Date, Comment: p.Comment,
	}
}

// kindOf returns what an entry of type PAYMENT is: a payment, repayment or payout.
func kindOf(e models.Entry) string {
	switch {
	case e.CreditNoteID != 0:
		return "payout"
	case e.Amount > 0:
		return "repayment"
	}
	return "payment"
}

// inWords says what an entry of type PAYMENT is, such as "Payment of 400.00".
func inWords(e models.Entry) string {
	kind := kindOf(e)
	return strings.ToUpper(kind[:1]) + kind[1:] + " of " + max(e.Amount, -e.Amount).String()
}

// postWithEvent posts an entry that a person asked for. It adds to the facts of the event what the entry says. Amounts are
// above zero there.
func postWithEvent(
	ctx context.Context, tx *store.Tx, e models.Entry, actor string, event models.EventType, text string, facts models.Facts,
) (models.Entry, error) {
	entries := []models.Entry{e}
	if err := Post(ctx, tx, entries, actor); err != nil {
		return models.Entry{}, err
	}
	if facts["amount"], facts["transaction_date"] = max(e.Amount, -e.Amount), e.TransactionDate; e.Comment != "" {
		facts["comment"] = e.Comment
	}
	return entries[0], tx.Log(ctx, models.Event{
		CreditorID: e.CreditorID, Type: event, Actor: actor, InvoiceID: e.InvoiceID, CustomerID: e.CustomerID, SubjectID: entries[0].ID, Text: text, Facts: facts,
	})
}

// SeenEntry returns an entry that a person saw and acts on. If somebody has deleted it since, it fails with the conflict
// changed_meanwhile (rule D115).
func SeenEntry(ctx context.Context, tx *store.Tx, creditorID, entryID int64) (models.Entry, error) {
	e, err := tx.Entry(ctx, creditorID, entryID)
	if models.KindOf(err) != models.KindNotFound {
		return e, err
	}
	entry := models.Thing{Kind: models.ThingEntry, ID: entryID}
	acts, failed := tx.LastActs(ctx, creditorID, entry)
	if failed != nil {
		return e, failed
	}
	if change := acts[entry].Change(); change != nil {
		return e, models.ChangedMeanwhile(change)
	}
	return e, err
}

// DeletePayment deletes a payment that a person registered, and takes back what was made of it: it settles a credited invoice
// again (rules D21, D31, D96). Of an entry that moved credit it deletes the other half too, so that no money appears or is lost
// (rule L5). An event for each entry keeps it and the actor who deleted it. today is the date of the entries that settling posts.
// seen is the invoice or the credit note of the payment as the person saw it (store's LookAtPayments, LookAtNote), if he looked: if it
// is not so any more, DeletePayment fails with the conflict changed_meanwhile (rule D115).
func DeletePayment(ctx context.Context, tx *store.Tx, creditorID, entryID int64, today models.Date, actor string, seen ...models.Seen) error {
	e, err := tx.Entry(ctx, creditorID, entryID)
	if err != nil {
		return err
	}
	if e.Type != models.EntryPayment {
		return models.Conflict("not_a_payment", "only a transaction of type PAYMENT can be deleted; this one is %s", e.Type)
	}
	if e.Adopted != models.NotAdopted {
		return models.Conflict("adopted_payment", "the payment is what the invoice's own system told: it is taken back by a higher balance from there")
	}
	deleted, err := lockDeleted(ctx, tx, e)
	if err != nil {
		return err
	}
	if err := sameDocument(ctx, tx, e, seen); err != nil {
		return err
	}
	if err := deleteAll(ctx, tx, deleted, actor); err != nil {
		return err
	}
	undone := slices.Clone(deleted) // a repayment that is deleted is as money that comes on its day
	invoices := map[int64]bool{}
	for i := range undone {
		undone[i].Amount = -undone[i].Amount
		invoices[undone[i].InvoiceID] = true
	}
	reversals, err := recalculate(ctx, tx, undone, actor, nil)
	if err != nil {
		return err
	}
	if err := tellCollector(ctx, tx, deleted, nil, true, reversals...); err != nil {
		return err
	}
	return takeBack(ctx, tx, creditorID, keys(invoices), today, actor)
}

// deleteAll deletes entries, brings the balances up to date and logs each deletion.
func deleteAll(ctx context.Context, tx *store.Tx, entries []models.Entry, actor string) error {
	for _, e := range entries {
		if err := tx.DeleteEntry(ctx, e); err != nil {
			return err
		}
	}
	if err := refresh(ctx, tx, entries, nil); err != nil {
		return err
	}
	for _, e := range entries {
		if err := logDeletion(ctx, tx, e, actor); err != nil {
			return err
		}
	}
	return nil
}

// sameDocument fails if the document of an entry, whose invoice is locked, is not as a person saw it.
func sameDocument(ctx context.Context, tx *store.Tx, e models.Entry, seen []models.Seen) error {
	if e.CreditNoteID == 0 {
		i, err := tx.LockInvoice(ctx, e.CreditorID, e.InvoiceID)
		if err != nil {
			return err
		}
		return tx.SamePayments(ctx, i, seen...)
	}
	n, err := tx.LockCreditNote(ctx, e.CreditorID, e.CreditNoteID)
	if err != nil {
		return err
	}
	return tx.SameNote(ctx, n, seen...)
}

// lockDeleted locks the invoices of the entries that are deleted together with a payment, and returns the entries.
func lockDeleted(ctx context.Context, tx *store.Tx, e models.Entry) (deleted []models.Entry, err error) {
	ids := []int64{e.ID}
	invoices := []int64{e.InvoiceID}
	other, moved, err := otherHalf(ctx, tx, e)
	if err != nil {
		return nil, err
	}
	if moved {
		ids, invoices = append(ids, other.ID), append(invoices, other.InvoiceID)
	}
	if _, err := tx.LockInvoices(ctx, e.CreditorID, invoices); err != nil {
		return nil, err
	}
	// The entries are read again under the locks, so that the second of two deletions finds nothing.
	for _, id := range ids {
		again, err := tx.Entry(ctx, e.CreditorID, id)
		if err != nil {
			return nil, err
		}
		deleted = append(deleted, again)
	}
	return deleted, nil
}

// otherHalf returns the other entry of a move of credit, and false if the entry moved none.
func otherHalf(ctx context.Context, tx *store.Tx, e models.Entry) (models.Entry, bool, error) {
	if e.MovedFrom == 0 {
		return tx.MovedTo(ctx, e)
	}
	away, err := tx.Entry(ctx, e.CreditorID, e.MovedFrom)
	return away, err == nil, err
}

func logDeletion(ctx context.Context, tx *store.Tx, e models.Entry, actor string) error {
	return tx.Log(ctx, models.Event{
		CreditorID: e.CreditorID, Type: models.EventPaymentDeleted, Actor: actor, InvoiceID: e.InvoiceID, CustomerID: e.CustomerID, SubjectID: e.ID,
		Text: fmt.Sprintf("%s of %s deleted by %s", inWords(e), e.TransactionDate, actor),
		Facts: models.Facts{
			"id": e.ID, "kind": kindOf(e), "invoice": e.InvoiceID, "credit_note": e.CreditNoteID, "amount": e.Amount, "transaction_date": e.TransactionDate,
			"comment": e.Comment, "created_at": e.CreatedAt, "removed_by": actor,
		},
	})
}

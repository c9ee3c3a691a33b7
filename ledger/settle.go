package ledger

import (
	"context"

	"purr/models"
	"purr/store"
)

// Settle settles a credited invoice against one of its credit notes (rules D21, L27). It sets the outstanding credit against what is
// owed, and reverses the fees and interest that are still owed if no principal is left, or all of the invoice is credited. The caller
// has locked the invoice and then the credit note. today is the date of the entries.
func Settle(ctx context.Context, tx *store.Tx, note models.CreditNote, today models.Date) error {
	onInvoice, err := tx.EntriesOfInvoice(ctx, note.InvoiceID)
	if err != nil {
		return err
	}
	onNote, err := tx.EntriesOfCreditNote(ctx, note)
	if err != nil {
		return err
	}
	whole := !note.Partial
	if !whole {
		left, err := leftToCredit(ctx, tx, note.InvoiceID, onInvoice)
		if err != nil {
			return err
		}
		whole = left <= 0
	}
	return Post(ctx, tx, settlement(note, TotalsOf(onInvoice), -TotalsOf(onNote).Balance, whole, today), "")
}

// leftToCredit returns how much of an invoice no credit note credits.
func leftToCredit(ctx context.Context, tx *store.Tx, invoiceID int64, onInvoice []models.Entry) (left models.Amount, err error) {
	for _, e := range onInvoice {
		if e.Type == models.EntryInvoice {
			left += e.Amount
		}
	}
	notes, err := tx.CreditNotesOf(ctx, invoiceID)
	if err != nil {
		return 0, err
	}
	for _, n := range notes {
		left -= n.Gross
	}
	return left, nil
}

// settlement returns the entries that settle an invoice against a credit note, given the invoice's totals, the outstanding credit, and
// whether all of the invoice is credited.
func settlement(note models.CreditNote, invoice Totals, credit models.Amount, whole bool, today models.Date) []models.Entry {
	var entries []models.Entry
	add := func(t models.EntryType, amount models.Amount, creditNoteID int64) {
		if amount != 0 {
			entries = append(entries, models.Entry{
				CreditorID: note.CreditorID, CustomerID: note.CustomerID, InvoiceID: note.InvoiceID, CreditNoteID: creditNoteID,
				Type: t, Amount: amount, TransactionDate: today,
			})
		}
	}
	fees, interest := invoice.Unpaid()
	setOff := max(0, min(invoice.Balance-fees-interest, credit))
	if whole || invoice.Balance-fees-interest-invoice.Repaid <= setOff {
		add(models.EntryOverdueCharge, -fees, 0)
		add(models.EntryInterest, -interest, 0)
	}
	add(models.EntryCreditNote, -setOff, 0)
	add(models.EntryCreditNote, setOff, note.ID)
	return entries
}

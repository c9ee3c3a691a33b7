package ledger

import (
	"context"

	"purr/models"
	"purr/store"
)

// Settle settles a credited invoice against its credit note (rule D21). It reverses the fees and interest that are still
// owed, and sets the outstanding credit against the rest. The caller has locked the invoice and then the credit note.
// today is the date of the entries.
func Settle(ctx context.Context, tx *store.Tx, note models.CreditNote, today models.Date) error {
	onInvoice, err := tx.EntriesOfInvoice(ctx, note.InvoiceID)
	if err != nil {
		return err
	}
	onNote, err := tx.EntriesOfCreditNote(ctx, note)
	if err != nil {
		return err
	}
	return Post(ctx, tx, settlement(note, TotalsOf(onInvoice), -TotalsOf(onNote).Balance, today), "")
}

// settlement returns the entries that settle a credited invoice, given its totals and the outstanding credit.
func settlement(note models.CreditNote, invoice Totals, credit models.Amount, today models.Date) []models.Entry {
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
	add(models.EntryOverdueCharge, -fees, 0)
	add(models.EntryInterest, -interest, 0)
	setOff := max(0, min(invoice.Balance-fees-interest, credit))
	add(models.EntryCreditNote, -setOff, 0)
	add(models.EntryCreditNote, setOff, note.ID)
	return entries
}

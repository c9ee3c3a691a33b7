package ledger

import (
	"context"
	"fmt"

	"purr/law"
	"purr/models"
	"purr/store"
)

// WriteOff reverses what is left of the fees and interest on a locked invoice, and returns it as it is closed for the small remainder of
// its principal (rule L25), with what was reversed. The caller writes the invoice and the event.
func WriteOff(ctx context.Context, tx *store.Tx, invoice models.Invoice, today models.Date) (closed models.Invoice, reversed law.Allocation, err error) {
	entries, err := tx.EntriesOfInvoiceAndCreditNote(ctx, invoice.ID)
	if err != nil {
		return invoice, law.Allocation{}, err
	}
	left := law.Allocate(entries)
	if err := Post(ctx, tx, charges(invoice, -left.Fees, -left.Interest, today, ""), ""); err != nil {
		return invoice, left, err
	}
	if closed, err = tx.Invoice(ctx, invoice.CreditorID, invoice.ID); err != nil {
		return invoice, left, err
	}
	closed.Closed, closed.WrittenOff, closed.KeptOpen = models.ClosedOther, left.Principal, false
	return closed, left, nil
}

// ClaimAgain has what a run has written off on a locked invoice owed again, and returns the invoice (rule L25). What was paid of it
// meanwhile pays it, so what was made of that money is taken back (rule D96). today is the date of the entries. actor is the
// person who opens it again, empty for the program.
func ClaimAgain(ctx context.Context, tx *store.Tx, invoice models.Invoice, today models.Date, actor string) (models.Invoice, error) {
	if invoice.WrittenOff == 0 {
		return invoice, nil
	}
	if err := owedAgain(ctx, tx, invoice.ID); err != nil {
		return invoice, err
	}
	if err := takeBack(ctx, tx, invoice.CreditorID, []int64{invoice.ID}, today, actor); err != nil {
		return invoice, err
	}
	return tx.Invoice(ctx, invoice.CreditorID, invoice.ID)
}

// owedAgain takes back that something is written off on a locked invoice.
func owedAgain(ctx context.Context, tx *store.Tx, invoiceID int64) error {
	if err := tx.SetWrittenOff(ctx, invoiceID, 0); err != nil {
		return err
	}
	return tx.RefreshRepayments(ctx, invoiceID)
}

// CreditWrittenOff lowers what a run has written off on a locked invoice by what a new credit note credits: that is no longer owed, so
// it need not be written off (rules L25, D21). It comes before the credit note is settled.
func CreditWrittenOff(ctx context.Context, tx *store.Tx, invoice models.Invoice, credited models.Amount) error {
	if invoice.WrittenOff == 0 {
		return nil
	}
	return tx.SetWrittenOff(ctx, invoice.ID, max(invoice.WrittenOff-credited, 0))
}

// reopenOwing opens those of a creditor's locked invoices again that a run had closed for a small remainder, and on which more is owed now:
// other money was taken back (rule L25).
func reopenOwing(ctx context.Context, tx *store.Tx, creditorID int64, invoiceIDs []int64) error {
	owing, err := tx.OwingInvoices(ctx, creditorID, invoiceIDs)
	if err != nil {
		return err
	}
	for _, i := range owing {
		if i.WrittenOff == 0 {
			continue
		}
		was := i.WrittenOff
		if err := owedAgain(ctx, tx, i.ID); err != nil {
			return err
		}
		if i, err = tx.Invoice(ctx, creditorID, i.ID); err != nil {
			return err
		}
		i.Closed = models.NotClosed
		if err := tx.UpdateInvoice(ctx, i); err != nil {
			return err
		}
		err := tx.Log(ctx, models.Event{
			CreditorID: creditorID, Type: models.EventInvoiceReopened, InvoiceID: i.ID, CustomerID: i.CustomerID, SubjectID: i.ID,
			Text:  fmt.Sprintf("Invoice %d reopened with %s owed: money was taken back, and it was closed for a small remainder", i.Number, i.Balance),
			Facts: models.Facts{"invoice_number": i.Number, "balance": i.Balance, "was": string(models.ClosedOther), "written_off": was},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

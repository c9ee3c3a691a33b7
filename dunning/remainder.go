package dunning

import (
	"context"
	"fmt"

	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// waive reverses what is left of the fees and interest on a locked invoice whose principal is paid (rule L7). Nothing is
// owed after it.
func waive(ctx context.Context, tx *store.Tx, invoice models.Invoice, today models.Date) error {
	entries, err := tx.EntriesOfInvoice(ctx, invoice.ID)
	if err != nil {
		return err
	}
	left := law.Allocate(entries)
	reversed := chargesOf(models.Notice{
		CreditorID: invoice.CreditorID, CustomerID: invoice.CustomerID, InvoiceID: invoice.ID, IssueDate: today, Fee: -left.Fees, Interest: -left.Interest,
	})
	if err := ledger.Post(ctx, tx, reversed, ""); err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: invoice.CreditorID, Type: models.EventChargesWaived, InvoiceID: invoice.ID, CustomerID: invoice.CustomerID, SubjectID: invoice.ID,
		Text:  fmt.Sprintf("Fees of %s and interest of %s waived on invoice %d, whose principal is paid", left.Fees, left.Interest, invoice.Number),
		Facts: models.Facts{"invoice_number": invoice.Number, "overdue_charge": left.Fees, "interest": left.Interest},
	})
}

// wantAddress tells a person, once, that a customer's notices wait for its address (rule L6).
func wantAddress(ctx context.Context, tx *store.Tx, customer models.Customer, today models.Date) error {
	fresh, err := tx.WantAddress(ctx, customer.CreditorID, customer.ID, today)
	if err != nil || !fresh {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: customer.CreditorID, Type: models.EventAddressWanted, CustomerID: customer.ID, SubjectID: customer.ID,
		Text: "A notice waits for the customer's address: there is no address1",
	})
}

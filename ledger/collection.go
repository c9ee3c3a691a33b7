package ledger

import (
	"context"
	"encoding/json"
	"fmt"

	"purr/models"
	"purr/store"
)

// inCollection is what the event of a payment on an invoice that went to debt collection keeps for programs.
type inCollection struct {
	HandOver int64  `json:"hand_over"` // which the collector knows the claim by
	Entry    int64  `json:"entry"`
	Amount   string `json:"amount"`  // paid; negative where a payment was taken back
	Balance  string `json:"balance"` // what is owed now
}

// tellCollector writes an event for each payment among entries that are posted, or taken away again, whose invoice
// is handed over to debt collection: the collector must hear of it. What is known of the invoices is not asked for.
func tellCollector(ctx context.Context, tx *store.Tx, entries []models.Entry, known map[int64]store.LockedInvoice, takenAway bool) error {
	paid := map[int64][]models.Entry{}
	for _, e := range entries {
		if invoice, isKnown := known[e.InvoiceID]; isKnown && invoice.HandedOver == 0 {
			continue
		}
		if e.CreditNoteID == 0 && (e.Type == models.EntryPayment || e.Type == models.EntryOCR) {
			paid[e.InvoiceID] = append(paid[e.InvoiceID], e)
		}
	}
	if len(paid) == 0 {
		return nil
	}
	invoices, err := tx.HandedOver(ctx, keys(paid))
	if err != nil {
		return err
	}
	for _, invoice := range invoices {
		h, _, err := tx.LastHandOver(ctx, invoice.ID)
		if err != nil {
			return err
		}
		for _, e := range paid[invoice.ID] {
			if takenAway {
				e.Amount = -e.Amount
			}
			if err := logInCollection(ctx, tx, invoice, h, e); err != nil {
				return err
			}
		}
	}
	return nil
}

func logInCollection(ctx context.Context, tx *store.Tx, invoice models.Invoice, h models.HandOver, e models.Entry) error {
	data, err := json.Marshal(inCollection{h.ID, e.ID, (-e.Amount).String(), invoice.Balance.String()})
	if err != nil {
		return fmt.Errorf("describe a payment on invoice %d: %w", invoice.ID, err)
	}
	what := fmt.Sprintf("%s was paid", -e.Amount)
	if e.Amount > 0 {
		what = fmt.Sprintf("%s that was paid went back", e.Amount)
	}
	return tx.Log(ctx, models.Event{
		CreditorID: e.CreditorID, Type: models.EventPaymentInCollection, InvoiceID: e.InvoiceID, CustomerID: e.CustomerID, SubjectID: e.ID,
		Text: fmt.Sprintf("%s on invoice %d, which went to debt collection on %s: %s is owed", what, invoice.Number, invoice.HandedOver, invoice.Balance),
		Data: string(data),
	})
}

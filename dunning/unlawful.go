package dunning

import (
	"context"
	"fmt"

	"purr/models"
	"purr/store"
)

// EndUnlawful ends what an audit found unlawful on an invoice (rule U6). It withdraws the notices, which are in order, with their fees and
// interest; the ladder goes on from the notice before them. handOver says that the claim must not be with the debt collector: then the hand-over
// ends, and who has or may have the bundle is told that the claim is withdrawn. It returns the changed invoice, and whether a hand-over ended.
// actor is the person who has it put right.
func EndUnlawful(
	ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, notices []models.Notice, handOver bool, actor string,
) (models.Invoice, bool, error) {
	invoice, today, err := lockInvoice(ctx, tx, c, invoiceID)
	if err != nil {
		return models.Invoice{}, false, err
	}
	had := invoice.HandedOver
	because := why{reason: "unlawful"}
	if invoice, err = withdrawEach(ctx, tx, invoice, notices, today, because); err != nil {
		return models.Invoice{}, false, err
	}
	if !handOver || invoice.HandedOver == 0 {
		return invoice, had != invoice.HandedOver, nil
	}
	if err := withdrawBundle(ctx, tx, invoice, today, because, models.BundleOwed, models.BundleDelivered); err != nil {
		return models.Invoice{}, false, err
	}
	invoice.HandedOver = 0
	text := fmt.Sprintf("Invoice %d taken back from debt collection, with %s owed: %s", invoice.Number, invoice.Balance, because.text())
	return invoice, true, act{Actor: actor, Was: "handed_over"}.onInvoice(ctx, tx, models.EventInvoiceReopened, invoice, text)
}

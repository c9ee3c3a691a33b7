package billing_test

import (
	"context"
	"errors"
	"testing"

	"purr/billing"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

var (
	day  = rows.Day
	must = testkit.Must
)

// tryCredit issues a credit note in a transaction of its own.
func tryCredit(t testing.TB, db *store.DB, c models.Creditor, invoiceID int64, cr billing.CreditNoteRequest) (note models.CreditNote, err error) {
	t.Helper()
	err = db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
		note, err = billing.IssueCreditNote(t.Context(), tx, c, invoiceID, cr)
		return err
	})
	return note, err
}

// line returns a line of an order.
func line(text, price, items string, vat models.VATName) models.Line {
	unitPrice, err := models.ParsePrice(price)
	numItems, err2 := models.ParseQuantity(items)
	if err := errors.Join(err, err2); err != nil {
		panic(err)
	}
	return models.Line{Text: text, UnitPrice: unitPrice, NumItems: numItems, VAT: vat}
}

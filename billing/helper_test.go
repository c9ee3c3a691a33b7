package billing_test

import (
	"errors"
	"strings"
	"testing"

	"purr/billing"
	"purr/models"
	"purr/store"
)

// day reads a date of a test's table.
func day(s string) models.Date {
	d, err := models.ParseDate(s)
	if err != nil {
		panic(err)
	}
	return d
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// places returns what is wrong and where, as "field code" for each fault in order, joined by "; ".
func places(err error) string {
	var faults models.Errors
	var fault *models.Error
	switch {
	case err == nil:
		return ""
	case errors.As(err, &faults):
		all := make([]string, len(faults))
		for i, f := range faults {
			all[i] = f.Field + " " + f.Code
		}
		return strings.Join(all, "; ")
	case errors.As(err, &fault):
		return strings.TrimSpace(fault.Field + " " + fault.Code)
	}
	return err.Error()
}

// tryCredit issues a credit note in a transaction of its own.
func tryCredit(t testing.TB, db *store.DB, c models.Creditor, invoiceID int64, cr billing.Credit) (note models.CreditNote, err error) {
	t.Helper()
	err = db.InTx(t.Context(), func(tx *store.Tx) error {
		note, err = billing.IssueCredit(t.Context(), tx, c, invoiceID, cr)
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

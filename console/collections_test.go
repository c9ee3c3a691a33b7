package console_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"purr/dunning"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestC3TheConsoleListsWhatTheCollectorHas enters what the collector tells of a claim, and finds it on Today, in the list and in its CSV.
func TestC3TheConsoleListsWhatTheCollectorHas(t *testing.T) {
	t.Parallel()
	b := open(t, models.ScopeWrite, nil)
	invoice := b.owing(14)
	day := (rows.Today + 30).String()
	b.on(day)
	if page := b.get("collections").is(http.StatusOK); !strings.Contains(page.body, "The debt collector has no claims.") {
		t.Errorf("the list is %s", page.body)
	}
	b.get("invoices/1/collection-report").is(http.StatusConflict)
	b.write(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.HandOverInvoice(ctx, tx, b.creditor, invoice.ID, "a test")
		return err
	})
	const path = "invoices/1/collection-report"
	b.send(b.formAt(path).typing("state", "paid", "amount", "100", "principal", "99")).is(http.StatusUnprocessableEntity)
	b.send(b.formAt(path).typing("state", "paid", "amount", "100", "reference", "K-1")).is(http.StatusSeeOther)
	b.send(b.formAt(path).typing("state", "rejected", "reason", "No address")).is(http.StatusSeeOther)
	for page, want := range map[string]string{
		"today":                              "The debt collector rejects 1 claim",
		"collections?status=rejected&open=1": "No address",
		"collections.csv?format=en":          ",1000.00,1000.00,0.00,0.00,100.00,0.00,900.00,rejected,",
		"invoices/1":                         "100,00 paid",
	} {
		if got := b.get(page).is(http.StatusOK); !strings.Contains(got.body, want) {
			t.Errorf("%s lacks %q: %s", page, want, got.body)
		}
	}
	late := b.formAt(path).typing("state", "received")
	b.write(func(ctx context.Context, tx *store.Tx) error { // somebody else is faster (rule D115)
		told := []models.CollectorTold{{Invoice: "1", State: string(models.CollectionPaid), At: day, Amount: "100.00", Reference: "K-1"}, {Invoice: "1", State: string(models.CollectionReceived), At: day, Reference: "K-2"}}
		_, err := dunning.ReportCollection(ctx, tx, b.creditor, told, "Ola")
		return err
	})
	b.send(late).is(http.StatusConflict)
	if i := b.now(invoice); i.Balance != 900_00 {
		t.Errorf("%s is owed", i.Balance)
	}
	b.get("collections?status=eaten").is(http.StatusBadRequest)
}

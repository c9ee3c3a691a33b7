package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestPaymentsInCollectionAreTold posts on an invoice that went to debt collection, and on one that did not.
func TestPaymentsInCollectionAreTold(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		ctx := t.Context()
		c := rows.Creditor(t, db)
		here, there := rows.Invoice(t, db, c, rows.Of(1000_00)), rows.Invoice(t, db, c, rows.Of(1000_00))
		there.HandedOver = rows.Today
		rows.Write(t, db, func(tx *store.Tx) error {
			must(t, tx.UpdateInvoice(ctx, there))
			return tx.CreateHandOver(ctx, &models.HandOver{CreditorID: c.ID, InvoiceID: there.ID, HandedOver: rows.Today})
		})
		entry := func(i models.Invoice, kind models.EntryType, amount models.Amount) models.Entry {
			return models.Entry{CreditorID: c.ID, CustomerID: i.CustomerID, InvoiceID: i.ID, Type: kind, Amount: amount, TransactionDate: rows.Today}
		}
		var paid models.Entry
		rows.Write(t, db, func(tx *store.Tx) (err error) {
			must(t, ledger.Post(ctx, tx, []models.Entry{ // as a bank file does
				entry(here, models.EntryOCR, -100_00), entry(there, models.EntryOCR, -100_00), entry(there, models.EntryInterest, 5_00),
			}, ""))
			paid, err = ledger.RegisterOnInvoice(ctx, tx, c.ID, there.ID, ledger.Payment{Amount: -400_00, Date: rows.Today}, rows.Today)
			return err
		})
		rows.Write(t, db, func(tx *store.Tx) error { return ledger.DeletePayment(ctx, tx, c.ID, paid.ID, rows.Today, "a test") })
		events, err := db.Events(ctx, c.ID, 0, 100)
		must(t, err)
		var told []string
		for _, e := range events {
			if e.Type == models.EventPaymentInCollection {
				told = append(told, fmt.Sprintf("%s %s", e.Text, e.Data))
			}
		}
		want := []string{
			`100.00 was paid on invoice 2, which went to debt collection on 2026-03-02: 905.00 is owed {"amount":"100.00","balance":"905.00","entry":4,"hand_over":1,"handed_over":"2026-03-02","invoice_number":2}`,
			`400.00 was paid on invoice 2, which went to debt collection on 2026-03-02: 505.00 is owed {"amount":"400.00","balance":"505.00","entry":6,"hand_over":1,"handed_over":"2026-03-02","invoice_number":2}`,
			`400.00 that was paid went back on invoice 2, which went to debt collection on 2026-03-02: 905.00 is owed ` +
				`{"amount":"-400.00","balance":"905.00","entry":6,"hand_over":1,"handed_over":"2026-03-02","invoice_number":2}`,
		}
		if fmt.Sprintf("%q", told) != fmt.Sprintf("%q", want) {
			t.Errorf("told is\n%q\nwant\n%q", told, want)
		}
	})
}

// TestC2TheCollectorHearsWhatIsReckonedAgain has money come to a claim that is handed over, of a day before its notice: the debt collector hears
// of the money, and of the charges that are reversed for it (rule L4), each with what is left.
func TestC2TheCollectorHearsWhatIsReckonedAgain(t *testing.T) {
	t.Parallel()
	const noticed = "30 March, notice, letter, 31 March, "
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		for _, tt := range []struct{ story, want string }{
			{"hand, pay 9000 of 17", "payment 9000.00 leaves 1084.03, reversal 38.47 leaves 1045.56"},
			{"hand, pay 10000 of 16", "payment 10000.00 leaves 84.03, reversal 38.00 leaves 46.03, reversal 46.03 leaves 0.00"},
			{"pay 10000 of 16", ""},
		} {
			c := rows.Creditor(t, db)
			l := newLate(t, db, c)
			l.play(noticed + tt.story)
			told, err := db.DirectEntriesBefore(t.Context(), c.ID, db.Now().AddDate(9, 0, 0))
			must(t, err)
			var said []string
			for _, d := range told {
				said = append(said, fmt.Sprintf("%s %s leaves %s", d.Kind, d.Amount, d.Balance))
			}
			if got := strings.Join(said, ", "); got != tt.want {
				t.Errorf("%s: the collector hears %q, want %q", tt.story, got, tt.want)
			}
		}
	})
}

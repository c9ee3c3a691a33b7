package billing_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"purr/billing"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestIssueTogether issues invoices of several orders in one transaction: to known and new customers, with and
// without copies, and between them orders that are refused.
func TestIssueTogether(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		kari, unmailed := rows.Customer(t, db, c), rows.Customer(t, db, c, func(c *models.Customer) { c.Recipient.Email = "" })
		fresh := models.Customer{Recipient: models.Recipient{Name1: "Ola", Address1: "Lia 2", PostalCode: "0155", PostalName: "Oslo", CountryCode: "NO"}}
		copies, nothing, toNobody, toNew, unmailable := orderTo(kari), orderTo(kari), orderTo(kari), orderTo(kari), orderTo(unmailed)
		copies.Copies = []string{"a@example.no", "b@example.no"}
		nothing.Lines = nil
		toNobody.CustomerID = 1 << 40
		toNew.CustomerID, toNew.NewCustomer = 0, &fresh
		unmailable.Method = models.ByEmail
		var issued []billing.Issued
		rows.Write(t, db, func(tx *store.Tx) (err error) {
			issued, err = billing.Issue(t.Context(), tx, c, []billing.InvoiceRequest{orderTo(kari), nothing, copies, toNobody, toNew, unmailable, toNew})
			return err
		})
		for i, want := range []struct {
			number    int64
			kid       string
			shipments int
			fault     string
		}{
			{1, models.NewKID("000000001", models.Modulus10), 1, ""},
			{fault: "lines required"},
			{2, models.NewKID("000000002", models.Modulus10), 3, ""},
			{fault: "recipient not_found"},
			{3, models.NewKID("000000003", models.Modulus10), 1, ""},
			{fault: "recipient email_required"},
			{4, models.NewKID("000000004", models.Modulus10), 1, ""},
		} {
			got := issued[i]
			if got.Invoice.Number != want.number || got.Invoice.KID != want.kid || len(got.Shipments) != want.shipments || rows.Faults(got.Err) != want.fault {
				t.Errorf("order %d became number %d with KID %s and %d shipments, %v, want %+v", i, got.Invoice.Number, got.Invoice.KID, len(got.Shipments), got.Err, want)
			}
			if want.fault != "" {
				continue
			}
			kept, err := db.Invoice(t.Context(), c.ID, got.Invoice.ID)
			must(t, err)
			entries, err := db.EntriesOfInvoice(t.Context(), kept.ID)
			must(t, err)
			shipments, err := db.ShipmentsOf(t.Context(), kept.Document())
			must(t, err)
			if kept.Number != want.number || len(entries) != 1 || entries[0].ID != got.Entry.ID || len(shipments) != want.shipments || shipments[0].ID != got.Shipments[0].ID {
				t.Errorf("order %d is kept as %+v with %+v and %+v, but came back as %+v", i, kept, entries, shipments, got)
			}
		}
		if first, second := issued[4].Invoice.CustomerID, issued[6].Invoice.CustomerID; first == second || first == 0 {
			t.Errorf("two inline recipients became the customers %d and %d", first, second)
		}
		if differences, err := ledger.Verify(t.Context(), db, c); err != nil || len(differences) > 0 {
			t.Errorf("the books are not right: %v, %v", differences, err)
		}
	})
}

// TestTakenKIDsAmongSeveralD20 gives one of the KIDs of several invoices to another document. Together the
// invoices are refused; one by one they are issued without a gap. The numbers fill their KIDs: only such a KID can be taken.
func TestTakenKIDsAmongSeveralD20(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db, agreed(10, models.Modulus10, 500_000_001))
		order := orderTo(rows.Customer(t, db, c))
		take(t, db, c, models.NewKID("500000002", models.Modulus10))
		issue := func(ctx context.Context, tx *store.Tx, orders []billing.InvoiceRequest) error {
			_, err := billing.Issue(ctx, tx, c, orders)
			if len(orders) > 1 && !errors.Is(err, store.ErrDuplicate) {
				t.Errorf("%d at once: %v", len(orders), err)
			}
			return err
		}
		if err := db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
			return issue(t.Context(), tx, []billing.InvoiceRequest{order, order})
		}); err == nil {
			t.Error("two were issued with a KID that is taken")
		}
		group := store.NewGroup(db, 3, issue)
		var asking sync.WaitGroup
		for range 3 {
			asking.Go(func() {
				if err := group.Do(t.Context(), c.ID, order); err != nil {
					t.Error(err)
				}
			})
		}
		asking.Wait()
		want := []string{models.NewKID("500000001", models.Modulus10), models.NewKID("600000002", models.Modulus10), models.NewKID("500000003", models.Modulus10)}
		sent, err := db.ReferencesOf(t.Context(), c.ID, want)
		must(t, err)
		for i, kid := range want {
			if invoice, err := db.Invoice(t.Context(), c.ID, sent[kid].InvoiceID); err != nil || invoice.Number != c.FirstNumber+int64(i) {
				t.Errorf("%s is of invoice %d, %v, want %d", kid, invoice.Number, err, c.FirstNumber+int64(i))
			}
		}
	})
}

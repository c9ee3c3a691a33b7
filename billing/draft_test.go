package billing_test

import (
	"reflect"
	"testing"

	"purr/billing"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestADraftIsTheInvoiceThatIsIssued drafts invoices and then issues them. Until then nothing is written, and a refusal is the same.
func TestADraftIsTheInvoiceThatIsIssued(t *testing.T) {
	t.Parallel()
	fresh := models.Customer{
		Recipient: models.Recipient{Name1: "Ola", Address1: "Lia 2", PostalCode: "0155", PostalName: "Oslo", CountryCode: "NO"}, Language: "en",
	}
	tests := []struct {
		change func(*billing.InvoiceRequest)
		fault  string
		why    string
	}{
		{func(*billing.InvoiceRequest) {}, "", "to a known customer"},
		{func(o *billing.InvoiceRequest) { o.CustomerID, o.NewCustomer = 0, &fresh }, "", "to a new one"},
		{func(o *billing.InvoiceRequest) { o.Copies = []string{"a@example.no", "b@example.no"} }, "", "with copies"},
		{func(o *billing.InvoiceRequest) { o.Lines = nil }, "lines required", "of nothing"},
		{func(o *billing.InvoiceRequest) { o.Lines[0].UnitPrice = 1 << 60 }, "lines/line[1] amount_too_large", "of too much"},
		{func(o *billing.InvoiceRequest) { o.CustomerID = 1 << 40 }, "recipient not_found", "to nobody"},
		{func(o *billing.InvoiceRequest) { o.Method = models.ByEHF }, "recipient organisation_number_required; your_reference reference_required", "by a way that the customer lacks"},
		{
			func(o *billing.InvoiceRequest) {
				o.Accept = func(billing.Draft) error { return models.Conflict("unwanted", "is not wanted") }
			}, "unwanted", "that its caller refuses",
		},
	}
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		to := rows.Customer(t, db, c)
		for _, tt := range tests {
			o := orderTo(to)
			tt.change(&o)
			before := counts(t, db, c)
			draft, err := billing.DraftInvoice(t.Context(), db, c, o, rows.Start)
			if after := counts(t, db, c); rows.Faults(err) != tt.fault || after != before {
				t.Errorf("%s: the draft fails with %v, want %q, and leaves %v rows of %v", tt.why, err, tt.fault, after, before)
			}
			var issued []billing.Issued
			rows.Write(t, db, func(tx *store.Tx) (err error) {
				issued, err = billing.Issue(t.Context(), tx, c, []billing.InvoiceRequest{o})
				return err
			})
			if got := issued[0]; rows.Faults(got.Err) != tt.fault {
				t.Errorf("%s: it is refused with %v, want %q", tt.why, got.Err, tt.fault)
			} else if tt.fault == "" {
				compare(t, tt.why, draft, got.Draft)
			}
		}
	})
}

// compare holds that an invoice was issued as it was drafted, but for what only issuing gives.
func compare(t *testing.T, why string, draft, issued billing.Draft) {
	t.Helper()
	want, got := draft.Invoice, issued.Invoice
	got.ID, got.Number, got.KID, got.BankAccount, got.SellerID, got.CreatedAt, got.Search = 0, 0, "", "", 0, want.CreatedAt, ""
	if want.CustomerID == 0 {
		got.CustomerID = 0
	}
	if !reflect.DeepEqual(want, got) || want.Language == "" || len(draft.Shipments) != len(issued.Shipments) {
		t.Errorf("%s: drafted\n%+v, issued\n%+v", why, want, got)
	}
	for i, l := range draft.Lines {
		if is := issued.Lines[i]; l.Position != is.Position || l.Gross != is.Gross || l.VATPercent != is.VATPercent {
			t.Errorf("%s: line %d is %+v, issued %+v", why, i+1, l, is)
		}
	}
	for i, s := range draft.Shipments {
		if is := issued.Shipments[i]; s.Method != is.Method || s.Recipient != is.Recipient || s.Role() != is.Role() {
			t.Errorf("%s: shipment %d is %+v, issued %+v", why, i+1, s, is)
		}
	}
}

// counts returns how many customers and invoices a creditor has.
func counts(t *testing.T, db *store.DB, c models.Creditor) [2]int64 {
	t.Helper()
	_, customers, err := db.Customers(t.Context(), c.ID, "", store.Page{Number: 1, Size: 1})
	must(t, err)
	invoices, err := db.CountInvoices(t.Context(), c.ID, store.InvoiceFilter{})
	must(t, err)
	return [2]int64{customers, invoices}
}

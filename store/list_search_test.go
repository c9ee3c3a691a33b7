package store_test

import (
	"cmp"
	"strings"
	"testing"
	"time"

	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// found joins the results of a search.
func found[T any](t *testing.T, name func(T) string, items []T, total int64, err error) string {
	t.Helper()
	must(t, err)
	var names []string
	for _, item := range items {
		names = append(names, name(item))
	}
	if total != int64(len(items)) {
		t.Errorf("%d are found, of %d in all", len(items), total)
	}
	return strings.Join(names, ", ")
}

func TestSearchDocumentsD19(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		names := map[int64]string{} // by the invoice's ID
		rows.Write(t, db, func(tx *store.Tx) error {
			for _, r := range []models.Recipient{ // invoices 1, 3, 5 … and credit notes 2, 4, 6 …
				{Name1: "Åse Øygård", Name2: "Ærlig & Co"},
				{Name1: "Ola Nordmann", Name2: "c/o Kari"},
				{Name1: "Huset 12 AS"},
				{Name1: `100 % katt\hund`},
				{Name1: "A_B! Import"},
				{Name1: "Straße & Søn"},
				{Name1: "axb"},
			} {
				i := models.Invoice{Recipient: r}
				if err := addInvoice(t, tx, c, &i); err != nil {
					return err
				}
				names[i.ID] = r.Name1
				if err := addCreditNote(t, tx, c, &models.CreditNote{Recipient: r}); err != nil {
					return err
				}
			}
			return nil
		})
		tests := []struct {
			search, invoices string
			notes            string // only if it differs
			why              string
		}{
			{search: "åse", invoices: "Åse Øygård", why: "the beginning of a name in other letters"},
			{search: "ØYG", invoices: "Åse Øygård", why: "a part within"},
			{search: "Ygård", invoices: "Åse Øygård", why: "å is found"},
			{search: "gard", why: "a is not å"},
			{search: "ærlig & c", invoices: "Åse Øygård", why: "the second name"},
			{search: "kari", invoices: "Ola Nordmann", why: "the end of the second name"},
			{search: "nordmann c/o", why: "not across the two names"},
			{search: "%", invoices: `100 % katt\hund`, why: "a percent sign is itself"},
			{search: "a_b", invoices: "A_B! Import", why: "an underscore is itself"},
			{search: "b! i", invoices: "A_B! Import", why: "an exclamation mark is itself"},
			{search: `katt\h`, invoices: `100 % katt\hund`, why: "a backslash is itself"},
			{search: "STRAẞE", invoices: "Straße & Søn", why: "any capital"},
			{search: "straße", invoices: "Straße & Søn", why: "any letter"},
			{search: "'; DROP TABLE invoices; --", why: "no statement"},
			{search: "\x00", why: "a null character"},
			{search: "\xff", why: "no text at all"},
			{search: strings.Repeat("a", 60_000), why: "longer than any name"},
			{search: "9", invoices: "A_B! Import", notes: "none", why: "a number is exact: not those with a 9 in them"},
			{search: "10", invoices: `100 % katt\hund`, notes: `100 % katt\hund, A_B! Import`, why: "another's number, or a part of a name"},
			{search: "12", invoices: "Huset 12 AS", notes: "Huset 12 AS, Straße & Søn", why: "a number or a name"},
			{search: "+9", why: "no number"},
			{search: "-9", why: "no number either"},
			{search: "99999999999999999999", why: "more than a number holds"},
		}
		for n, tt := range append(tests, tests...) {
			if n == len(tests) { // once more, of texts that are kept together
				rows.Write(t, db, func(tx *store.Tx) error {
					tonight := *tx
					tonight.Now = tx.Now.Add(12 * time.Hour)
					return tonight.CountLists(t.Context(), c.ID)
				})
			}
			t.Run(tt.why, func(t *testing.T) {
				is, total, err := db.Invoices(t.Context(), c.ID, store.InvoiceFilter{Search: tt.search}, everything)
				if got := found(t, func(i models.InvoiceSummary) string { return names[i.ID] }, is, total, err); got != tt.invoices {
					t.Errorf("invoices: %.40q finds %q, want %q", tt.search, got, tt.invoices)
				}
				ns, total, err := db.CreditNotes(t.Context(), c.ID, store.CreditNoteFilter{Search: tt.search}, everything)
				want := strings.TrimPrefix(cmp.Or(tt.notes, tt.invoices), "none")
				if got := found(t, func(n models.CreditNote) string { return n.Recipient.Name1 }, ns, total, err); got != want {
					t.Errorf("credit notes: %.40q finds %q, want %q", tt.search, got, want)
				}
			})
		}
	})
}

func TestSearchCustomersD19(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		c := rows.Creditor(t, db)
		for _, r := range []models.Recipient{
			{Name1: "Åse Øygård", Email: "Aase@Example.NO", CustomerNumber: "K-17"},
			{Name1: "Ola Nordmann", Name2: "Nordmanns Ænder", Email: "ola_n@example.no", Address1: "Storgata 17"},
			{Name1: "Huset 17 AS"},
		} {
			rows.Customer(t, db, c, func(customer *models.Customer) { customer.Recipient = r })
		}
		tests := []struct{ search, want, why string }{
			{"", "Åse Øygård, Ola Nordmann, Huset 17 AS", "nothing finds all"},
			{"ÅSE", "Åse Øygård", "the name"},
			{"ænder", "Ola Nordmann", "the second name"},
			{"example.no", "Åse Øygård, Ola Nordmann", "the e-mail address"},
			{"a_n@", "Ola Nordmann", "an underscore in it is itself"},
			{"17", "Huset 17 AS", "not the customer number, nor the address"},
		}
		for _, tt := range tests {
			t.Run(tt.why, func(t *testing.T) {
				cs, total, err := db.Customers(t.Context(), c.ID, tt.search, everything)
				if got := found(t, func(c models.Customer) string { return c.Recipient.Name1 }, cs, total, err); got != tt.want {
					t.Errorf("%q finds %q, want %q", tt.search, got, tt.want)
				}
			})
		}
		all, _, err := db.Customers(t.Context(), c.ID, "ola", everything)
		must(t, err)
		all[0].Recipient.Name1 = "Per Hansen"
		rows.Write(t, db, func(tx *store.Tx) error { return tx.UpdateCustomer(t.Context(), &all[0]) })
		for search, want := range map[string]int64{"ola nordmann": 0, "per h": 1} {
			if _, total, err := db.Customers(t.Context(), c.ID, search, everything); err != nil || total != want {
				t.Errorf("after a change of name %q finds %d, %v, want %d", search, total, err, want)
			}
		}
	})
}

package documents

import (
	"sync"
	"testing"

	"purr/billing"
	"purr/models"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit/rows"
)

// TestD111OneEventTellsOfTheSignsOfADocument draws documents several times at once, with emoji and without.
func TestD111OneEventTellsOfTheSignsOfADocument(t *testing.T) {
	t.Parallel()
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		kept, err := archive.Open(t.TempDir())
		must(t, err)
		made, c := New(db, kept), rows.Creditor(t, db)
		customer := rows.Customer(t, db, c, func(c *models.Customer) { c.Recipient.Name2 = "🐈 Nguyễn 日本" })
		merry := rows.Invoice(t, db, c, rows.To(customer), func(o *billing.InvoiceRequest) { o.Lines[0].Text, o.Note = "Kake 🎂", "Takk 🎂!" })
		for _, d := range []models.Document{merry.Document(), rows.CreditNote(t, db, c, merry).Document(), rows.Invoice(t, db, c).Document()} {
			var callers sync.WaitGroup
			for range 3 {
				callers.Go(func() {
					if _, err := made.PDF(t.Context(), c.ID, d); err != nil {
						t.Error(err)
					}
				})
			}
			callers.Wait()
		}
		must(t, db.NumberEvents(t.Context()))
		events, err := db.NewestEvents(t.Context(), c.ID, store.EventFilter{Type: models.EventSignsLeftOut}, 0, 100)
		must(t, err)
		var told []string
		for _, e := range events {
			told = append(told, e.Text)
		}
		if len(told) != 2 || told[1] != "Invoice 1 is printed without what its fonts lack: 🎂 🐈 日 本" || told[0] != "Credit note 2 is printed without what its fonts lack: 🎂 🐈 日 本" {
			t.Errorf("the events are %q", told)
		}
		if i, err := db.Invoice(t.Context(), c.ID, merry.ID); err != nil || i.Recipient.Name2 != "🐈 Nguyễn 日本" || i.Note != "Takk 🎂!" {
			t.Errorf("the invoice is kept as %+v, %v", i, err)
		}
	})
}

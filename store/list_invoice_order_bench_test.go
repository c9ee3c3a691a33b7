package store_test

import (
	"slices"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/models"
	"purr/store"
	"purr/test/testkit/bench"
)

// BenchmarkOrderedInvoices reads the first and a later part of the lists of a creditor with 1 000 000 invoices that a person
// reads, on MySQL (or MariaDB), with their counts. It prints the median of 20 calls.
func BenchmarkOrderedInvoices(b *testing.B) {
	db := bench.MySQL(b)
	today := models.DateOf(clock.System{}.Now())
	creditor := bench.Crowd{Customers: 300_000, Invoices: 1_000_000}.Fill(b, db, today)
	overdue, _ := models.ParseStatuses([]string{"overdue"})
	for _, l := range []struct {
		name  string
		f     store.InvoiceFilter
		order store.InvoiceOrder
	}{
		{"newest", store.InvoiceFilter{}, store.NewestFirst},
		{"largest", store.InvoiceFilter{}, store.LargestFirst},
		{"longest due", store.InvoiceFilter{}, store.LongestDueFirst},
		{"overdue, newest", store.InvoiceFilter{Statuses: overdue}, store.NewestFirst},
		{"overdue, largest", store.InvoiceFilter{Statuses: overdue}, store.LargestFirst},
		{"overdue, longest due", store.InvoiceFilter{Statuses: overdue}, store.LongestDueFirst},
		{"lost, newest", store.InvoiceFilter{Statuses: []models.Status{models.StatusClosedLost}}, store.NewestFirst},
		{"paid, newest", store.InvoiceFilter{Statuses: []models.Status{models.InvoicePaid}}, store.NewestFirst},
		{"paid, largest", store.InvoiceFilter{Statuses: []models.Status{models.InvoicePaid}}, store.LargestFirst},
		{"a day, largest", store.InvoiceFilter{Issued: store.Dates{From: today - 300, To: today - 300}}, store.LargestFirst},
		{"a name, newest", store.InvoiceFilter{Search: "solberg", Wide: true}, store.NewestFirst},
		{"a name, largest", store.InvoiceFilter{Search: "solberg", Wide: true}, store.LargestFirst},
		{"a number", store.InvoiceFilter{Search: "765432", Wide: true}, store.NewestFirst},
		{"an amount", store.InvoiceFilter{Search: "1 250,00", Wide: true}, store.NewestFirst},
	} {
		b.Run(l.name, func(b *testing.B) {
			l.f.Today = today
			var took []time.Duration
			for b.Loop() {
				took = nil
				for range 20 {
					begun := clock.System{}.Now()
					page, _, err := db.Store.OrderedInvoices(b.Context(), creditor.ID, l.f, l.order, store.InvoiceMark{}, 50)
					if err == nil && len(page) > 0 {
						_, _, err = db.Store.OrderedInvoices(b.Context(), creditor.ID, l.f, l.order, l.order.Mark(page[len(page)-1]), 50)
					}
					if err != nil {
						b.Fatal(err)
					}
					took = append(took, clock.System{}.Now().Sub(begun)/2)
				}
			}
			slices.Sort(took)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(took[len(took)/2].Seconds()*1000, "ms-median")
		})
	}
}

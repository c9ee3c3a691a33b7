package unmatched

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"purr/internal/clock"
	"purr/models"
	"purr/store"
	"purr/test/testkit/bench"
	"purr/test/testkit/rows"
)

// BenchmarkLikelyPayers finds whom the payments of a day's file of 2 000 lines without KID point at, for a creditor with 1 000 000 invoices
// and 300 000 customers, on MySQL (or MariaDB): with names that one customer has, and with names that some 1 300 have (rule N1). Beside
// stands the limit: reading as many customers by their ID.
func BenchmarkLikelyPayers(b *testing.B) {
	const lines = 2000
	db := bench.MySQL(b)
	creditor := bench.Crowd{Customers: 300_000, Invoices: 1_000_000}.Fill(b, db, models.DateOf(clock.System{}.Now()))
	if _, err := db.Store.Migrate(b.Context()); err != nil { // which gives the customers their words
		b.Fatal(err)
	}
	customers, err := db.Store.CustomersByID(b.Context(), creditor.ID, everyHundredth(lines))
	if err != nil {
		b.Fatal(err)
	}
	for _, names := range []struct {
		of    string
		named func(n int) string
	}{
		{"names of one customer", func(n int) string { return customers[int64(n+1)*100].Recipient.Name1 }},
		{"names of many customers", func(n int) string { return customers[int64(n+1)*100].Recipient.Name1[:strings.LastIndexByte(customers[int64(n+1)*100].Recipient.Name1, 32)] }},
		{"names of nobody", func(n int) string { return fmt.Sprintf("Wenche Utterfors-%d", n) }},
	} {
		b.Run(names.of, func(b *testing.B) {
			key := 0
			for b.Loop() {
				b.StopTimer()
				queue := make([]models.UnmatchedPayment, lines)
				for n := range queue {
					key++
					line := make([]byte, 32)
					binary.BigEndian.PutUint32(line, uint32(key))
					copy(line[8:], names.of)
					queue[n] = models.UnmatchedPayment{
						CreditorID: creditor.ID, LineKey: line, Amount: 1250_00, PayerName: names.named(n), Status: models.PaymentOpen, Reason: models.ReasonNoKID,
						TransactionDate: models.DateOf(clock.System{}.Now()),
					}
				}
				rows.Write(b, db.Store, func(tx *store.Tx) error { return tx.CreateUnmatchedPayments(b.Context(), queue) })
				b.StartTimer()
				if err := FindLikelyPayers(b.Context(), db.Store, creditor); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/lines, "µs/payment")
			var asked store.Queries
			err := db.Store.View(b.Context(), func(v store.View) error {
				page, err := v.PaymentsToMatch(b.Context(), creditor.ID, 0, pageSize)
				if err != nil {
					return err
				}
				_, err = SuggestEach(asked.Counting(b.Context()), v, creditor, page)
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(asked.Count()), "questions/500")
			b.ReportMetric(0, "ns/op")
		})
	}
	b.Run("limit, customers by ID", func(b *testing.B) {
		for b.Loop() {
			if _, err := db.Store.CustomersByID(b.Context(), creditor.ID, everyHundredth(lines)); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/lines, "µs/payment")
	})
}

// everyHundredth returns the IDs of customers whose names are theirs alone.
func everyHundredth(n int) []int64 {
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = int64(i+1) * 100
	}
	return ids
}

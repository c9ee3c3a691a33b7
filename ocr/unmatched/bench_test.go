package unmatched

import (
	"encoding/binary"
	"fmt"
	"testing"

	"purr/internal/clock"
	"purr/models"
	"purr/store"
	"purr/test/testkit/bench"
	"purr/test/testkit/rows"
)

// BenchmarkLikelyPayers finds whom the payments of a day's file of 2 000 lines without KID point at, for a creditor with 1 000 000 invoices
// and 300 000 customers (rule N1): with names as people have them, with those that one customer has, and, as no creditor has it, with the name
// that most customers have. Beside stands the limit: reading as many customers by their ID.
func BenchmarkLikelyPayers(b *testing.B) {
	bench.EachDatabase(b, benchmarkLikelyPayers)
}

func benchmarkLikelyPayers(b *testing.B, db bench.Database) {
	const lines = 2000
	creditor := bench.Crowd{Customers: 300_000, Invoices: 1_000_000}.Fill(b, db, models.DateOf(clock.System{}.Now()))
	if _, err := db.Store.Migrate(b.Context()); err != nil { // which gives the customers their words
		b.Fatal(err)
	}
	customers, err := db.Store.CustomersByID(b.Context(), creditor.ID, append(every(100, lines), every(149, lines)...))
	if err != nil {
		b.Fatal(err)
	}
	var commonest string
	const ofMost = "SELECT name1 FROM customers GROUP BY name1 ORDER BY COUNT(*) DESC, name1 LIMIT 1"
	if err := db.Bare.QueryRowContext(b.Context(), ofMost).Scan(&commonest); err != nil {
		b.Fatal(err)
	}
	for _, names := range []struct {
		of    string
		named func(n int) string
	}{
		{"names of people", func(n int) string { return customers[int64(n+1)*149].Recipient.Name1 }},
		{"names of one customer", func(n int) string { return customers[int64(n+1)*100].Recipient.Name1 }},
		{"the commonest name", func(int) string { return commonest }},
		{"names of nobody", func(n int) string { return fmt.Sprintf("Wenche Utterfors-%d", n) }},
	} {
		b.Run(names.of, func(b *testing.B) {
			var spent bench.Rate
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
				spent.Time(lines, func() {
					if err := FindLikelyPayers(b.Context(), db.Store, creditor); err != nil {
						b.Fatal(err)
					}
				})
			}
			b.ReportMetric(lines/spent.PerSecond(), "s/file")
			spent.ReportCPU(b, "payment")
			asked := &store.Queries{}
			pointed := 0
			err := db.Store.View(b.Context(), func(v store.View) error {
				page, err := v.PaymentsToMatch(b.Context(), creditor.ID, 0, pageSize)
				if err != nil {
					return err
				}
				at, err := pointing(asked.Counting(b.Context()), v, creditor, page)
				for _, customers := range at {
					pointed += len(customers)
				}
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(asked.Count()), "questions/500")
			b.ReportMetric(float64(pointed)/pageSize, "customers/payment")
			b.ReportMetric(0, "ns/op")
			if _, err := db.Bare.ExecContext(b.Context(), "DELETE FROM unmatched_payments"); err != nil {
				b.Fatal(err)
			}
		})
	}
	b.Run("limit, customers by ID", func(b *testing.B) {
		for b.Loop() {
			if _, err := db.Store.CustomersByID(b.Context(), creditor.ID, every(100, lines)); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/lines, "µs/payment")
	})
}

// every returns the IDs of customers that are so far apart. The name of each hundredth is his alone.
func every(apart, n int) []int64 {
	ids := make([]int64, n)
	for i := range ids {
		ids[i] = int64((i + 1) * apart)
	}
	return ids
}

package api_test

import (
	"net/url"
	"testing"

	"purr/internal/clock"
	"purr/models"
	"purr/test/testkit/bench"
)

// BenchmarkSearch searches as a creditor with 1 000 000 invoices and 300 000 customers, beside ten others, on MySQL (or MariaDB), over
// HTTP (rule N3). It prints the median of 100 calls and, with -v or in the end, the plans of the queries behind them.
func BenchmarkSearch(b *testing.B) {
	db := bench.MySQL(b)
	creditor := bench.Crowd{Customers: 300_000, Invoices: 1_000_000, Others: 10, OthersOfEach: 20_000}.Fill(b, db, models.DateOf(clock.System{}.Now()))
	if _, err := db.Store.Migrate(b.Context()); err != nil { // which gives the customers their words
		b.Fatal(err)
	}
	base, key := serveBench(b, db.Store, creditor)
	for _, typed := range []string{
		"765432", "0000765432", "faktura 765432", "1250", "1 250,00", "K-4711", "kunde4711@", "12345678903",
		"kari", "hansen", "kari hansen", "han kar oslo", "hansen 300", "k h", "solberk", "kari hansne", "kari solbrg osl", "oslo", "abcdefgh ijklmnop",
	} {
		b.Run(typed, func(b *testing.B) {
			call := func() { getList(b, base+"/search?q="+url.QueryEscape(typed), key) }
			for b.Loop() {
				b.ReportMetric(medianOf(listCalls, call).Seconds()*1000, "ms-median")
			}
			b.ReportMetric(0, "ns/op")
			for _, line := range bench.Plans(b, db.Bare, call) {
				b.Log(line)
			}
		})
	}
}

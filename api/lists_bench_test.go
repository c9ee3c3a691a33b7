package api_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"purr/api"
	"purr/documents"
	"purr/internal/clock"
	"purr/models"
	"purr/ocr"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit/bench"
)

// listCalls is how often each list is asked for.
const listCalls = 100

// BenchmarkLists asks for lists of a creditor with 1 000 000 invoices, 300 000 customers and 1 900 000
// transactions, beside ten others, on MySQL (or MariaDB), over HTTP with 100 items a page. It prints the median
// of 100 calls and, with -v or in the end, the plans of the queries behind them.
func BenchmarkLists(b *testing.B) {
	db := bench.MySQL(b)
	now := clock.System{}.Now()
	creditor := bench.Crowd{Customers: 300_000, Invoices: 1_000_000, Others: 10, OthersOfEach: 20_000}.Fill(b, db, models.DateOf(now))
	base, key := serveBench(b, db.Store, creditor)
	firsts := map[string]time.Duration{}
	lastYear := models.DateOf(now).String()[:4]
	for _, l := range []struct{ name, path, first string }{
		{"invoices", "/invoices", ""},
		{"invoices, page 1000", "/invoices?page=1000", "invoices"},
		{"invoices, sent", "/invoices?status=invoice_sent", ""},
		{"invoices, overdue", "/invoices?status=overdue", ""},
		{"invoices, overdue, page 500", "/invoices?status=overdue&page=500", "invoices, overdue"},
		{"invoices, waiting", "/invoices?status=waiting", ""},
		{"invoices, chargeable", "/invoices?status=invoice_overdue_chargeable", ""},
		{"invoices, collection", "/invoices?status=debt_collection", ""},
		{"invoices, lost", "/invoices?status=closed_lost", ""},
		{"invoices, paid", "/invoices?status=invoice_paid", ""},
		{"invoices, paid, page 1000", "/invoices?status=invoice_paid&page=1000", "invoices, paid"},
		{"invoices, paid or sent", "/invoices?status=invoice_paid%7Cinvoice_sent", ""},
		{"invoices, this year", "/invoices?from_date=" + lastYear + "-01-01", ""},
		{"invoices, a day", "/invoices?from_date=" + (models.DateOf(now) - 300).String() + "&to_date=" + (models.DateOf(now) - 300).String(), ""},
		{"invoices, overdue, this year", "/invoices?status=overdue&from_date=" + lastYear + "-01-01", ""},
		{"invoices, a number", "/invoices?search=765432", ""},
		{"invoices, a name", "/invoices?search=hansen", ""},
		{"invoices, a rare name", "/invoices?search=hansen+300", ""},
		{"invoices, en", "/invoices?search=en", ""},
		{"customers", "/customers", ""},
		{"customers, page 1000", "/customers?page=1000", "customers"},
		{"customers, a name", "/customers?search=hansen", ""},
		{"customers, an address", "/customers?search=kunde4711@", ""},
		{"a customer's invoices", "/customer/4711/invoices", ""},
		{"receivables", "/receivables", ""},
		{"receivables, page 100", "/receivables?page=100", "receivables"},
		{"receivables, a month ago", "/receivables?date=" + (models.DateOf(now) - 30).String(), ""},
		{"a customer's statement", "/customer/4711/statement", ""},
		{"transactions", "/ar_transactions", ""},
		{"transactions, page 1000", "/ar_transactions?page=1000", "transactions"},
		{"transactions, OCR", "/ar_transactions?transaction_type=OCR", ""},
		{"transactions, this year", "/ar_transactions?from_date=" + lastYear + "-01-01", ""},
	} {
		b.Run(l.name, func(b *testing.B) {
			var median time.Duration
			call := func() { getList(b, base+l.path, key) }
			for b.Loop() {
				median = medianOf(listCalls, call)
			}
			firsts[l.name] = median
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(median.Seconds()*1000, "ms-median")
			if first, known := firsts[l.first]; known {
				b.ReportMetric(float64(median)/float64(first), "of-page-1")
			}
			for _, line := range bench.Plans(b, db.Bare, call) {
				b.Log(line)
			}
		})
	}
}

// medianOf returns the median of how long calls take.
func medianOf(calls int, call func()) time.Duration {
	took := make([]time.Duration, calls)
	for i := range took {
		begin := clock.System{}.Now()
		call()
		took[i] = clock.System{}.Now().Sub(begin)
	}
	slices.Sort(took)
	return took[calls/2]
}

// serveBench serves the interface on a real listener, and returns its base and a key of the creditor.
func serveBench(b *testing.B, db *store.DB, creditor models.Creditor) (base, key string) {
	b.Helper()
	kept, err := archive.Open(b.TempDir())
	must(b, err)
	log := slog.New(slog.DiscardHandler)
	server := api.New(api.Config{
		DB: db, Documents: documents.New(db, kept), Importer: ocr.NewImporter(db, kept, log), Queue: &hints{}, Clock: clock.System{}, Log: log,
	})
	listener := httptest.NewServer(server)
	b.Cleanup(func() {
		listener.Close()
		must(b, server.Close())
	})
	key = "bench"
	must(b, db.InTx(b.Context(), func(_ context.Context, tx *store.Tx) error {
		return tx.CreateKey(b.Context(), &models.Key{CreditorID: creditor.ID, Name: key, Scope: models.ScopeWrite, Hash: models.HashKey(key)})
	}))
	return listener.URL + "/api/v1", key
}

func getList(b *testing.B, url, key string) {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, url, nil)
	must(b, err)
	r.Header.Set("Authorization", "Bearer "+key)
	a, err := http.DefaultClient.Do(r)
	must(b, err)
	_, err = io.Copy(io.Discard, a.Body)
	must(b, err)
	must(b, a.Body.Close())
	if a.StatusCode != http.StatusOK {
		b.Fatal(fmt.Errorf("%s answers %s", url, a.Status))
	}
}

package api_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"purr/internal/clock"
	"purr/store"
	"purr/test/testkit/bench"
	"purr/test/testkit/rows"
)

// formRounds is how many requests of one form are made before those of the other follow.
const formRounds = 100

// BenchmarkForms asks for an invoice, for a list of a hundred and for a new invoice, in XML and in JSON in turn, on MySQL (or MariaDB),
// one after the other. The limit of JSON is XML in the same run: it prints what the processor works for one request of each, the
// client's part included, and how they compare.
func BenchmarkForms(b *testing.B) {
	db := bench.MySQL(b)
	creditor := rows.Creditor(b, db.Store)
	customer := rows.Customer(b, db.Store, creditor)
	ids := fillLoad(b, db.Store.WithClock(clock.NewTest(clock.System{}.Now().AddDate(0, 0, -1))), creditor, customer)
	rows.Write(b, db.Store, func(tx *store.Tx) error { return tx.CountLists(b.Context(), creditor.ID) })
	base, key := serveBench(b, db.Store, creditor)
	ask := func(b *testing.B, method, path, media, body string) {
		b.Helper()
		r, err := http.NewRequestWithContext(b.Context(), method, base+path, strings.NewReader(body))
		must(b, err)
		r.Header.Set("Authorization", "Bearer "+key)
		r.Header.Set("Accept", media)
		if body != "" {
			r.Header.Set("Content-Type", media)
		}
		a, err := http.DefaultClient.Do(r)
		must(b, err)
		answer, err := io.ReadAll(a.Body)
		must(b, err)
		must(b, a.Body.Close())
		if a.StatusCode/100 != 2 || !strings.HasPrefix(a.Header.Get("Content-Type"), media) {
			b.Fatalf("%s %s answers %s: %s", method, path, a.Status, answer)
		}
	}
	const order = `{"num_due_days":14,"recipient":{"uri":"/api/v1/customer/%d"},"lines":[` +
		`{"line_text":"Membership","unit_price":"500.00","num_items":"1","vat_rate":"NONE"},` +
		`{"line_text":"Magazine","unit_price":"80.00","num_items":"2","vat_rate":"HIGH"}],` +
		`"shipments":[{"type":"original","shipment_method":"EMAIL"}]}`
	for _, test := range []struct {
		name, method string
		path         func(n int) string
		xml, json    string
	}{
		{"detail", http.MethodGet, func(n int) string { return fmt.Sprintf("/invoice/%d", ids[n*7919%len(ids)]) }, "", ""},
		{"list", http.MethodGet, func(n int) string { return fmt.Sprintf("/invoices?page=%d", 1+n%(loadInvoices/100)) }, "", ""},
		{"post", http.MethodPost, func(int) string { return "/invoices" }, fmt.Sprintf(loadOrder, customer.ID), fmt.Sprintf(order, customer.ID)},
	} {
		b.Run(test.name, func(b *testing.B) {
			var xml, json bench.Rate
			n := 0
			for b.Loop() {
				xml.Time(formRounds, func() {
					for i := range formRounds {
						ask(b, test.method, test.path(n+i), "application/xml", test.xml)
					}
				})
				json.Time(formRounds, func() {
					for i := range formRounds {
						ask(b, test.method, test.path(n+i), "application/json", test.json)
					}
				})
				n += formRounds
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(xml.CPU().Microseconds()), "cpu-µs/xml")
			b.ReportMetric(float64(json.CPU().Microseconds()), "cpu-µs/json")
			b.ReportMetric(float64(json.CPU())/float64(xml.CPU()), "of-xml")
		})
	}
}

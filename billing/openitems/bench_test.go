package openitems_test

import (
	"io"
	"runtime"
	"strings"
	"testing"

	"purr/billing/openitems"
	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// BenchmarkL17AdoptingAndKeepingUp adopts 100 000 rows, and then takes a list of them with 500 differences. Memory is what is in use
// when all is checked.
func BenchmarkL17AdoptingAndKeepingUp(b *testing.B) {
	const n = 100_000
	full, less := make([]string, n), make([]string, 0, n)
	for i := range full {
		full[i] = item(i+1, "1000", i/2)
		switch {
		case i%500 == 0: // closed
		case i%500 < 2 || i%1000 == 3:
			less = append(less, item(i+1, "400", i/2))
		default:
			less = append(less, full[i])
		}
	}
	for _, base := range []struct {
		name string
		url  func(testing.TB) string
	}{{"sqlite", testkit.SQLite}, {"mysql", testkit.MySQL}} {
		b.Run(base.name, func(b *testing.B) {
			db := rows.Open(b, base.url(b))
			c := rows.Creditor(b, db, func(c *models.Creditor) { c.KIDLength, c.FirstNumber = 16, 100_000_000 })
			run := func(list string, o openitems.Options) openitems.Result {
				var peak uint64
				r, err := openitems.Run(b.Context(), db, c, func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(list)), nil }, o, openitems.Listener{
					Progress: func(done int, _ bool) {
						if done == n || done == len(less) {
							runtime.GC()
							var m runtime.MemStats
							runtime.ReadMemStats(&m)
							peak = max(peak, m.HeapAlloc)
						}
					},
				})
				testkit.Must(b, err)
				b.ReportMetric(float64(peak)/(1<<20), "MiB")
				return r
			}
			fullList, lessList := listOf(full...), listOf(less...)
			begun := b.Elapsed()
			run(fullList, openitems.Options{})
			adopted := b.Elapsed()
			r := run(lessList, openitems.Options{Sync: true})
			b.ReportMetric((adopted - begun).Seconds(), "s-adopt")
			b.ReportMetric((b.Elapsed() - adopted).Seconds(), "s-sync")
			if r.Changed != 300 || r.Closed != 200 {
				b.Errorf("synced: %+v", r)
			}
		})
	}
}

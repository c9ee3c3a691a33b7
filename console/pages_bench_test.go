package console_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"purr/console"
	"purr/internal/clock"
	"purr/models"
	"purr/test/testkit/bench"
)

// BenchmarkPages shows the console's pages of a creditor with 1 000 000 invoices, on MySQL (or MariaDB). It prints the median
// of 20 calls, and the slowest. What takes long to count is counted before; a page that says meanwhile that it is being counted
// is timed for itself.
func BenchmarkPages(b *testing.B) {
	db := bench.MySQL(b)
	at := clock.NewTest(start)
	window := &browser{t: b, clock: at, db: db.Store.WithClock(at)}
	today := models.DateOf(start)
	window.creditor = bench.Crowd{Customers: 300_000, Invoices: 1_000_000}.Fill(b, db, today)
	bench.StandStill(b, db, window.creditor, today, 100_000)
	window.serve(func(cfg *console.Config) {
		cfg.Wall, cfg.Log = clock.System{}, slog.New(slog.NewTextHandler(io.Discard, nil))
	})
	window.signIn(window.newKey(window.creditor, models.ScopeAdmin))
	for _, path := range []string{
		"today", "bank", "bank/certain", "bank/files", "bank/statement",
		"invoices", "invoices?status=overdue", "invoices?status=overdue&order=balance", "invoices?status=waiting&order=due", "invoices?search=hansen", "invoices?search=765432", "invoices/new",
		"invoices/1000000", "invoices/999020", "invoices/900050", "invoices/900020/pay", "invoices/900020/hold", "invoices/900020/credit",
		"customers", "customers?order=owed", "customers?search=hansen", "customers/4711", "customers/4711/statement", "customers/4711/policy",
		"dunning", "dunning?show=too_early", fmt.Sprintf("dunning?date=%s", today+30), "dunning/forecast?days=90&with=gentle", "dunning/runs",
		"standing-still", "standing-still?status=ended", "money", "money/month", "money/ledger", "money/open", "money/credit", "money/charges", "money/repayments", "money/accounts", "money/accounts/plan", "letters", "letters?state=failed", "log", "operations", "operations/keys", "operations/webhooks", "settings/creditor", "settings/policy", "settings/rules", "settings/vat", "settings/console", "start",
	} {
		window.t = b
		if beingCounted(window.get(path)) {
			timePage(b, path+", being counted", window, path, beingCounted)
			window.t = b
			for tries := 0; beingCounted(window.get(path)); tries++ { // each try waits a second
				if tries > 600 {
					b.Fatalf("%s is still being counted", path)
				}
			}
		}
		timePage(b, path, window, path, func(page *shown) bool { return !beingCounted(page) })
	}
}

// beingCounted reports whether a page says that its figures are being counted.
func beingCounted(page *shown) bool { return strings.Contains(page.body, " data-progress=") }

// timePage shows a page 20 times, or for as long as it is as it should be.
func timePage(b *testing.B, name string, window *browser, path string, holds func(*shown) bool) {
	b.Run(name, func(b *testing.B) {
		window.t = b
		var took []time.Duration
		for b.Loop() {
			took = nil
			for len(took) < 20 {
				begun := clock.System{}.Now()
				page := window.get(path)
				if page.status != http.StatusOK {
					b.Fatalf("it answers %d to %s:\n%s", page.status, page.location, page.text())
				}
				if !holds(page) {
					break
				}
				took = append(took, clock.System{}.Now().Sub(begun))
			}
		}
		b.ReportMetric(0, "ns/op")
		if len(took) == 0 {
			b.Skip("it was counted at once")
		}
		slices.Sort(took)
		b.ReportMetric(took[len(took)/2].Seconds()*1000, "ms-median")
		b.ReportMetric(took[len(took)-1].Seconds()*1000, "ms-slowest")
	})
}

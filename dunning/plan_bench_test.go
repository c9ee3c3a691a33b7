package dunning_test

import (
	"testing"

	"purr/dunning"
	"purr/internal/clock"
	"purr/law"
	"purr/models"
	"purr/store"
	"purr/test/testkit/bench"
)

// BenchmarkPlan makes plans and a forecast for a creditor with 1 000 000 invoices, of which 70 000 are overdue or
// dunned, on MySQL (or MariaDB).
func BenchmarkPlan(b *testing.B) {
	db := bench.MySQL(b)
	today := models.DateOf(clock.System{}.Now())
	creditor := bench.Crowd{Customers: 300_000, Invoices: 1_000_000}.Fill(b, db, today)
	creditor.Policy.Enabled, creditor.Policy.WeekdaysOnly = true, false
	snapshot := func(b *testing.B, c models.Creditor) *dunning.Snapshot {
		snapshot, err := dunning.TakeSnapshot(b.Context(), db.Store, law.Default(), c, today)
		if err != nil {
			b.Fatal(err)
		}
		return snapshot
	}
	handing := creditor
	handing.Policy.HandOverDays = new(14)
	for _, p := range []struct {
		name     string
		creditor models.Creditor
		on       models.Date
		page     store.Page
	}{
		{"today", creditor, today, store.Page{Number: 1, Size: 100}},
		{"today, page 500", creditor, today, store.Page{Number: 500, Size: 100}},
		{"in 30 days", creditor, today + 30, store.Page{Number: 1, Size: 100}},
		{"in 30 days, 1000 items", creditor, today + 30, store.Page{Number: 1, Size: 1000}},
		{"in 30 days, with hand-overs on the way", handing, today + 30, store.Page{Number: 1, Size: 100}},
	} {
		b.Run(p.name, func(b *testing.B) {
			for b.Loop() {
				steps, total, err := snapshot(b, p.creditor).Plan(b.Context(), p.on, p.page)
				if err != nil || len(steps) != p.page.Size {
					b.Fatalf("%d steps of %d, %v", len(steps), total, err)
				}
			}
		})
	}
	b.Run("count of today's steps", func(b *testing.B) {
		for b.Loop() {
			due, err := snapshot(b, creditor).CountSteps(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(due.Steps()), "steps")
		}
	})
	b.Run("sums of today's plan", func(b *testing.B) {
		for b.Loop() {
			sums, err := snapshot(b, creditor).Sums(b.Context(), today)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(sums.Steps()), "steps")
		}
	})
	b.Run("forecast of 90 days under two policies", func(b *testing.B) {
		for b.Loop() {
			stop := bench.WatchMemory()
			found, err := snapshot(b, creditor).Forecast(b.Context(), 90, handing.Policy)
			if err != nil {
				b.Fatal(err)
			}
			bench.ReportBytes(b, "heap", stop().Heap)
			total := found[0].Total()
			b.ReportMetric(float64(total.Reminders+total.Warnings), "notices")
		}
	})
}

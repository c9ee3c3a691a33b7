package dunning_test

import (
	"errors"
	"testing"

	"purr/dunning"
	"purr/internal/clock"
	"purr/law"
	"purr/models"
	"purr/test/testkit/bench"
)

// BenchmarkRun makes the day's run for a creditor with 1 000 000 open invoices, of which 20 000 are due for a notice,
// on MySQL (or MariaDB), until the letters are owed to the printer. It also measures how much longer that takes
// than with a tenth of the open invoices and as many due, and the run of a day with nothing due. The limit beside it is
// a bare insert of the rows of as many notices.
func BenchmarkRun(b *testing.B) {
	const due = 20_000
	db := bench.MySQL(b)
	today := models.DateOf(clock.System{}.Now())
	var ours bench.Rate
	for b.Loop() {
		b.StopTimer()
		few := bench.Open{Invoices: 100_000, Due: due}.Fill(b, db, today)
		many := bench.Open{Invoices: 1_000_000, Due: due}.Fill(b, db, today)
		var small, nothing bench.Rate
		small.Time(due, func() { runDay(b, db, few, today, due) })
		stop := bench.WatchMemory()
		b.StartTimer()
		ours.Time(due, func() { runDay(b, db, many, today, due) })
		b.StopTimer()
		bench.ReportBytes(b, "heap", stop().Heap)
		nothing.Time(1, func() { runDay(b, db, many, today, 0) })
		b.ReportMetric(small.PerSecond()/ours.PerSecond(), "times-a-tenth")
		b.ReportMetric(1000/nothing.PerSecond(), "ms-nothing-due")
		b.StartTimer()
	}
	b.ReportMetric(ours.PerSecond(), "notices/s")
}

func runDay(b *testing.B, db bench.Database, c models.Creditor, on models.Date, want int) {
	b.Helper()
	result, err := dunning.Run(b.Context(), db.Store, law.Default(), c, on)
	if err != nil || len(result.Documents) != want {
		b.Fatalf("%d notices, %v, want %d", len(result.Documents), err, want)
	}
}

// BenchmarkRunBesidePlans makes the day's run for two creditors with 220 000 open invoices each, of which 20 000 are due for a notice, on MySQL (or
// MariaDB): of one of them 100 000 others are overdue and paid by payment plans, whose instalments are due later. It measures how much longer
// that takes.
func BenchmarkRunBesidePlans(b *testing.B) {
	const due, plans = 20_000, 100_000
	db := bench.MySQL(b)
	today := models.DateOf(clock.System{}.Now())
	var with, without bench.Rate
	for b.Loop() {
		b.StopTimer()
		plain := bench.Open{Invoices: 220_000, Due: due}.Fill(b, db, today)
		planned := bench.Open{Invoices: 220_000, Due: due, Plans: plans}.Fill(b, db, today)
		without.Time(due, func() { runWhole(b, db, plain, today, due) })
		b.StartTimer()
		with.Time(due, func() { runWhole(b, db, planned, today, due) })
	}
	b.ReportMetric(with.PerSecond(), "notices/s")
	b.ReportMetric(without.PerSecond()/with.PerSecond(), "times-without-plans")
}

// runWhole makes the run as the worker does: plans are settled, and steps are counted, before steps are taken.
func runWhole(b *testing.B, db bench.Database, c models.Creditor, on models.Date, want int) {
	b.Helper()
	snapshot, err := dunning.TakeSnapshot(b.Context(), db.Store, law.Default(), c, on)
	if err != nil {
		b.Fatal(err)
	}
	if err := errors.Join(snapshot.MoveCredits(b.Context()), snapshot.SettlePlans(b.Context(), true)); err != nil {
		b.Fatal(err)
	}
	if _, err := snapshot.CheckCeiling(b.Context()); err != nil {
		b.Fatal(err)
	}
	result, err := snapshot.Run(b.Context(), func() {})
	if err != nil || len(result.Documents) != want {
		b.Fatalf("%d notices, %v, want %d", len(result.Documents), err, want)
	}
}

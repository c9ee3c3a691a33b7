package audit_test

import (
	"database/sql"
	"fmt"
	"log/slog"
	"testing"

	"purr/dunning/audits"
	"purr/models"
	"purr/store"
	"purr/test/testkit/bench"
)

// BenchmarkAuditNightU7 lets a night pass over 100 000 invoices of which 10 000 changed, with all that was told of them: an event of each. It prints how
// long ten such nights last, which is a night at a million invoices of which as large a part changed. The limit is to read all of their rows
// once.
func BenchmarkAuditNightU7(b *testing.B) {
	w := newWorld(b)
	kept := w.keep()
	plain, err := sql.Open("sqlite", kept)
	must(b, err)
	defer func() { must(b, plain.Close()) }()
	plain.SetMaxOpenConns(1)
	const copies, changed, ofWorld = 8334, 834, 12
	multiply(b, plain, 1, copies)
	exec := func(text string, args ...any) {
		_, err := plain.ExecContext(b.Context(), text, args...)
		must(b, err)
	}
	// What the nights have seen is all that there is.
	exec("DELETE FROM audit_nights")
	exec(`INSERT INTO audit_nights (creditor_id, marks)
		SELECT id, json_object('events', (SELECT MAX(id) FROM events), 'entries', (SELECT MAX(id) FROM entries), 'notices', (SELECT MAX(id) FROM overdue_notices),
			'reports', (SELECT COALESCE(MAX(id), 0) FROM shipment_reports), 'direct', (SELECT MAX(id) FROM direct_entries)) FROM creditors`)
	db, err := store.Open("sqlite:"+kept, w.in.App.Clock)
	must(b, err)
	defer func() { must(b, db.Close()) }()
	creditors, err := db.Creditors(b.Context())
	must(b, err)
	var ours, limit bench.Rate
	day := models.DateOf(db.Now()) + 1
	for b.Loop() {
		b.StopTimer()
		exec(`INSERT INTO events (creditor_id, at, type, actor, invoice_id, customer_id, subject_id, text, data)
			SELECT creditor_id, '2026-09-01 12:00:00+00:00', 'invoice.overdue', '', id, customer_id, id, '', '' FROM invoices WHERE id >= 10000 * ?`, copies-changed)
		b.StartTimer()
		stop := bench.WatchMemory()
		ours.Time(changed*ofWorld, func() {
			for _, c := range creditors {
				must(b, audits.Night(b.Context(), db, w.in.App.Rules, slog.New(slog.DiscardHandler), c, day))
			}
		})
		b.StopTimer()
		bench.ReportBytes(b, "heap", stop().Heap)
		day++
		limit.Time(changed*ofWorld, func() {
			for _, table := range tables {
				read(b, plain, fmt.Sprintf("* FROM %s WHERE id >= %d", table, 10000*(copies-changed)))
			}
		})
		b.StartTimer()
	}
	bench.Report(b, "changed-invoices", &ours, &limit)
	ours.ReportCPU(b, "changed-invoice")
	b.ReportMetric(100_000/ours.PerSecond(), "s-at-a-million")
}

package jobs_test

import (
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"net/mail"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"purr/billing"
	"purr/documents/pdf"
	"purr/dunning"
	"purr/internal/clock"
	"purr/internal/disk"
	"purr/internal/storage"
	"purr/jobs"
	"purr/law"
	"purr/mailer"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/bench"
	"purr/test/testkit/rows"
	"purr/test/testkit/smtpserver"
)

const (
	benchLetters = 2000
	benchLanes   = 8
	bareBatch    = 25
)

// BenchmarkLetters lets invoices that are owed leave, until all of them lie in the outbox and are noted as sent. The limit
// is to draw as many, keep and hand over their files and write the same rows, from as many lanes, with nothing between.
func BenchmarkLetters(b *testing.B) {
	b.Run("embedded", func(b *testing.B) {
		benchmarkLetters(b, bench.SQLite(b), "redis://"+miniredis.RunT(b).Addr())
	})
	b.Run("servers", func(b *testing.B) { benchmarkLetters(b, bench.MySQL(b), testkit.Redis(b)) })
}

// BenchmarkLettersMany lets a billing run of 200 000 invoices leave, after a tenth of them: neither time nor memory of a letter
// grows.
func BenchmarkLettersMany(b *testing.B) {
	const few, many = 20_000, 200_000
	office := openLetters(b, bench.MySQL(b), testkit.Redis(b), onThisDisk(b))
	var small, ours bench.Rate
	var peak bench.Peak
	for b.Loop() {
		office.leave(b, &small, few)
		_, peak = office.leave(b, &ours, many)
	}
	b.ReportMetric(ours.PerSecond(), "letters/s")
	b.ReportMetric(small.PerSecond(), "letters/s-at-a-tenth")
	ours.ReportCPU(b, "letter")
	bench.ReportBytes(b, "heap", peak.Heap)
	bench.ReportBytes(b, "RSS", peak.RSS)
}

func benchmarkLetters(b *testing.B, db bench.Database, redisURL string) {
	office := openLetters(b, db, redisURL, onThisDisk(b))
	var ours, limit bench.Rate
	var heap uint64
	for b.Loop() {
		first, peak := office.leave(b, &ours, benchLetters)
		heap = max(heap, peak.Heap)
		b.StopTimer()
		limit.Time(benchLetters, func() { bareLetters(b, db, office.creditor, first) })
		b.StartTimer()
	}
	bench.Report(b, "letters", &ours, &limit)
	ours.ReportCPU(b, "letter")
	limit.ReportCPU(b, "bare-letter")
	bench.ReportBytes(b, "heap", heap)
}

// letters are what letters of a creditor leave by.
type letters struct {
	db       bench.Database
	queue    *jobs.Queue
	worker   *jobs.Worker
	creditor models.Creditor
	customer models.Customer
}

func openLetters(b *testing.B, db bench.Database, redisURL string, in storage.Place) letters {
	b.Helper()
	queue := openQueue(b, redisURL)
	creditor := rows.Creditor(b, db.Store)
	return letters{db, queue, newWorker(b, db.Store, queue, in), creditor, rows.Customer(b, db.Store, creditor)}
}

// leave issues a number of invoices, and times their letters until all are noted as sent. It returns one of the invoices.
func (l letters) leave(b *testing.B, rate *bench.Rate, number int) (models.Invoice, bench.Peak) {
	b.Helper()
	b.StopTimer()
	first := issue(b, l.db.Store, l.creditor, l.customer, number, models.ByPaper)
	watched := bench.WatchMemory()
	stop, err := l.worker.Start(benchLanes, time.Minute)
	if err != nil {
		b.Fatal(err)
	}
	b.StartTimer()
	rate.Time(number, func() {
		l.queue.DocumentMade(b.Context(), l.creditor.ID, first.Document())
		awaitSent(b, l.db.Bare)
	})
	b.StopTimer()
	stop()
	b.StartTimer()
	return first, watched()
}

// BenchmarkEMails sends invoices to a mail server on this machine. The limit is to send as many ready e-mails from as many
// lanes, over kept connections too.
func BenchmarkEMails(b *testing.B) {
	db := bench.MySQL(b)
	queue := openQueue(b, testkit.Redis(b))
	worker := newWorker(b, db.Store, queue, onThisDisk(b))
	creditor := rows.Creditor(b, db.Store)
	customer := rows.Customer(b, db.Store, creditor)
	var ours, limit bench.Rate
	for b.Loop() {
		b.StopTimer()
		first := issue(b, db.Store, creditor, customer, benchLetters, models.ByEmail)
		letter, err := worker.Dispatch.Documents.PDF(b.Context(), creditor.ID, first.Document())
		if err != nil {
			b.Fatal(err)
		}
		server := smtpserver.Start(b) // it keeps the e-mails in memory
		channel, err := mailer.NewSMTP(server.URL(), false)
		if err != nil {
			b.Fatal(err)
		}
		worker.Dispatch.Channels[models.ByEmail] = channel
		stop, err := worker.Start(benchLanes, time.Minute)
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		ours.Time(benchLetters, func() {
			queue.DocumentMade(b.Context(), creditor.ID, first.Document())
			awaitSent(b, db.Bare)
		})
		b.StopTimer()
		stop()
		ready := mailer.Parcel{
			Name: "invoice-1-shipment-1", PDF: letter, Date: rows.Start,
			Mail: mailer.Mail{From: mail.Address{Address: creditor.Email}, To: "kari@example.no", Subject: "Faktura", Text: "Faktura", AttachmentName: "faktura.pdf"},
		}
		limit.Time(benchLetters, func() {
			bench.Clients(b, benchLanes, benchLetters/benchLanes, func(int) error {
				_, err := channel.HandOver(b.Context(), ready)
				return err
			})
		})
		server.Down()
		b.StartTimer()
	}
	bench.Report(b, "e-mails", &ours, &limit)
	ours.ReportCPU(b, "e-mail")
	limit.ReportCPU(b, "bare-e-mail")
}

// BenchmarkNoticesToLetters lets a dunning run decide on invoices that are all due for a reminder, and the reminders leave
// meanwhile, until all letters lie in the outbox and are noted as sent. In letters of four each customer gets one letter for four invoices
// (rule L23).
func BenchmarkNoticesToLetters(b *testing.B) {
	run := func(b *testing.B, database bench.Database, redisURL string, notices, each int) {
		now := clock.NewTest(rows.Start)
		db := database.Store.WithClock(now)
		queue := openQueue(b, redisURL)
		worker := newWorker(b, db, queue, onThisDisk(b))
		worker.Runs.Clock, worker.Dispatch.Clock = now, now
		stop, err := worker.Start(benchLanes, time.Minute)
		if err != nil {
			b.Fatal(err)
		}
		defer stop()
		var ours, decided bench.Rate
		for b.Loop() {
			b.StopTimer()
			now.Set(rows.Start)
			creditor := rows.Creditor(b, db, func(c *models.Creditor) { c.Policy.Enabled, c.Policy.JointLetters = true, each > 1 })
			var first models.Invoice
			if each == 1 {
				first = issue(b, db, creditor, rows.Customer(b, db, creditor), notices, models.ByPaper)
			} else {
				for range notices / each {
					first = issueTo(b, db, creditor, rows.Customer(b, db, creditor), each, models.ByPaper)
				}
			}
			if _, err := database.Bare.ExecContext(b.Context(), "UPDATE shipments SET state = 'sent', sent_at = created_at"); err != nil {
				b.Fatal(err)
			}
			now.Set(rows.Start.AddDate(0, 0, 28)) // a Monday
			b.StartTimer()
			made := func() { queue.DocumentMade(b.Context(), creditor.ID, first.Document()) }
			ours.Time(notices, func() {
				decided.Time(notices, func() {
					snapshot, err := dunning.TakeSnapshot(b.Context(), db, law.Default(), creditor, rows.Today+28)
					if err != nil {
						b.Fatal(err)
					}
					result, err := snapshot.Run(b.Context(), made)
					if err != nil || result.Steps() != notices {
						b.Fatalf("%d notices, %v", result.Steps(), err)
					}
				})
				made()
				awaitSent(b, database.Bare)
			})
		}
		b.ReportMetric(ours.PerSecond(), "notices/s")
		ours.ReportCPU(b, "notice")
		b.ReportMetric(decided.PerSecond(), "decided/s")
	}
	b.Run("embedded", func(b *testing.B) { run(b, bench.SQLite(b), "redis://"+miniredis.RunT(b).Addr(), benchLetters, 1) })
	b.Run("servers", func(b *testing.B) { run(b, bench.MySQL(b), testkit.Redis(b), benchLetters, 1) })
	b.Run("servers-20000", func(b *testing.B) { run(b, bench.MySQL(b), testkit.Redis(b), 20_000, 1) })
	b.Run("servers-20000-in-letters-of-four", func(b *testing.B) { run(b, bench.MySQL(b), testkit.Redis(b), 20_000, 4) })
}

func openQueue(b *testing.B, redisURL string) *jobs.Queue {
	b.Helper()
	options, err := redis.ParseURL(redisURL)
	if err != nil {
		b.Fatal(err)
	}
	client := redis.NewClient(options)
	b.Cleanup(func() { _ = client.Close() })
	return jobs.NewQueue(client, slog.New(slog.DiscardHandler))
}

// issue issues a number of invoices to a customer, and returns one of them.
func issue(b *testing.B, db *store.DB, c models.Creditor, to models.Customer, number int, method models.ShipmentMethod) (first models.Invoice) {
	b.Helper()
	for range number / 100 {
		first = issueTo(b, db, c, to, 100, method)
	}
	return first
}

// issueTo issues invoices to a customer in one transaction, and returns the first of them.
func issueTo(b *testing.B, db *store.DB, c models.Creditor, to models.Customer, number int, method models.ShipmentMethod) (first models.Invoice) {
	b.Helper()
	requests := make([]billing.InvoiceRequest, number)
	for i := range requests {
		requests[i] = billing.InvoiceRequest{NumDueDays: 14, Method: method, CustomerID: to.ID}
		rows.Of(1000_00)(&requests[i])
	}
	rows.Write(b, db, func(tx *store.Tx) error {
		issued, err := billing.Issue(b.Context(), tx, c, requests)
		if err == nil {
			first = issued[0].Invoice
		}
		return err
	})
	return first
}

// awaitSent returns when nothing is owed any more.
func awaitSent(b *testing.B, db *sql.DB) {
	b.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		var owed, failed int
		err := db.QueryRowContext(b.Context(), "SELECT COUNT(*), COUNT(NULLIF(failure, '')) FROM shipments WHERE state = 'owed'").Scan(&owed, &failed)
		if err != nil || failed > 0 {
			b.Fatalf("%d shipments failed: %v", failed, err)
		}
		if owed == 0 {
			return
		}
	}
}

// bareLetters draws the newest letters, writes two files of each, and writes to their rows what BenchmarkLetters writes.
func bareLetters(b *testing.B, db bench.Database, c models.Creditor, like models.Invoice) {
	b.Helper()
	folders := []string{bench.Folder(b), bench.Folder(b)}
	lines, err := db.Store.InvoiceLines(b.Context(), like.ID)
	if err != nil {
		b.Fatal(err)
	}
	ids, err := db.Store.NewestShipments(b.Context(), c.ID, store.ShipmentFilter{}, benchLetters)
	if err != nil {
		b.Fatal(err)
	}
	batches := make(chan []models.Shipment, benchLetters)
	for batch := range slices.Chunk(ids, bareBatch) {
		batches <- batch
	}
	bench.Clients(b, benchLanes, len(batches)/benchLanes, func(int) error {
		batch := <-batches
		for range batch {
			letter, err := pdf.Invoice(pdf.InvoiceInput{Creditor: c, Invoice: like, Lines: lines})
			if err != nil {
				return err
			}
			for _, folder := range folders {
				if err := writeBare(folder, letter); err != nil {
					return err
				}
			}
		}
		return errors.Join(disk.SyncAll(folders), bareRows(b.Context(), db.Bare, batch))
	})
}

func writeBare(folder string, content []byte) error {
	f, err := os.CreateTemp(folder, "letter-*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Sync(), f.Close())
}

// bareRows takes shipments, gives their documents a PDF, and notes that they are sent, with an event of each.
func bareRows(ctx context.Context, db *sql.DB, batch []models.Shipment) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	among, shipments, documents := "("+strings.Repeat("?, ", len(batch)-1)+"?)", []any{}, []any{}
	event := "(?, '2026-03-02', 'shipment.sent', 'purr', ?, 0, ?, 'Invoice 10001 on paper sent', '{\"document\":\"invoice\",\"invoice_number\":10001,\"method\":\"PAPER\"}')"
	var events []any
	for _, s := range batch {
		shipments, documents = append(shipments, s.ID), append(documents, s.DocumentID)
		events = append(events, s.CreditorID, s.DocumentID, s.ID)
	}
	sum := strings.Repeat("5", 64)
	for _, write := range []struct {
		statement string
		args      []any
	}{
		{"UPDATE shipments SET attempts = attempts + 1, taken_by = 'a worker' WHERE id IN " + among, shipments},
		{"UPDATE invoices SET pdf = '" + sum + "' WHERE id IN " + among, documents},
		{"UPDATE shipments SET taken_by = '', receipt = 'invoice-10001-shipment-1.pdf' WHERE id IN " + among, shipments},
		{"INSERT INTO new_events (creditor_id, at, type, actor, invoice_id, customer_id, subject_id, text, data) VALUES " +
			event + strings.Repeat(", "+event, len(batch)-1), events},
	} {
		if _, err := tx.ExecContext(ctx, write.statement, write.args...); err != nil {
			return err
		}
	}
	return tx.Commit()
}

package jobs_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"testing"

	"purr/documents"
	"purr/internal/clock"
	"purr/internal/storage"
	"purr/jobs"
	"purr/jobs/runs"
	"purr/law"
	"purr/mailer"
	"purr/mailer/dispatch"
	"purr/mailer/shipments"
	"purr/mailer/webhook"
	"purr/models"
	"purr/ocr"
	"purr/store"
	"purr/store/archive"
	"purr/test/testkit"
	"purr/test/testkit/bench"
)

// BenchmarkLettersInABucket does what BenchmarkLetters does with archive and outbox in a bucket of an S3 server on this machine, and in
// folders of the same disk, in turn (rule K2). The limit is what the folders achieve; bare puts are the server's own: two files of a
// letter, from as many clients as the program has at once.
func BenchmarkLettersInABucket(b *testing.B) {
	place, err := storage.Open(b.Context(), testkit.S3(b).Direct("purr"))
	if err != nil {
		b.Fatal(err)
	}
	redis := testkit.Redis(b)
	inBucket, inFolder := openLetters(b, bench.MySQL(b), redis, place), openLetters(b, bench.MySQL(b), redis, onThisDisk(b))
	var bucket, folder, bare bench.Rate
	for b.Loop() {
		first, _ := inBucket.leave(b, &bucket, benchLetters)
		inFolder.leave(b, &folder, benchLetters)
		b.StopTimer()
		letter, err := inBucket.worker.Dispatch.Documents.PDF(b.Context(), inBucket.creditor.ID, first.Document())
		if err != nil {
			b.Fatal(err)
		}
		const clients = 32
		bare.Time(benchLetters, func() {
			bench.Clients(b, clients, 2*benchLetters/clients, func(client int) error {
				return place.Put(b.Context(), fmt.Sprintf("bare/%d", client), bytes.NewReader(letter))
			})
		})
		b.StartTimer()
	}
	bench.Report(b, "letters", &bucket, &folder)
	bucket.ReportCPU(b, "letter")
	folder.ReportCPU(b, "letter-in-folders")
	b.ReportMetric(bare.PerSecond(), "bare-puts-of-two/s")
	bare.ReportCPU(b, "bare-puts-of-two")
}

// onThisDisk returns a place of this machine.
func onThisDisk(b *testing.B) storage.Place {
	b.Helper()
	return storage.Folder(bench.Folder(b))
}

// newWorker returns a worker whose archive and outbox are in a place.
func newWorker(b *testing.B, db *store.DB, queue *jobs.Queue, in storage.Place) *jobs.Worker {
	b.Helper()
	kept, err := archive.OpenIn(in.Below("archive"), bench.Folder(b))
	if err != nil {
		b.Fatal(err)
	}
	holder, err := jobs.Join(b.Context(), db, queue, bench.Folder(b), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = holder.Leave(context.Background()) })
	outbox, err := mailer.OutboxIn(in.Below("outbox"))
	if err != nil {
		b.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	return &jobs.Worker{
		DB: db, Queue: queue, Holder: holder, Importer: ocr.NewImporter(db, kept, log), Log: log,
		Dispatch: &dispatch.Dispatcher{
			DB: db, Documents: documents.New(db, kept), Look: shipments.SecondLook{Rules: law.Default()}, Clock: clock.System{}, Log: log,
			Channels: map[models.ShipmentMethod]mailer.Channel{models.ByPaper: outbox.Paper(), models.ByEmail: outbox.Email()},
		},
		Deliveries: &dispatch.Deliveries{Webhooks: webhook.NewSender(webhook.Timeout, clock.System{}, true), Log: log},
		Runs:       &runs.Runs{DB: db, Rules: law.Default(), Clock: clock.System{}, Log: log},
	}
}

package jobs_test

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"

	"purr/internal/clock"
	"purr/jobs"
	"purr/models"
	"purr/ocr"
	"purr/ocr/inbound"
	"purr/store/archive"
	"purr/test/testkit/bench"
)

const (
	inboxLines    = 20_000
	inboxInvoices = 100_000
	resting       = 2 * time.Second // rule R5: then a file that is written in place is complete
)

// BenchmarkInbox20000 drops files of 20 000 payments into the inbox of a scheduler that runs, one renamed in and one
// written in place, and prints how many seconds it takes from the moment at which the file is complete to that at which
// its last entry is committed. It is to be 3 at most.
func BenchmarkInbox20000(b *testing.B) {
	bench.EachDatabase(b, func(b *testing.B, db bench.Database) {
		account, kids := bench.Payable(b, db, inboxInvoices)
		dir := watchedInbox(b, db)
		var renamed, written time.Duration
		for number := 1; b.Loop(); number += 2 {
			b.StopTimer()
			path := bench.BankFile(b, number, inboxLines, account, kids)
			beside := filepath.Join(dir, ".arriving")
			copyFile(b, path, beside)
			b.StartTimer()
			renamed += untilPosted(b, db, number, func() {
				if err := os.Rename(beside, filepath.Join(dir, "renamed")); err != nil {
					b.Fatal(err)
				}
			})
			b.StopTimer()
			path = bench.BankFile(b, number+1, inboxLines, account, kids)
			b.StartTimer()
			written += untilPosted(b, db, number+1, func() { copyFile(b, path, filepath.Join(dir, "written")) }) - resting
		}
		b.ReportMetric(renamed.Seconds()/float64(b.N), "s-renamed-in")
		b.ReportMetric(written.Seconds()/float64(b.N), "s-written")
	})
}

// watchedInbox starts a scheduler, and returns the inbox that it watches.
func watchedInbox(b *testing.B, db bench.Database) (dir string) {
	b.Helper()
	kept, err := archive.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	dir = b.TempDir()
	inbox, err := inbound.OpenInbox(dir, ocr.NewImporter(db.Store, kept, log), log)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = inbox.Close() })
	client := redis.NewClient(&redis.Options{Addr: miniredis.RunT(b).Addr()})
	b.Cleanup(func() { _ = client.Close() })
	s := &jobs.Scheduler{DB: db.Store, Queue: jobs.NewQueue(client, log), Inbox: inbox, Bounces: inbox, Clock: clock.System{}, Log: log}
	stop := s.Start(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(stop)
	return dir
}

// untilPosted has a file dropped, and returns how long it took from then until the file with the ID was imported.
func untilPosted(b *testing.B, db bench.Database, fileID int, drop func()) time.Duration {
	b.Helper()
	drop()
	dropped := time.Now()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		f, err := db.Store.PaymentFile(b.Context(), int64(fileID))
		switch {
		case models.KindOf(err) == models.KindNotFound, err == nil && f.UnderWay():
		case err != nil || f.State != models.FileImported || f.LinesDone != inboxLines:
			b.Fatalf("the file is %s with %d lines, %v: %v", f.State, f.LinesDone, f.Faults, err)
		default:
			return time.Since(dropped)
		}
	}
	return 0
}

func copyFile(b *testing.B, from, to string) {
	b.Helper()
	in, err := os.Open(from)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		b.Fatal(err)
	}
	if err := out.Close(); err != nil {
		b.Fatal(err)
	}
}

package operator_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"purr/app/backup"
	"purr/app/operator"
	"purr/internal/clock"
	"purr/law"
	"purr/ocr"
	"purr/store/archive"
	"purr/test/testkit/bench"
	"purr/test/testkit/rows"
)

// BenchmarkManyCreditors lists 100 000 creditors, proves their books and backs the installation up (rule D113), each beside the time that it
// takes to read the creditors' rows once and, for the backup, to write their bytes to the disk besides.
func BenchmarkManyCreditors(b *testing.B) {
	bench.EachDatabase(b, func(b *testing.B, db bench.Database) {
		const many = 100_000
		now := clock.NewTest(rows.Start)
		mine := db.Store.WithClock(now)
		rows.Creditor(b, mine)
		dialect := "mysql"
		if mine.IsSQLite() {
			dialect = "sqlite"
		}
		rows.ManyCreditors(b, db.Bare, dialect, many, rows.Today)
		dir := b.TempDir()
		kept, err := archive.Open(filepath.Join(dir, "archive"))
		if err != nil {
			b.Fatal(err)
		}
		o := operator.Operator{DB: mine, Rules: law.Default(), Clock: now, Archive: kept, Importer: ocr.NewImporter(mine, kept, slog.New(slog.DiscardHandler))}
		took := func(what string, do func()) {
			began := time.Now()
			do()
			b.ReportMetric(float64(time.Since(began).Milliseconds()), "ms/"+what)
		}
		for b.Loop() {
			took("list", func() {
				if all, err := mine.Creditors(b.Context()); err != nil || len(all) != many {
					b.Fatalf("%d creditors, %v", len(all), err)
				}
			})
			took("verify", func() {
				seen, err := o.Prove(b.Context(), operator.Proof{}, func(f operator.Finding) { b.Error(f) })
				if err != nil || seen.Creditors != many {
					b.Fatalf("seen are %+v, %v", seen, err)
				}
			})
			took("backup", func() {
				in := backup.Installation{DB: mine, Archive: kept, Dir: dir, Version: "benchmark"}
				if _, err := backup.Make(b.Context(), in, filepath.Join(b.TempDir(), "backup"), "", nil); err != nil {
					b.Fatal(err)
				}
			})
			b.StopTimer()
			var read int
			took("limit-read", func() { read = readCreditors(b, db) })
			took("limit-write", func() { writeBytes(b, read) })
			b.StartTimer()
		}
	})
}

// readCreditors reads all rows of the creditors and of their series and runs once, and returns how many bytes they have.
func readCreditors(b *testing.B, db bench.Database) (bytes int) {
	b.Helper()
	for _, table := range []string{"creditors", "number_series", "runs"} {
		bytes += readTable(b, db, table)
	}
	return bytes
}

func readTable(b *testing.B, db bench.Database, table string) (bytes int) {
	b.Helper()
	found, err := db.Bare.QueryContext(b.Context(), "SELECT * FROM "+table)
	if err != nil {
		b.Fatal(err)
	}
	defer found.Close()
	columns, err := found.Columns()
	if err != nil {
		b.Fatal(err)
	}
	values, into := make([][]byte, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for found.Next() {
		if err := found.Scan(into...); err != nil {
			b.Fatal(err)
		}
		for _, v := range values {
			bytes += len(v)
		}
	}
	if err := found.Err(); err != nil {
		b.Fatal(err)
	}
	return bytes
}

// writeBytes writes a file of so many bytes to the disk.
func writeBytes(b *testing.B, n int) {
	b.Helper()
	file, err := os.Create(filepath.Join(b.TempDir(), "bytes"))
	if err != nil {
		b.Fatal(err)
	}
	if _, err := file.Write(make([]byte, n)); err != nil {
		b.Fatal(err)
	}
	if err := file.Sync(); err != nil {
		b.Fatal(err)
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
}

package foreign_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"purr/audit/foreign"
	"purr/models"
	"purr/test/testkit"
)

// export writes the files of a creditor with so many letters, two on each invoice. Of fifty fees one is three kroner too high.
func export(b *testing.B, letters int) (folder string, size int64) {
	b.Helper()
	var invoices, payments, notices bytes.Buffer
	invoices.WriteString(invoiceHead)
	payments.WriteString(paymentHead)
	notices.WriteString(noticeHead)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range letters / 2 {
		due, amount := models.NewDate(2025, time.January, 1+r.IntN(500)), models.Amount(r.IntN(50_000_00)+100_00)
		debtor := "private"
		if i%3 == 0 {
			debtor = "trader"
		}
		fmt.Fprintf(&invoices, "%d,K%d,%s,%s,%s,%s,,\n", 100_000+i, i%200_000, debtor, due-14, due, amount)
		fmt.Fprintf(&payments, "%d,%s,%s,payment\n", 100_000+i, due+60, amount)
		for step, kind := range []string{"reminder", "warning"} {
			day := due + 16*models.Date(step+1)
			fee := 35_00
			if day.Year() >= 2026 {
				fee = 38_00
			}
			if r.IntN(50) == 0 {
				fee += 3_00
			}
			fmt.Fprintf(&notices, "P%d-%d,%d,%s,%s,,%s,%s,,%s,,\n", i, step, 100_000+i, kind, day, day+14, models.Amount(fee), models.MulDiv(amount, 11*14, 36_500))
		}
	}
	size = int64(invoices.Len() + payments.Len() + notices.Len())
	return written(b, invoices.String(), payments.String(), notices.String()), size
}

// BenchmarkU9Foreign reads and judges 200 000 letters, and writes the findings (rule U9: a million in a minute).
func BenchmarkU9Foreign(b *testing.B) {
	const letters = 200_000
	folder, size := export(b, letters)
	b.SetBytes(size)
	b.ReportAllocs()
	for b.Loop() {
		r := judged(b, folder, "nb")
		testkit.Must(b, r.WriteCSV(io.Discard))
		if r.Letters != letters || r.ByClass["law"] == 0 {
			b.Fatalf("%+v", r.Counts)
		}
	}
	b.ReportMetric(float64(letters*b.N)/b.Elapsed().Seconds(), "letters/s")
}

// BenchmarkU9BareScan is what the audit is measured against: the same bytes taken apart into fields, and nothing done with them.
func BenchmarkU9BareScan(b *testing.B) {
	folder, size := export(b, 200_000)
	b.SetBytes(size)
	for b.Loop() {
		for _, f := range foreign.Files {
			text, err := os.ReadFile(filepath.Join(folder, f.Name))
			testkit.Must(b, err)
			in := csv.NewReader(bytes.NewReader(text))
			in.ReuseRecord = true
			for err == nil {
				_, err = in.Read()
			}
			if !errors.Is(err, io.EOF) {
				b.Fatal(err)
			}
		}
	}
}

package giro

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"sync"
	"testing"

	"purr/models"
)

const benchmarkTransactions = 1_000_000

// benchmarkFile is a file of a million transactions.
var benchmarkFile = sync.OnceValue(func() []byte { return largeFile(benchmarkTransactions) })

// largeFile returns a file of the given number of transactions: ten days, three types, many payers.
func largeFile(transactions int) []byte {
	var out bytes.Buffer
	w := NewWriter(&out)
	must(w.StartTransmission(testTransmission))
	must(w.StartAssignment(testAssignment))
	for i := range transactions {
		day := models.Date(i * 10 / transactions)
		must(w.Write(Payment{
			Type:              []Type{TypeCorporateGiro, TypeAvtaleGiro, TypeGiroDebited}[i%3],
			NetsDate:          testToday - 10 + day,
			BankDate:          testToday - 11 + day,
			Amount:            models.Amount(10_000 + i),
			KID:               models.NewKID(strconv.Itoa(100_000_000_000+i), models.Modulus10),
			DebitAccount:      strconv.Itoa(10_000_000_000 + i),
			ArchiveReference:  strconv.Itoa(i / 5),
			Centre:            "26",
			DayCode:           "02",
			PartialSettlement: "1",
			Serial:            strconv.Itoa(i / 1000),
		}))
	}
	must(w.Close())
	return out.Bytes()
}

// BenchmarkLineScan reads the lines and does nothing with them: what BenchmarkReader is measured by.
func BenchmarkLineScan(b *testing.B) {
	file := benchmarkFile()
	b.SetBytes(int64(len(file)))
	for b.Loop() {
		lines := 0
		for scanner := bufio.NewScanner(bytes.NewReader(file)); scanner.Scan(); {
			lines++
		}
		if lines != 2*benchmarkTransactions+4 {
			b.Fatal(lines, "lines")
		}
	}
}

// BenchmarkReader reads and checks every transaction.
func BenchmarkReader(b *testing.B) {
	file := benchmarkFile()
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		transactions, err := readAll(bytes.NewReader(file))
		if err != nil || transactions != benchmarkTransactions {
			b.Fatal(transactions, "transactions,", err)
		}
	}
}

// BenchmarkCheck hashes the content besides.
func BenchmarkCheck(b *testing.B) {
	file := benchmarkFile()
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Check(bytes.NewReader(file), testToday); err != nil {
			b.Fatal(err)
		}
	}
}

func TestReaderDoesNotAllocatePerTransaction(t *testing.T) {
	allocations := func(file []byte) float64 {
		return testing.AllocsPerRun(5, func() {
			_, err := readAll(bytes.NewReader(file))
			must(err)
		})
	}
	few, many := allocations(largeFile(10)), allocations(largeFile(10_000))
	if beside := 5.0; many > few+beside { // the runtime may allocate meanwhile
		t.Errorf("10 transactions take %v allocations, 10 000 take %v", few, many)
	}
}

func readAll(file io.Reader) (transactions int, err error) {
	r := NewReader(file, testToday)
	for {
		if _, err := r.Next(); errors.Is(err, io.EOF) {
			return transactions, nil
		} else if err != nil {
			return transactions, err
		}
		transactions++
	}
}

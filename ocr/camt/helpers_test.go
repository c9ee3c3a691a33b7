package camt

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"purr/models"
)

// What is the same in all files of the tests.
var testDay = models.NewDate(2026, time.March, 2)

const (
	testAccount  = "12345678903"
	otherAccount = "86011117947"
	testKID      = "0000421003179"
)

// must stops the test program; it is for what cannot fail.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// File is a whole file in memory.
type File struct {
	*Summary
	Transactions []Transaction // in order
}

// Parse reads a whole file into memory. It fails in the same cases as Check.
func Parse(r io.Reader) (*File, error) {
	reader := NewReader(r)
	file := &File{Summary: reader.Summary()}
	for {
		tx, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return file, nil
		}
		if err != nil {
			return nil, err
		}
		file.Transactions = append(file.Transactions, *tx)
	}
}

// parsed parses a file that has no faults.
func parsed(t testing.TB, file string) *File {
	t.Helper()
	f, err := Parse(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// faultsOf returns the faults of a file, none where it is taken.
func faultsOf(t testing.TB, file string) models.FileFaults {
	t.Helper()
	var faults models.FileFaults
	if _, err := Check(strings.NewReader(file)); err != nil && !errors.As(err, &faults) {
		t.Fatal(err)
	}
	return faults
}

// credit returns the header of a booked entry of an amount in øre.
func credit(amount models.Amount) EntryHeader {
	return EntryHeader{Amount: amount, Booked: testDay, Value: testDay, BankReference: "LUMP-0001"}
}

package giro

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"purr/models"
)

// The date of the import, and what is the same in all files of the tests.
var testToday = models.NewDate(2026, time.March, 3)

const (
	testAccount  = "12345678903"
	otherAccount = "86011117947"
)

var (
	testTransmission = TransmissionHeader{Number: "0000123", Recipient: "00012345", Created: testToday}
	testAssignment   = AssignmentHeader{
		AgreementID: "001234567", Number: "0000041", Account: testAccount, Created: testToday,
	}
)

// must stops the test program; it is for what cannot fail.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// payment returns an ordinary payment of the given amount in øre.
func payment(amount models.Amount) Payment {
	return Payment{
		Type: TypeCorporateGiro, NetsDate: testToday - 1, BankDate: testToday - 2, Amount: amount,
		KID: "0000421003179", DebitAccount: "98765432103", ArchiveReference: "600200001",
		Centre: "26", DayCode: "02", PartialSettlement: "1", Serial: "06053",
	}
}

// with returns the payment changed.
func (p Payment) with(change func(*Payment)) Payment {
	change(&p)
	return p
}

// written returns the file of one transmission with one assignment.
func written(payments ...Payment) string {
	return writtenAs(testTransmission, testAssignment, payments...)
}

func writtenAs(t TransmissionHeader, a AssignmentHeader, payments ...Payment) string {
	var out bytes.Buffer
	w := NewWriter(&out)
	must(w.StartTransmission(t))
	must(w.StartAssignment(a))
	for _, p := range payments {
		must(w.Write(p))
	}
	must(w.Close())
	return out.String()
}

// File is a whole file in memory.
type File struct {
	*Summary
	Transactions []Transaction // in order
}

// Parse reads a whole file into memory. It fails in the same cases as Check.
func Parse(r io.Reader, today models.Date) (*File, error) {
	reader := NewReader(r, today)
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

// read parses a file that has no faults.
func read(t testing.TB, file string) *File {
	t.Helper()
	f, err := Parse(strings.NewReader(file), testToday)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// faultsOf returns the faults of a file, none where it is taken.
func faultsOf(t testing.TB, file string) models.FileFaults {
	t.Helper()
	var faults models.FileFaults
	if _, err := Check(strings.NewReader(file), testToday); err != nil && !errors.As(err, &faults) {
		t.Fatal(err)
	}
	return faults
}

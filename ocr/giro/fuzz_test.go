package giro

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"purr/models"
)

// FuzzReader reads anything. What it takes must add up; what it does not take must have its faults in
// order of lines.
func FuzzReader(f *testing.F) {
	seeds, err := filepath.Glob(vectorFolder + "/*.txt")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range append(seeds, "testdata/ocr-basic.txt", "testdata/ocr-edge.txt") {
		file, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if len(file) < bufferSize {
			f.Add(file)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		summary, err := Check(bytes.NewReader(file), testToday)
		parsed, parseErr := Parse(bytes.NewReader(file), testToday)
		if err != nil {
			checkFaults(t, err)
			if parseErr == nil || parseErr.Error() != err.Error() {
				t.Fatalf("Check says %v, Parse %v", err, parseErr)
			}
			return
		}
		if parseErr != nil {
			t.Fatal("only Parse says", parseErr)
		}
		checkTotals(t, summary, parsed)
	})
}

func checkFaults(t *testing.T, err error) {
	var faults models.FileFaults
	if !errors.As(err, &faults) || len(faults) == 0 || len(faults) > MaxFaults {
		t.Fatalf("the error is %v", err)
	}
	for i, fault := range faults {
		if fault.Line < 1 || fault.Code == "" || fault.Text == "" || i > 0 && fault.Line < faults[i-1].Line {
			t.Fatalf("the faults are %v", faults)
		}
	}
}

// checkTotals adds up the transactions of a file that was taken.
func checkTotals(t *testing.T, summary *Summary, parsed *File) {
	var total Totals
	for _, transmission := range summary.Transmissions {
		total.Records += 2
		for _, a := range transmission.Assignments {
			total.Records += a.Records
			total.Ignored += a.Ignored
			total.Transactions += a.Ignored
		}
	}
	for i := range parsed.Transactions {
		tx := &parsed.Transactions[i]
		if tx.Amount < 0 || tx.NetsDate == 0 || !tx.Type.Known() || tx.Assignment == nil || tx.Assignment.Skipped() {
			t.Fatalf("the transaction is %+v", tx)
		}
		total.Transactions++
		total.Amount += tx.Assignment.Counted(tx)
	}
	if total != summary.Totals || total != parsed.Totals {
		t.Fatalf("the totals are %+v and %+v, there are %+v", summary.Totals, parsed.Totals, total)
	}
}

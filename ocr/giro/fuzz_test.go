package giro

import (
	"bytes"
	"os"
	"testing"

	"purr/test/testkit/vectors"
)

// FuzzReader reads anything. What it takes must add up; what it does not take must have its faults in
// order of lines.
func FuzzReader(f *testing.F) {
	for _, path := range append(vectors.Paths(f, extension), "testdata/ocr-basic.txt", "testdata/ocr-edge.txt") {
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
			vectors.Faults(t, err, MaxFaults)
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

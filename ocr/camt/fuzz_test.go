package camt

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"purr/models"
)

// FuzzReader reads anything. What it takes must add up; what it does not take must have its faults in order
// of lines.
func FuzzReader(f *testing.F) {
	seeds, err := filepath.Glob(vectorFolder + "/*.xml")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range append(seeds, "testdata/camt054-v02.xml", "testdata/camt054-v08.xml") {
		file, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		if len(file) < maxToken/2 {
			f.Add(file)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		summary, err := Check(bytes.NewReader(file))
		parsed, parseErr := Parse(bytes.NewReader(file))
		if err != nil {
			checkFaults(t, err)
			if parseErr == nil || parseErr.Error() != err.Error() {
				t.Fatalf("Check says %v, Parse %v", err, parseErr)
			}
			return
		}
		if parseErr != nil || parsed.Totals != summary.Totals {
			t.Fatalf("Check counts %v, Parse %v: %v", summary.Totals, parsed.Totals, parseErr)
		}
		addUp(t, parsed)
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

package camt

import (
	"bytes"
	"os"
	"testing"

	"purr/test/testkit/vectors"
)

// FuzzReader reads anything. What it takes must add up; what it does not take must have its faults in order
// of lines.
func FuzzReader(f *testing.F) {
	for _, path := range append(vectors.Paths(f, extension), "testdata/camt054-v02.xml", "testdata/camt054-v08.xml") {
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
			vectors.Faults(t, err, MaxFaults)
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

package bankfile

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"purr/models"
)

var update = flag.Bool("update", false, "write the files under testdata anew")

// testToday is the day on which all files are read.
var testToday = models.NewDate(2026, time.March, 3)

// sampleFiles are what banks deliver, as the tests of packages giro and camt read it.
var sampleFiles = []string{
	"../giro/testdata/ocr-basic.txt", "../giro/testdata/ocr-edge.txt", "../camt/testdata/camt054-v02.xml", "../camt/testdata/camt054-v08.xml",
}

func lint(t testing.TB, file []byte) *Report {
	t.Helper()
	report, err := Lint(bytes.NewReader(file), testToday)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

func linesOf(t testing.TB, file []byte) []Transaction {
	t.Helper()
	var lines []Transaction
	_, err := eachTransaction(bytes.NewReader(file), testToday, func(l *Transaction) { lines = append(lines, *l) })
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// golden compares what a test made with a file under testdata, or writes the file with -update.
func golden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what it was; if that is meant, run the test with -update\n got %s\nwant %s", path, got, want)
	}
}

package bankfile

import (
	"bytes"
	"testing"
	"time"

	"purr/models"
)

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

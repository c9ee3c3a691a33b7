package collection_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"purr/dunning/collection"
	"purr/test/testkit"
)

// TestC4AFileIsReadStrictly has what is taken, and each kind of what is not.
func TestC4AFileIsReadStrictly(t *testing.T) {
	t.Parallel()
	tests := []struct{ file, want string }{
		{`<collection_reports><report invoice="17" state="paid" at="2026-05-04" amount="1" reference="a"/></collection_reports>`, "[{17  paid 2026-05-04 1    a }]"},
		{"\ufeff<?xml version=\"1.0\"?>\n<!-- Monday's --><collection_reports>\n <report bundle=\"b\"></report>\n</collection_reports>\n", "[{ b        }]"},
		{"<collection_reports/>", "[]"},
		{"invoice;state;at\r\n17;received;2026-05-04\r\n;;\r\n", "[{17  received 2026-05-04      }]"},
		{"state,invoice\nrejected,17\n", "[{17  rejected       }]"},
		{"", "the file is empty"},
		{" \n", "the file is empty"},
		{"\xff\xfe", "the file is not in UTF-8"},
		{"<reports/>", "line 1, column 11: the element reports must not be here; the file is <collection_reports><report/>…</collection_reports>"},
		{"<collection_reports><report><report/></report></collection_reports>", "line 1, column 38: the element report must not be here; the file is <collection_reports><report/>…</collection_reports>"},
		{"<collection_reports>\n<report colour=\"1\"/></collection_reports>", "line 2, column 21: there is no attribute colour; there are invoice, bundle, state, at, amount, principal, interest, fees, reference, reason"},
		{"<collection_reports>text</collection_reports>", "line 1, column 25: there must be no text"},
		{"<!DOCTYPE a><collection_reports/>", "line 1, column 13: the file must have no document type"},
		{"<collection_reports><report", "the file is no XML"},
		{"<collection_reports/><collection_reports/>", "must not be here"},
		{"invoice;colour\n", "line 1, column 9: there is no column colour; there are invoice, bundle, state, at, amount, principal, interest, fees, reference, reason"},
		{"invoice;invoice\n", "line 1, column 9: the column invoice is there twice"},
		{"invoice;state\n17;received;2026\n", "line 2, column 13: the row has more fields than there are columns"},
		{"invoice;state\n\"17;received\n", "the file is no CSV"},
		{"garbage\n", "line 1, column 1: there is no column garbage"},
		{strings.Repeat("x", collection.MaxReportFile+1), "the file is larger than 4 MiB"},
	}
	for _, tt := range tests {
		got, err := collection.ReadReportFile([]byte(tt.file))
		said := fmt.Sprint(got.Reports)
		if err != nil {
			said = err.Error()
		}
		if said != tt.want && (err == nil || !strings.Contains(said, tt.want)) {
			t.Errorf("%.80q: %s, want %s", tt.file, said, tt.want)
		}
	}
}

// TestC4TheExamplesOfTheDocsAreRead reads those of docs/dunning.md.
func TestC4TheExamplesOfTheDocsAreRead(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/dunning.md")
	testkit.Must(t, err)
	blocks := regexp.MustCompile(`(?m)^    `).ReplaceAll(page, nil)
	examples := regexp.MustCompile("(?s)\n(<collection_reports>.*?</collection_reports>|invoice;bundle.*?)(?:\n\n|\nEND\n)").FindAllSubmatch(blocks, -1)
	if len(examples) != 2 {
		t.Fatalf("there are %d examples", len(examples))
	}
	for _, example := range examples {
		list, err := collection.ReadReportFile(example[1])
		if err != nil || len(list.Reports) != 2 {
			t.Errorf("%s: %v, %v", example[1], list.Reports, err)
		}
	}
}

// FuzzReadReportFile: whatever a file is, reading it ends, and each report has its line.
func FuzzReadReportFile(f *testing.F) {
	f.Add([]byte(`<collection_reports><report invoice="17"/></collection_reports>`))
	f.Add([]byte("invoice;state\n17;received\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		if list, err := collection.ReadReportFile(file); err == nil && len(list.Lines) != len(list.Reports) {
			t.Errorf("%d reports have %d lines", len(list.Reports), len(list.Lines))
		}
	})
}

package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"purr/audit"
	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// TestU12TheFormsOfAnAudit prints the same verdict in each form.
func TestU12TheFormsOfAnAudit(t *testing.T) {
	found := audit.Report{
		Letters: 2, Checks: 90, Kinds: 60, Unknown: 1, Back: 3_00,
		Findings: []audit.ReportFinding{{
			Class: audit.Law, Code: "fee_above_cap", Creditor: 1, Customer: 7, Invoice: 10001, Notice: 4, Rows: []string{"overdue_notices 4"},
			Expected: "35.00", Found: "38.00", Back: 3_00, Law: "inkassoforskriften § 1-2", Text: "=The fee is 38.00",
		}},
	}
	var text strings.Builder
	testkit.Must(t, writeAudit(&text, found, "json"))
	var read map[string]any
	testkit.Must(t, json.Unmarshal([]byte(text.String()), &read))
	one := read["findings"].([]any)[0].(map[string]any) //nolint:forcetypeassert // the test fails if it is not
	if read["back"] != "3.00" || read["kinds"] != 60.0 || one["invoice"] != 10001.0 || one["back"] != "3.00" || one["class"] != "law" {
		t.Errorf("the document is %s", text.String())
	}
	for _, member := range audit.Columns {
		if _, is := one[member]; !is {
			t.Errorf("a finding has no %q", member)
		}
	}
	text.Reset()
	testkit.Must(t, writeAudit(&text, found, "csv"))
	rows, err := csv.NewReader(strings.NewReader(text.String())).ReadAll()
	if err != nil || len(rows) != 2 || !slices.Equal(rows[0], audit.Columns) || rows[1][9] != "3.00" || rows[1][11] != "'=The fee is 38.00" {
		t.Errorf("the file is %q, %v", rows, err)
	}
	text.Reset()
	testkit.Must(t, writeAudit(&text, found, "table"))
	if !strings.Contains(text.String(), "fee_above_cap") {
		t.Errorf("the table is %s", text.String())
	}
	if got, want := found.Sentence(), "2 letters, 90 checks of 60 kinds, 1 unknown; findings: 1 of law, 0 of rule, 0 in doubt; to give back: 3.00"; got != want {
		t.Errorf("the last line is %q, want %q", got, want)
	}
}

// TestU5AnAuditOfAFolder audits an installation that does not run, and asks for what is not there.
func TestU5AnAuditOfAFolder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	testkit.Must(t, os.MkdirAll(dir, 0o700))
	rows.Migrate(t, "sqlite://"+filepath.Join(dir, "purr.db"))
	out := filepath.Join(t.TempDir(), "report.json")
	for _, test := range []struct {
		args string
		want int
	}{
		{"", exitDone},
		{"--from 2026-01-01 --to 2026-06-30", exitDone},
		{"--json --out " + out, exitDone},
		{"--creditor 99", exitUsage},
		{"--invoice 99", exitUsage},
		{"--customer 99", exitUsage},
		{"--format png", exitUsage},
		{"--from yesterday", exitUsage},
		{"--from 2026-02-01 --to 2026-01-01", exitUsage},
		{"explain notice 1", exitUsage},
		{"explain invoice 1", exitUsage},
		{"explain handover 1", exitUsage},
		{"explain letter 1", exitUsage},
		{"explain notice x", exitUsage},
	} {
		args := slices.Concat([]string{"audit"}, strings.Fields(test.args), []string{"--data", dir})
		if code := run(args); code != test.want {
			t.Errorf("purr audit %s ends with %d, want %d", test.args, code, test.want)
		}
	}
	text, err := os.ReadFile(out)
	testkit.Must(t, err)
	var report audit.Report
	if err := json.Unmarshal(text, &report); err != nil || report.Back != models.Amount(0) || report.Findings == nil {
		t.Errorf("the report is %s, %v", text, err)
	}
}

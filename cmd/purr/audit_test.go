package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"purr/test/testkit"
	"purr/test/testkit/rows"
)

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
	var report struct {
		Back     string
		Findings []any
	}
	if err := json.Unmarshal(text, &report); err != nil || report.Back != "0.00" || report.Findings == nil {
		t.Errorf("the report is %s, %v", text, err)
	}
}

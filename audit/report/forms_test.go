package report_test

import (
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"purr/audit/report"
	"purr/test/testkit"
)

// TestU12TheFormsOfAnAudit writes the same answer in each form: of a letter, and of a hand-over.
func TestU12TheFormsOfAnAudit(t *testing.T) {
	t.Parallel()
	letter := report.Finding{
		Class: report.Law, Code: "fee_above_cap", Creditor: "1", Customer: "7", Invoice: "10001", Notice: "4", Rows: []string{"overdue_notices 4"},
		Expected: "35.00", Found: "38.00", Back: 3_00, Law: "inkassoforskriften § 1-2", Text: "=The fee is 38.00",
	}
	handOver := letter
	handOver.Class, handOver.Notice, handOver.HandOver, handOver.Back = report.Doubt, "", "9", 0
	answer := report.New(report.Counts{Letters: 2, Checks: 90, Kinds: 60, Unknown: 1}, slices.Values([]report.Finding{letter, handOver}))

	var text strings.Builder
	testkit.Must(t, answer.Write(&text, "json"))
	var read struct {
		Letters, Checks, Kinds, Unknown int
		Back                            string
		Findings                        []map[string]any
	}
	testkit.Must(t, json.Unmarshal([]byte(text.String()), &read))
	if len(read.Findings) != 2 || read.Back != "3.00" || read.Kinds != 60 || read.Unknown != 1 {
		t.Fatalf("the document is %s", text.String())
	}
	one, other := read.Findings[0], read.Findings[1]
	if one["invoice"] != 10001.0 || one["notice"] != 4.0 || one["back"] != "3.00" || one["class"] != "law" || other["notice"] != nil || other["hand_over"] != 9.0 {
		t.Errorf("the document is %s", text.String())
	}
	text.Reset()
	testkit.Must(t, answer.Write(&text, "csv"))
	rows, err := csv.NewReader(strings.NewReader(text.String())).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][5] != "4" || rows[2][5] != "" || rows[1][9] != "3.00" || rows[1][11] != "'=The fee is 38.00" {
		t.Fatalf("the file is %q, %v", rows, err)
	}
	for _, member := range rows[0] {
		if _, is := one[member]; !is {
			t.Errorf("a finding has no %q", member)
		}
	}
	text.Reset()
	testkit.Must(t, answer.Write(&text, "table"))
	for _, shown := range []string{"law  fee_above_cap  invoice 10001, notice 4, customer 7", "back: 3.00", "hand-over 9"} {
		if !strings.Contains(text.String(), shown) {
			t.Errorf("the table does not show %q: %s", shown, text.String())
		}
	}
	if err := answer.Write(&text, "png"); err == nil {
		t.Error("there is a form png")
	}
	if got, want := answer.LastLine(), "2 letters, 90 checks of 60 kinds, 1 unknown: 1 finding of law, 0 of rule, 1 of doubt; 3.00 to be paid back to 1 customer"; got != want || !answer.Unlawful() {
		t.Errorf("the last line is %q, want %q", got, want)
	}
}

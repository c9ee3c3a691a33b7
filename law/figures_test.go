package law_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"purr/law"
	"purr/models"
)

func TestE6hFiguresShowWhoseTheyAre(t *testing.T) {
	t.Parallel()
	rules, err := law.Load(fstest.MapFS{"inkassosats.csv": csvFile("2026-01-01,750,read again,A", "2027-01-01,760,a regulation to come,B")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range rules.Figures(day("2026-11-20")) {
		if f.Kind == models.RuleInkassosats || f.Kind == models.RuleAct {
			got = append(got, fmt.Sprintf("%s %s %s: %s (%s)", f.Kind, f.From, f.Value, f.Source, f.Origin))
		}
	}
	want := []string{
		"inkassosats 2026-01-01 750: read again (file)",
		"inkassosats 2027-01-01 760: a regulation to come (file)",
		"act 1989-07-01 1988: LOV-1988-05-13-26 inkassoloven; the day is general knowledge (program)",
		"act 2027-01-01 unknown: 1 January 2027 was signalled for LOV-2026-05-22-19; the act of 1988 goes on until a day is set (program)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("the figures are\n%q, want\n%q", got, want)
	}
}

func TestE6hWarningsComeWeeksAhead(t *testing.T) {
	t.Parallel()
	with := models.Policy{Compensation: true}
	next, err := law.Load(fstest.MapFS{
		"late_interest.csv": csvFile("2027-01-01,11.75,a regulation to come,A"), "inkassosats.csv": csvFile("2027-01-01,760,a regulation to come,A"),
		"act.csv": csvFile("2027-01-01,1988,the Ministry's letter,A"),
	})
	if err != nil {
		t.Fatal(err)
	}
	interest, fee, compensation, act := "late_interest from ", "inkassosats from ", "compensation from ", "act from "
	tests := []struct {
		rules  *law.Rules
		policy models.Policy
		on     string
		want   []string
		why    string
	}{
		{law.Default(), with, "2026-12-03", nil, "none 28 days before the end"},
		{law.Default(), with, "2026-12-04", []string{interest + "2027-01-01", fee + "2027-01-01", compensation + "2027-01-01", act + "2027-01-01"}, "each from the day after on"},
		{law.Default(), models.Policy{}, "2026-12-31", []string{interest + "2027-01-01", fee + "2027-01-01", act + "2027-01-01"}, "none of compensation to whom charges none"},
		{law.Default(), models.Policy{}, "2027-05-01", []string{interest + "2027-01-01", fee + "2027-01-01", act + "2027-01-01"}, "past the end too"},
		{law.Default(), models.Policy{}, "2027-07-01", []string{interest + "2027-07-01", fee + "2027-07-01", act + "2027-07-01"}, "anew for each half-year"},
		{next, models.Policy{}, "2027-01-15", nil, "none once the next figures are there"},
		{next, models.Policy{}, "2027-06-03", []string{interest + "2027-07-01"}, "late interest is set anew in July, the inkassosats is not"},
		{rules2026(), models.Policy{}, "2027-02-01", []string{interest + "2027-01-01", "fee_2026 from 2027-01-01"}, "under the act of 2026 of its fee, of which there is none"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			var got []string
			for _, w := range tt.rules.Warnings(day(tt.on), tt.policy) {
				got = append(got, fmt.Sprintf("%s from %s", w.Kind, w.From))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("the warnings are %q, want %q", got, tt.want)
			}
		})
	}
	ahead, past := law.Default().Warnings(day("2026-12-04"), models.Policy{})[0].Text, law.Default().Warnings(day("2027-01-01"), models.Policy{})[0].Text
	if ahead != "the rate of late interest is known until 2026-12-31: after that day the last one, 12.25, goes on unless the next is set" ||
		past != "the rate of late interest is not known for the days after 2026-12-31: the last one, 12.25, goes on" {
		t.Errorf("the warnings are %q and %q", ahead, past)
	}
}

// TestL11TheActIsKnownUntilADay: the act of 1988 is known until the day from which on it is not, unless a later row says
// what holds until then.
func TestL11TheActIsKnownUntilADay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ rows, want, why string }{
		{"", "1988 until 2026-12-31", "as the program knows it"},
		{"2027-01-01,1988,a letter,A", "", "it goes on, and no end is in sight"},
		{"2027-07-01,2026,the King in Council,A", "", "it goes on until the next one begins"},
		{"2027-07-01,unknown,a newspaper,C", "1988 until 2027-06-30", "it is unknown from a later day on"},
		{"2027-01-01,2026,the King in Council,A", "", "the next one begins on that day"},
	} {
		folder := fstest.MapFS{}
		if tt.rows != "" {
			rows := []string{tt.rows}
			if strings.Contains(tt.rows, "unknown") {
				rows = []string{"2027-01-01,1988,a letter,A", tt.rows}
			}
			folder["act.csv"] = csvFile(rows...)
		}
		rules, err := law.Load(folder)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, e := range rules.Expiries(day("2026-11-20")) {
			if e.Kind == models.RuleAct {
				got = fmt.Sprintf("%s until %s", e.Value, e.Until)
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.why, got, tt.want)
		}
		if !rules.OwnWarning(day("2026-12-31")) {
			t.Errorf("%s: the act of 1988 does not hold today", tt.why)
		}
	}
}

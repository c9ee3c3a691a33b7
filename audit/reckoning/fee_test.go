package reckoning_test

import (
	"strings"
	"testing"

	"purr/audit/reckoning"
	"purr/law"
	"purr/models"
	"purr/test/testkit"
)

// TestU3CapOfAFee has the published fees by the invoice's due date and the letter's day.
func TestU3CapOfAFee(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		due, left string
		kind      reckoning.LetterKind
		want      models.Amount
		known     bool
	}{
		{"2009-06-01", "2009-07-01", reckoning.Reminder, 59_00, true},
		{"2016-11-01", "2016-12-01", reckoning.Reminder, 67_00, true},
		{"2016-12-01", "2017-01-02", reckoning.Reminder, 70_00, true}, // the inkassosats of the letter's day
		{"2019-06-01", "2019-07-01", reckoning.Demand, 210_00, true},
		{"2020-09-30", "2020-10-20", reckoning.Reminder, 70_00, true}, // the fraction of the due date
		{"2020-10-01", "2020-10-20", reckoning.Reminder, 35_00, true},
		{"2020-10-01", "2020-10-20", reckoning.Warning, 35_00, true},
		{"2025-12-01", "2025-12-31", reckoning.Demand, 105_00, true},
		{"2025-12-01", "2026-01-02", reckoning.Reminder, 38_00, true}, // 37.50 in whole kroner
		{"2025-12-01", "2026-01-02", reckoning.Demand, 113_00, true},  // 112.50
		{"2026-12-01", "2027-01-04", reckoning.Reminder, 38_00, false},
		{"1980-12-01", "1981-01-04", reckoning.Reminder, 0, false},
	} {
		got := figures(t).FeeCap(day(t, test.due), day(t, test.left), test.kind)
		if got.Most != test.want || got.Known != test.known {
			t.Errorf("a %s of %s on an invoice due on %s: %+v, want %s", test.kind, test.left, test.due, got, test.want)
		}
	}
}

// TestU3WhetherALetterMayBearAFee says of each letter why it may bear no fee.
func TestU3WhetherALetterMayBearAFee(t *testing.T) {
	t.Parallel()
	letter := func(kind reckoning.LetterKind, left, deadline string, fee models.Amount) reckoning.Letter {
		return reckoning.Letter{Kind: kind, Left: day(t, left), Deadline: day(t, deadline), Fee: fee}
	}
	first := letter(reckoning.Reminder, "2026-02-02", "2026-02-16", 38_00)
	free := letter(reckoning.Reminder, "2026-02-02", "2026-02-09", 0)
	warning := letter(reckoning.Warning, "2026-02-02", "2026-02-16", 38_00)
	second := letter(reckoning.Reminder, "2026-02-17", "2026-03-03", 38_00)
	for _, test := range []struct {
		what   string
		before []reckoning.Letter
		kind   reckoning.LetterKind
		left   string
		claim  reckoning.FeeClaim
		want   reckoning.FeeRule
	}{
		{"13 days after the due date", nil, reckoning.Reminder, "2026-01-28", reckoning.FeeClaim{}, reckoning.FeeTooEarly},
		{"14 days after the due date", nil, reckoning.Reminder, "2026-01-29", reckoning.FeeClaim{}, reckoning.FeeCap},
		{"beside compensation", nil, reckoning.Reminder, "2026-01-29", reckoning.FeeClaim{Compensation: true}, reckoning.FeeCompensated},
		{"disputed", nil, reckoning.Reminder, "2026-01-29", reckoning.FeeClaim{Disputed: true}, reckoning.FeeDisputed},
		{"a second one on the first one's last day", []reckoning.Letter{first}, reckoning.Reminder, "2026-02-16", reckoning.FeeClaim{}, reckoning.FeeDeadlineRuns},
		{"a second one the day after", []reckoning.Letter{first}, reckoning.Warning, "2026-02-17", reckoning.FeeClaim{}, reckoning.FeeCap},
		{"after a letter without a fee", []reckoning.Letter{free}, reckoning.Reminder, "2026-02-05", reckoning.FeeClaim{}, reckoning.FeeCap},
		{
			"after a letter with 13 days",
			[]reckoning.Letter{letter(reckoning.Reminder, "2026-02-03", "2026-02-16", 38_00)},
			reckoning.Reminder, "2026-02-24",
			reckoning.FeeClaim{},
			reckoning.FeeNoDeadline,
		},
		{"after a letter that set no deadline", []reckoning.Letter{{Kind: reckoning.Reminder, Left: day(t, "2026-02-02"), Fee: 1}}, reckoning.Reminder, "2026-02-24", reckoning.FeeClaim{}, reckoning.FeeNoDeadline},
		{"a second warning", []reckoning.Letter{warning}, reckoning.Warning, "2026-02-17", reckoning.FeeClaim{}, reckoning.FeeSecondWarning},
		{"a reminder after the warning", []reckoning.Letter{warning}, reckoning.Reminder, "2026-02-17", reckoning.FeeClaim{}, reckoning.FeeCap},
		{"a third one", []reckoning.Letter{first, second}, reckoning.Reminder, "2026-04-01", reckoning.FeeClaim{}, reckoning.FeeThird},
		{"a demand after two", []reckoning.Letter{first, second}, reckoning.Demand, "2026-04-01", reckoning.FeeClaim{}, reckoning.FeeCap},
		{"one six months later", []reckoning.Letter{first, second}, reckoning.Reminder, "2026-08-17", reckoning.FeeClaim{}, reckoning.FeeCap},
		{"one a day earlier", []reckoning.Letter{first, second}, reckoning.Reminder, "2026-08-16", reckoning.FeeClaim{}, reckoning.FeeThird},
	} {
		test.claim.Due = day(t, "2026-01-15")
		got := figures(t).Fee(test.claim, test.before, test.kind, day(t, test.left))
		if got.Rule != test.want || got.Rule != reckoning.FeeCap && got.Most != 0 || got.Rule.Source() == "" {
			t.Errorf("%s: %+v, want %s", test.what, got, test.want)
		}
	}
}

// TestU3FeesUnderTheActOf2026 sets the act in force, then a fee.
func TestU3FeesUnderTheActOf2026(t *testing.T) {
	t.Parallel()
	set := append(law.Default().All(), law.Figure{Kind: models.RuleAct, From: day(t, "2027-02-01"), Value: "2026"})
	due, left := day(t, "2027-01-05"), day(t, "2027-02-01")
	l, err := reckoning.New(set)
	testkit.Must(t, err)
	if year, _, known := l.Act(left - 1); year != reckoning.Act1988 || known || !l.OwnWarning(left-1) {
		t.Errorf("on the day before the act of %d is in force (known: %t)", year, known)
	}
	if year, _, known := l.Act(left); year != reckoning.Act2026 || !known || l.OwnWarning(left) {
		t.Errorf("on the day of the act that of %d is in force (known: %t)", year, known)
	}
	if words := l.FeeCap(due, left-1, reckoning.Demand).Words(); words != "3 × 750 / 20 = 113.00" {
		t.Errorf("a demand's cap is %s", words)
	}
	for kind, want := range map[reckoning.LetterKind]reckoning.FeeRule{reckoning.Reminder: reckoning.FeeNotSet, reckoning.Warning: reckoning.FeeOwnWarning, reckoning.Demand: reckoning.FeeOwnWarning} {
		if got := l.Fee(reckoning.FeeClaim{Due: due}, nil, kind, left); got.Rule != want || got.Most != 0 {
			t.Errorf("a %s: %+v, want %s", kind, got, want)
		}
	}
	l, err = reckoning.New(append(set, law.Figure{Kind: models.RuleFee2026, From: left, Value: "50"}))
	testkit.Must(t, err)
	if got := l.Fee(reckoning.FeeClaim{Due: due}, nil, reckoning.Reminder, left); got.Most != 50_00 {
		t.Errorf("a reminder, once a fee is set: %+v", got)
	}
}

// TestU3Compensation has figures of two half-years, and some that nobody found.
func TestU3Compensation(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		arose, left string
		safe, most  models.Amount
		known       bool
	}{
		{"2026-03-02", "2026-04-01", 460_00, 460_00, true},
		{"2026-06-30", "2026-07-15", 430_00, 460_00, true},
		{"2023-06-30", "2023-07-15", 410_00, 460_00, true},
		{"2014-08-01", "2014-08-15", 320_00, 320_00, false},
		{"2027-01-05", "2027-01-15", 430_00, 430_00, false},
		{"2012-01-05", "2012-01-15", 0, 0, false},
	} {
		got := figures(t).Compensation(day(t, test.arose), day(t, test.left))
		if got.Safe != test.safe || got.Most != test.most || got.Known != test.known {
			t.Errorf("%s, %s: %+v", test.arose, test.left, got)
		}
	}
	if reckoning.SetOff(430_00, 38_00) != 392_00 || reckoning.SetOff(30_00, 38_00) != 0 {
		t.Error("compensation and fees are deducted from one another")
	}
}

// TestU1FiguresThatCannotBeRead names each of them.
func TestU1FiguresThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for value, kind := range map[string]models.RuleKind{
		"12,25": models.RuleLateInterest, "12.255": models.RuleLateInterest, "-1": models.RuleCompensation, "1.": models.RuleInkassosats,
		"0": models.RuleFeeFraction, "0.00": models.RuleFeeRounding, "2030": models.RuleAct, "": models.RuleInkassosats,
	} {
		_, err := reckoning.New(append(law.Default().All(), law.Figure{Kind: kind, From: day(t, "2030-01-01"), Value: value}))
		if err == nil || !strings.Contains(err.Error(), string(kind)+" from 2030-01-01") {
			t.Errorf("%s %q: %v", kind, value, err)
		}
	}
	if _, err := reckoning.New(nil); err == nil || strings.Count(err.Error(), "\n") != 5 {
		t.Errorf("without figures: %v", err)
	}
	if table := figures(t).Figures(models.RuleInkassosats); len(table) != 10 || table[9].Source == "" {
		t.Errorf("the table of the inkassosats is %+v", table)
	}
}

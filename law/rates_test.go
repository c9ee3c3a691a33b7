package law_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"purr/law"
	testlaw "purr/test/testkit/law"
)

func TestInterestRateIsThePublishedOneEveryDay(t *testing.T) {
	t.Parallel()
	rules := law.Default()
	for on := day("1994-01-01"); on <= day("2026-12-31"); on++ {
		if rate, known := rules.InterestRate(on); rate != testlaw.Rate(on) || !known {
			t.Fatalf("on %s the rate is %s (known %t), want %s", on, rate, known, testlaw.Rate(on))
		}
	}
}

func TestInterestRateOutsideTheTableE6h(t *testing.T) {
	t.Parallel()
	tests := []struct{ on, rate, why string }{
		{"1993-12-31", "0", "before the first rate there is none"},
		{"2027-01-01", "12.25", "past the last known half-year its rate goes on"},
		{"2031-05-05", "12.25", "and on"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			rate, known := law.Default().InterestRate(day(tt.on))
			if rate.String() != tt.rate || known {
				t.Errorf("on %s the rate is %s (known %t), want %s, not known", tt.on, rate, known, tt.rate)
			}
		})
	}
}

func TestMaxFee(t *testing.T) {
	t.Parallel()
	tests := []struct {
		issued, due, maximum string
		known                bool
		why                  string
	}{
		{"2009-06-01", "2009-05-01", "59.00", true, "a tenth of 590"},
		{"2010-06-01", "2010-05-01", "60.00", true, "a tenth of 600"},
		{"2011-06-01", "2011-05-01", "61.00", true, "a tenth of 610"},
		{"2012-06-01", "2012-05-01", "62.00", true, "a tenth of 620"},
		{"2013-06-01", "2013-05-01", "63.00", true, "a tenth of 630"},
		{"2014-06-01", "2014-05-01", "64.00", true, "a tenth of 640"},
		{"2015-06-01", "2015-05-01", "65.00", true, "a tenth of 650"},
		{"2016-06-01", "2016-05-01", "67.00", true, "a tenth of 670"},
		{"2016-12-31", "2016-12-01", "67.00", true, "the inkassosats of the last day of the year"},
		{"2017-01-01", "2016-12-01", "70.00", true, "the inkassosats of the day the letter is sent, not of the due date"},
		{"2020-09-30", "2020-09-01", "70.00", true, "a tenth of 700 before the halving"},
		{"2020-10-20", "2020-09-30", "70.00", true, "an invoice due before 1 October 2020 keeps a tenth"},
		{"2020-10-20", "2020-10-01", "35.00", true, "an invoice due from 1 October 2020 has a twentieth"},
		{"2025-12-31", "2025-12-01", "35.00", true, "a twentieth of 700, the last day"},
		{"2026-01-01", "2025-12-01", "38.00", true, "a twentieth of 750 is 37.50, rounded to the whole krone"},
		{"2026-01-01", "2020-09-30", "75.00", true, "a tenth of 750 for a very old invoice"},
		{"2026-12-31", "2026-12-01", "38.00", true, "the last day of the last known year"},
		{"2027-01-01", "2026-12-01", "38.00", false, "past the last known year the maximum goes on (E6h)"},
		{"2008-12-31", "2008-12-01", "0.00", false, "before the first known inkassosats there is none"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			maximum, rule, known := law.Default().MaxFee(day(tt.issued), day(tt.due))
			if maximum.String() != tt.maximum || known != tt.known {
				t.Errorf("the maximum is %s (known %t), want %s (known %t)", maximum, known, tt.maximum, tt.known)
			}
			if rule == "" {
				t.Error("the maximum names no rule")
			}
		})
	}
}

func TestMaxFeeNamesItsRule(t *testing.T) {
	t.Parallel()
	_, rule, _ := law.Default().MaxFee(day("2026-11-20"), day("2026-11-01"))
	if want := "inkassoforskriften § 1-2: 1/20 of the inkassosats 750.00 of 2026-01-01"; rule != want {
		t.Errorf("the rule is %q, want %q", rule, want)
	}
}

func TestCompensation(t *testing.T) {
	t.Parallel()
	tests := []struct {
		issued, due, amount, from string
		known                     bool
		why                       string
	}{
		{"2013-07-15", "2013-06-28", "0.00", "", false, "none for a claim from before there was any"},
		{"2013-07-15", "2013-07-01", "300.00", "2013-07-01", true, "the first"},
		{"2026-06-30", "2026-06-15", "460.00", "2026-01-01", true, "the half-year's"},
		{"2026-07-15", "2026-06-15", "430.00", "2026-07-01", true, "the lower of two half-years, the one in which it is claimed"},
		{"2025-01-15", "2024-12-16", "460.00", "2024-07-01", true, "the lower of two half-years, the one in which it arose"},
		{"2026-12-31", "2026-12-01", "430.00", "2026-07-01", true, "the last day of the last known half-year"},
		{"2027-01-01", "2026-12-01", "430.00", "2026-07-01", false, "past it the last goes on (E6h)"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			got := law.Default().Compensation(day(tt.due), day(tt.issued), 0)
			want := "forsinkelsesrenteloven § 3a: standard compensation " + tt.amount + " of " + tt.from
			if tt.from == "" {
				want = "no standard compensation is known for the day"
			}
			if got.Amount.String() != tt.amount || got.Rule != want || got.Outdated == tt.known || got.Compensation != (tt.from != "") {
				t.Errorf("it is %+v, want %s by %q (known %t)", got, tt.amount, want, tt.known)
			}
		})
	}
}

func TestActOf2026(t *testing.T) {
	t.Parallel()
	if !law.Default().OwnWarning(day("2030-01-01")) {
		t.Error("the act of 1988 does not go on, although no day is set for the act of 2026")
	}
	rules := rules2026("2028-01-01,30,a regulation to come,A")
	tests := []struct {
		issued     string
		ownWarning bool
		maximum    string
		known      bool
		why        string
	}{
		{"2026-12-31", true, "38.00", true, "the day before, the act of 1988 holds"},
		{"2027-01-01", false, "0.00", false, "from its first day no fee may be taken while none is set"},
		{"2027-12-31", false, "0.00", false, "and so until the first rate"},
		{"2028-01-01", false, "30.00", true, "from its day the new rate holds"},
		{"2029-01-01", false, "30.00", false, "past its year it goes on, unknown"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			maximum, _, known := rules.MaxFee(day(tt.issued), day("2026-11-01"))
			if maximum.String() != tt.maximum || known != tt.known {
				t.Errorf("the maximum is %s (known %t), want %s (known %t)", maximum, known, tt.maximum, tt.known)
			}
			if got := rules.OwnWarning(day(tt.issued)); got != tt.ownWarning {
				t.Errorf("own warning is %t, want %t", got, tt.ownWarning)
			}
		})
	}
}

func TestLoadAddsTheFolderToTheProgramsFigures(t *testing.T) {
	t.Parallel()
	rules, err := law.Load(fstest.MapFS{
		"late_interest.csv": csvFile("2025-01-01,12.40,a correction,A", "2027-01-01,11.75,Finanstilsynet,A"),
		"README.txt":        &fstest.MapFile{},
	})
	if err != nil {
		t.Fatal(err)
	}
	if rate, known := rules.InterestRate(day("2027-06-30")); rate != 11_75 || !known {
		t.Errorf("the rate is %s (known %t), want the override's 11.75", rate, known)
	}
	if rate, _ := rules.InterestRate(day("2025-06-30")); rate != 12_40 {
		t.Errorf("the rate is %s, want the override's 12.4", rate)
	}
	if rate, _ := rules.InterestRate(day("2026-12-31")); rate != 12_25 {
		t.Errorf("the rate is %s, want the program's own 12.25", rate)
	}
	if fee, _, _ := rules.MaxFee(day("2026-11-20"), day("2026-11-01")); fee != 38_00 {
		t.Errorf("the fee is %s, want the program's own 38.00", fee)
	}
}

func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		why, name string
		file      *fstest.MapFile
		want      string
	}{
		{"a misspelt name", "interest.csv", csvFile(), "interest.csv: no rule is read from a file of this name"},
		{"another header", "act.csv", &fstest.MapFile{Data: []byte("day,act\n2026-01-01,1988\n")}, "the first row must be"},
		{"an empty file", "act.csv", &fstest.MapFile{}, "the first row must be"},
		{"a day that does not exist", "late_interest.csv", csvFile("2026-02-30,12,x,A"), "is not a date"},
		{"days out of order", "late_interest.csv", csvFile("2026-07-01,12,x,A", "2026-01-01,12,x,A"), "the dates must ascend"},
		{"a day twice", "late_interest.csv", csvFile("2026-07-01,12,x,A", "2026-07-01,13,x,A"), "the dates must ascend"},
		{"a value that is none", "late_interest.csv", csvFile("2026-07-01,12%,x,A"), "is not a decimal number"},
		{"a negative value", "inkassosats.csv", csvFile("2026-07-01,-1,x,A"), "is too small"},
		{"a fraction of zero", "fee_fraction.csv", csvFile("2026-07-01,0,x,A"), "is too small"},
		{"an unknown act", "act.csv", csvFile("2026-07-01,1999,x,A"), "is no act"},
		{"a value without a source", "late_interest.csv", csvFile("2026-07-01,12, ,A"), "a source is required"},
		{"a value of unsaid confidence", "late_interest.csv", csvFile("2026-07-01,12,x,"), "confidence"},
		{"a column too many", "late_interest.csv", csvFile("2026-07-01,12,x,A,y"), "late_interest.csv line 2: wrong number of fields"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			_, err := law.Load(fstest.MapFS{tt.name: tt.file})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, want %q", err, tt.want)
			}
		})
	}
	_, err := law.Load(fstest.MapFS{
		"a.csv": csvFile(), "act.csv": csvFile("2026-07-01,1999,x,A"),
		"late_interest.csv": csvFile("2026-07-01,12,x", "# a comment", "2027-01-01,12%,x,A", "2027-01-01,12,x,A"),
	})
	want := `dunning rules: a.csv: no rule is read from a file of this name
late_interest.csv line 2: wrong number of fields: 3, not 4
late_interest.csv line 5: the dates must ascend
late_interest.csv line 4: "12%" is not a decimal number
act.csv line 2: "1999" is no act on debt collection`
	if err == nil || err.Error() != want {
		t.Errorf("the error is\n%v, want one that names all faults\n%s", err, want)
	}
}

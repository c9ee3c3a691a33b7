package reckoning_test

import (
	"math/big"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"purr/audit/reckoning"
	"purr/law"
	"purr/models"
	"purr/test/testkit"
)

func figures(t *testing.T) *reckoning.Law {
	t.Helper()
	l, err := reckoning.New(law.Default().All())
	testkit.Must(t, err)
	return l
}

func day(t *testing.T, s string) models.Date {
	t.Helper()
	d, err := models.ParseDate(s)
	testkit.Must(t, err)
	return d
}

func whole(principal models.Amount) []reckoning.Step {
	return []reckoning.Step{{From: 1, Sum: principal}}
}

// TestU3InterestOfTheFactSheet reckons the examples that a person has reckoned from the published rates.
func TestU3InterestOfTheFactSheet(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		principal    models.Amount
		due, through string
		segments     []models.Amount
		want         models.Amount
	}{
		{10_000_00, "2026-06-15", "2026-07-20", []models.Amount{49_32, 67_12}, 116_44},
		{10_000_00, "2025-06-15", "2025-07-15", []models.Amount{47_95, 50_34}, 98_29}, // 15 June 2025 is a Sunday: one day less
		{25_000_00, "2025-12-22", "2026-02-03", []models.Amount{75_51, 279_45}, 354_96},
		{10_000_00, "2023-12-15", "2024-01-31", []models.Amount{51_51, 105_87}, 157_38}, // a leap year has 366 days
		{1_250_00, "2026-11-06", "2026-11-21", []models.Amount{6_29}, 6_29},
		{12_500_00, "2026-10-01", "2026-10-31", []models.Amount{125_86}, 125_86},
		{12_500_00, "2026-10-01", "2026-10-01", nil, 0}, // paid on the due date
	} {
		due := day(t, test.due)
		got := figures(t).Interest(reckoning.Debt{First: reckoning.FirstInterestDay(due, 0, 0, 0), Principal: whole(test.principal)}, day(t, test.through))
		if got.Amount != test.want || len(got.Segments) != len(test.segments) || !got.Known {
			t.Errorf("%s from %s to %s: %+v, want %s", test.principal, test.due, test.through, got, test.want)
			continue
		}
		for i, s := range got.Segments {
			if s.Amount != test.segments[i] {
				t.Errorf("%s from %s to %s: segment %d is %s, want %s", test.principal, test.due, test.through, i, s.Amount, test.segments[i])
			}
		}
	}
}

// TestU3InterestIsThatOfADiary holds the segments against a diary of days: each day's interest is a fraction, and the fractions of days that are alike
// add up to the segment's whole øre and rest.
func TestU3InterestIsThatOfADiary(t *testing.T) {
	t.Parallel()
	l := figures(t)
	rapid.Check(t, func(r *rapid.T) {
		first := models.Date(rapid.IntRange(int(models.NewDate(2015, time.January, 1)), int(models.NewDate(2026, time.December, 1))).Draw(r, "first"))
		through := first + models.Date(rapid.IntRange(-2, 900).Draw(r, "days"))
		debt := reckoning.Debt{First: first, Business: rapid.Bool().Draw(r, "business")}
		if rapid.Bool().Draw(r, "agreed") {
			rate := models.Percent(rapid.IntRange(0, 20_00).Draw(r, "rate"))
			debt.Agreed = &rate
		}
		for at := first - 5; at < through; at += models.Date(rapid.IntRange(1, 200).Draw(r, "wait")) {
			debt.Principal = append(debt.Principal, reckoning.Step{From: at, Sum: models.Amount(rapid.Int64Range(0, int64(models.MaxAmount)).Draw(r, "sum"))})
		}
		if rapid.Bool().Draw(r, "waived") {
			from := first + models.Date(rapid.IntRange(-20, 400).Draw(r, "free from"))
			debt.Free = models.Periods{{From: from, To: from + models.Date(rapid.IntRange(0, 100).Draw(r, "free days"))}}
		}
		got := l.Interest(debt, through)
		exact, days, next := new(big.Rat), int64(0), first
		for _, s := range got.Segments {
			if s.From < next || s.To < s.From || s.To > through {
				r.Fatalf("segments are out of order: %+v", got.Segments)
			}
			next = s.To + 1
			days += s.Days
			sum := new(big.Rat).SetFrac(new(big.Int).SetUint64(s.Rest), new(big.Int).SetUint64(s.Of))
			sum.Add(sum, new(big.Rat).SetInt64(int64(s.Whole)))
			exact.Add(exact, sum)
			if rounded := halfUp(sum); rounded != s.Amount {
				r.Fatalf("%s is rounded to %s, want %s", sum, s.Amount, rounded)
			}
		}
		diary, want := int64(0), new(big.Rat)
		for d := first; d <= through; d++ {
			unpaid := reckoning.UnpaidOn(debt.Principal, d)
			if unpaid == 0 || slices.ContainsFunc(debt.Free, func(p models.Period) bool { return p.From <= d && d <= p.To }) {
				continue
			}
			diary++
			rate := l.Rate(d).Percent
			if debt.Agreed != nil && (debt.Business || *debt.Agreed < rate) {
				rate = *debt.Agreed
			}
			of := new(big.Rat).SetFrac64(int64(rate), 10_000*int64(d.DaysInYear()))
			want.Add(want, of.Mul(of, new(big.Rat).SetInt64(int64(unpaid))))
		}
		if days != diary || exact.Cmp(want) != 0 {
			r.Fatalf("%d days bear %s øre, want %d and %s", days, exact.FloatString(6), diary, want.FloatString(6))
		}
	})
}

func halfUp(r *big.Rat) models.Amount {
	r = new(big.Rat).Add(r, big.NewRat(1, 2))
	return models.Amount(new(big.Int).Quo(r.Num(), r.Denom()).Int64())
}

// TestU1TheTwoReadingsAgreeOnInterest asks the program's own reading and the audit's for the same sums.
func TestU1TheTwoReadingsAgreeOnInterest(t *testing.T) {
	t.Parallel()
	l := figures(t)
	rapid.Check(t, func(r *rapid.T) {
		due := models.Date(rapid.IntRange(int(models.NewDate(2016, time.January, 1)), int(models.NewDate(2026, time.September, 1))).Draw(r, "due"))
		through := due + models.Date(rapid.IntRange(0, 500).Draw(r, "days"))
		entries := []models.Entry{{Type: models.EntryInvoice, Amount: models.Amount(rapid.Int64Range(1, 5_000_000_00).Draw(r, "gross")), TransactionDate: due - 14}}
		for range rapid.IntRange(0, 4).Draw(r, "payments") {
			at := due + models.Date(rapid.IntRange(-14, 400).Draw(r, "after"))
			entries = append(entries, models.Entry{Type: models.EntryOCR, Amount: -models.Amount(rapid.Int64Range(1, 2_000_000_00).Draw(r, "paid")), TransactionDate: at})
		}
		late := rapid.IntRange(0, 9).Draw(r, "late")
		invoice := models.Invoice{DueDate: due, IssueDate: due - 14}
		claim := law.NewClaim(invoice, late, entries, nil, models.Customer{}, models.DefaultPolicy())
		debt := reckoning.Debt{First: reckoning.FirstInterestDay(due, due-14, due-14+models.Date(late), 0), Principal: reckoning.Principal(entries)}
		program, audit := law.Default().Interest(claim, through), l.Interest(debt, through)
		if program.Amount != audit.Amount || len(program.Segments) != len(audit.Segments) {
			r.Fatalf("the program: %+v\nthe audit: %+v", program, audit)
		}
	})
}

// TestU3WhichRateMayBeCharged says which of two rates holds.
func TestU3WhichRateMayBeCharged(t *testing.T) {
	t.Parallel()
	const legal = 12_25
	for _, test := range []struct {
		what     string
		agreed   *models.Percent
		business bool
		want     models.Percent
		isAgreed bool
	}{
		{"nothing was agreed", nil, true, legal, false},
		{"a lower rate binds the creditor towards a person", new(models.Percent(8_00)), false, 8_00, true},
		{"a higher rate binds no person", new(models.Percent(18_00)), false, legal, false},
		{"a higher rate binds a trader", new(models.Percent(18_00)), true, 18_00, true},
		{"no interest was agreed", new(models.Percent(0)), true, 0, true},
	} {
		if rate, isAgreed := reckoning.Applied(legal, test.agreed, test.business); rate != test.want || isAgreed != test.isAgreed {
			t.Errorf("%s: %s %% (%t)", test.what, rate, isAgreed)
		}
	}
}

// TestU3FirstDayOfInterest says on which day interest begins.
func TestU3FirstDayOfInterest(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		what                         string
		due, issued, left, chargedTo string
		want                         string
	}{
		{"the day after a weekday", "2026-06-15", "2026-06-01", "2026-06-01", "", "2026-06-16"},
		{"a Saturday counts as Monday", "2026-06-13", "2026-05-30", "2026-05-30", "", "2026-06-16"},
		{"17 May 2027 is a Monday", "2027-05-15", "2027-05-01", "2027-05-01", "", "2027-05-19"},
		{"Maundy Thursday counts as the Tuesday after Easter", "2026-04-02", "2026-03-19", "2026-03-19", "", "2026-04-08"},
		{"the invoice left three days late", "2026-06-15", "2026-06-01", "2026-06-04", "", "2026-06-19"},
		{"nobody knows when the invoice left", "2026-06-15", "2026-06-01", "", "", "2026-06-16"},
		{"a letter charged through a day", "2026-06-15", "2026-06-01", "2026-06-01", "2026-07-09", "2026-07-10"},
	} {
		date := func(s string) (d models.Date) {
			testkit.Must(t, d.UnmarshalText([]byte(s)))
			return d
		}
		if got := reckoning.FirstInterestDay(date(test.due), date(test.issued), date(test.left), date(test.chargedTo)); got != date(test.want) {
			t.Errorf("%s: %s, want %s", test.what, got, test.want)
		}
	}
}

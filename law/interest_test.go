package law_test

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"purr/law"
	"purr/models"
	"purr/models/calendar"
	testlaw "purr/test/testkit/law"
)

// described writes segments as "days@rate/days of the year amount", or as "from..to of principal".
func described(in law.Interest, withPrincipal bool) string {
	texts := make([]string, len(in.Segments))
	for i, s := range in.Segments {
		texts[i] = fmt.Sprintf("%dd@%s/%d %s", s.Days, s.Rate, s.YearDays, s.Amount)
		if withPrincipal {
			texts[i] = fmt.Sprintf("%s..%s of %s", s.From, s.To, s.Principal)
		}
	}
	return strings.Join(texts, ", ")
}

func TestInterestByHalfYearAndYearD29(t *testing.T) {
	t.Parallel()
	tests := []struct {
		principal, due, chargedTo, through string
		segments, amount                   string
		why                                string
	}{
		{"10000.00", "2026-06-15", "", "2026-07-20", "15d@12/365 49.32, 20d@12.25/365 67.12", "116.44", "1 July cuts"},
		{"10000.00", "2025-06-13", "2025-06-15", "2025-07-15", "15d@12.5/365 51.37, 15d@12.25/365 50.34", "101.71", "from the day after the last charge"},
		{"10000.00", "2025-06-15", "", "2025-07-15", "14d@12.5/365 47.95, 15d@12.25/365 50.34", "98.29", "due on a Sunday counts as due on Monday"},
		{"25000.00", "2025-12-22", "", "2026-02-03", "9d@12.25/365 75.51, 34d@12/365 279.45", "354.96", "each segment is rounded, not the sum"},
		{"10000.00", "2023-12-15", "", "2024-01-31", "16d@11.75/365 51.51, 31d@12.5/366 105.87", "157.38", "a leap year has 366 days"},
		{"1250.00", "2026-11-06", "", "2026-11-21", "15d@12.25/365 6.29", "6.29", "fifteen days in one half-year"},
		{"12500.00", "2026-10-01", "", "2026-10-31", "30d@12.25/365 125.86", "125.86", "thirty days in one half-year"},
		{"10000.00", "2017-12-29", "", "2018-01-10", "2d@8.5/365 4.66, 10d@8.5/365 23.29", "27.95", "1 January cuts, though the rate stays"},
		{"1000.00", "2026-11-06", "", "2026-11-06", "", "0.00", "none on the due date"},
		{"1000.00", "2026-11-06", "", "2026-11-07", "1d@12.25/365 0.34", "0.34", "one day on the day after it"},
		{"1000.00", "2026-11-07", "", "2026-11-09", "", "0.00", "none on the Monday after a Saturday's due date"},
		{"1000.00", "2026-04-02", "", "2026-04-08", "1d@12/365 0.33", "0.33", "from the second day after Easter, due on Maundy Thursday"},
		{"1000.00", "2026-11-07", "2026-11-08", "2026-11-10", "1d@12.25/365 0.34", "0.34", "a charge before the moved due date does not bring it forward"},
		{"1000.00", "2026-11-06", "2026-11-20", "2026-11-20", "", "0.00", "a day is not charged twice"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			got := law.Default().Interest(law.Claim{
				DueDate: day(tt.due), ChargedTo: day(tt.chargedTo),
				Entries: []models.Entry{invoiced(tt.principal, "2017-01-01")},
			}, day(tt.through))
			if described(got, false) != tt.segments || got.Amount != kroner(tt.amount) {
				t.Errorf("the interest is %s: %s\nwant %s: %s", got.Amount, described(got, false), tt.amount, tt.segments)
			}
		})
	}
}

func TestInterestFollowsThePrincipalD29(t *testing.T) {
	t.Parallel()
	const due, through = "2026-08-03", "2026-08-31"
	tests := []struct {
		entries []models.Entry
		want    string
		why     string
	}{
		{
			[]models.Entry{paid("400.00", "2026-08-10")},
			"2026-08-04..2026-08-10 of 1000.00, 2026-08-11..2026-08-31 of 600.00", "a payment counts from the day after it",
		},
		{
			[]models.Entry{byOCR("400.00", "2026-08-03")},
			"2026-08-04..2026-08-31 of 600.00", "a payment on the due date leaves no interest on it",
		},
		{
			[]models.Entry{paid("400.00", "2026-08-20"), byOCR("100.00", "2026-08-10")},
			"2026-08-04..2026-08-10 of 1000.00, 2026-08-11..2026-08-20 of 900.00, 2026-08-21..2026-08-31 of 500.00",
			"payments count in the order of their dates, not of their posting",
		},
		{
			[]models.Entry{paid("100.00", "2026-08-10"), byOCR("200.00", "2026-08-10")},
			"2026-08-04..2026-08-10 of 1000.00, 2026-08-11..2026-08-31 of 700.00", "two payments of a day cut once",
		},
		{
			[]models.Entry{fee("38.00", "2026-08-18"), interest("4.70", "2026-08-18")},
			"2026-08-04..2026-08-31 of 1000.00", "no interest runs on fees or interest",
		},
		{
			[]models.Entry{fee("38.00", "2026-08-18"), paid("1000.00", "2026-08-20")},
			"2026-08-04..2026-08-20 of 1000.00", "a payment goes to the principal before the fee",
		},
		{
			[]models.Entry{paid("1300.00", "2026-08-10"), repaid("300.00", "2026-08-20")},
			"2026-08-04..2026-08-10 of 1000.00", "an overpayment sent back raises nothing",
		},
		{
			[]models.Entry{paid("1000.00", "2026-08-10"), tookBack("300.00", "2026-08-20")},
			"2026-08-04..2026-08-10 of 1000.00, 2026-08-21..2026-08-31 of 300.00", "money that the bank takes back raises it again",
		},
		{
			[]models.Entry{paid("1000.00", "2026-08-10"), tookBack("1300.00", "2026-08-20")},
			"2026-08-04..2026-08-10 of 1000.00, 2026-08-21..2026-08-31 of 1000.00", "but never above what was invoiced (D96)",
		},
		{
			[]models.Entry{repaid("300.00", "2026-08-20")},
			"2026-08-04..2026-08-31 of 1000.00", "what was paid out is no principal, whatever becomes of the money (D96)",
		},
		{
			[]models.Entry{credited("250.00", "2026-08-10")},
			"2026-08-04..2026-08-10 of 1000.00, 2026-08-11..2026-08-31 of 750.00", "a credit counts as a payment does",
		},
		{
			[]models.Entry{{Type: models.EntryCreditNote, Amount: 250_00, TransactionDate: day("2026-08-10"), CreditNoteID: 9}},
			"2026-08-04..2026-08-31 of 1000.00", "the credit note's own entry is not the invoice's",
		},
		{
			[]models.Entry{paid("1500.00", "2026-08-05"), repaid("500.00", "2026-08-07"), tookBack("700.00", "2026-08-10")},
			"2026-08-04..2026-08-05 of 1000.00, 2026-08-11..2026-08-31 of 200.00", "of what the bank takes back only the principal bears interest, and not the repayment that is owed (D96)",
		},
		{
			[]models.Entry{paid("1500.00", "2026-08-05"), repaid("500.00", "2026-08-07"), tookBack("700.00", "2026-08-10"), paid("700.00", "2026-08-20")},
			"2026-08-04..2026-08-05 of 1000.00, 2026-08-11..2026-08-20 of 200.00", "and the money that comes later raises nothing of the days before (D96)",
		},
		{
			[]models.Entry{repaid("300.00", "2026-08-10"), paid("1300.00", "2026-08-20")},
			"2026-08-04..2026-08-20 of 1000.00", "what was paid out before the surplus came is no principal either (D96)",
		},
		{
			[]models.Entry{ofNote("-400.00", "2026-08-10"), ofNote("400.00", "2026-08-12")},
			"2026-08-04..2026-08-10 of 1000.00, 2026-08-11..2026-08-31 of 600.00", "what is credited bears none, though the credit was paid out and the payment deleted (D96)",
		},
		{
			[]models.Entry{paid("200.00", "2026-08-08"), ofNote("-400.00", "2026-08-10"), ofNote("400.00", "2026-08-10"), credited("400.00", "2026-08-10")},
			"2026-08-04..2026-08-08 of 1000.00, 2026-08-09..2026-08-10 of 800.00, 2026-08-11..2026-08-31 of 400.00", "what is credited of the unpaid part is credited once",
		},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			entries := append([]models.Entry{invoiced("1000.00", "2026-07-20")}, tt.entries...)
			got := law.Default().Interest(law.Claim{DueDate: day(due), Entries: entries}, day(through))
			if described(got, true) != tt.want {
				t.Errorf("the segments are\n%s, want\n%s", described(got, true), tt.want)
			}
		})
	}
}

func TestInterestAtTheCreditorsOwnRateE6a(t *testing.T) {
	t.Parallel()
	percent := func(p models.Percent) *models.Percent { return &p }
	tests := []struct {
		own      *models.Percent
		business bool
		through  string
		want     string
		known    bool
		why      string
	}{
		{nil, false, "2026-11-30", "12.25", true, "without one the legal rate is used"},
		{percent(8_00), false, "2026-11-30", "8", true, "a lower one is used for a consumer"},
		{percent(8_00), true, "2026-11-30", "8", true, "a lower one is used for a business"},
		{percent(18_00), false, "2026-11-30", "12.25", true, "a higher one is not used for a consumer"},
		{percent(18_00), true, "2026-11-30", "18", true, "a higher one is used for a business"},
		{percent(0), true, "2026-11-30", "0", true, "zero is a rate"},
		{nil, false, "2027-01-31", "12.25", false, "past the last half-year the legal rate is not known"},
		{percent(18_00), false, "2027-01-31", "12.25", false, "nor is the limit that it sets for a consumer"},
		{percent(18_00), true, "2027-01-31", "18", true, "an own rate for a business does not depend on it"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			got := law.Default().Interest(law.Claim{
				DueDate: day("2026-11-02"), Entries: []models.Entry{invoiced("1000.00", "2026-10-01")},
				OwnRate: tt.own, Business: tt.business,
			}, day(tt.through))
			last := got.Segments[len(got.Segments)-1]
			if last.Rate.String() != tt.want || last.Outdated == tt.known {
				t.Errorf("the rate is %s (known %t), want %s (known %t)", last.Rate, !last.Outdated, tt.want, tt.known)
			}
		})
	}
}

func TestInterestIsCutByARateWithinTheHalfYear(t *testing.T) {
	t.Parallel()
	rules, err := law.Load(fstest.MapFS{"late_interest.csv": csvFile("2026-07-01,12.25,x,A", "2026-09-01,10,x,A")})
	if err != nil {
		t.Fatal(err)
	}
	got := rules.Interest(law.Claim{DueDate: day("2026-08-21"), Entries: []models.Entry{invoiced("1000.00", "2026-08-01")}}, day("2026-09-10"))
	if want := "10d@12.25/365 3.36, 10d@10/365 2.74"; described(got, false) != want {
		t.Errorf("the segments are %s, want %s", described(got, false), want)
	}
}

// anyClaim draws a claim whose interest begins within the years of the published rates.
func anyClaim(t *rapid.T) law.Claim {
	issued := dateIn(t, "issued", day("1995-01-01"), day("2023-06-30"))
	c := law.Claim{DueDate: issued + dateIn(t, "due days", 0, 365), Entries: anyEntries(t, issued)}
	if rapid.Bool().Draw(t, "charged before") {
		c.ChargedTo = dateIn(t, "charged to", c.DueDate, c.DueDate+200)
	}
	return c
}

// TestInterestAgreesWithADayByDayModel adds up exact interest one day at a time, and allows half an øre a segment.
func TestInterestAgreesWithADayByDayModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := anyClaim(t)
		through := dateIn(t, "through", c.DueDate-5, c.DueDate+800)
		got := law.Default().Interest(c, through)

		exact := new(big.Rat)
		for d := max(calendar.NextWeekday(c.DueDate), c.ChargedTo) + 1; d <= through; d++ {
			if unpaid := int64(unpaidOn(c.Entries, d)); unpaid > 0 {
				daily := big.NewRat(int64(testlaw.Rate(d)), int64(10_000*d.DaysInYear()))
				exact.Add(exact, daily.Mul(daily, new(big.Rat).SetInt64(unpaid)))
			}
		}
		off := exact.Sub(exact, new(big.Rat).SetInt64(int64(got.Amount)))
		if off.Abs(off).Cmp(big.NewRat(int64(len(got.Segments)), 2)) > 0 {
			t.Fatalf("the interest %s is %s øre off, in %d segments", got.Amount, off.FloatString(3), len(got.Segments))
		}
	})
}

// unpaidOn returns what of the principal is unpaid in the morning of a day, by what came and was credited until then. What was paid out
// was the customer's, and is no principal (rule D96).
func unpaidOn(entries []models.Entry, on models.Date) models.Amount {
	var unpaid, most models.Amount
	for _, e := range entries {
		switch {
		case e.TransactionDate >= on || e.Type == models.EntryInterest || e.Type == models.EntryOverdueCharge:
		case e.CreditNoteID != 0:
			most += min(e.Amount, 0)
		case e.Type == models.EntryInvoice:
			most += e.Amount
			unpaid += e.Amount
		case e.Type == models.EntryOCR || e.Amount < 0:
			unpaid += e.Amount
		}
	}
	return max(min(unpaid, most), 0)
}

// TestInterestSegments checks for any claim that segments ascend without overlap, that each lies within one half-year
// and after the due date, that none is negative, and that they add up.
func TestInterestSegments(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := anyClaim(t)
		through := dateIn(t, "through", c.DueDate-5, c.DueDate+800)
		got := law.Default().Interest(c, through)
		var sum models.Amount
		last := max(c.DueDate, c.ChargedTo)
		for _, s := range got.Segments {
			if s.From <= last || s.To < s.From || s.To > through || s.Days != int(s.To-s.From+1) {
				t.Fatalf("segment %+v after %s", s, last)
			}
			half := func(d models.Date) bool { return d.Time().Month() >= 7 }
			if s.From.Year() != s.To.Year() || half(s.From) != half(s.To) {
				t.Fatalf("segment %+v is not within one half-year", s)
			}
			if s.Amount < 0 || s.Principal <= 0 {
				t.Fatalf("segment %+v", s)
			}
			last, sum = s.To, sum+s.Amount
		}
		if sum != got.Amount {
			t.Fatalf("the segments add up to %s, not %s", sum, got.Amount)
		}
	})
}

// TestInterestInTwoChargesIsInterestInOne charges to a day and then from it: together that is the whole, but for the
// rounding of the one segment that is split.
func TestInterestInTwoChargesIsInterestInOne(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		c := anyClaim(t)
		begin := max(calendar.NextWeekday(c.DueDate), c.ChargedTo)
		through := dateIn(t, "through", begin, begin+800)
		split := dateIn(t, "split", begin, through)

		whole := law.Default().Interest(c, through)
		first := law.Default().Interest(c, split)
		c.ChargedTo = split
		second := law.Default().Interest(c, through)

		off := first.Amount + second.Amount - whole.Amount
		atCut := !slices.ContainsFunc(whole.Segments, func(s law.Segment) bool { return s.From <= split && split < s.To })
		if off < -1 || off > 1 || atCut && off != 0 {
			t.Fatalf("%s and %s are not %s", first.Amount, second.Amount, whole.Amount)
		}
	})
}

// TestD29InterestAgreesWithADiary charges an invoice once or twice, with part payments, credits, repayments,
// reversals and payments on the due date itself, over half-years, a leap year, weekends and holidays.
func TestD29InterestAgreesWithADiary(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		issued := dateIn(t, "issued", day("2024-01-01"), day("2026-06-01"))
		due := issued + dateIn(t, "due days", 0, 60)
		entries := anyEntries(t, issued)
		if rapid.Bool().Draw(t, "paid on the due date") {
			entries = append(entries, models.Entry{Type: models.EntryPayment, Amount: -entries[0].Amount / 3, TransactionDate: due})
		}
		unpaid := func(on models.Date) models.Amount { return unpaidOn(entries, on) }
		first := dateIn(t, "first notice", due, min(due+200, day("2026-12-31")))
		second := dateIn(t, "second notice", first, min(first+200, day("2026-12-31")))
		claim := law.Claim{DueDate: due, Entries: entries}
		for _, charge := range []struct{ to, before models.Date }{{first, 0}, {second, first}} {
			claim.ChargedTo = charge.before
			diary := testlaw.Claim{Due: due, ChargedTo: charge.before, Unpaid: unpaid, Rate: testlaw.Rate}
			got, want := law.Default().Interest(claim, charge.to), diary.Interest(charge.to)
			if got.Amount != want {
				t.Fatalf("from %s to %s the interest is %s, the diary has %s: %+v", charge.before, charge.to, got.Amount, want, got.Segments)
			}
		}
	})
}

func BenchmarkInterest(b *testing.B) {
	c := law.Claim{DueDate: day("2026-03-16"), Entries: []models.Entry{invoiced("10000.00", "2026-03-02"), paid("400.00", "2026-05-10")}}
	through := day("2026-11-21")
	for b.Loop() {
		law.Default().Interest(c, through)
	}
}

package law_test

import (
	"testing"

	"pgregory.net/rapid"

	"purr/law"
	"purr/models"
	testlaw "purr/test/testkit/law"
)

func TestN11DaysThatAreFreeBearNoInterest(t *testing.T) {
	t.Parallel()
	period := func(from, to string) models.Period { return models.Period{From: day(from), To: day(to)} }
	for _, tt := range []struct {
		why           string
		free          models.Periods
		segments      string
		from, through string
		ahead         int // free periods that are still to come
	}{
		{"none is free", nil, "2026-11-07..2026-11-30 of 10000.00", "2026-11-07", "2026-11-30", 0},
		{"days in the middle", models.Periods{period("2026-11-10", "2026-11-19")}, "2026-11-07..2026-11-09 of 10000.00, 2026-11-20..2026-11-30 of 10000.00", "2026-11-07", "2026-11-30", 1},
		{"the first days", models.Periods{period("2026-10-01", "2026-11-10")}, "2026-11-11..2026-11-30 of 10000.00", "2026-11-11", "2026-11-30", 0},
		{"the last days, and days after them", models.Periods{period("2026-11-30", "2026-12-24")}, "2026-11-07..2026-11-29 of 10000.00", "2026-11-07", "2026-11-30", 1},
		{"all of them", models.Periods{period("2026-11-07", "2026-11-30")}, "", "2026-12-01", "2026-11-30", 0},
		{"twice", models.Periods{period("2026-11-07", "2026-11-07"), period("2026-11-29", "2026-11-29")}, "2026-11-08..2026-11-28 of 10000.00, 2026-11-30..2026-11-30 of 10000.00", "2026-11-08", "2026-11-30", 1},
	} {
		t.Run(tt.why, func(t *testing.T) {
			claim := law.Claim{DueDate: day("2026-11-06"), Entries: []models.Entry{invoiced("10000.00", "2026-10-01")}, Free: tt.free}
			if got := described(law.Default().Interest(claim, day(tt.through)), true); got != tt.segments {
				t.Errorf("the segments are %s, want %s", got, tt.segments)
			}
			if ahead := law.Default().InterestAhead(claim, day(tt.through)); ahead.From != day(tt.from) || len(ahead.Free) != tt.ahead {
				t.Errorf("ahead there is %+v", ahead)
			}
		})
	}
}

// TestN11InterestWithFreeDaysAgreesWithADiary notes that nothing bears interest on the free days, over half-years and leap years.
func TestN11InterestWithFreeDaysAgreesWithADiary(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		issued := dateIn(t, "issued", day("2024-01-01"), day("2025-09-01"))
		claim := law.Claim{DueDate: issued + dateIn(t, "due days", 0, 60), Entries: anyEntries(t, issued)}
		for range rapid.IntRange(0, 4).Draw(t, "waivers") {
			from := dateIn(t, "free from", issued, issued+300)
			claim.Free = claim.Free.With(models.Period{From: from, To: from + dateIn(t, "free days", 0, 90)})
		}
		if rapid.Bool().Draw(t, "ended") {
			claim.Free = claim.Free.Before(dateIn(t, "ended on", issued, issued+300))
		}
		unpaid := func(on models.Date) models.Amount {
			if claim.Free.Has(on) {
				return 0
			}
			return unpaidOn(claim.Entries, on)
		}
		first := dateIn(t, "first notice", claim.DueDate, claim.DueDate+200)
		second := dateIn(t, "second notice", first, first+200)
		for _, charge := range []struct{ to, before models.Date }{{first, 0}, {second, first}} {
			claim.ChargedTo = charge.before
			diary := testlaw.Claim{Due: claim.DueDate, ChargedTo: charge.before, Unpaid: unpaid, Rate: testlaw.Rate}
			if got, want := law.Default().Interest(claim, charge.to), diary.Interest(charge.to); got.Amount != want {
				t.Fatalf("to %s, free of interest on %v, it is %s, the diary has %s: %+v", charge.to, claim.Free, got.Amount, want, got.Segments)
			}
		}
	})
}

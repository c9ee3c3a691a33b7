package models_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"purr/models"
)

// TestPeriodsAreTheDaysThatTheyWereMadeOf holds periods against a set of days.
func TestPeriodsAreTheDaysThatTheyWereMadeOf(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var ps models.Periods
		days := map[models.Date]bool{}
		for range rapid.IntRange(0, 6).Draw(t, "steps") {
			from := models.Date(rapid.Int32Range(100, 130).Draw(t, "from"))
			if rapid.Bool().Draw(t, "cut") {
				ps = ps.Before(from)
				for d := range days {
					if d >= from {
						delete(days, d)
					}
				}
				continue
			}
			to := from + models.Date(rapid.Int32Range(-1, 8).Draw(t, "days"))
			ps = ps.With(models.Period{From: from, To: to})
			for d := from; d <= to; d++ {
				days[d] = true
			}
		}
		for d := models.Date(90); d < 150; d++ {
			if ps.Has(d) != days[d] {
				t.Fatalf("%v has day %d: %t", ps, d, ps.Has(d))
			}
		}
		if !slices.IsSortedFunc(ps, func(a, b models.Period) int { return int(a.To + 2 - b.From) }) {
			t.Fatalf("%v touch, or are in no order", ps)
		}
		kept, err := ps.Value()
		var again models.Periods
		if err == nil {
			err = again.Scan(kept)
		}
		if err != nil || !slices.Equal(again, ps) {
			t.Fatalf("%v came back as %v, %v", ps, again, err)
		}
	})
}

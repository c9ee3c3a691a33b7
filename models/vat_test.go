package models_test

import (
	"slices"
	"strings"
	"testing"

	"purr/models"
)

func TestVATRatesD14(t *testing.T) {
	own := models.VATRates{
		{Name: models.VATLow, Percent: 10_00, FromDate: day("2016-01-01")},
		{Name: models.VATLow, Percent: 12_00, FromDate: day("2018-01-01")},
		{Name: models.VATLow, Percent: 6_00, FromDate: day("2020-04-01")},
		{Name: models.VATNone, Percent: 0, FromDate: day("2016-01-01")},
		{Name: models.VATMedium, Percent: 0, FromDate: day("2030-01-01")},
	}
	backwards := slices.Clone(own)
	slices.Reverse(backwards)
	tests := []struct {
		rates models.VATRates
		name  models.VATName
		on    string
		want  models.Percent
		why   string
	}{
		{nil, models.VATHigh, "2026-03-02", 25_00, "HIGH is 25 percent"},
		{nil, models.VATMedium, "2026-03-02", 15_00, "MEDIUM 15"},
		{nil, models.VATLow, "2026-03-02", 8_00, "LOW 8, whatever the law says today"},
		{nil, models.VATNone, "2026-03-02", 0, "NONE 0"},
		{own, models.VATLow, "2015-12-31", 8_00, "before the creditor's first rate the default holds"},
		{own, models.VATLow, "2016-01-01", 10_00, "a rate applies from its own day"},
		{own, models.VATLow, "2017-12-31", 10_00, "until the day before the next"},
		{own, models.VATLow, "2018-01-01", 12_00, "from which the next applies"},
		{own, models.VATLow, "2026-03-02", 6_00, "the last one goes on"},
		{backwards, models.VATLow, "2019-06-01", 12_00, "the order of the rates is of no matter"},
		{own, models.VATHigh, "2026-03-02", 25_00, "a class without own rates keeps the default"},
		{own, models.VATMedium, "2029-12-31", 15_00, "a rate of the future does not apply yet"},
		{own, models.VATMedium, "2030-01-01", 0, "a rate may be zero"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			if got, known := tt.rates.At(tt.name, day(tt.on)); got != tt.want || !known {
				t.Errorf("%s is %s on %s (known %t), want %s", tt.name, got, tt.on, known, tt.want)
			}
		})
	}
	for _, name := range []models.VATName{"", "high", "ZERO"} {
		if _, known := own.At(name, day("2026-03-02")); known {
			t.Errorf("there is a class %q", name)
		}
	}
}

// TestVATRatesHaveTheirFaultsD14 looks at each rate beside those before it.
func TestVATRatesHaveTheirFaultsD14(t *testing.T) {
	t.Parallel()
	day := models.NewDate(2018, 1, 1)
	rates := models.VATRates{
		{Name: models.VATLow, Percent: 12_00, FromDate: day},
		{Name: models.VATLow, Percent: 100_00, FromDate: day},
		{Name: models.VATLow, FromDate: day + 1},
		{Name: "low", Percent: 100_01, FromDate: day},
		{Name: models.VATNone, Percent: 1},
		{Name: models.VATNone, Percent: models.ReadVATPercent("x"), FromDate: day},
	}
	want := []string{"", "[]", "", "[name] [percent]", "[percent] [from]", "[percent]"}
	for i, faults := range rates.Faults() {
		places := ""
		for _, e := range faults {
			places += " [" + e.Place.String() + "]"
		}
		if places = strings.TrimSpace(places); places != want[i] {
			t.Errorf("%v has faults at %q, want %q", rates[i], places, want[i])
		}
	}
}

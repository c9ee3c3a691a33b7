package giro

import (
	"testing"
	"time"

	"purr/models"
)

// TestTwoDigitYears reads dates whose century is told by the date of the import: the year is the nearest one.
func TestTwoDigitYears(t *testing.T) {
	for _, tt := range []struct {
		today int // the year of the import
		field string
		want  string
	}{
		{2026, "020326", "2026-03-02"},
		{2026, "311225", "2025-12-31"},
		{2026, "010192", "1992-01-01"},
		{2026, "010176", "1976-01-01"}, // fifty years ago
		{2026, "311275", "2075-12-31"}, // in 49 years
		{2026, "290224", "2024-02-29"},
		{2099, "010100", "2100-01-01"},
		{2100, "311299", "2099-12-31"},
		{2026, "000000", ""},
	} {
		f := newDateField(models.NewDate(tt.today, time.March, 3))
		for range 2 { // the second time it is remembered
			if got, ok := f.read([]byte(tt.field)); !ok || got.String() != tt.want {
				t.Errorf("%s in %d is %s (%t), want %s", tt.field, tt.today, got, ok, tt.want)
			}
		}
	}
	for _, field := range []string{"290225", "310426", "001226", "010026", "011326", "0103 6", "-10326"} {
		f := newDateField(testToday)
		if got, ok := f.read([]byte(field)); ok {
			t.Errorf("%s is %s", field, got)
		}
	}
}

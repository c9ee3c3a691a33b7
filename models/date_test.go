package models_test

import (
	"database/sql/driver"
	"testing"
	"time"

	"pgregory.net/rapid"

	"purr/models"
	"purr/models/zone"
)

func TestParseDateD10(t *testing.T) {
	for _, text := range []string{"2026-03-02", "2024-02-29", "2000-02-29", "0001-01-01", "9999-12-31"} {
		if d, err := models.ParseDate(text); err != nil || d.String() != text || d == 0 {
			t.Errorf("ParseDate(%q) is %v, %v", text, d, err)
		}
	}
	for _, text := range []string{
		"", "2026-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-1-1", "26-01-01", "0000-01-01",
		"2026/01/01", "20260101", "2026-01-01T00:00:00", " 2026-01-01", "2026-01-01 ", "10000-01-01", "-001-01-01",
	} {
		if d, err := models.ParseDate(text); err == nil || d != 0 {
			t.Errorf("ParseDate(%q) is %v", text, d)
		}
	}
}

func TestDatesCountAsCalendarDays(t *testing.T) {
	tests := []struct {
		got, want models.Date
		why       string
	}{
		{day("2026-02-28") + 1, day("2026-03-01"), "February has 28 days"},
		{day("2024-02-28") + 1, day("2024-02-29"), "and 29 in a leap year"},
		{day("2025-12-31") + 1, day("2026-01-01"), "a year ends"},
		{day("2026-03-28") + 2, day("2026-03-30"), "a day without an hour is a day"},
		{models.NewDate(2026, time.January, 32), day("2026-02-01"), "a day past the month's end is in the next"},
		{day("0001-01-01"), 1, "the first day of all"},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.why, tt.got, tt.want)
		}
	}
	for year, days := range map[string]int{"1900": 365, "2000": 366, "2024": 366, "2026": 365, "2100": 365} {
		if got := day(year + "-07-01").DaysInYear(); got != days {
			t.Errorf("%s has %d days, want %d", year, got, days)
		}
	}
	if d := day("2026-11-21"); d.Weekday() != time.Saturday || d.Year() != 2026 {
		t.Errorf("%s is a %s of %d", d, d.Weekday(), d.Year())
	}
}

func TestDateOfIsTheDayWhereOneIsD15(t *testing.T) {
	oslo, err := zone.Load("Europe/Oslo")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ moment, want, why string }{
		{"2026-01-31T22:59:59Z", "2026-01-31", "a second before midnight in winter"},
		{"2026-01-31T23:00:00Z", "2026-02-01", "midnight in winter"},
		{"2026-06-30T21:59:59Z", "2026-06-30", "a second before midnight in summer"},
		{"2026-06-30T22:00:00Z", "2026-07-01", "midnight in summer"},
	}
	for _, tt := range tests {
		moment, err := time.Parse(time.RFC3339, tt.moment)
		if err != nil {
			t.Fatal(err)
		}
		if got := models.DateOf(moment.In(oslo)); got != day(tt.want) {
			t.Errorf("%s: %s is in Oslo %s, want %s", tt.why, tt.moment, got, tt.want)
		}
	}
}

func TestDatesSurviveTextDatabaseAndTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := models.Date(rapid.Int32Range(0, int32(day("9999-12-31"))).Draw(t, "day"))
		var fromText, fromDatabase, fromBytes models.Date
		if text, _ := d.MarshalText(); fromText.UnmarshalText(text) != nil || fromText != d {
			t.Errorf("%d is written %q and read as %d", d, text, fromText)
		}
		value, err := d.Value()
		if err != nil || fromDatabase.Scan(value) != nil || fromDatabase != d {
			t.Errorf("%d goes into a database as %v, %v and comes back as %d", d, value, err, fromDatabase)
		}
		if fromBytes.Scan([]byte(d.String())) != nil || fromBytes != d {
			t.Errorf("%s comes from bytes as %d", d, fromBytes)
		}
		if d != 0 && models.DateOf(d.Time()) != d {
			t.Errorf("%s is the moment %s and back the day %s", d, d.Time(), models.DateOf(d.Time()))
		}
	})
}

func TestNoDateIsNULL(t *testing.T) {
	var none models.Date
	if v, err := none.Value(); v != driver.Value(nil) || err != nil || none.String() != "" {
		t.Errorf("no date is %v, %v, written %q", v, err, none)
	}
	d := day("2026-03-02")
	if err := d.Scan(nil); err != nil || d != 0 {
		t.Errorf("NULL is %s, %v", d, err)
	}
}

func TestDateScansWhatDatabasesGive(t *testing.T) {
	for _, src := range []any{
		"2026-03-02", "2026-03-02 00:00:00+00:00", []byte("2026-03-02"), time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC),
	} {
		var d models.Date
		if err := d.Scan(src); err != nil || d != day("2026-03-02") {
			t.Errorf("%T %v is %s, %v", src, src, d, err)
		}
	}
	for _, src := range []any{int64(20260302), "2 March 2026", 2026.0302} {
		var d models.Date
		if err := d.Scan(src); err == nil {
			t.Errorf("%T %v is %s", src, src, d)
		}
	}
}

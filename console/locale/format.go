package locale

import (
	"html/template"
	"strconv"
	"strings"
	"time"

	"purr/models"
)

// Amount writes kroner as Norwegians do: 1 250,00 with no-break spaces, and a true minus sign.
func Amount(a models.Amount) string { return Number(a.String()) }

// Number writes a decimal number in the same way.
func Number(s string) string {
	return strings.Replace(models.GroupDigits(s, "\u00A0", ","), "-", "\u2212", 1)
}

// ShortDate writes a day as 22.11.2026.
func ShortDate(d models.Date) string {
	if d == 0 {
		return ""
	}
	return d.Time().Format("02.01.2006")
}

// LongDate writes a day in words: 22 November 2026, 22. november 2026.
func (w *Words) LongDate(d models.Date) string {
	if d == 0 {
		return ""
	}
	t := d.Time()
	return w.Say("date.long", "day", strconv.Itoa(t.Day()), "month", w.Say("month."+strconv.Itoa(int(t.Month()))), "year", strconv.Itoa(t.Year()))
}

// WeekdayDate writes a day with the day of the week: Monday 23 November 2026.
func (w *Words) WeekdayDate(d models.Date) string {
	return w.Say("weekday."+strconv.Itoa(int(d.Weekday()))) + " " + w.LongDate(d)
}

// WeekdayTime writes a day with the day of the week, as an element.
func (w *Words) WeekdayTime(d models.Date) template.HTML {
	return TimeElement(d.String(), w.WeekdayDate(d))
}

// TimeElement returns text in an element that says to programs which day or moment it is.
func TimeElement(machine, text string) template.HTML {
	return template.HTML(`<time datetime="` + template.HTMLEscapeString(machine) + `">` + template.HTMLEscapeString(text) + `</time>`) //nolint:gosec // it was escaped
}

// Moment writes a moment in the creditor's time zone: 22.11.2026 08:15.
func Moment(t time.Time, zone *time.Location) template.HTML {
	if t.IsZero() {
		return ""
	}
	local := t.In(zone)
	return TimeElement(local.Format(time.RFC3339), local.Format("02.01.2006 15:04"))
}

// ReadAmount reads kroner as people type them: 1 250,50, 1250.50, −35.
func ReadAmount(s string) (models.Amount, error) {
	return models.ParseAmount(Decimal(s))
}

// Month writes a month in words: October 2026, oktober 2026.
func (w *Words) Month(m models.Month) string {
	t := m.First().Time()
	return w.Say("month."+strconv.Itoa(int(t.Month()))) + " " + strconv.Itoa(t.Year())
}

// ShortMonth writes a month as people type it: 10.2026.
func ShortMonth(m models.Month) string { return m.First().Time().Format("01.2006") }

// ReadMonth reads a month as people type it: 10.2026, 2026-10.
func ReadMonth(s string) (models.Month, error) {
	s = strings.TrimSpace(s)
	if t, err := time.Parse("1.2006", s); err == nil {
		return models.MonthOf(models.DateOf(t)), nil
	}
	return models.ParseMonth(s)
}

// Decimal returns a number that a person has typed, as programs write it.
func Decimal(s string) string {
	return strings.NewReplacer(" ", "", "\u00A0", "", "\u202F", "", "\u2009", "", ",", ".", "\u2212", "-").Replace(strings.TrimSpace(s))
}

// ReadDate reads a day as a browser's date field sends it, or as people type it: 2026-11-22, 22.11.2026, 1.2.2026.
func ReadDate(s string) (models.Date, error) {
	s = strings.TrimSpace(s)
	if t, err := time.Parse("2.1.2006", s); err == nil {
		return models.DateOf(t), nil
	}
	return models.ParseDate(s)
}

// ParseWhole reads a whole number as people type it: 4711, 1 000.
func ParseWhole(s string) (int64, error) { return strconv.ParseInt(Decimal(s), 10, 64) }

// List writes numbers as a sentence has them: 4690, 4702 and 4711.
func (w *Words) List(numbers []int64) string {
	texts := make([]string, len(numbers))
	for i, n := range numbers {
		texts[i] = strconv.FormatInt(n, 10)
	}
	if last := len(texts) - 1; last > 0 {
		return w.Say("bank.and", "first", strings.Join(texts[:last], ", "), "last", texts[last])
	}
	return strings.Join(texts, "")
}

// Header returns the titles of a CSV file's columns.
func (w *Words) Header(names ...string) []string {
	titles := make([]string, len(names))
	for i, name := range names {
		titles[i] = w.Say(name)
	}
	return titles
}

// Weeks returns the weeks of a period of days, both inclusive, by their numbers, and the week of each day.
func (w *Words) Weeks(first, last models.Date) (names []string, of func(models.Date) int) {
	monday := first - models.Date((int(first.Weekday())+6)%7)
	of = func(d models.Date) int { return int(d-monday) / 7 }
	for day := monday; day <= last; day += 7 {
		_, week := day.Time().ISOWeek()
		names = append(names, w.Say("chart.week", "n", week))
	}
	return names, of
}

// Week returns the name of the week of a day.
func (w *Words) Week(day models.Date) string {
	_, week := day.Time().ISOWeek()
	return w.Say("chart.week", "n", week)
}

// Typed returns a value as a person types it into a field.
func (w *Words) Typed(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case models.Amount:
		return strings.ReplaceAll(v.String(), ".", ",")
	case models.Date:
		return v.String()
	case bool:
		if v {
			return "1"
		}
		return ""
	case string:
		return v
	}
	return w.plain(v)
}

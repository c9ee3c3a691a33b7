package console

import (
	"fmt"
	"html/template"
	"net/url"
	"strconv"
	"strings"
	"time"

	"purr/models"
)

// amount writes kroner as Norwegians do: 1 250,00 with no-break spaces, and a true minus sign.
func amount(a models.Amount) string { return number(a.String()) }

// number writes a decimal number in the same way.
func number(s string) string {
	return strings.Replace(models.GroupDigits(s, "\u00A0", ","), "-", "\u2212", 1)
}

// shortDate writes a day as 22.11.2026.
func shortDate(d models.Date) string {
	if d == 0 {
		return ""
	}
	return d.Time().Format("02.01.2006")
}

// longDate writes a day in words: 22 November 2026, 22. november 2026.
func (w *words) longDate(d models.Date) string {
	if d == 0 {
		return ""
	}
	t := d.Time()
	return w.say("date.long", "day", strconv.Itoa(t.Day()), "month", w.say("month."+strconv.Itoa(int(t.Month()))), "year", strconv.Itoa(t.Year()))
}

// weekdayDate writes a day with the day of the week: Monday 23 November 2026.
func (w *words) weekdayDate(d models.Date) string {
	return w.say("weekday."+strconv.Itoa(int(d.Weekday()))) + " " + w.longDate(d)
}

// timeElement returns text in an element that says to programs which day or moment it is.
func timeElement(machine, text string) template.HTML {
	return template.HTML(`<time datetime="` + template.HTMLEscapeString(machine) + `">` + template.HTMLEscapeString(text) + `</time>`) //nolint:gosec // it was escaped
}

// moment writes a moment in the creditor's time zone: 22.11.2026 08:15.
func moment(t time.Time, zone *time.Location) template.HTML {
	if t.IsZero() {
		return ""
	}
	local := t.In(zone)
	return timeElement(local.Format(time.RFC3339), local.Format("02.01.2006 15:04"))
}

// readAmount reads kroner as people type them: 1 250,50, 1250.50, −35.
func readAmount(s string) (models.Amount, error) {
	return models.ParseAmount(decimal(s))
}

// decimal returns a number that a person has typed, as programs write it.
func decimal(s string) string {
	return strings.NewReplacer(" ", "", "\u00A0", "", "\u202F", "", "\u2009", "", ",", ".", "\u2212", "-").Replace(strings.TrimSpace(s))
}

// readDate reads a day as a browser's date field sends it, or as people type it: 2026-11-22, 22.11.2026, 1.2.2026.
func readDate(s string) (models.Date, error) {
	s = strings.TrimSpace(s)
	if t, err := time.Parse("2.1.2006", s); err == nil {
		return models.DateOf(t), nil
	}
	return models.ParseDate(s)
}

// parseWhole reads a whole number as people type it: 4711, 1 000.
func parseWhole(s string) (int64, error) { return strconv.ParseInt(decimal(s), 10, 64) }

// toPath writes a part of a path.
func toPath(part any) string { return url.PathEscape(fmt.Sprint(part)) }

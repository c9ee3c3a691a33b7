package models

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// The codes of what FileDates finds.
const (
	CodeFileDate  = "bad_date"   // a fault: a date that no payment can have
	CodeDateAhead = "date_ahead" // a warning: a date after the day on which the file came
)

// FirstFileDate is the first day that a payment in a bank's file may have (rule D110).
var FirstFileDate = NewDate(2000, time.January, 1)

// MostDaysAhead is how many days after the day on which a file came its payments may be dated (rule D110).
const MostDaysAhead = 31

// mostDateFindings is the most findings of a code that are kept of a file.
const mostDateFindings = 100

// FileDates holds the settlement and booking dates of a payment file against the day on which it came (rule D110): up to 31 days
// ahead is told as a warning, what is later or before 2000 is a fault.
type FileDates struct {
	Received Date

	faults, warnings []FileFinding
}

// Check looks at the date of a transaction. entry is the number of a camt.054 entry, 0 in OCR giro.
func (c *FileDates) Check(line, entry int, d Date) {
	switch {
	case d == 0 || d >= FirstFileDate && d <= c.Received:
	case d < FirstFileDate:
		c.fault(line, entry, CodeFileDate, "the payment is dated %s, before %s", d, FirstFileDate)
	case d > c.Received+MostDaysAhead:
		c.fault(line, entry, CodeFileDate, "the payment is dated %s, more than %d days after %s, when the file came", d, MostDaysAhead, c.Received)
	default:
		c.warn(line, entry, CodeDateAhead, "the payment is dated %s, after %s, when the file came", d, c.Received)
	}
}

func (c *FileDates) fault(line, entry int, code, format string, args ...any) {
	if len(c.faults) < mostDateFindings {
		c.faults = append(c.faults, finding(line, entry, code, fmt.Sprintf(format, args...)))
	}
}

func (c *FileDates) warn(line, entry int, code, format string, args ...any) {
	if len(c.warnings) < mostDateFindings {
		c.warnings = append(c.warnings, finding(line, entry, code, fmt.Sprintf(format, args...)))
	}
}

// finding returns what is found in a line. It names the entry too, because a whole camt.054 file may be one line.
func finding(line, entry int, kind, text string) FileFinding {
	if entry != 0 {
		text = fmt.Sprintf("entry %d: %s", entry, text)
	}
	return FileFinding{Line: line, Code: kind, Text: text}
}

// Faults returns the faults together with those that were found otherwise, by line.
func (c *FileDates) Faults(others FileFaults) FileFaults {
	all := byLine(others, c.faults)
	return all[:min(len(all), mostDateFindings)]
}

// Warnings returns the warnings together with those that were found otherwise, by line.
func (c *FileDates) Warnings(others []FileFinding) []FileFinding {
	return byLine(others, c.warnings)
}

func byLine(some, more []FileFinding) []FileFinding {
	all := slices.Concat(some, more)
	slices.SortStableFunc(all, func(a, b FileFinding) int { return cmp.Compare(a.Line, b.Line) })
	return all
}

// BankZone is the time zone of Norwegian banks, whose day a file's dates are of.
const BankZone = "Europe/Oslo"

// BankDay returns the date at a moment as Norwegian banks have it.
func BankDay(at time.Time) (Date, error) { return Creditor{TimeZone: BankZone}.Today(at) }

package girobank

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding/charmap"

	"purr/models"
)

// recordLength is the number of characters of a record.
const recordLength = 80

// record is a line of the file, a character a byte.
type record struct {
	line  int // from 1
	text  string
	fault func(format string, args ...any) // keeps what is wrong with it
}

// tag returns the service, the type and the record's own type: what follows "NY".
func (r record) tag() string { return r.text[2:8] }

// zeros wants a filler of zeros.
func (r record) zeros(from, to int) {
	if strings.Trim(r.text[from:to], "0") != "" {
		r.fault("line %d, %d to %d: %q is no filler of zeros", r.line, from+1, to, r.text[from:to])
	}
}

// blanks wants a filler of blanks.
func (r record) blanks(from, to int) {
	if strings.Trim(r.text[from:to], " ") != "" {
		r.fault("line %d, %d to %d: %q is no filler of blanks", r.line, from+1, to, r.text[from:to])
	}
}

// number reads a number, and -1 where there is none.
func (r record) number(from, to int, name string) int64 {
	field := r.text[from:to]
	n, err := strconv.ParseInt(field, 10, 64)
	if err != nil || !digits(field) {
		r.fault("line %d: the %s is %q, which is no number", r.line, name, field)
		return -1
	}
	return n
}

// serial reads a number that begins at 1.
func (r record) serial(from, to int, name string) int64 {
	n := r.number(from, to, name)
	if n == 0 {
		r.fault("line %d: the %s is 0", r.line, name)
	}
	return n
}

// is wants a number to be what was counted.
func (r record) is(from, to int, name string, counted int64) {
	if n := r.number(from, to, name); n >= 0 && n != counted {
		r.fault("line %d: the %s is %d, counted are %d", r.line, name, n, counted)
	}
}

// date reads a date of the form DDMMYY of this century, and zero where there is none.
func (r record) date(from, to int, name string) models.Date {
	field := r.text[from:to]
	t, err := time.Parse("020106", field)
	if err != nil || !digits(field) {
		r.fault("line %d: the %s is %q, which is no date", r.line, name, field)
		return 0
	}
	return models.NewDate(2000+t.Year()%100, t.Month(), t.Day())
}

// isDate wants a date to be what was counted.
func (r record) isDate(from, to int, name string, counted models.Date) {
	if field, want := r.text[from:to], counted.Time().Format("020106"); counted != 0 && field != want {
		r.fault("line %d: the %s is %s, that of the claims is %s", r.line, name, field, want)
	}
}

// left reads a text that is left-aligned and filled with blanks.
func (r record) left(from, to int, name string) string {
	text := strings.TrimRight(r.text[from:to], " ")
	if strings.HasPrefix(text, " ") {
		r.fault("line %d: the %s is %q, which is not at the left of its field", r.line, name, r.text[from:to])
	}
	return decoded(text)
}

// kid reads a KID: digits at the right of their field, the last of them a check digit.
func (r record) kid(from, to int) string {
	field := r.text[from:to]
	kid := strings.TrimLeft(field, " ")
	switch {
	case !digits(kid):
		r.fault("line %d: the KID is %q, it must be digits at the right of its field", r.line, field)
	case len(kid) < 4 || !luhn(kid) && !modulus11(kid) || strings.Trim(kid, "0") == "":
		r.fault("line %d: the KID %s has a wrong check digit", r.line, kid)
	}
	return strings.TrimSpace(kid)
}

// luhn reports whether the digits, check digit included, add up as MOD10 wants: each second one from the right is doubled.
func luhn(kid string) bool {
	sum := 0
	for i := range len(kid) {
		d := int(kid[len(kid)-1-i] - '0')
		if i%2 == 1 {
			d *= 2
		}
		sum += d/10 + d%10
	}
	return sum%10 == 0
}

// modulus11 reports whether the digits, check digit included, add up as MOD11 wants: weights 1, then 2 to 7 and again, from the right.
func modulus11(kid string) bool {
	sum := int(kid[len(kid)-1] - '0')
	for i := range len(kid) - 1 {
		sum += int(kid[len(kid)-2-i]-'0') * (2 + i%6)
	}
	return sum%11 == 0
}

// printable reports whether all characters are ones that ISO-8859-1 prints.
func printable(text string) bool {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c >= 0x7f && c < 0xa0 {
			return false
		}
	}
	return true
}

// decoded returns a text of ISO-8859-1.
func decoded(text string) string {
	t, err := charmap.ISO8859_1.NewDecoder().String(text)
	if err != nil {
		return fmt.Sprintf("%q", text)
	}
	return t
}

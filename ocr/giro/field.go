package giro

import (
	"time"

	"golang.org/x/text/encoding/charmap"

	"purr/models"
)

// digits reports whether the field holds nothing but digits.
func digits(field []byte) bool {
	if last := len(field) - 8; last >= 0 {
		for i := 0; i < last; i += 8 {
			if !eightDigits(field[i:]) {
				return false
			}
		}
		return eightDigits(field[last:])
	}
	for _, c := range field {
		if c-'0' > 9 {
			return false
		}
	}
	return true
}

// number returns the value of a field of at most 18 digits.
func number(field []byte) int64 {
	var n int64
	for _, c := range field {
		n = n*10 + int64(c-'0')
	}
	return n
}

// zeros reports whether the field holds nothing but zeros.
func zeros(field []byte) bool {
	for _, c := range field {
		if c != '0' {
			return false
		}
	}
	return true
}

// wellFormedKID reports whether a trimmed KID is empty or digits. The last character may be "-", a MOD11 check character
// (section 5).
func wellFormedKID(kid []byte) bool {
	if n := len(kid); n > 1 && kid[n-1] == '-' {
		kid = kid[:n-1]
	}
	return digits(kid)
}

// dateField reads the dates of one field, DDMMYY. It caches the last date, because neighbouring records mostly have
// the same one.
type dateField struct {
	today models.Date
	last  [6]byte
	date  models.Date
}

func newDateField(today models.Date) dateField {
	return dateField{today: today, last: [6]byte([]byte("000000"))}
}

// read returns the date, or zero for zeros. It fails if the date is not in the calendar. The year is the one nearest to
// today's that ends in the two digits.
func (f *dateField) read(field []byte) (models.Date, bool) {
	if [6]byte(field) == f.last {
		return f.date, true
	}
	return f.another(field)
}

// another returns a date that may be another than the last.
func (f *dateField) another(field []byte) (models.Date, bool) {
	if zeros(field) {
		return 0, true
	}
	if !digits(field) {
		return 0, false
	}
	day, month := int(number(field[0:2])), time.Month(number(field[2:4]))
	d := models.NewDate(nearestYear(int(number(field[4:6])), f.today.Year()), month, day)
	if t := d.Time(); t.Day() != day || t.Month() != month {
		return 0, false
	}
	copy(f.last[:], field)
	f.date = d
	return d, true
}

// nearestYear returns the year that ends in the two digits and lies from 50 years before to 49 years after the given year.
func nearestYear(twoDigits, year int) int {
	first := year - 50
	return first + ((twoDigits-first)%100+100)%100
}

// latin1 decodes ISO-8859-1, in which every byte is a character.
func latin1(field []byte) string {
	text, _ := charmap.ISO8859_1.NewDecoder().Bytes(field)
	return string(text)
}

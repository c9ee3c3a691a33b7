package camt

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"purr/models"
)

// parseAmount returns a decimal number of kroner as øre. It is written as in XML Schema ("200000", "1250.5", "+1.50000")
// and not negative.
func parseAmount(s string) (models.Amount, error) {
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(s, "+"), ".")
	if whole+fraction == "" || !digits(whole) || !digits(fraction) {
		return 0, fmt.Errorf("%q is not a decimal number", s)
	}
	fraction = strings.TrimRight(fraction, "0")
	if len(fraction) > 2 {
		return 0, fmt.Errorf("%q is in parts of an øre", s)
	}
	all := strings.TrimLeft(whole+(fraction + "00")[:2], "0")
	if len(all) > len("99999999999999999") {
		return 0, fmt.Errorf("%q is above %s", s, MaxAmount)
	}
	v, err := strconv.ParseInt("0"+all, 10, 64)
	if err != nil {
		return 0, err
	}
	return models.Amount(v), nil
}

func digits(s string) bool { return strings.Trim(s, "0123456789") == "" }

// parseDate reads a date, perhaps with a time zone, "2026-03-02" or "2026-03-02+01:00".
func parseDate(s string) (models.Date, error) {
	for _, layout := range []string{time.DateOnly, "2006-01-02Z07:00"} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() > 0 {
			return models.DateOf(t), nil
		}
	}
	return 0, fmt.Errorf("%q is not a date of the form yyyy-mm-dd", s)
}

// parseMoment reads a date and a time, perhaps with fractions of a second and a time zone. It returns the day as
// written, without conversion to another time zone.
func parseMoment(s string) (models.Date, error) {
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04:05Z07:00"} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() > 0 {
			return models.DateOf(t), nil
		}
	}
	return 0, fmt.Errorf("%q is not a time of the form yyyy-mm-ddThh:mm:ss", s)
}

// bareNumber removes blanks and points from an account number.
var bareNumber = strings.NewReplacer(" ", "", ".", "")

// accountOf returns the 11 digits of a Norwegian account or its IBAN. It returns any other identification unchanged.
// ok is false if the check digits of a Norwegian account are wrong.
func accountOf(id string) (account string, ok bool) {
	bare := bareNumber.Replace(id)
	if bban, is := strings.CutPrefix(strings.ToUpper(bare), "NO"); is && len(bban) == 13 && digits(bban) {
		return bban[2:], bban[:2] == ibanCheck(bban[2:])
	}
	if len(bare) == 11 && digits(bare) {
		return bare, models.ValidBankAccount(bare)
	}
	return id, true
}

// IBAN returns the IBAN of a Norwegian account of 11 digits.
func IBAN(account string) string { return "NO" + ibanCheck(account) + account }

// ibanCheck returns the check digits (ISO 13616): 98 minus the remainder by 97 of the account followed by "NO00", in which N
// is 23 and O is 24.
func ibanCheck(account string) string {
	rest := 0
	for _, c := range account + "232400" {
		rest = (rest*10 + int(c-'0')) % 97
	}
	return fmt.Sprintf("%02d", 98-rest)
}

// oneLine returns a text with every run of blanks and line ends as one blank.
func oneLine(s string) string {
	s = strings.TrimSpace(s)
	if !strings.ContainsAny(s, "\n\t\r") && !strings.Contains(s, "  ") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

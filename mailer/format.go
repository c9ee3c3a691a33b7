package mailer

import (
	"strings"

	"purr/models"
)

// norwegianAmount returns kroner as Norwegians write them: "1 250,00".
func norwegianAmount(a models.Amount) string { return grouped(a, " ", ",") }

// englishAmount returns kroner as in English: "1,250.00".
func englishAmount(a models.Amount) string { return grouped(a, ",", ".") }

// grouped returns kroner with the given marks between thousands and before the decimals.
func grouped(a models.Amount, thousands, decimals string) string {
	whole, frac, _ := strings.Cut(a.String(), ".")
	digits := strings.TrimPrefix(whole, "-")
	sign := whole[:len(whole)-len(digits)]
	first := (len(digits)-1)%3 + 1
	var b strings.Builder
	b.WriteString(sign + digits[:first])
	for i := first; i < len(digits); i += 3 {
		b.WriteString(thousands + digits[i:i+3])
	}
	b.WriteString(decimals + frac)
	return b.String()
}

// norwegianDate returns dd.mm.yyyy.
func norwegianDate(d models.Date) string { return d.Time().Format("02.01.2006") }

// englishDate returns the day with the month as a word, which no reader takes for another day.
func englishDate(d models.Date) string { return d.Time().Format("2 January 2006") }

// account returns a bank account of 11 digits as Norwegians write it: "1234 56 78903".
func account(number string) string {
	if len(number) != 11 {
		return number
	}
	return number[:4] + " " + number[4:6] + " " + number[6:]
}

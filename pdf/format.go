package pdf

import (
	"strings"

	"purr/models"
)

// number writes a decimal number, such as that of models.Amount.String, with the language's decimal sign and with digits
// in groups of three.
func (l *language) number(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "-", s[1:]
	}
	whole, fraction, point := strings.Cut(s, ".")
	var b strings.Builder
	b.WriteString(sign)
	for i := range len(whole) {
		if i > 0 && (len(whole)-i)%3 == 0 {
			b.WriteString(l.group)
		}
		b.WriteByte(whole[i])
	}
	if point {
		b.WriteString(l.decimal + fraction)
	}
	return b.String()
}

func (l *language) money(a models.Amount) string { return l.number(a.String()) }

func (l *language) rate(p models.Percent) string { return l.number(p.String()) + "\u00A0%" }

func (l *language) day(d models.Date) string {
	if d == 0 {
		return ""
	}
	return d.Time().Format(l.dateLayout)
}

// account writes a bank account number of 11 digits in groups of 4, 2 and 5; anything else as it is.
func account(s string) string {
	if len(s) != 11 {
		return s
	}
	return s[:4] + "\u00A0" + s[4:6] + "\u00A0" + s[6:]
}

// organisation writes an organisation number of 9 digits in groups of 3; anything else as it is.
func organisation(s string) string {
	if len(s) != 9 {
		return s
	}
	return s[:3] + "\u00A0" + s[3:6] + "\u00A0" + s[6:]
}

package pdf

import "purr/models"

// number writes a decimal number as the language does.
func (l *language) number(s string) string { return models.GroupDigits(s, l.group, l.decimal) }

func (l *language) money(a models.Amount) string { return l.number(a.String()) }

func (l *language) rate(p models.Percent) string { return l.number(p.String()) + "\u00A0%" }

func (l *language) day(d models.Date) string {
	if d == 0 {
		return ""
	}
	return d.Time().Format(l.dateLayout)
}

func account(s string) string { return models.GroupAccount(s, "\u00A0") }

// organisation writes an organisation number of 9 digits in groups of 3; anything else as it is.
func organisation(s string) string {
	if len(s) != 9 {
		return s
	}
	return s[:3] + "\u00A0" + s[3:6] + "\u00A0" + s[6:]
}

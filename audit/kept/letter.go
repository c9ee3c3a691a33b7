package kept

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"purr/models"
)

// Letter is what the rows say of a letter: of a notice, or of one that several share.
type Letter struct {
	Language string // nb, nn, en; empty is nb
	KID      string // empty if it has none
	Account  string // on which it is paid
	Issued   models.Date
	Due      models.Date
	Gross    models.Amount
	Sums     []models.Amount // that must stand in it: its lines, or its parts
	Dates    []models.Date   // that must stand in it
	May      []models.Amount // sums that may stand in it besides
	MayDates []models.Date   // dates that may
	Texts    []string        // texts of persons, in which anything may stand
}

// Difference is something in which the bytes that left are not what the rows say.
type Difference struct {
	What     string // "gross", "sum", "date", "KID" or "account"
	Found    string // what stands in the letter; empty if it lacks what is expected
	Expected string // what the rows say; empty if they say nothing of the kind
}

// form is how a language writes sums and dates.
type form struct {
	sum, date     *regexp.Regexp
	group, point  string
	layout        string
	beforePercent *regexp.Regexp
}

var norwegian = form{
	sum: regexp.MustCompile(`-?\d{1,3}(?: \d{3})*,\d{2}\b`), date: regexp.MustCompile(`\b\d{2}\.\d{2}\.\d{4}\b`), group: " ", point: ",", layout: "02.01.2006",
	beforePercent: regexp.MustCompile(`\d+(?:,\d+)? ?%`),
}

var english = form{
	sum: regexp.MustCompile(`-?\d{1,3}(?:,\d{3})*\.\d{2}\b`), date: regexp.MustCompile(`\b\d{1,2} [A-Z][a-z]+ \d{4}\b`), group: ",", point: ".", layout: "2 January 2006",
	beforePercent: regexp.MustCompile(`\d+(?:\.\d+)? ?%`),
}

func formOf(language string) form {
	if language == "en" {
		return english
	}
	return norwegian
}

// blanks turns the blanks that break no line into ordinary ones.
var blanks = strings.NewReplacer("\u00A0", " ", "\u202F", " ", "−", "-")

// sumsIn returns the sums in a text, percentages apart.
func (f form) sumsIn(text string) (sums []models.Amount) {
	for _, s := range f.sum.FindAllString(f.beforePercent.ReplaceAllString(f.date.ReplaceAllString(text, ""), ""), -1) {
		amount, err := models.ParseAmount(strings.Replace(strings.ReplaceAll(s, f.group, ""), f.point, ".", 1))
		if err == nil {
			sums = append(sums, amount)
		}
	}
	return sums
}

// datesIn returns the dates in a text.
func (f form) datesIn(text string) (dates []models.Date) {
	for _, s := range f.date.FindAllString(text, -1) {
		if t, err := time.Parse(f.layout, s); err == nil {
			dates = append(dates, models.DateOf(t))
		}
	}
	return dates
}

// InPDF compares a letter's PDF with the rows: all that they say stands in it, and it asks for nothing else. The error says why the PDF
// cannot be read; then nothing is known of it.
func (l Letter) InPDF(file []byte) ([]Difference, error) {
	texts, err := Texts(file)
	if err != nil {
		return nil, err
	}
	f := formOf(l.Language)
	for i, text := range texts {
		texts[i] = blanks.Replace(text)
	}
	all := strings.Join(texts, "\n")
	var own []string // what persons wrote
	for _, text := range l.Texts {
		own = append(own, blanks.Replace(text))
	}
	persons := strings.Join(own, "\n")

	d := l.sums(f.sumsIn(all), f.sumsIn(persons))
	d = append(d, l.days(f.datesIn(all), f.datesIn(persons))...)
	for what, want := range map[string]string{"KID": l.KID, "account": grouped(l.Account)} {
		if want != "" && !slices.Contains(texts, want) {
			d = append(d, Difference{what, digitsLike(texts, want), want})
		}
	}
	slices.SortStableFunc(d, func(a, b Difference) int { return strings.Compare(a.What, b.What) })
	return d, nil
}

// grouped writes an account as letters do.
func grouped(account string) string {
	if len(account) != 11 {
		return account
	}
	return account[:4] + " " + account[4:6] + " " + account[6:]
}

// digitsLike returns the first text of the same length and form, in digits, which may be what stands in the other's place.
func digitsLike(texts []string, want string) string {
	form := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return '0'
			}
			return r
		}, s)
	}
	for _, text := range texts {
		if form(text) == form(want) {
			return text
		}
	}
	return ""
}

// sums compares sums. The whole sum must stand there twice: in the payment's box, and below the claim.
func (l Letter) sums(found, persons []models.Amount) (d []Difference) {
	known := slices.Concat([]models.Amount{l.Gross}, l.Sums, l.May, persons)
	var other []string
	for _, sum := range found {
		if !slices.Contains(known, sum) && !slices.Contains(other, sum.String()) {
			other = append(other, sum.String())
		}
	}
	lacks := func(what string, want models.Amount, times int) {
		if count(found, want) >= times {
			return
		}
		instead := ""
		if len(other) > 0 {
			instead, other = other[0], other[1:]
		}
		d = append(d, Difference{what, instead, want.String()})
	}
	lacks("gross", l.Gross, 2)
	for _, want := range slices.Compact(slices.Sorted(slices.Values(l.Sums))) {
		lacks("sum", want, count(l.Sums, want))
	}
	for _, sum := range other {
		d = append(d, Difference{"sum", sum, ""})
	}
	return d
}

// days compares dates.
func (l Letter) days(found, persons []models.Date) (d []Difference) {
	must := slices.Concat([]models.Date{l.Issued, l.Due}, l.Dates)
	known := slices.Concat(must, l.MayDates, persons)
	var other []string
	for _, day := range found {
		if !slices.Contains(known, day) && !slices.Contains(other, day.String()) {
			other = append(other, day.String())
		}
	}
	for _, want := range slices.Compact(slices.Sorted(slices.Values(must))) {
		if want == 0 || slices.Contains(found, want) {
			continue
		}
		instead := ""
		if len(other) > 0 {
			instead, other = other[0], other[1:]
		}
		d = append(d, Difference{"date", instead, want.String()})
	}
	for _, day := range other {
		d = append(d, Difference{"date", day, ""})
	}
	return d
}

func count[T comparable](all []T, one T) (n int) {
	for _, v := range all {
		if v == one {
			n++
		}
	}
	return n
}

// String says what differs, for logs.
func (d Difference) String() string {
	return fmt.Sprintf("%s: %s, expected %s", d.What, strconv.Quote(d.Found), strconv.Quote(d.Expected))
}

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
	Account  string // on which it is paid; empty if it is not known
	Issued   models.Date
	Due      models.Date
	Gross    models.Amount
	Sums     []models.Amount // that must stand in it: its lines, or its parts
	Dates    []models.Date   // that must stand in it
	May      []models.Amount // sums that may stand in it besides
	Partial  bool            // the rows do not say all: other sums and dates may stand in it too
}

// Difference is something in which the bytes that left are not what the rows say.
type Difference struct {
	What     string // "gross", "sum", "date", "issued", "due", "KID", "account" or "VAT"
	Found    string // what stands in the letter; empty if it lacks what is expected
	Expected string // what the rows say; empty if they say nothing of the kind
}

// form is how a language writes sums and dates.
type form struct {
	sum, date    *regexp.Regexp
	group, point string
	layout       string
}

var norwegian = form{regexp.MustCompile(`^(?:NOK )?(-?\d{1,3}(?: \d{3})*,\d{2})$`), regexp.MustCompile(`\b\d{2}\.\d{2}\.\d{4}\b`), " ", ",", "02.01.2006"}

var english = form{regexp.MustCompile(`^(?:NOK )?(-?\d{1,3}(?:,\d{3})*\.\d{2})$`), regexp.MustCompile(`\b\d{1,2} [A-Z][a-z]+ \d{4}\b`), ",", ".", "2 January 2006"}

func formOf(language string) form {
	if language == "en" {
		return english
	}
	return norwegian
}

// blanks turns the blanks that break no line into ordinary ones.
var blanks = strings.NewReplacer("\u00A0", " ", "\u202F", " ", "−", "-")

// sumsOf returns the sums that stand alone: in a column, or in the payment's box. What stands in a sentence is a person's, or a rate.
func (f form) sumsOf(texts []string) (sums []models.Amount) {
	for _, text := range texts {
		m := f.sum.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		amount, err := models.ParseAmount(strings.Replace(strings.ReplaceAll(m[1], f.group, ""), f.point, ".", 1))
		if err == nil {
			sums = append(sums, amount)
		}
	}
	return sums
}

// datesIn returns the dates in texts, and those of them that stand alone.
func (f form) datesIn(texts []string) (all, alone []models.Date) {
	for _, text := range texts {
		for _, s := range f.date.FindAllString(text, -1) {
			t, err := time.Parse(f.layout, s)
			if err != nil {
				continue
			}
			if all = append(all, models.DateOf(t)); s == text {
				alone = append(alone, models.DateOf(t))
			}
		}
	}
	return all, alone
}

// InPDF compares a letter's PDF with the rows: all that they say stands in it, and in its columns and facts stands no other sum or date. The
// error says why the PDF cannot be read; then nothing is known of it.
func (l Letter) InPDF(file []byte) ([]Difference, error) {
	texts, err := Texts(file)
	if err != nil {
		return nil, err
	}
	f := formOf(l.Language)
	for i, text := range texts {
		texts[i] = blanks.Replace(text)
	}
	d := append(l.sums(f.sumsOf(texts)), l.days(f.datesIn(texts))...)
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
func (l Letter) sums(found []models.Amount) (d []Difference) {
	known := slices.Concat([]models.Amount{l.Gross}, l.Sums, l.May)
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
		if l.Partial {
			break
		}
		d = append(d, Difference{"sum", sum, ""})
	}
	return d
}

// days compares dates.
func (l Letter) days(found, alone []models.Date) (d []Difference) {
	must := slices.Concat([]models.Date{l.Issued, l.Due}, l.Dates)
	var other []string
	for _, day := range alone {
		if !slices.Contains(must, day) && !slices.Contains(other, day.String()) {
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
		if l.Partial {
			break
		}
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

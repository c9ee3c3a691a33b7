package models

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Printed returns a text as documents print it (rule D111): in composed letters (NFC), with a blank for each separator but line
// feed, tab and no-break space, and without what is not seen. A sign that the fonts lack is printed as the letters that stand for
// it, such as IV for Ⅳ, or else left out, with one of the blanks around it.
func Printed(text string) string {
	if plain(text) {
		return text
	}
	printed, _ := typeset(text)
	return printed
}

// LeftOut returns the signs of texts that Printed leaves out because the fonts lack them, each once, in order. What is never seen is
// not among them.
func LeftOut(texts ...string) []string {
	var all []string
	for _, text := range texts {
		if plain(text) {
			continue
		}
		_, left := typeset(text)
		for _, sign := range left {
			if s := string(sign); !slices.Contains(all, s) {
				all = append(all, s)
			}
		}
	}
	return all
}

// plain reports whether a text is printed as it is: it has letters and signs of Norwegian and its neighbours alone.
func plain(text string) bool {
	for i := 0; i < len(text); {
		if c := text[i]; c >= ' ' && c <= '~' {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if !usual(r) {
			return false
		}
		i += n
	}
	return true
}

// usual reports whether a sign is one that most texts are made of. None of them composes with another.
func usual(r rune) bool {
	switch {
	case r >= ' ' && r <= '~', r >= '¡' && r <= 'ſ' && r != '\u00AD', r == '\n', r == '\t', r == '\u00A0':
		return true
	}
	return r == '–' || r == '—' || r == '‘' || r == '’' || r == '“' || r == '”' || r == '…' || r == '€'
}

// typeset returns a text as it is printed, and the signs that are left out.
func typeset(text string) (printed string, left []rune) {
	var b strings.Builder
	last, gap := ' ', false // what was written last, and whether a sign was left out since
	for _, r := range norm.NFC.String(text) {
		for _, out := range signs(r) {
			switch {
			case out == leftOut:
				left, gap = append(left, r), true
				continue
			case gap && out == ' ' && (last == ' ' || last == '\n'):
				continue
			}
			b.WriteRune(out)
			last, gap = out, false
		}
	}
	printed = b.String()
	if gap {
		printed = strings.TrimRight(printed, " ")
	}
	return printed, left
}

// leftOut stands for a sign that cannot be printed.
const leftOut rune = -1

// signs returns what is printed for a sign: mostly itself, nothing for what is never seen, or leftOut.
func signs(r rune) []rune {
	switch {
	case usual(r):
		return []rune{r}
	case r == utf8.RuneError:
		return []rune{leftOut}
	case unicode.Is(unicode.Z, r):
		return []rune{' '}
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector), r == '\u034F':
		return nil
	case unicode.Is(printable, r):
		return []rune{r}
	}
	alike := []rune(norm.NFKC.String(string(r)))
	if slices.ContainsFunc(alike, func(r rune) bool { return r < ' ' || !unicode.Is(printable, r) }) {
		return []rune{leftOut}
	}
	return alike
}

// shows reports whether anything of a text is seen when it is printed.
func shows(text string) bool {
	return strings.ContainsFunc(Printed(text), func(r rune) bool { return !unicode.In(r, unicode.Z, unicode.Cc, unicode.M) })
}

// element is a text by its name in the interface.
type element struct{ name, text string }

// unprintable returns the names of the elements that are not blank, and of which nothing can be printed (rule D111).
func unprintable(elements []element) (names []string) {
	for _, e := range elements {
		if strings.TrimSpace(e.text) != "" && !shows(e.text) {
			names = append(names, e.name)
		}
	}
	return names
}

// printed adds a fault for each element of which nothing can be printed. It leaves out those that are as before: they are of an
// older version, and another change must not fail for them.
func (es *Errors) printed(now, before []element) {
	fresh := slices.DeleteFunc(slices.Clone(now), func(e element) bool { return slices.Contains(before, e) })
	es.NotPrintable(nil, unprintable(fresh))
}

// NotPrintable adds a fault for each of the elements, of which nothing can be printed (rule D111). They are below a place.
func (es *Errors) NotPrintable(above Place, elements []string) {
	for _, name := range elements {
		*es = append(*es, Invalid("not_printable", name, "has no sign that can be printed: write it in Latin, Greek or Cyrillic letters").Under(above))
	}
}

// printed returns the elements of which documents must show something.
func (c Creditor) printed() []element {
	return []element{{"name", c.Name}, {"address1", c.Address1}, {"postal_code", c.PostalCode}, {"postal_name", c.PostalName}}
}

// Unprintable returns the elements of the name and the address, by their names in the interface, of which nothing can be printed
// (rule D111). Older versions took them.
func (c Creditor) Unprintable() []string { return unprintable(c.printed()) }

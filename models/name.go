package models

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Name is a name in the form in which names are compared (rule N1): as a bank writes it, or as a customer is called. Two spellings of
// a name are one: case, accents, hyphens and the order of words do not count, and å, ø and æ are what people write for them.
type Name struct {
	words    []string // folded, in order; without the words for a kind of company
	business bool     // it has such a word
	cut      bool     // it is as long as the bank lets a name be: its last word may be the beginning of one
}

// NameOf returns the name that a text is.
func NameOf(text string) Name {
	text = strings.TrimSpace(text)
	n := Name{cut: slices.Contains(namesCutAt, utf8.RuneCountInString(text))}
	var own []string
	for _, word := range strings.FieldsFunc(strings.ReplaceAll(strings.ToLower(text), "a/s", "as"), apart) {
		if slices.Contains(companyWords, word) {
			n.business = true
		} else {
			own = append(own, word)
		}
	}
	n.words = Words(strings.Join(own, " "))
	return n
}

// apart reports whether a sign stands between words: it is no letter, no accent and no digit.
func apart(r rune) bool {
	return !unicode.In(r, unicode.L, unicode.Mn, unicode.Nd) && !strings.ContainsRune(apostrophes, r)
}

// OfBusiness returns the name as that of a business, which has an organisation number.
func (n Name) OfBusiness(is bool) Name {
	n.business = n.business || is
	return n
}

// Words returns the words by which the name is found, folded.
func (n Name) Words() []string { return n.words }

// Beginnings returns those of the words that may be the beginning of another one: initials, and the last word of a name that was cut.
func (n Name) Beginnings() (some []string) {
	for _, word := range n.words {
		if n.begins(word, word) {
			some = append(some, word)
		}
	}
	return some
}

// Business reports whether it is the name of a business.
func (n Name) Business() bool { return n.business }

// Names returns the names of a customer, as payers' names are compared with them (rule N1).
func (r Recipient) Names() (names []Name) {
	for _, text := range []string{r.Name1, r.Name2} {
		if text != "" {
			names = append(names, NameOf(text).OfBusiness(r.OrganisationNumber != ""))
		}
	}
	return names
}

// companyWords stand in a name for the kind of company, and are no part of it (rule N1). A/S is read as AS, but Ås is a name.
var companyWords = []string{"as", "asa", "enk", "ans", "da", "nuf", "sa", "brl"}

// namesCutAt are the lengths at which banks cut names, in letters: of an old line, of SEPA's rules and of camt.054 (rule N1).
var namesCutAt = []int{35, 70, 140}

// mostNameWords is how many words of a text are compared.
const mostNameWords = 30

// Alike reports whether the two may be names of one person or one business (rule N1). All words of the shorter name are in the longer
// one: at least two, or one of a business. An initial fits a word that begins with it, and so does the last word of a name that the bank
// has cut. At least one word is in both as it is.
func (n Name) Alike(other Name) bool {
	shorter, longer := n, other
	if len(shorter.words) > len(longer.words) {
		shorter, longer = longer, shorter
	}
	switch len(shorter.words) {
	case 0:
		return false
	case 1:
		if !shorter.business && (len(longer.words) > 1 || !longer.business) {
			return false
		}
	}
	return shorter.within(longer)
}

// within reports whether each of the name's words fits one of the other's, and no two the same one.
func (n Name) within(other Name) bool {
	free, whole := slices.Clone(other.words), false
	var left []string
	for _, word := range n.words {
		if at := slices.Index(free, word); at >= 0 {
			free, whole = slices.Delete(free, at, at+1), whole || utf8.RuneCountInString(word) > 1
		} else {
			left = append(left, word)
		}
	}
	for _, word := range left {
		at := slices.IndexFunc(free, func(of string) bool { return n.begins(word, of) || other.begins(of, word) })
		if at < 0 {
			return false
		}
		free = slices.Delete(free, at, at+1)
	}
	return whole
}

// begins reports whether one of the name's words stands for another word that it is the beginning of: an initial, or the last word of
// a name that was cut.
func (n Name) begins(word, of string) bool {
	return strings.HasPrefix(of, word) && (utf8.RuneCountInString(word) == 1 || n.cut && word == n.words[len(n.words)-1])
}

// Words returns the words of a text, folded: what stands between anything but letters and digits, up to mostNameWords of them.
func Words(text string) []string {
	words := strings.FieldsFunc(Fold(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	return words[:min(len(words), mostNameWords)]
}

// Fold returns a text in the form in which names are compared: lower case, without accents and apostrophes, with one spelling for each of
// å (aa), ø (oe) and æ (rule N1).
func Fold(text string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(text))
	for {
		folded := spellings.Replace(plain)
		if folded == plain {
			return folded
		}
		plain = folded
	}
}

// apostrophes are left out of a word.
const apostrophes = "'’`´"

// spellings are written for each other. They are read until nothing is left to replace: Bråås is BRAAAAS too, and Bøe is BOE.
var spellings = strings.NewReplacer(
	"aa", "a", "ø", "o", "oe", "o", "æ", "ae", "ß", "ss", "đ", "d", "ð", "d", "þ", "th", "ł", "l", "ŧ", "t", "ŋ", "n", "ı", "i",
	"a/s", "as", "'", "", "’", "", "`", "", "´", "",
)

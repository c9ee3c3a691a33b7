package pdf

import (
	"strings"
	"unicode"
)

// legible returns a text as it can be drawn: in valid UTF-8 of at most 16 bits a character, which is
// all that fpdf can write, with common letters composed, and without what cannot be seen.
func legible(s string) string {
	if ascii(s) {
		return s
	}
	if strings.Contains(s, "\xCC") { // the first byte of the accents of compose in UTF-8
		s = compose.Replace(s)
	}
	return strings.Map(drawn, s)
}

// ascii reports whether every byte is a printable character of ASCII.
func ascii(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// compose joins letters to the accents that some clients send apart.
var compose = strings.NewReplacer(
	"a\u030A", "å", "A\u030A", "Å", "a\u0308", "ä", "A\u0308", "Ä", "o\u0308", "ö", "O\u0308", "Ö",
	"u\u0308", "ü", "U\u0308", "Ü", "e\u0301", "é", "E\u0301", "É", "e\u0300", "è", "e\u0302", "ê",
	"o\u0300", "ò", "o\u0301", "ó", "o\u0302", "ô", "a\u0300", "à", "a\u0301", "á", "A\u0301", "Á",
)

// drawn returns what is drawn for a character: itself, a blank for what only separates, the replacement
// character for one of more than 16 bits, or -1 for what cannot be seen.
func drawn(r rune) rune {
	switch {
	case r == '\t', r == '\n':
		return ' '
	case r == '\u00A0':
		return r
	case unicode.Is(unicode.Z, r):
		return ' '
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Mn):
		return -1
	case r > 0xFFFF:
		return unicode.ReplacementChar
	}
	return r
}

package pdf

import (
	"fmt"
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// A code page is an 8-bit character set. A font in a code page is embedded unchanged. fpdf needs fifteen times as
// long to cut a Unicode font to the characters of each document.

// ownCodes are the codes at which the code page differs from Windows-1252, with the glyph names of the Adobe Glyph List.
// Letters of Northern Sami, Polish and Lithuanian replace signs that no invoice needs.
var ownCodes = []struct {
	code  byte
	char  rune
	glyph string
}{
	{0x81, 'Ą', "Aogonek"},
	{0x82, 'ą', "aogonek"},
	{0x83, 'Ć', "Cacute"},
	{0x86, 'ć', "cacute"},
	{0x87, 'Č', "Ccaron"},
	{0x88, 'č', "ccaron"},
	{0x89, 'Đ', "Dcroat"},
	{0x8B, 'đ', "dcroat"},
	{0x8D, 'Ę', "Eogonek"},
	{0x8F, 'ę', "eogonek"},
	{0x90, 'Ė', "Edotaccent"},
	{0x98, 'ė', "edotaccent"},
	{0x9B, 'Į', "Iogonek"},
	{0x9D, 'į', "iogonek"},
	{0x9F, 'Ł', "Lslash"},
	{0xA1, 'ł', "lslash"},
	{0xA2, 'Ń', "Nacute"},
	{0xA4, 'ń', "nacute"},
	{0xA5, 'Ŋ', "Eng"},
	{0xA6, 'ŋ', "eng"},
	{0xA8, 'Ś', "Sacute"},
	{0xAA, 'ś', "sacute"},
	{0xAC, 'Ŧ', "Tbar"},
	{0xAD, 'ŧ', "tbar"},
	{0xAF, 'Ų', "Uogonek"},
	{0xB4, 'ų', "uogonek"},
	{0xB6, 'Ū', "Umacron"},
	{0xB8, 'ū', "umacron"},
	{0xB9, 'Ź', "Zacute"},
	{0xBA, 'ź', "zacute"},
	{0xBC, 'Ż', "Zdotaccent"},
	{0xBE, 'ż', "zdotaccent"},
	{0xBF, '\u2212', "minus"},
}

// codePage has the character of each code from 32 on, and codes the code of each character.
var codePage, codes = makeCodePage()

func makeCodePage() ([256]rune, map[rune]byte) {
	var chars [256]rune
	for code := ' '; code < 0x100; code++ {
		chars[code] = charmap.Windows1252.DecodeByte(byte(code))
	}
	chars[0x7F] = 0
	for _, own := range ownCodes {
		chars[own.code] = own.char
	}
	byChar := make(map[rune]byte, len(chars))
	for code := ' '; code < 0x100; code++ {
		byChar[chars[code]] = byte(code)
	}
	delete(byChar, 0)
	return chars, byChar
}

// differences returns ownCodes as the Differences array of a PDF encoding on WinAnsiEncoding.
func differences() string {
	var b strings.Builder
	for _, own := range ownCodes {
		fmt.Fprintf(&b, "%d /%s ", own.code, own.glyph)
	}
	return strings.TrimSuffix(b.String(), " ")
}

// encode returns a legible text in the code page, and false if a character is not in it.
func encode(s string) (string, bool) {
	if ascii(s) {
		return s, true
	}
	encoded, complete := make([]byte, 0, len(s)), true
	for _, r := range s {
		code, ok := codes[r]
		if !ok {
			code, complete = '?', false
		}
		encoded = append(encoded, code)
	}
	return string(encoded), complete
}

// legible returns a text that fpdf can draw. The text is valid UTF-8, with letters and accents composed and
// without invisible characters. Each character has at most 16 bits, because fpdf writes no others.
func legible(s string) string {
	if ascii(s) {
		return s
	}
	return strings.Map(drawn, norm.NFC.String(s))
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

// drawn returns what is drawn for a character: itself, a blank for separators, the replacement character for more than 16
// bits, or -1 for an invisible character.
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

package pdf

import (
	"fmt"
	"strings"
)

// A code page is an 8-bit character set. A font in one is embedded as it is, which costs a fifteenth
// of what fpdf needs to cut a Unicode font to the characters of each document.

// ownCodes are the codes at which the code page differs from Windows-1252, with the glyph names of the
// Adobe Glyph List. Signs that invoices do without make room for the letters of Northern Sami, Polish
// and Lithuanian.
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

// windows1252 is the row 0x80 to 0x9F of Windows-1252; a blank stands where it has no character.
const windows1252 = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ"

// codePage gives the character of each code from 32 on, and codes the code of each character.
var codePage, codes = makeCodePage()

func makeCodePage() ([256]rune, map[rune]byte) {
	var chars [256]rune
	for c := ' '; c < 0x100; c++ {
		chars[c] = c
	}
	chars[0x7F] = 0
	for i, c := range []rune(windows1252) {
		chars[0x80+i] = c
	}
	for _, own := range ownCodes {
		chars[own.code] = own.char
	}
	byChar := make(map[rune]byte, len(chars))
	for code := len(chars) - 1; code >= ' '; code-- { // downwards: the blank is 32 for good
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

// encode returns a legible text in the code page. It reports false where a character is not in it.
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

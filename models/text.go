package models

import (
	"net/mail"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// The most characters a text may have (rule D16).
const (
	MaxName           = 100
	MaxAddress        = 100
	MaxPostalCode     = 16
	MaxPostalName     = 60
	MaxEmail          = 254
	MaxPhone          = 40
	MaxWebsite        = 100
	MaxFooterText     = 500
	MaxCustomerNumber = 40
	MaxReference      = 100
	MaxLineText       = 250
	MaxInvoiceNote    = 2000
	MaxComment        = 500
)

// OneLine returns a text of one line in the form in which it is checked, kept and searched (rule L20): without blanks
// around it, in composed letters (NFC).
func OneLine(text string) string { return norm.NFC.String(strings.TrimSpace(text)) }

// Foreign returns a text that somebody else's program has written, such as a mail server's answer: on one line of at most
// the given number of characters, without those that could make it look like something else.
func Foreign(text string, most int) string {
	visible := strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if misleading(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
	return Shorten(strings.Join(strings.Fields(visible), " "), most)
}

// text adds a fault if the value of a one-line field is too long or holds a character that could make it look like
// something else.
func (es *Errors) text(field, value string, most int) {
	es.length(field, value, most)
	if strings.ContainsFunc(value, misleading) {
		es.Add("control_character", field, "must not hold control characters")
	}
}

// misleading reports whether a character is a control character, separates lines, or turns the direction of the text.
func misleading(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

// ValidateKeyName returns the faults of an API key's name, or nil. It may be empty.
func ValidateKeyName(name string) error {
	var faults Errors
	faults.text("name", name, MaxName)
	return faults.ErrorOrNil()
}

// Prose adds a fault if a text of several lines is too long or holds a control character other
// than line feed and tab (rule D16).
func (es *Errors) Prose(field, value string, most int) {
	es.length(field, value, most)
	if strings.ContainsFunc(value, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }) {
		es.Add("control_character", field, "must not hold control characters other than line feed and tab")
	}
}

func (es *Errors) length(field, value string, most int) {
	if n := utf8.RuneCountInString(value); n > most {
		es.Add("too_long", field, "has %d characters, the most is %d", n, most)
	}
}

// required adds a fault if the value is blank, too long, or holds a control character.
func (es *Errors) required(field, value string, most int) {
	if strings.TrimSpace(value) == "" {
		es.Add("required", field, "is required")
		return
	}
	es.text(field, value, most)
}

// email adds a fault if the value is neither empty nor one bare e-mail address.
func (es *Errors) email(field, value string) {
	if value == "" {
		return
	}
	es.length(field, value, MaxEmail)
	if !ValidEmail(value) {
		es.Add("invalid_email", field, "is not a valid e-mail address")
	}
}

// international matches a telephone number with its country: a plus and 8 to 15 digits (ITU-T E.164). No country begins with 0.
var international = regexp.MustCompile(`^\+[1-9][0-9]{7,14}$`)

// international adds a fault if the value is neither empty nor a telephone number with its country (rule E20).
func (es *Errors) international(field, value string) {
	if value != "" && !international.MatchString(value) {
		es.Add("invalid_phone", field, "must be a plus, the country and the number, 8 to 15 digits without blanks, such as +4791234567")
	}
}

// minPhoneDigits are the digits of the shortest numbers that firms have.
const minPhoneDigits = 5

// phone adds a fault if the value is neither empty nor a text with a telephone number in it.
func (es *Errors) phone(field, value string) {
	es.text(field, value, MaxPhone)
	n := 0
	for _, r := range value {
		if r >= '0' && r <= '9' {
			n++
		}
	}
	if value != "" && n < minPhoneDigits {
		es.Add("invalid_phone", field, "must have at least %d digits", minPhoneDigits)
	}
}

// ValidEmail reports whether s is one bare address with a local part and a dotted host, and nothing else. Letters of any
// language may stand in it, but no character that is not seen.
func ValidEmail(s string) bool {
	unseen := func(r rune) bool {
		return misleading(r) || unicode.In(r, unicode.Cf, unicode.Zs) || r == utf8.RuneError
	}
	a, err := mail.ParseAddress(s)
	if err != nil || a.Name != "" || a.Address != s || strings.ContainsFunc(s, unseen) {
		return false
	}
	labels := strings.Split(s[strings.LastIndexByte(s, '@')+1:], ".")
	return len(labels) > 1 && !slices.ContainsFunc(labels, func(l string) bool { return !validLabel(l) })
}

// validLabel reports whether s can be a part of a host's name: letters of any language, digits and hyphens, without a
// hyphen at either end.
func validLabel(s string) bool {
	foreign := func(r rune) bool { return r != '-' && !unicode.In(r, unicode.L, unicode.M, unicode.Nd) }
	return s != "" && len(s) <= 63 && s[0] != '-' && s[len(s)-1] != '-' && !strings.ContainsFunc(s, foreign)
}

// number is a whole or decimal number.
var number = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)

// CSVCell returns a text as a cell of a CSV file. A text that a spreadsheet would take for a formula gets a ' before it
// (OWASP, CSV injection). A number stays a number.
func CSVCell(text string) string {
	if text != "" && strings.ContainsRune("=+-@\t\r\n", rune(text[0])) && !number.MatchString(text) {
		return "'" + text
	}
	return text
}

// country adds a fault if the value is not two capital letters of ISO 3166-1.
func (es *Errors) country(field, value string) {
	if !ValidCountry(value) {
		es.Add("invalid_country", field, "must be a country code of two capital letters, such as NO")
	}
}

// ValidCountry reports whether s is an officially assigned ISO 3166-1 alpha-2 code.
func ValidCountry(s string) bool {
	return len(s) == 2 && !strings.Contains(s, " ") && strings.Contains(countries, " "+s+" ")
}

// countries are the officially assigned codes of ISO 3166-1 alpha-2, each between two blanks.
const countries = " AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV " +
	"BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM " +
	"FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM " +
	"JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR " +
	"MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS " +
	"RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ " +
	"UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW "

// GroupDigits writes a decimal number, such as that of Amount.String, with the given decimal sign and with a mark between
// groups of three digits.
func GroupDigits(number, mark, decimal string) string {
	whole, fraction, point := strings.Cut(number, ".")
	for i := len(whole) - 3; i > 0 && whole[i-1] != '-'; i -= 3 {
		whole = whole[:i] + mark + whole[i:]
	}
	if !point {
		return whole
	}
	return whole + decimal + fraction
}

// GroupAccount writes a bank account number of 11 digits in groups of 4, 2 and 5, and anything else as it is.
func GroupAccount(number, mark string) string {
	if len(number) != 11 {
		return number
	}
	return number[:4] + mark + number[4:6] + mark + number[6:]
}

// Shorten cuts a text to at most the given number of characters. It reads no more of the text than these.
func Shorten(text string, most int) string {
	n, last := 0, 0
	for i := range text {
		n++
		if n == most {
			last = i
		}
		if n > most {
			return text[:last] + "…"
		}
	}
	return text
}

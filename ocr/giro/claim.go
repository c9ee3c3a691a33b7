package giro

import (
	"fmt"
	"strings"

	"golang.org/x/text/unicode/norm"

	"purr/models"
)

// ServiceAvtaleGiro is the service code of AvtaleGiro: of claims, cancellations and mandates.
const ServiceAvtaleGiro = "21"

// FormatClaims is the name of the format of files of claims.
const FormatClaims = "avtalegiro"

// ClaimType is the type of a claim's amount items (AvtaleGiro's system specification, version 3.3).
type ClaimType int

// The types of claims.
const (
	ClaimOwnNotice    ClaimType = 2  // the creditor has told the payer: his invoice is the notice
	ClaimBankNotice   ClaimType = 21 // the bank tells the payer, with the claim's specification
	ClaimCancellation ClaimType = 93 // a claim that was sent before is not to be drawn
)

// String returns the type in words.
func (t ClaimType) String() string {
	switch t {
	case ClaimOwnNotice:
		return "claim"
	case ClaimBankNotice:
		return "claim with notice"
	case ClaimCancellation:
		return "cancellation"
	}
	return fmt.Sprintf("type %02d", int(t))
}

// The limits of a claim's texts, in characters of ISO-8859-1.
const (
	MaxShortName          = 10
	MaxClaimReference     = 25
	MaxSpecificationLine  = 80 // two columns of 40
	MaxSpecificationLines = 42
)

// MaxClaimNumber is the highest number of a transmission or an assignment of claims: 7 digits.
const MaxClaimNumber = 9_999_999

// Claim asks a payer's bank to draw an amount on its due date, or takes such a claim back.
type Claim struct {
	Type          ClaimType
	Line          int           // of amount item 1 in a file that was read, from 1
	Due           models.Date   // a day on which banks rest is drawn on the next one
	Amount        models.Amount // øre, 1 to MaxAmount
	KID           string        // digits; the payer's mandate is found by it
	ShortName     string        // of the payer, shown where a claim is refused
	Reference     string        // on the payer's statement and notice
	Specification []string      // lines of the bank's notice; a blank one is not sent
}

// ClaimAssignment is the claims of one account, or cancellations of them. The two never share an assignment.
type ClaimAssignment struct {
	Number        int    // given once for the account within a year and a day
	Account       string // 11 digits, on which the creditor is paid
	Cancellations bool
	Claims        []Claim
}

// ClaimFile is a transmission of claims to Nets.
type ClaimFile struct {
	Sender      string // 8 digits, the creditor's customer unit
	Number      int    // given once by the sender
	Assignments []ClaimAssignment
}

// Totals returns how many claims and cancellations the file has, and their sum in øre.
func (f *ClaimFile) Totals() (n int, sum models.Amount) {
	for _, a := range f.Assignments {
		n += len(a.Claims)
		for _, c := range a.Claims {
			sum = plus(sum, c.Amount)
		}
	}
	return n, sum
}

// DueTooFar warns of the claims that would not be taken if the file came today: those that are due before, or more than twelve months
// ahead.
func (f *ClaimFile) DueTooFar(today models.Date) []models.FileFinding {
	t := today.Time()
	last := models.NewDate(t.Year()+1, t.Month(), t.Day())
	var found []models.FileFinding
	for _, a := range f.Assignments {
		for _, c := range a.Claims {
			if (c.Due < today || c.Due > last) && len(found) < MaxWarnings {
				text := fmt.Sprintf("the claim is due on %s, which is not from %s to %s", c.Due, today, last)
				found = append(found, models.FileFinding{Line: c.Line, Code: CodeDueTooFar, Text: text})
			}
		}
	}
	return found
}

// replaced are signs that ISO-8859-1 lacks and texts have often, with what stands for them.
var replaced = strings.NewReplacer("–", "-", "—", "-", "‘", "'", "’", "'", "“", `"`, "”", `"`, "„", `"`, "…", "...", "€", "EUR", "\u00a0", " ",
	"Œ", "OE", "œ", "oe", "ł", "l", "Ł", "L", "đ", "d", "Đ", "D", "ŋ", "n", "Ŋ", "N", "ŧ", "t", "Ŧ", "T", "ı", "i", "\t", " ", "\n", " ")

// ClaimText returns a text as a claim's fields take it: at most so many characters, all of ISO-8859-1 and printable. A letter that
// ISO-8859-1 lacks loses its marks; any other sign becomes "?".
func ClaimText(text string, most int) string {
	var out []rune
	for _, c := range norm.NFC.String(replaced.Replace(text)) {
		if c >= ' ' && c != '\u00ad' {
			out = append(out, latin(c)...)
		}
	}
	return strings.TrimRight(string(out[:min(most, len(out))]), " ")
}

// latin returns what stands for a sign in ISO-8859-1.
func latin(c rune) []rune {
	if printableLatin1(c) {
		return []rune{c}
	}
	var parts []rune
	for _, part := range norm.NFKD.String(string(c)) {
		if printableLatin1(part) {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		return []rune{'?'}
	}
	return parts
}

// printableLatin1 reports whether ISO-8859-1 has the character, and it is no control sign.
func printableLatin1(c rune) bool { return c >= ' ' && c < 0x7f || c >= 0xa0 && c <= 0xff }

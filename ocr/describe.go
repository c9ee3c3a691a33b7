package ocr

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"purr/models"
)

// mostWarnings is how many warnings of a file are kept: as many as a column of the database holds.
const mostWarnings = 200

// codeUnassigned is the warning of an account that nobody has (rule E4).
const codeUnassigned = "unassigned_account"

// describe copies what the file says of itself, and what else is odd about it. owners are of a file that is taken.
func describe(f *models.PaymentFile, c *content, owners map[string]int64, odd ...models.FileNote) {
	// A file that is rejected may say anything.
	f.Format, f.Sender, f.TransmissionNumber, f.RecipientUnit = c.format, printable(c.sender), printable(c.number), printable(c.unit)
	f.Warnings = append(slices.Clone(c.warnings), odd...)
	for _, s := range c.sections {
		f.LatestDate = max(f.LatestDate, s.latest)
		if owners != nil && recipientOf(*f, s.account, owners) == 0 {
			note := models.FileNote{Line: s.line, Code: codeUnassigned, Text: "no creditor has the account " + printable(s.account)}
			f.Warnings = append(f.Warnings, note)
		}
	}
	slices.SortStableFunc(f.Warnings, func(a, b models.FileNote) int { return cmp.Compare(a.Line, b.Line) })
	if more := len(f.Warnings) - mostWarnings; more > 0 {
		f.Warnings = append(f.Warnings[:mostWarnings], models.FileNote{Code: "more_warnings", Text: fmt.Sprintf("and %d more warnings", more)})
	}
}

// printable returns text that the store takes.
func printable(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

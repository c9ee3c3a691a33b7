package ocr

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"purr/models"
	"purr/ocr/giro"
)

// mostWarnings is how many warnings of a file are kept: as many as a column of the database holds.
const mostWarnings = 200

// codeUnassigned is the warning of an account that nobody has (rule E4).
const codeUnassigned = "unassigned_account"

// describe copies what the file says of itself. owners are of a file that is taken.
func describe(f *models.PaymentFile, summary *giro.Summary, owners map[string]int64) {
	f.Format = giro.Format
	first := summary.Transmissions[0]
	// A file that is rejected may say anything.
	f.Sender, f.TransmissionNumber, f.RecipientUnit = printable(first.Sender), printable(first.Number), printable(first.Recipient)
	f.Warnings = slices.Clone(models.FileNotes(summary.Warnings))
	for _, t := range summary.Transmissions {
		for _, a := range t.Assignments {
			f.LatestDate = max(f.LatestDate, a.Latest)
			if owners != nil && recipientOf(*f, a.Account, owners) == 0 {
				note := models.FileNote{Line: a.Line, Code: codeUnassigned, Text: "no creditor has the account " + printable(a.Account)}
				f.Warnings = append(f.Warnings, note)
			}
		}
	}
	slices.SortStableFunc(f.Warnings, func(a, b models.FileNote) int { return cmp.Compare(a.Line, b.Line) })
	if more := len(f.Warnings) - mostWarnings; more > 0 {
		f.Warnings = append(f.Warnings[:mostWarnings], models.FileNote{Code: "more_warnings", Text: fmt.Sprintf("and %d more warnings", more)})
	}
}

// printable returns text that the store takes.
func printable(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

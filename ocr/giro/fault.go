package giro

import (
	"fmt"
	"strings"

	"purr/models"
)

// MaxFaults is the number of faults after which a file is read no further.
const MaxFaults = 100

// MaxWarnings is the number of warnings of one code that are kept of a file.
const MaxWarnings = 100

// The codes of faults. A file with one of them is not taken.
const (
	CodeEmptyFile        = "empty_file"        // no record at all
	CodeBadLength        = "bad_length"        // a line that is not 80 bytes long
	CodeNotNY            = "not_ny"            // a line that does not start with the format code NY
	CodeUnexpectedRecord = "unexpected_record" // an unknown record, or one out of place
	CodeUnknownType      = "unknown_type"      // a transaction type outside 10 to 21
	CodeUnpairedItem     = "unpaired_item"     // amount items that do not belong together, or one missing
	CodeMissingEnd       = "missing_end"       // an assignment or transmission without its end record
	CodeBadNumber        = "bad_number"        // a numeric field that is not digits, or out of range
	CodeBadDate          = "bad_date"          // not a day of the calendar, or none where there must be one
	CodeBadSign          = "bad_sign"          // neither 0 nor "-"
	CodeBadKID           = "bad_kid"           // a KID that is not digits and perhaps a final "-"
	CodeCountMismatch    = "count_mismatch"    // an end record counts other than what is there
	CodeSumMismatch      = "sum_mismatch"      // an end record's amount is not the sum
)

// The codes of warnings. They do not keep a file from being taken.
const (
	CodeUnknownSender    = "unknown_sender"    // the sender is not Nets
	CodeBadAccount       = "bad_account"       // an assignment account whose check digit is wrong
	CodeFiller           = "filler"            // a filler that is not zeros
	CodeKIDAlignment     = "kid_alignment"     // a KID that is not right-aligned
	CodeKIDNotExpected   = "kid_not_expected"  // a KID in a transaction with free text
	CodeTransactionOrder = "transaction_order" // a transaction number not above the one before
	CodeDateRange        = "date_range"        // an end record's first or last date is not that of the transactions
	CodeReversalsAdded   = "reversals_added"   // see Assignment.ReversalsAdded
)

// Fault is one thing that is wrong with a file.
type Fault struct {
	Line int    // where it was noticed, from 1; blank lines count
	Code string // one of the codes above
	Msg  string // what is wrong, for a person
}

// String returns "line N: what is wrong" (rule R5).
func (f Fault) String() string { return fmt.Sprintf("line %d: %s", f.Line, f.Msg) }

// Warning is one oddity of a file that is taken nevertheless. Its codes are not those of faults.
type Warning Fault

// String returns "line N: what is odd".
func (w Warning) String() string { return Fault(w).String() }

// Faults is the error of a file that is not taken: its faults in order of lines, at most MaxFaults of
// them. It is never empty.
type Faults []Fault

// Error joins the faults, one on a line.
func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the faults as errors of KindInvalid, each with the field "line[N]" (rule E4).
func (fs Faults) Unwrap() error {
	var errs models.Errors
	for _, f := range fs {
		errs.Add(f.Code, fmt.Sprintf("line[%d]", f.Line), "%s", f.Msg)
	}
	return errs.ErrorOrNil()
}

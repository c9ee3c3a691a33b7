package models

import (
	"fmt"
	"strings"
)

// String returns "line N: what is wrong" (rule R5).
func (n FileNote) String() string { return fmt.Sprintf("line %d: %s", n.Line, n.Text) }

// FileFaults is the error of a payment file that is not taken: what is wrong with it, in order of lines. It is
// never empty.
type FileFaults []FileNote

// Error joins the faults, one on a line.
func (fs FileFaults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// Unwrap gives the faults as errors of KindInvalid, each with the field "line[N]" (rule E4).
func (fs FileFaults) Unwrap() error {
	var errs Errors
	for _, f := range fs {
		errs.Add(f.Code, fmt.Sprintf("line[%d]", f.Line), "%s", f.Text)
	}
	return errs.ErrorOrNil()
}

package audit

import (
	"strconv"

	"purr/audit/report"
	"purr/models"
)

// Class says how grave a finding is.
type Class string

// The classes (rule U4).
const (
	Law   Class = "law"   // somebody was dunned or charged unlawfully
	Rule  Class = "rule"  // a rule of purr's was not kept
	Doubt Class = "doubt" // the law is silent, or the rows do not say enough
)

// Finding is a question that was answered with no.
type Finding struct {
	Code       Code
	CreditorID int64
	CustomerID int64
	InvoiceID  int64
	Invoice    int64    // its number
	NoticeID   int64    // zero if it is of no notice
	HandOverID int64    // zero if it is of no hand-over
	Rows       []string // that were used, as in "overdue_notices 17"
	Expected   string   // what should have been
	Found      string   // what is
	Back       Charges  // what is to be paid back, or no longer asked for

	standing bool // it is one only as long as the charges stand
}

// Charges are øre of a fee, or of standard compensation, and of interest.
type Charges struct{ Fee, Interest models.Amount }

// Sum returns both together.
func (c Charges) Sum() models.Amount { return c.Fee + c.Interest }

// Class returns how grave the finding is.
func (f Finding) Class() Class { return f.Code.of().class }

// Source returns the law or the rule that the question comes from.
func (f Finding) Source() string { return f.Code.of().source }

// Text returns the finding as a sentence in a language: nb, nn, or en. Days and sums are written as people write them there.
func (f Finding) Text(language string) string {
	return filled(f.Code.of().words[language].finding, report.Written(f.Found, language), report.Written(f.Expected, language))
}

// named is the name of a row. It is written only where it is shown.
type named struct {
	table string
	id    int64
}

// row names a row.
func row(table string, id int64) named { return named{table, id} }

// String returns the name, as in "overdue_notices 17", and nothing of none.
func (n named) String() string {
	if n == (named{}) {
		return ""
	}
	return n.table + " " + strconv.FormatInt(n.id, 10)
}

// namesOf writes the names of rows.
func namesOf(rows []named) (names []string) {
	for _, n := range rows {
		names = append(names, n.String())
	}
	return names
}

// Answer is a question with its answer, for who wants to see why a letter was right (rule U5).
type Answer struct {
	Code     Code
	NoticeID int64
	Rows     []string
	Expected string
	Found    string
	Holds    bool
	Unknown  bool // the rows do not say
}

// Question returns the question as a sentence in a language.
func (a Answer) Question(language string) string { return a.Code.of().words[language].question }

// Source returns the law or the rule that the question comes from.
func (a Answer) Source() string { return a.Code.of().source }

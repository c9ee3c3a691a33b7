package bankfile

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"

	"purr/models"
	"purr/ocr/camt"
	"purr/ocr/giro"
)

// The codes of Lint's own warnings, besides those of packages giro and camt.
const (
	CodeKIDCheckDigit        = "kid_check_digit"       // a KID that is valid by neither modulus
	CodeNoKID                = "no_kid"                // a giro without a KID: OCR giro holds none
	CodeZeroAmount           = "zero_amount"           // a transaction of 0.00
	CodePayerAccount         = "payer_account"         // a payer's account whose check digit is wrong
	CodeDayCode              = "day_code"              // a day code that is not the day of the Nets date
	CodeDateOrder            = "date_order"            // a Nets date before that of the transaction before it
	CodeBankDate             = "bank_date"             // an order that reached the bank after it was settled
	CodeCreatedBefore        = "created_before"        // a file that was made before its last payment
	CodeSeveralTransmissions = "several_transmissions" // a file that was put together from several
)

// maxNotes is the most warnings of one code that are kept of a file.
const maxNotes = 100

// Report is what Lint found. The amount is the file's own total, in øre.
type Report struct {
	Format       string // empty if the file is of neither format
	Transactions int
	Amount       models.Amount
	Faults       models.FileFaults    // faults for which the importer would reject the file; at most 100
	Warnings     []models.FileFinding // in order of lines, at most 100 of each code
}

// Lint reads a whole file and checks it as the importer does. It also warns of oddities that the importer accepts. In
// a file with faults it warns only of lines before the first fault. The date of today decides the century of two-digit
// years, and which dates are ahead (rule D110). An error means that the file could not be read.
func Lint(r io.Reader, today models.Date) (*Report, error) {
	file := buffered(r)
	if isCamt(file) {
		return lintCamt(file, today)
	}
	return lintGiro(file, today)
}

// linter collects warnings.
type linter struct {
	dates models.FileDates
	notes []models.FileFinding
	count map[string]int // by code, dropped ones included
}

func newLinter(today models.Date) *linter {
	return &linter{dates: models.FileDates{Received: today}, count: map[string]int{}}
}

func (l *linter) warn(line int, code, format string, args ...any) {
	if l.count[code]++; l.count[code] <= maxNotes {
		l.notes = append(l.notes, models.FileFinding{Line: line, Code: code, Text: fmt.Sprintf(format, args...)})
	}
}

// with returns all warnings and those of the reader, in order of lines.
func (l *linter) with(reader []models.FileFinding) []models.FileFinding {
	all := slices.Concat(l.dates.Warnings(reader), l.notes)
	slices.SortStableFunc(all, func(a, b models.FileFinding) int { return cmp.Compare(a.Line, b.Line) })
	return all
}

// kid checks the length and the check character of a KID.
func (l *linter) kid(line int, kid string) {
	switch {
	case len(kid) < models.MinKIDLength || len(kid) > models.MaxKIDLength:
		l.warn(line, CodeKIDCheckDigit, "the KID %s has %d characters instead of %d to %d", kid, len(kid), models.MinKIDLength, models.MaxKIDLength)
	case !models.ValidKID(kid, models.Modulus10) && !models.ValidKID(kid, models.Modulus11):
		l.warn(line, CodeKIDCheckDigit, "the KID %s ends in the check character of neither modulus 10 nor 11", kid)
	}
}

func (l *linter) amount(line int, amount models.Amount) {
	if amount == 0 {
		l.warn(line, CodeZeroAmount, "the amount is 0.00")
	}
}

// bankDate checks the day on which the order reached the bank.
func (l *linter) bankDate(line int, ordered, settled models.Date) {
	if ordered > settled {
		l.warn(line, CodeBankDate, "the order reached the bank on %s, after it was settled on %s", ordered, settled)
	}
}

// created checks the day on which a file was made, if it has one.
func (l *linter) created(line int, created, latest models.Date) {
	if created != 0 && created < latest {
		l.warn(line, CodeCreatedBefore, "the file is of %s, its last payment of %s", created, latest)
	}
}

func lintGiro(r io.Reader, today models.Date) (*Report, error) {
	reader := giro.NewReader(r, today)
	l := giroLinter{linter: newLinter(today)}
	faults, err := faultsOf(each(reader.Next, l.transaction))
	if err != nil {
		return nil, err
	}
	summary := reader.Summary()
	report := &Report{Transactions: summary.Totals.Transactions, Amount: summary.Amount, Faults: l.dates.Faults(faults)}
	for i, t := range summary.Transmissions {
		report.Format = giro.Format
		if i > 0 {
			l.warn(t.Line, CodeSeveralTransmissions, "another transmission, number %s, begins: a file is one", t.Number)
		}
		for _, a := range t.Assignments {
			l.created(a.Line, a.Created, a.Latest)
		}
	}
	report.Warnings = l.with(summary.Warnings)
	return report, nil
}

// giroLinter checks transactions one after the other.
type giroLinter struct {
	*linter
	assignment *giro.Assignment
	date       models.Date // Nets date of the previous transaction in the assignment
}

func (l *giroLinter) transaction(tx *giro.Transaction) {
	switch {
	case tx.HasKID():
		l.kid(tx.Line, tx.KID())
	case !tx.Type.HasText():
		l.warn(tx.Line, CodeNoKID, "a transaction of type %d has no KID", tx.Type)
	}
	l.amount(tx.Line, tx.Amount)
	l.dates.Check(tx.Line, 0, tx.NetsDate)
	if account := tx.DebitAccount(); account != "" && !models.ValidBankAccount(account) {
		l.warn(tx.Line, CodePayerAccount, "the check digit of the payer's account %s is wrong", account)
	}
	if day, err := strconv.Atoi(tx.DayCode()); err == nil && day != 0 && day != tx.NetsDate.Time().Day() {
		l.warn(tx.Line, CodeDayCode, "the day code is %s, the Nets date %s", tx.DayCode(), tx.NetsDate)
	}
	if l.assignment == tx.Assignment && tx.NetsDate < l.date {
		l.warn(tx.Line, CodeDateOrder, "the Nets date %s comes after %s", tx.NetsDate, l.date)
	}
	l.assignment, l.date = tx.Assignment, tx.NetsDate
	l.bankDate(tx.Line, tx.BankDate, tx.NetsDate)
}

// lintCamt checks less than lintGiro: camt.054 has payments without a KID, and its reader checks the accounts.
func lintCamt(r io.Reader, today models.Date) (*Report, error) {
	reader := camt.NewReader(r)
	l := newLinter(today)
	faults, err := faultsOf(each(reader.Next, func(tx *camt.Transaction) {
		if tx.HasKID() {
			l.kid(tx.Line, tx.KID)
		}
		l.amount(tx.Line, tx.Amount)
		l.dates.Check(tx.Line, tx.Entry.Number, tx.Entry.Booked)
		l.bankDate(tx.Line, tx.BankDate, tx.Entry.Booked)
	}))
	if err != nil {
		return nil, err
	}
	summary := reader.Summary()
	for _, n := range summary.Notifications {
		l.created(n.Line, summary.Created, n.Latest)
	}
	report := &Report{Transactions: summary.Totals.Transactions, Amount: summary.Amount, Faults: l.dates.Faults(faults), Warnings: l.with(summary.Warnings)}
	if summary.Version != "" {
		report.Format = camt.Format
	}
	return report, nil
}

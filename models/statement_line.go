package models

import (
	"encoding/csv"
	"io"
	"strconv"
)

// StatementLine is a line of the bank's statement: a lump sum whose transactions came in payment files. It counts
// each transaction once. It does not count ignored transactions, because no statement has them yet.
//
// A line of OCR giro is identified by its day and its reference of ten digits. Its transactions can come in
// several files. A line of camt.054 is one entry of one file.
type StatementLine struct {
	PaymentFileID   int64 // the first file that brought it
	CreditorID      int64 // zero while no creditor has the account
	Account         string
	TransactionDate Date // settlement or booking date
	Format          string
	Reference       string // OCR giro: see Settlement; camt.054: the bank's reference, which may be empty
	Entry           int    // camt.054: its number in the file, from 1; OCR giro: zero
	Transactions    int
	Amount          Amount // as the statement shows it: money in minus money out
	FileAmount      Amount // the file's own total, which adds card reversals; the amounts below add up to it
	Matched         int
	MatchedAmount   Amount
	Unmatched       int
	UnmatchedAmount Amount
	// Duplicates are transactions that a file of the other format had before. That file's line counts them too.
	Duplicates       int
	DuplicatesAmount Amount
}

// Settlement identifies a line of OCR giro within a day (section 2.4 of its specification).
type Settlement struct {
	Centre  string // two digits
	DayCode string // two digits, the day of the month, "00" from some senders
	Partial string // a digit, "0" for cards
	Serial  string // five digits
}

// Settlement splits the reference of an OCR giro line. It reports false for a line of camt.054.
func (l StatementLine) Settlement() (Settlement, bool) {
	if r := l.Reference; l.Entry == 0 && len(r) == 10 {
		return Settlement{r[:2], r[2:4], r[4:5], r[5:]}, true
	}
	return Settlement{}, false
}

// statementColumns names the columns of row, in order. New columns come last.
var statementColumns = []string{
	"account", "transaction_date", "format", "centre", "day_code", "partial_settlement", "serial_number", "reference", "payment_file",
	"transactions", "amount", "file_amount", "matched", "matched_amount", "unmatched", "unmatched_amount", "duplicates", "duplicates_amount",
}

// row returns the line as a row of a table, such as CSV.
func (l StatementLine) row() []string {
	settlement, is := l.Settlement()
	reference := l.Reference
	if is {
		reference = ""
	}
	return []string{
		l.Account, l.TransactionDate.String(), l.Format, settlement.Centre, settlement.DayCode, settlement.Partial, settlement.Serial, CSVCell(reference),
		strconv.FormatInt(l.PaymentFileID, 10), strconv.Itoa(l.Transactions), l.Amount.String(), l.FileAmount.String(),
		strconv.Itoa(l.Matched), l.MatchedAmount.String(), strconv.Itoa(l.Unmatched), l.UnmatchedAmount.String(),
		strconv.Itoa(l.Duplicates), l.DuplicatesAmount.String(),
	}
}

// WriteStatementCSV writes statement lines in CSV: a line of headings, then each line that each calls its function with.
func WriteStatementCSV(out io.Writer, each func(do func(StatementLine) error) error) error {
	w := csv.NewWriter(out)
	_ = w.Write(statementColumns) // the writer keeps its first error until the end
	if err := each(func(l StatementLine) error { return w.Write(l.row()) }); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

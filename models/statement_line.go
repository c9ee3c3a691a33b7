package models

import "strconv"

// StatementLine is a line of the bank's statement: a lump sum whose transactions came in payment files. Transactions
// that had come in a file before are not counted again, and ignored ones, which are on no statement yet, not at all.
//
// An OCR giro line is known by its day and its reference of ten digits, whichever files its transactions come in; a
// line of camt.054 is an entry, which is in one file.
type StatementLine struct {
	PaymentFileID   int64 // the file that brought it; of several the first
	CreditorID      int64 // zero while nobody has the account
	Account         string
	TransactionDate Date // settlement or booking date
	Format          string
	Reference       string // see Settlement for that of OCR giro; the bank's reference for camt.054, which may be empty
	Entry           int    // its number in the file, from 1, for camt.054; zero for OCR giro
	Transactions    int
	Amount          Amount // as the statement shows it: money in, less money out
	FileAmount      Amount // in the file's own arithmetic, which adds card reversals; the others add up to it
	Matched         int
	MatchedAmount   Amount
	Unmatched       int
	UnmatchedAmount Amount
	// Duplicates came in a file of the other format before, and are in that one's line too.
	Duplicates       int
	DuplicatesAmount Amount
}

// Settlement is what tells the lines of OCR giro of a day apart (section 2.4 of its specification).
type Settlement struct {
	Centre  string // two digits
	DayCode string // two digits, the day of the month, "00" from some senders
	Partial string // a digit, "0" for cards
	Serial  string // five digits
}

// Settlement takes the reference of an OCR giro line apart. It reports false for a line of camt.054.
func (l StatementLine) Settlement() (Settlement, bool) {
	if r := l.Reference; l.Entry == 0 && len(r) == 10 {
		return Settlement{r[:2], r[2:4], r[4:5], r[5:]}, true
	}
	return Settlement{}, false
}

// StatementColumns names what Row returns, in order. New columns come last.
var StatementColumns = []string{
	"account", "transaction_date", "format", "centre", "day_code", "partial_settlement", "serial_number", "reference", "payment_file",
	"transactions", "amount", "file_amount", "matched", "matched_amount", "unmatched", "unmatched_amount", "duplicates", "duplicates_amount",
}

// Row returns the line as a row of a table, such as CSV.
func (l StatementLine) Row() []string {
	settlement, is := l.Settlement()
	reference := l.Reference
	if is {
		reference = ""
	}
	return []string{
		l.Account, l.TransactionDate.String(), l.Format, settlement.Centre, settlement.DayCode, settlement.Partial, settlement.Serial, reference,
		strconv.FormatInt(l.PaymentFileID, 10), strconv.Itoa(l.Transactions), l.Amount.String(), l.FileAmount.String(),
		strconv.Itoa(l.Matched), l.MatchedAmount.String(), strconv.Itoa(l.Unmatched), l.UnmatchedAmount.String(),
		strconv.Itoa(l.Duplicates), l.DuplicatesAmount.String(),
	}
}

package ocr

import (
	"purr/models"
	"purr/store"
)

// destination is where a file line went.
type destination int

const (
	toLedger    destination = iota + 1
	toQueue                 // the queue of unmatched payments, even if it was resolved since
	asTwin                  // it came in a file of the other format before
	asDuplicate             // it came in another file before
)

// destinationOf maps the table that holds a line to the line's destination.
var destinationOf = map[string]destination{store.EntriesTable: toLedger, store.UnmatchedTable: toQueue, store.TwinsTable: asTwin}

// addTo counts n payments in a part; n may be negative. The amount follows the file's own arithmetic.
func (d destination) addTo(part *models.PaymentFilePart, n int, amount models.Amount) {
	part.Transactions += n
	part.Amount += amount
	switch d {
	case toLedger:
		part.Matched += n
		part.MatchedAmount += amount
	case toQueue:
		part.Unmatched += n
		part.UnmatchedAmount += amount
	case asTwin, asDuplicate:
		part.Duplicates += n
		part.DuplicatesAmount += amount
	}
}

// statement adds up a file's payments for each statement line.
type statement struct {
	format string // of the file
	lines  []models.StatementLine
	index  map[statementKey]int
}

// statementKey holds the fields that all payments of one statement line share within a file.
type statementKey struct {
	creditorID int64
	account    string
	date       models.Date
	reference  string
	entry      int // only in camt.054
}

// add counts a payment, or removes it if n is -1. It skips a duplicate: the statement line counts it already, for the
// first file that brought it.
func (s *statement) add(p *payment, to destination, n int) {
	if to == asDuplicate {
		return
	}
	key := statementKey{p.CreditorID, p.Account, p.TransactionDate, p.reference, p.entry}
	i, found := s.index[key]
	if !found {
		if s.index == nil {
			s.index = map[statementKey]int{}
		}
		i = len(s.lines)
		s.index[key] = i
		s.lines = append(s.lines, models.StatementLine{
			PaymentFileID: p.PaymentFileID, CreditorID: p.CreditorID, Account: p.Account, TransactionDate: p.TransactionDate,
			Format: s.format, Reference: p.reference, Entry: p.entry,
		})
	}
	l, counted := &s.lines[i], models.Amount(n)*p.counted
	l.Transactions += n
	l.Amount += models.Amount(n) * p.Amount
	l.FileAmount += counted
	switch to {
	case toLedger:
		l.Matched += n
		l.MatchedAmount += counted
	case toQueue:
		l.Unmatched += n
		l.UnmatchedAmount += counted
	case asTwin, asDuplicate:
		l.Duplicates += n
		l.DuplicatesAmount += counted
	}
}

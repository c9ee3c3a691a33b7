package ocr

import "purr/models"

// place is where a line of a payment file went.
type place int

const (
	asEntry   place = iota + 1 // the ledger
	inQueue                    // among the unmatched payments, whatever became of them since
	asTwin                     // it came in a file of the other format before
	cameFirst                  // it came in another file before
)

// addTo counts n payments, which may be fewer than none, among those of a part that went to the place. The amount is
// in the file's own arithmetic.
func (at place) addTo(part *models.PaymentFilePart, n int, amount models.Amount) {
	part.Transactions += n
	part.Amount += amount
	switch at {
	case asEntry:
		part.Matched += n
		part.MatchedAmount += amount
	case inQueue:
		part.Unmatched += n
		part.UnmatchedAmount += amount
	case asTwin, cameFirst:
		part.Duplicates += n
		part.DuplicatesAmount += amount
	}
}

// statement adds up what a file brings of each line of the bank's statement.
type statement struct {
	lines []models.StatementLine
	index map[lumpSum]int
}

// lumpSum is what the transactions of one line of the bank's statement have in common within a file.
type lumpSum struct {
	creditorID int64
	account    string
	date       models.Date
	reference  string
	entry      int // of camt.054
}

// add counts a payment that went to a place, or with -1 takes it away. One that came before is in its line already,
// under the file that brought it first.
func (s *statement) add(p *payment, format string, at place, n int) {
	if at == cameFirst {
		return
	}
	l := s.line(p, format)
	counted := models.Amount(n) * p.counted
	l.Transactions += n
	l.Amount += models.Amount(n) * p.Amount
	l.FileAmount += counted
	switch at {
	case asEntry:
		l.Matched += n
		l.MatchedAmount += counted
	case inQueue:
		l.Unmatched += n
		l.UnmatchedAmount += counted
	case asTwin:
		l.Duplicates += n
		l.DuplicatesAmount += counted
	case cameFirst:
	}
}

// line returns the line that the payment is in, a new one where none of it has come.
func (s *statement) line(p *payment, format string) *models.StatementLine {
	key := lumpSum{p.CreditorID, p.Account, p.TransactionDate, p.reference, p.entry}
	i, found := s.index[key]
	if !found {
		if s.index == nil {
			s.index = map[lumpSum]int{}
		}
		i = len(s.lines)
		s.index[key] = i
		s.lines = append(s.lines, models.StatementLine{
			PaymentFileID: p.PaymentFileID, CreditorID: p.CreditorID, Account: p.Account, TransactionDate: p.TransactionDate,
			Format: format, Reference: p.reference, Entry: p.entry,
		})
	}
	return &s.lines[i]
}

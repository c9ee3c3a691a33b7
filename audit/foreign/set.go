package foreign

import (
	"cmp"
	"slices"

	"purr/audit/reckoning"
	"purr/models"
)

// Set is what the three files hold, joined by the invoices' numbers.
type Set struct {
	Files []File

	customers []string
	invoices  []invoice
	payments  []payment
	letters   []letter
}

// File is a file as it was read.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"`
	Rows   int    `json:"rows"`
}

// none ends a chain of rows.
const none = -1

// invoice is a row of invoices.csv. Its payments and letters are chained by their places in the set.
type invoice struct {
	number   string
	customer int32 // its place among the set's
	line     int32
	issued   models.Date
	due      models.Date
	disputed models.Date // zero if it is not
	trader   bool
	isAgreed bool
	agreed   models.Percent
	gross    models.Amount
	payment  int32
	letter   int32
}

// payment is a row of payments.csv.
type payment struct {
	amount models.Amount
	date   models.Date
	line   int32
	next   int32
	credit bool // it is a credit note
}

// letter is a row of notices.csv: a letter as far as it is of one invoice.
type letter struct {
	number       string
	kind         reckoning.LetterKind
	invoice      int32
	line         int32
	next         int32
	date         models.Date // that it shows
	sent         models.Date // when it really left
	deadline     models.Date // zero if it set none
	interestTo   models.Date
	fee          models.Amount
	compensation models.Amount
	interest     models.Amount
	waived       models.Amount
	secondFee    bool // the same letter charges a fee on an invoice that is due longer
}

// Letters returns how many letters there are: one on several invoices counts for each.
func (s *Set) Letters() int { return len(s.letters) }

// Days returns the days of the first and the last letter, zero if there is none.
func (s *Set) Days() (first, last models.Date) {
	for i, l := range s.letters {
		if i == 0 || l.sent < first {
			first = l.sent
		}
		last = max(last, l.sent)
	}
	return first, last
}

// lettersOf returns the letters on an invoice in the order in which they left.
func (s *Set) lettersOf(i *invoice, into []*letter) []*letter {
	into = into[:0]
	for at := i.letter; at != none; at = s.letters[at].next {
		into = append(into, &s.letters[at])
	}
	slices.SortFunc(into, func(a, b *letter) int { return cmp.Or(cmp.Compare(a.sent, b.sent), cmp.Compare(a.line, b.line)) })
	return into
}

// entriesOf returns an invoice and its payments as entries, oldest first.
func (s *Set) entriesOf(i *invoice, into []models.Entry) []models.Entry {
	into = append(into[:0], models.Entry{Type: models.EntryInvoice, Amount: i.gross})
	for at := i.payment; at != none; at = s.payments[at].next {
		p := s.payments[at]
		into = append(into, models.Entry{Type: models.EntryOCR, Amount: -p.amount, TransactionDate: p.date, ID: int64(p.line)})
	}
	slices.SortFunc(into, func(a, b models.Entry) int {
		return cmp.Or(cmp.Compare(a.TransactionDate, b.TransactionDate), cmp.Compare(a.ID, b.ID))
	})
	return into
}

package receivables

import (
	"context"

	"purr/models"
	"purr/store"
)

// MaxLines is the most entries of a statement. Whoever has more asks for a shorter period.
const MaxLines = 5000

// Statement is what a customer's account shows for a period.
type Statement struct {
	Customer models.Customer
	From     models.Date   // inclusive; zero for the beginning
	To       models.Date   // inclusive
	Opening  models.Amount // the balance before From
	Lines    []Line        // in order of date
	Closing  models.Amount // the balance at the end of To
	Open     []store.OpenDocument
}

// Line is an entry with the customer's balance after it.
type Line struct {
	store.StatementEntry
	Balance models.Amount
}

// Owed returns what is owed on the open invoices of the statement, and Credit what is the customer's. They differ by
// the closing balance.
func (s Statement) Owed() (owed, credit models.Amount) {
	for _, d := range s.Open {
		owed += d.Owed()
		credit += d.Credit()
	}
	return owed, credit
}

// ReadStatement returns the statement of a customer for a period. An open end is today, or the date of the last entry if
// that is later: then the closing balance is the customer's balance (rule D33). It fails with models.KindInvalid if the
// period has more than MaxLines entries, or ends before it begins.
func ReadStatement(ctx context.Context, v store.View, creditorID, customerID int64, d store.Dates, today models.Date) (s Statement, err error) {
	if d.To != 0 && d.To < d.From {
		return s, models.Invalid("invalid_period", "to_date", "must not be before from_date")
	}
	s.From, s.To = d.From, d.To
	if s.Customer, err = v.Customer(ctx, creditorID, customerID); err != nil {
		return s, err
	}
	if d.From != 0 {
		if s.Opening, err = v.BalanceBefore(ctx, creditorID, customerID, d.From); err != nil {
			return s, err
		}
	}
	entries, err := v.StatementEntries(ctx, creditorID, customerID, d, MaxLines+1)
	if err != nil {
		return s, err
	}
	if len(entries) > MaxLines {
		return s, models.Invalid("statement_too_long", "from_date", "the period has more than %d entries: ask for a shorter one", MaxLines)
	}
	if s.Open, err = v.OpenDocuments(ctx, creditorID, customerID, d.To); err != nil {
		return s, err
	}
	s.Lines, s.Closing = running(s.Opening, entries)
	if s.To == 0 {
		s.To = max(today, d.From)
		if last := len(entries) - 1; last >= 0 {
			s.To = max(s.To, entries[last].TransactionDate)
		}
	}
	return s, nil
}

// running returns the entries with the balance after each, and the last balance.
func running(opening models.Amount, entries []store.StatementEntry) (lines []Line, closing models.Amount) {
	closing = opening
	for _, e := range entries {
		closing += e.Amount
		lines = append(lines, Line{e, closing})
	}
	return lines, closing
}

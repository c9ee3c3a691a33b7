package bankfile

import (
	"io"

	"purr/ocr/camt"
)

// lintCamt looks for less than lintGiro: camt.054 holds payments without a KID too, and its reader checks the accounts.
func lintCamt(r io.Reader) (*Report, error) {
	reader := camt.NewReader(r)
	l := newLinter()
	faults, err := split(each(reader.Next, func(tx *camt.Transaction) {
		if tx.HasKID() {
			l.kid(tx.Line, tx.KID)
		}
		l.amount(tx.Line, tx.Amount)
		l.bankDate(tx.Line, tx.BankDate, tx.Entry.Booked)
	}))
	if err != nil {
		return nil, err
	}
	summary := reader.Summary()
	for _, n := range summary.Notifications {
		l.created(n.Line, summary.Created, n.Latest)
	}
	report := &Report{Transactions: summary.Totals.Transactions, Amount: summary.Amount, Faults: faults, Warnings: l.with(summary.Warnings)}
	if summary.Version != "" {
		report.Format = camt.Format
	}
	return report, nil
}

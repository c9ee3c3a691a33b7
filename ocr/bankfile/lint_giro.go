package bankfile

import (
	"io"
	"strconv"

	"purr/models"
	"purr/ocr/giro"
)

func lintGiro(r io.Reader, today models.Date) (*Report, error) {
	reader := giro.NewReader(r, today)
	l := giroLinter{linter: newLinter()}
	faults, err := split(each(reader.Next, l.transaction))
	if err != nil {
		return nil, err
	}
	summary := reader.Summary()
	report := &Report{Transactions: summary.Totals.Transactions, Amount: summary.Amount, Faults: faults}
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

// giroLinter looks at transactions one after the other.
type giroLinter struct {
	*linter
	assignment *giro.Assignment
	date       models.Date // Nets date of the transaction before, in the same assignment
}

func (l *giroLinter) transaction(tx *giro.Transaction) {
	switch {
	case tx.HasKID():
		l.kid(tx.Line, tx.KID())
	case !tx.Type.HasText():
		l.warn(tx.Line, CodeNoKID, "a transaction of type %d has no KID", tx.Type)
	}
	l.amount(tx.Line, tx.Amount)
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

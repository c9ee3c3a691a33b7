package law_test

import (
	"purr/models"
	"purr/test/testkit/values"
)

var (
	day, kroner                            = values.Day, values.Kroner
	invoiced, paid, repaid, credited       = values.Invoiced, values.Paid, values.Repaid, values.Credited
	byOCR, fee, interest                   = values.ByOCR, values.Fee, values.Interest
	balance, ofInvoice, dateIn, anyEntries = values.Balance, values.OfInvoice, values.DateIn, values.AnyEntries
	sumOf, csvFile, rules2026              = values.SumOf, values.RuleFile, values.Rules2026
)

// tookBack returns what the bank took back on a day.
func tookBack(amount, on string) models.Entry {
	e := byOCR(amount, on)
	e.Amount = -e.Amount
	return e
}

// ofNote returns what a credit note credits of the invoice, below zero, or what is taken of that credit, above zero.
func ofNote(amount, on string) models.Entry {
	return models.Entry{Type: models.EntryCreditNote, Amount: kroner(amount), TransactionDate: day(on), CreditNoteID: 9}
}

package dunning_test

import (
	"fmt"
	"slices"

	"pgregory.net/rapid"

	"purr/models"
)

// day reads a date of a test's table, and nothing as the zero Date.
func day(s string) models.Date {
	var d models.Date
	if err := d.UnmarshalText([]byte(s)); err != nil {
		panic(err)
	}
	return d
}

// kroner reads an amount of a test's table, and nothing as zero.
func kroner(s string) models.Amount {
	if s == "" {
		return 0
	}
	a, err := models.ParseAmount(s)
	if err != nil {
		panic(err)
	}
	return a
}

func entry(kind models.EntryType, amount, on string) models.Entry {
	return models.Entry{Type: kind, Amount: kroner(amount), TransactionDate: day(on)}
}

func invoiced(amount, on string) models.Entry { return entry(models.EntryInvoice, amount, on) }
func paid(amount, on string) models.Entry     { return entry(models.EntryPayment, "-"+amount, on) }
func repaid(amount, on string) models.Entry   { return entry(models.EntryPayment, amount, on) }
func byOCR(amount, on string) models.Entry    { return entry(models.EntryOCR, "-"+amount, on) }
func credited(amount, on string) models.Entry { return entry(models.EntryCreditNote, "-"+amount, on) }

func fee(amount, on string) models.Entry      { return entry(models.EntryOverdueCharge, amount, on) }
func interest(amount, on string) models.Entry { return entry(models.EntryInterest, amount, on) }
func balance(entries []models.Entry) (sum models.Amount) {
	for _, e := range entries {
		sum += e.Amount
	}
	return sum
}

func dateIn(t *rapid.T, label string, from, to models.Date) models.Date {
	return models.Date(rapid.Int32Range(int32(from), int32(to)).Draw(t, label))
}

// anyEntries draws an invoice of the given date and what may come upon it in the three years after: part
// payments, repayments of what was overpaid, fees, interest and their reversals, and entries of the same
// invoice's credit note.
func anyEntries(t *rapid.T, issued models.Date) []models.Entry {
	amount := func(label string, most models.Amount) models.Amount {
		return models.Amount(rapid.Int64Range(1, int64(most)).Draw(t, label))
	}
	entries := []models.Entry{{Type: models.EntryInvoice, Amount: amount("gross", models.MaxAmount), TransactionDate: issued}}
	kinds := []models.EntryType{models.EntryPayment, models.EntryOCR, models.EntryOverdueCharge, models.EntryInterest, models.EntryCreditNote}
	for i := range rapid.IntRange(0, 8).Draw(t, "entries") {
		e := models.Entry{
			ID:              int64(i + 1),
			Type:            rapid.SampledFrom(kinds).Draw(t, "type"),
			TransactionDate: dateIn(t, "date", issued, issued+3*365),
		}
		switch e.Type {
		case models.EntryOverdueCharge, models.EntryInterest:
			e.Amount = amount("charge", 100_00)
			if charged := sumOf(entries, e.Type); charged > 0 && rapid.Bool().Draw(t, "reversal") {
				e.Amount = -amount("reversed", charged)
			}
		case models.EntryCreditNote:
			e.Amount = amount("credit", entries[0].Amount)
			e.CreditNoteID = 7
		default:
			e.Amount = -amount("payment", entries[0].Amount)
			if b := balance(ofInvoice(entries)); b < 0 && rapid.Bool().Draw(t, "repayment") {
				e.Type, e.Amount = models.EntryPayment, amount("repaid", -b)
			}
		}
		entries = append(entries, e)
	}
	return entries
}

func sumOf(entries []models.Entry, kind models.EntryType) (sum models.Amount) {
	for _, e := range entries {
		if e.Type == kind {
			sum += e.Amount
		}
	}
	return sum
}

// ofInvoice leaves out what belongs to a credit note.
func ofInvoice(entries []models.Entry) []models.Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e models.Entry) bool { return e.CreditNoteID != 0 })
}

// codes returns the codes of a refusal, in order.
func codes(err error) string {
	switch e := err.(type) { //nolint:errorlint // the function returns one of the two, unwrapped
	case nil:
		return ""
	case *models.Error:
		return e.Code
	case models.Errors:
		all := make([]string, len(e))
		for i, one := range e {
			all[i] = one.Code
		}
		return fmt.Sprint(all)
	}
	return err.Error()
}

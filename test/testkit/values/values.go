// Package values reads and draws values for the tests of dunning and of the law: days, amounts and the entries of an
// invoice.
package values

import (
	"fmt"
	"slices"
	"strings"
	"testing/fstest"

	"pgregory.net/rapid"

	"purr/law"
	"purr/models"
)

// Day reads a date of a test's table. An empty text is the zero Date.
func Day(s string) models.Date {
	var d models.Date
	if err := d.UnmarshalText([]byte(s)); err != nil {
		panic(err)
	}
	return d
}

// Kroner reads an amount of a test's table. An empty text is zero.
func Kroner(s string) models.Amount {
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
	return models.Entry{Type: kind, Amount: Kroner(amount), TransactionDate: Day(on)}
}

// Invoiced returns the entry of an invoice, issued on a day.
func Invoiced(amount, on string) models.Entry { return entry(models.EntryInvoice, amount, on) }

// Paid returns the entry of a payment.
func Paid(amount, on string) models.Entry { return entry(models.EntryPayment, "-"+amount, on) }

// Repaid returns the entry of a payout of an overpayment.
func Repaid(amount, on string) models.Entry { return entry(models.EntryPayment, amount, on) }

// ByOCR returns the entry of a payment from a bank file.
func ByOCR(amount, on string) models.Entry { return entry(models.EntryOCR, "-"+amount, on) }

// Credited returns the entry of a credit note.
func Credited(amount, on string) models.Entry { return entry(models.EntryCreditNote, "-"+amount, on) }

// Fee returns the entry of a notice's fee.
func Fee(amount, on string) models.Entry { return entry(models.EntryOverdueCharge, amount, on) }

// Interest returns the entry of a notice's interest.
func Interest(amount, on string) models.Entry { return entry(models.EntryInterest, amount, on) }

// Balance returns the sum of entries.
func Balance(entries []models.Entry) (sum models.Amount) {
	for _, e := range entries {
		sum += e.Amount
	}
	return sum
}

// SumOf returns the sum of the entries of a type.
func SumOf(entries []models.Entry, kind models.EntryType) (sum models.Amount) {
	for _, e := range entries {
		if e.Type == kind {
			sum += e.Amount
		}
	}
	return sum
}

// OfInvoice returns the entries without those of a credit note.
func OfInvoice(entries []models.Entry) []models.Entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e models.Entry) bool { return e.CreditNoteID != 0 })
}

// DateIn draws a date between two dates, both included.
func DateIn(t *rapid.T, label string, from, to models.Date) models.Date {
	return models.Date(rapid.Int32Range(int32(from), int32(to)).Draw(t, label))
}

// AnyEntries draws an invoice of the given date and entries of the three years after it: part payments, payouts of
// overpayments, fees, interest and their reversals, and entries of the invoice's credit note.
func AnyEntries(t *rapid.T, issued models.Date) []models.Entry {
	amount := func(label string, most models.Amount) models.Amount {
		return models.Amount(rapid.Int64Range(1, int64(most)).Draw(t, label))
	}
	entries := []models.Entry{{Type: models.EntryInvoice, Amount: amount("gross", models.MaxAmount), TransactionDate: issued}}
	kinds := []models.EntryType{models.EntryPayment, models.EntryOCR, models.EntryOverdueCharge, models.EntryInterest, models.EntryCreditNote}
	for i := range rapid.IntRange(0, 8).Draw(t, "entries") {
		e := models.Entry{
			ID:              int64(i + 1),
			Type:            rapid.SampledFrom(kinds).Draw(t, "type"),
			TransactionDate: DateIn(t, "date", issued, issued+3*365),
		}
		switch e.Type {
		case models.EntryOverdueCharge, models.EntryInterest:
			e.Amount = amount("charge", 100_00)
			if sum := SumOf(entries, e.Type); sum > 0 && rapid.Bool().Draw(t, "reversal") {
				e.Amount = -amount("reversed", sum)
			}
		case models.EntryCreditNote:
			e.Amount = amount("credit", entries[0].Amount)
			e.CreditNoteID = 7
			if rapid.Bool().Draw(t, "credits") {
				e.Amount = -e.Amount
			}
		default:
			e.Amount = -amount("payment", entries[0].Amount)
			if b := Balance(OfInvoice(entries)); b < 0 && rapid.Bool().Draw(t, "repayment") {
				e.Type, e.Amount = models.EntryPayment, amount("repaid", -b)
			}
		}
		entries = append(entries, e)
	}
	return entries
}

// RuleFile returns a file of figures of the law with the given rows.
func RuleFile(rows ...string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte("from,value,source,confidence\n" + strings.Join(rows, "\n"))}
}

// Rules2026 returns the rules with the act of 2026 in force from 1 January 2027, and with the rows of its fee.
func Rules2026(fees ...string) *law.Rules {
	rules, err := law.Load(fstest.MapFS{
		"act.csv":      RuleFile("1989-07-01,1988,LOV-1988-05-13-26,A", "2027-01-01,2026,LOV-2026-05-22-19,A"),
		"fee_2026.csv": RuleFile(fees...),
	})
	if err != nil {
		panic(err)
	}
	return rules
}

// CheckSheet calculates a sheet again from its own figures. It fails if a sum is wrong, if the fee is above its
// maximum, or if the sheet does not add up to the notice's fee and interest to the øre.
func CheckSheet(s law.Sheet, n models.Notice) error {
	var sum models.Amount
	for _, g := range s.Interest.Segments {
		if want := models.MulDiv(g.Principal, int64(g.Rate)*int64(g.Days), 100*100*int64(g.YearDays)); g.Amount != want {
			return fmt.Errorf("the interest from %s to %s is %s, not %s", g.From, g.To, g.Amount, want)
		}
		sum += g.Amount
	}
	switch {
	case s.Interest.Amount != sum:
		return fmt.Errorf("the interest is %s, its segments add up to %s", s.Interest.Amount, sum)
	case s.Interest.Amount != n.Interest:
		return fmt.Errorf("the sheet's interest is %s, the notice's %s", s.Interest.Amount, n.Interest)
	case s.OverdueCharge.Amount != n.Fee:
		return fmt.Errorf("the sheet's fee is %s, the notice's %s", s.OverdueCharge.Amount, n.Fee)
	case s.OverdueCharge.Amount > s.OverdueCharge.Maximum:
		return fmt.Errorf("the fee %s is above its maximum %s", s.OverdueCharge.Amount, s.OverdueCharge.Maximum)
	}
	return nil
}

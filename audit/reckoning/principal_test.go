package reckoning_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"purr/audit/reckoning"
	"purr/law"
	"purr/models"
	"purr/models/calendar"
	"purr/test/testkit/values"
)

// TestU3WhatAnInvoiceStillOwes divides the entries of invoices of 1000.00.
func TestU3WhatAnInvoiceStillOwes(t *testing.T) {
	t.Parallel()
	const (
		paid     = models.EntryPayment
		bank     = models.EntryOCR
		interest = models.EntryInterest
		fee      = models.EntryOverdueCharge
		credit   = models.EntryCreditNote
	)
	e := func(kind models.EntryType, amount models.Amount) models.Entry {
		return models.Entry{Type: kind, Amount: amount}
	}
	ofNote := func(amount models.Amount) models.Entry {
		return models.Entry{Type: credit, Amount: amount, CreditNoteID: 7}
	}
	for _, test := range []struct {
		what       string
		entries    []models.Entry
		writtenOff models.Amount
		want       reckoning.Standing
	}{
		{"nothing happened", nil, 0, reckoning.Standing{Principal: 1000_00}},
		{"a part is paid", []models.Entry{e(fee, 38_00), e(interest, 5_00), e(bank, -400_00)}, 0, reckoning.Standing{Principal: 600_00, Interest: 5_00, Fees: 38_00}},
		{"money goes to interest before fees", []models.Entry{e(fee, 38_00), e(interest, 5_00), e(bank, -1010_00)}, 0, reckoning.Standing{Fees: 33_00}},
		{"too much is paid", []models.Entry{e(bank, -1100_00)}, 0, reckoning.Standing{Overpaid: 100_00}},
		{"the surplus was paid out", []models.Entry{e(bank, -1100_00), e(paid, 100_00)}, 0, reckoning.Standing{}},
		{"and then the bank took all back", []models.Entry{e(bank, -1100_00), e(paid, 100_00), e(bank, 1100_00)}, 0, reckoning.Standing{Principal: 1000_00, Repayment: 100_00}},
		{"more was taken back than came", []models.Entry{e(bank, 50_00)}, 0, reckoning.Standing{Principal: 1000_00, Repayment: 50_00}},
		{"it is credited", []models.Entry{ofNote(-1000_00), e(credit, -1000_00), ofNote(1000_00)}, 0, reckoning.Standing{}},
		{"a part is credited that was paid", []models.Entry{e(bank, -1000_00), ofNote(-400_00)}, 0, reckoning.Standing{}},
		{"and paid out, and the payment deleted", []models.Entry{ofNote(-400_00), {Type: paid, Amount: 400_00, CreditNoteID: 7}}, 0, reckoning.Standing{Principal: 600_00, Repayment: 400_00}},
		{"a fee was reversed", []models.Entry{e(fee, 38_00), e(fee, -38_00)}, 0, reckoning.Standing{Principal: 1000_00}},
		{"a rest was written off", []models.Entry{e(bank, -990_00)}, 10_00, reckoning.Standing{}},
		{"the other system took money back", []models.Entry{{Type: paid, Amount: -300_00, Adopted: models.Told}, {Type: paid, Amount: 100_00, Adopted: models.Told}}, 0, reckoning.Standing{Principal: 800_00}},
	} {
		entries := append([]models.Entry{e(models.EntryInvoice, 1000_00)}, test.entries...)
		if got := reckoning.Allocate(entries, test.writtenOff); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.what, got, test.want)
		}
	}
}

// TestU1TheTwoReadingsAgreeOnWhatIsOwed asks the program's own reading of entries at random, and the sum of the entries.
func TestU1TheTwoReadingsAgreeOnWhatIsOwed(t *testing.T) {
	t.Parallel()
	kinds := []models.EntryType{models.EntryPayment, models.EntryOCR, models.EntryInterest, models.EntryOverdueCharge, models.EntryRepayment, models.EntryCreditNote}
	rapid.Check(t, func(r *rapid.T) {
		entries := []models.Entry{{Type: models.EntryInvoice, Amount: 1000_00}}
		balance := models.Amount(1000_00)
		charged := make(map[models.EntryType]models.Amount)
		for range rapid.IntRange(0, 8).Draw(r, "entries") {
			e := models.Entry{Type: rapid.SampledFrom(kinds).Draw(r, "type"), Amount: models.Amount(rapid.IntRange(-600_00, 600_00).Draw(r, "amount"))}
			if e.Type == models.EntryInterest || e.Type == models.EntryOverdueCharge {
				e.Amount = max(e.Amount, -charged[e.Type]) // a reversal is never of more than was charged
				charged[e.Type] += e.Amount
			}
			if e.Type == models.EntryCreditNote {
				e.Amount = -max(e.Amount, -e.Amount)
				if rapid.Bool().Draw(r, "of the credit note") {
					e.CreditNoteID = 7
				}
			}
			if e.CreditNoteID == 0 {
				balance += e.Amount
			}
			entries = append(entries, e)
		}
		got, program := reckoning.Allocate(entries, 0), law.Allocate(entries)
		if got != (reckoning.Standing{program.Principal, program.Interest, program.Fees, program.Overpaid, program.Repayment}) {
			r.Fatalf("%+v\nthe program: %+v\nthe audit: %+v", entries, program, got)
		}
		if got.Balance() != balance {
			r.Fatalf("%+v is not the balance %s", got, balance)
		}
	})
}

// TestU1TheTwoReadingsAgreeOnThePrincipalOfEachDay asks for the principal that the program reckons interest on, day by day, of entries at random.
func TestU1TheTwoReadingsAgreeOnThePrincipalOfEachDay(t *testing.T) {
	t.Parallel()
	due := day(t, "2024-01-01")
	rapid.Check(t, func(r *rapid.T) {
		entries := values.AnyEntries(r, due-14)
		steps := reckoning.Principal(entries)
		last := due + 4*365
		segments := law.Default().Interest(law.Claim{DueDate: due, Entries: entries}, last).Segments
		for on := calendar.NextWeekday(due) + 1; on <= last; on++ {
			var program models.Amount
			if len(segments) > 0 && segments[0].From <= on {
				if program = segments[0].Principal; segments[0].To == on {
					segments = segments[1:]
				}
			}
			if got := reckoning.UnpaidOn(steps, on); got != program {
				r.Fatalf("on %s the program has %s, the audit %s: %+v", on, program, got, entries)
			}
		}
	})
}

// TestU3PrincipalByDay follows invoices of 1000.00 from 1 January 2026.
func TestU3PrincipalByDay(t *testing.T) {
	t.Parallel()
	at := func(kind models.EntryType, amount models.Amount, date string) models.Entry {
		return models.Entry{Type: kind, Amount: amount, TransactionDate: day(t, date)}
	}
	from := func(date string, sum models.Amount) reckoning.Step {
		if date == "" {
			return reckoning.Step{From: 1, Sum: sum}
		}
		return reckoning.Step{From: day(t, date), Sum: sum}
	}
	invoice := at(models.EntryInvoice, 1000_00, "2026-01-01")
	all := from("", 1000_00)
	note := at(models.EntryCreditNote, -400_00, "2026-02-03")
	note.CreditNoteID = 7
	opening := at(models.EntryPayment, -300_00, "2026-03-01")
	opening.Adopted = models.Opening
	for _, test := range []struct {
		what    string
		entries []models.Entry
		want    []reckoning.Step
	}{
		{"money lowers it from the day after", []models.Entry{at(models.EntryOCR, -400_00, "2026-02-01")}, []reckoning.Step{all, from("2026-02-02", 600_00)}},
		{"charges are no part of it", []models.Entry{at(models.EntryOverdueCharge, 38_00, "2026-02-01"), at(models.EntryInterest, 3_00, "2026-02-01")}, []reckoning.Step{all}},
		{"money that is taken back on its day changes nothing", []models.Entry{at(models.EntryOCR, -400_00, "2026-02-01"), at(models.EntryOCR, 400_00, "2026-02-01")}, []reckoning.Step{all}},
		{"booked later, dated earlier", []models.Entry{at(models.EntryOCR, -400_00, "2026-02-09"), at(models.EntryPayment, -600_00, "2026-02-01")}, []reckoning.Step{all, from("2026-02-02", 400_00), from("2026-02-10", 0)}},
		{"a surplus that is paid out raises nothing", []models.Entry{at(models.EntryOCR, -1500_00, "2026-02-01"), at(models.EntryPayment, 500_00, "2026-02-05"), at(models.EntryOCR, 700_00, "2026-02-09")}, []reckoning.Step{all, from("2026-02-02", 0), from("2026-02-10", 200_00)}},
		{"what is credited bears no interest any more", []models.Entry{note}, []reckoning.Step{all, from("2026-02-04", 600_00)}},
		{"what another system was paid counts from the beginning", []models.Entry{opening}, []reckoning.Step{from("", 700_00)}},
	} {
		if got := reckoning.Principal(append([]models.Entry{invoice}, test.entries...)); !slices.Equal(got, test.want) {
			t.Errorf("%s: %+v, want %+v", test.what, got, test.want)
		}
	}
	if got := reckoning.UnpaidOn([]reckoning.Step{from("2026-02-02", 5)}, day(t, "2026-02-01")); got != 0 {
		t.Errorf("before the first step %s is unpaid", got)
	}
}

package models_test

import (
	"testing"

	"pgregory.net/rapid"

	"purr/models"
)

// dayOr0 returns the day, zero of an empty text.
func dayOr0(text string) models.Date {
	if text == "" {
		return 0
	}
	return day(text)
}

func TestL26AClaimLapsesThreeYearsAfterItsDueDateOrItsAcknowledgement(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ due, acknowledged, want string }{
		{"2026-03-02", "", "2029-03-02"},
		{"2024-02-29", "", "2027-02-28"},
		{"2023-03-01", "", "2026-03-01"},
		{"2025-02-28", "", "2028-02-28"}, // a leap year's February goes on for a day
		{"2026-12-31", "", "2029-12-31"},
		{"2026-03-02", "2026-03-03", "2029-03-03"},
		{"2026-03-02", "2028-02-29", "2031-02-28"},
		{"2026-03-02", "2026-02-20", "2029-03-02"}, // it was acknowledged before it was due
	} {
		if got := models.LapsesOn(dayOr0(tt.due), dayOr0(tt.acknowledged)); got != dayOr0(tt.want) {
			t.Errorf("due %s, acknowledged %q: it lapses on %s, want %s", tt.due, tt.acknowledged, got, tt.want)
		}
	}
}

func TestL26WhatIsAPaymentOfTheDebtors(t *testing.T) {
	t.Parallel()
	of := func(kind models.EntryType, date string, amount models.Amount, changes ...func(*models.Entry)) models.Entry {
		e := models.Entry{Type: kind, TransactionDate: dayOr0(date), Amount: amount}
		for _, change := range changes {
			change(&e)
		}
		return e
	}
	by := func(date string, amount models.Amount, changes ...func(*models.Entry)) models.Entry {
		return of(models.EntryPayment, date, amount, changes...)
	}
	bank := func(date string, amount models.Amount) models.Entry { return of(models.EntryOCR, date, amount) }
	told, opening := func(e *models.Entry) { e.Adopted = models.Told }, func(e *models.Entry) { e.Adopted = models.Opening }
	moved, note := func(e *models.Entry) { e.MovedFrom = 7 }, func(e *models.Entry) { e.CreditNoteID = 7 }
	for name, tt := range map[string]struct {
		want    string
		entries []models.Entry
	}{
		"none":                              {"", []models.Entry{of(models.EntryInvoice, "2026-03-02", 100)}},
		"one registered by a person":        {"2026-05-01", []models.Entry{by("2026-05-01", -10)}},
		"one of the bank's":                 {"2026-05-01", []models.Entry{bank("2026-05-01", -10)}},
		"the newest, not the last booked":   {"2026-05-09", []models.Entry{bank("2026-05-09", -10), by("2026-05-01", -10)}},
		"credit of another document":        {"", []models.Entry{by("2026-05-01", -10, moved)}},
		"a credit note":                     {"", []models.Entry{of(models.EntryCreditNote, "2026-05-01", -10)}},
		"a payout of a credit note":         {"", []models.Entry{by("2026-05-01", -10, note)}},
		"what was charged, and reversed":    {"", []models.Entry{of(models.EntryInterest, "2026-05-01", 10), of(models.EntryOverdueCharge, "2026-05-02", -10)}},
		"how it stood when it was adopted":  {"", []models.Entry{by("2026-05-01", -10, opening)}},
		"what its own system told later":    {"2026-05-03", []models.Entry{by("2026-05-01", -10, opening), by("2026-05-03", -10, told)}},
		"what it took back again":           {"2026-05-03", []models.Entry{by("2026-05-03", -10, told), by("2026-05-04", -10, told), by("2026-05-05", 10, told)}},
		"one that was paid out again":       {"2026-05-01", []models.Entry{by("2026-05-01", -10), by("2026-06-01", 5), of(models.EntryRepayment, "2026-06-01", 5)}},
		"one that the bank took back":       {"2026-05-01", []models.Entry{bank("2026-05-01", -10), bank("2026-06-01", -20), bank("2026-06-05", 20)}},
		"the one of the amount taken back":  {"2026-06-01", []models.Entry{bank("2026-05-01", -10), bank("2026-06-01", -20), bank("2026-06-05", 10)}},
		"the bank's before a person's":      {"2026-06-01", []models.Entry{bank("2026-05-01", -10), by("2026-06-01", -10), bank("2026-06-05", 10)}},
		"a person's, if there is no other":  {"", []models.Entry{by("2026-06-01", -10), bank("2026-06-05", 10)}},
		"never what the other system told":  {"2026-06-01", []models.Entry{by("2026-06-01", -10, told), bank("2026-06-05", 10)}},
		"a part of one that was taken back": {"2026-05-01", []models.Entry{bank("2026-05-01", -10), bank("2026-06-05", 4)}},
	} {
		if got := models.LastPaid(tt.entries); got != dayOr0(tt.want) {
			t.Errorf("%s: the last payment is of %q, want %q", name, got, tt.want)
		}
	}
}

// TestL26WhatIsTakenBackWholeLeavesNoPayment: whatever was paid and taken back again, amount for amount, in any order after it, acknowledges nothing.
func TestL26WhatIsTakenBackWholeLeavesNoPayment(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var entries, open []models.Entry
		for n := range rapid.IntRange(1, 12).Draw(t, "steps") {
			if len(open) > 0 && rapid.Bool().Draw(t, "back") {
				k := rapid.IntRange(0, len(open)-1).Draw(t, "which")
				back := open[k]
				back.Amount, open = -back.Amount, append(open[:k:k], open[k+1:]...)
				entries = append(entries, back)
				continue
			}
			e := models.Entry{Type: models.EntryOCR, TransactionDate: models.Date(n + 1), Amount: -models.Amount(rapid.IntRange(1, 3).Draw(t, "amount"))}
			entries, open = append(entries, e), append(open, e)
		}
		for _, e := range open {
			e.Amount = -e.Amount
			entries = append(entries, e)
		}
		if got := models.LastPaid(entries); got != 0 {
			t.Fatalf("%v: the last payment is of %s, want none", entries, got)
		}
	})
}

func TestL30WhenADayOfLapsingIsShown(t *testing.T) {
	t.Parallel()
	lapses := dayOr0("2029-03-02")
	open := models.Invoice{Balance: 100, LapsesOn: lapses}
	acknowledged, paid, closed, handed, repaid := open, open, open, open, open
	acknowledged.Acknowledged, paid.Balance, closed.Closed, handed.HandedOver, repaid.RepaymentOwed = 1, 0, models.ClosedLost, 1, 100
	for name, tt := range map[string]struct {
		invoice models.Invoice
		on      models.Date
		want    models.Date
	}{
		"181 days before":                 {open, lapses - 181, 0},
		"180 days before":                 {open, lapses - 180, lapses},
		"after it has lapsed":             {open, lapses + 400, lapses},
		"long before, once a day was set": {acknowledged, lapses - 1000, lapses},
		"with the debt collector":         {handed, lapses - 180, lapses},
		"paid":                            {paid, lapses - 1, 0},
		"closed":                          {closed, lapses - 1, 0},
		"where only a repayment is owed":  {repaid, lapses - 1, 0},
	} {
		if got := tt.invoice.LapseShown(tt.on); got != tt.want {
			t.Errorf("%s: %q is shown, want %q", name, got, tt.want)
		}
	}
}

func TestL26WhatIsWrongWithADayOfAcknowledgement(t *testing.T) {
	t.Parallel()
	today, i := dayOr0("2026-03-02"), models.Invoice{IssueDate: dayOr0("2026-02-01")}
	for date, want := range map[string]string{"": "required", "2026-03-03": "date_in_future", "2026-01-31": "before_issue", "2026-02-01": "", "2026-03-02": ""} {
		faults, got := models.Acknowledgement{Date: dayOr0(date)}.ValidateFor(i, today), ""
		if len(faults) > 0 {
			got = faults[0].Code
		}
		if got != want || len(faults) > 1 {
			t.Errorf("%q: %v, want %q", date, faults, want)
		}
	}
}

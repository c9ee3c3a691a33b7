package dunning_test

import (
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"purr/dunning"
	"purr/models"
)

// holidays are the Norwegian ones from 2024, a leap year, to 2026 that fall on weekdays, typed from a calendar.
const holidays = `
2024-01-01 2024-03-28 2024-03-29 2024-04-01 2024-05-01 2024-05-09 2024-05-17 2024-05-20 2024-12-25 2024-12-26
2025-01-01 2025-04-17 2025-04-18 2025-04-21 2025-05-01 2025-05-29 2025-06-09 2025-12-25 2025-12-26
2026-01-01 2026-04-02 2026-04-03 2026-04-06 2026-05-01 2026-05-14 2026-05-25 2026-12-25`

// modelInterest reckons late interest as a person would with a diary: day by day what was unpaid in the morning and
// what a year cost that day; days in a row that are alike in one half-year make a sum, which is rounded to øre, half up.
func modelInterest(due, chargedTo, through models.Date, unpaid func(models.Date) int64) (sum int64) {
	moved := due
	for moved.Weekday() == time.Saturday || moved.Weekday() == time.Sunday || strings.Contains(holidays, moved.String()) {
		moved++
	}
	type alike struct {
		principal, rate int64
		half            string
	}
	var row alike
	days, yearDays := int64(0), int64(0)
	settle := func() {
		if days == 0 {
			return
		}
		exact := big.NewRat(row.principal*row.rate*days, 10_000*yearDays)
		exact.Add(exact, big.NewRat(1, 2))
		sum += new(big.Int).Quo(exact.Num(), exact.Denom()).Int64()
		days = 0
	}
	for d := max(moved, chargedTo) + 1; d <= through; d++ {
		month := d.Time().Month()
		today := alike{unpaid(d), int64(publishedRate(d)), fmt.Sprint(d.Year(), month >= time.July)}
		if today != row {
			settle()
			row = today
		}
		if today.principal <= 0 {
			continue
		}
		days++
		yearDays = int64(time.Date(d.Year(), time.December, 31, 0, 0, 0, 0, time.UTC).YearDay())
	}
	settle()
	return sum
}

// TestD29InterestAgreesWithADiary charges an invoice once or twice, with part payments, credits, repayments,
// reversals and payments on the due date itself, over half-years, a leap year, weekends and holidays.
func TestD29InterestAgreesWithADiary(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		issued := dateIn(t, "issued", day("2024-01-01"), day("2026-06-01"))
		due := issued + dateIn(t, "due days", 0, 60)
		entries := anyEntries(t, issued)
		if rapid.Bool().Draw(t, "paid on the due date") {
			entries = append(entries, models.Entry{Type: models.EntryPayment, Amount: -entries[0].Amount / 3, TransactionDate: due})
		}
		unpaid := func(on models.Date) (sum int64) {
			for _, e := range entries {
				if e.TransactionDate < on && e.CreditNoteID == 0 && e.Type != models.EntryInterest && e.Type != models.EntryOverdueCharge {
					sum += int64(e.Amount)
				}
			}
			return sum
		}
		first := dateIn(t, "first notice", due, min(due+200, day("2026-12-31")))
		second := dateIn(t, "second notice", first, min(first+200, day("2026-12-31")))
		claim := dunning.Claim{DueDate: due, Entries: entries}
		for _, charge := range []struct{ to, before models.Date }{{first, 0}, {second, first}} {
			claim.ChargedTo = charge.before
			got, want := dunning.Default().Interest(claim, charge.to), modelInterest(due, charge.before, charge.to, unpaid)
			if int64(got.Amount) != want {
				t.Fatalf("from %s to %s the interest is %s, the diary has %s: %+v", charge.before, charge.to, got.Amount, models.Amount(want), got.Segments)
			}
		}
	})
}

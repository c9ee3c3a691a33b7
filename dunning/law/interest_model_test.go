package law_test

import (
	"testing"

	"pgregory.net/rapid"

	"purr/dunning/law"
	testlaw "purr/internal/testkit/law"
	"purr/models"
)

// TestD29InterestAgreesWithADiary charges an invoice once or twice, with part payments, credits, repayments,
// reversals and payments on the due date itself, over half-years, a leap year, weekends and holidays.
func TestD29InterestAgreesWithADiary(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		issued := dateIn(t, "issued", day("2024-01-01"), day("2026-06-01"))
		due := issued + dateIn(t, "due days", 0, 60)
		entries := anyEntries(t, issued)
		if rapid.Bool().Draw(t, "paid on the due date") {
			entries = append(entries, models.Entry{Type: models.EntryPayment, Amount: -entries[0].Amount / 3, TransactionDate: due})
		}
		unpaid := func(on models.Date) (sum models.Amount) {
			for _, e := range entries {
				if e.TransactionDate < on && e.CreditNoteID == 0 && e.Type != models.EntryInterest && e.Type != models.EntryOverdueCharge {
					sum += e.Amount
				}
			}
			return sum
		}
		first := dateIn(t, "first notice", due, min(due+200, day("2026-12-31")))
		second := dateIn(t, "second notice", first, min(first+200, day("2026-12-31")))
		claim := law.Claim{DueDate: due, Entries: entries}
		for _, charge := range []struct{ to, before models.Date }{{first, 0}, {second, first}} {
			claim.ChargedTo = charge.before
			diary := testlaw.Claim{Due: due, ChargedTo: charge.before, Unpaid: unpaid, Rate: testlaw.Rate}
			got, want := law.Default().Interest(claim, charge.to), diary.Interest(charge.to)
			if got.Amount != want {
				t.Fatalf("from %s to %s the interest is %s, the diary has %s: %+v", charge.before, charge.to, got.Amount, want, got.Segments)
			}
		}
	})
}

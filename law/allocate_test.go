package law_test

import (
	"testing"

	"pgregory.net/rapid"

	"purr/law"
	"purr/models"
)

func TestAllocateD29(t *testing.T) {
	t.Parallel()
	const on = "2026-08-20"
	noted := models.Entry{Type: models.EntryCreditNote, Amount: -1000_00, CreditNoteID: 9}
	charged := []models.Entry{invoiced("1000.00", "2026-07-20"), fee("38.00", on), interest("5.00", on)}
	tests := []struct {
		entries                             []models.Entry
		principal, interest, fees, overpaid string // overpaid is negative for a repayment that is owed
		why                                 string
	}{
		{nil, "1000.00", "5.00", "38.00", "", "nothing paid leaves all owed"},
		{[]models.Entry{paid("400.00", on)}, "600.00", "5.00", "38.00", "", "a payment goes to the principal"},
		{[]models.Entry{paid("1002.00", on)}, "", "3.00", "38.00", "", "then to the interest"},
		{[]models.Entry{paid("600.00", on), byOCR("425.00", on)}, "", "", "18.00", "", "then to the fees"},
		{[]models.Entry{paid("1100.00", on)}, "", "", "", "57.00", "the rest is the customer's"},
		{[]models.Entry{paid("1100.00", on), repaid("57.00", on)}, "", "", "", "", "until it is sent back"},
		{[]models.Entry{paid("1100.00", on), repaid("100.00", on)}, "", "", "", "-43.00", "a repayment beyond the surplus is owed as such, and no fee"},
		{[]models.Entry{repaid("57.00", on)}, "1000.00", "5.00", "38.00", "-57.00", "money sent back whose payment was deleted is owed apart"},
		{[]models.Entry{paid("500.00", on), repaid("57.00", on)}, "500.00", "5.00", "38.00", "-57.00", "another payment covers the principal first"},
		{[]models.Entry{tookBack("57.00", on)}, "1000.00", "5.00", "38.00", "-57.00", "what the bank took above what it brought is no principal"},
		{[]models.Entry{noted, fee("-38.00", on), interest("-5.00", on)}, "", "", "", "-1000.00", "nor is anything on an invoice that is credited"},
		{[]models.Entry{fee("-38.00", on), interest("-2.00", on)}, "1000.00", "3.00", "", "", "a reversal lowers what it reverses"},
		{[]models.Entry{paid("1043.00", on), fee("-38.00", on)}, "", "", "", "38.00", "a fee reversed after it was paid is the customer's"},
		{[]models.Entry{fee("-38.00", on), interest("-5.00", on), credited("1000.00", on)}, "", "", "", "", "a credit note settles all"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			want := law.Allocation{
				Principal: kroner(tt.principal), Interest: kroner(tt.interest), Fees: kroner(tt.fees),
				Overpaid: max(kroner(tt.overpaid), 0), Repayment: max(-kroner(tt.overpaid), 0),
			}
			if got := law.Allocate(append(charged[:len(charged):len(charged)], tt.entries...)); got != want {
				t.Errorf("owed is %+v, want %+v", got, want)
			}
		})
	}
}

// TestAllocationAddsUpToTheBalance checks also that no part is negative, that a later kind is paid only after the earlier
// one, and that nothing is overpaid while something is owed.
func TestAllocationAddsUpToTheBalance(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		entries := anyEntries(t, day("2026-01-05"))
		a := law.Allocate(entries)
		if got, want := a.Claimed()+a.Repayment, balance(ofInvoice(entries)); got != want {
			t.Fatalf("%+v is %s, the balance %s", a, got, want)
		}
		if min(a.Principal, a.Interest, a.Fees, a.Repayment, a.Overpaid) < 0 {
			t.Fatalf("a part of %+v is negative", a)
		}
		if a.Principal > 0 && (a.Interest != sumOf(entries, models.EntryInterest) || a.Fees != sumOf(entries, models.EntryOverdueCharge)) {
			t.Fatalf("%+v: interest or fees were paid before the principal", a)
		}
		if a.Interest > 0 && a.Fees != sumOf(entries, models.EntryOverdueCharge) {
			t.Fatalf("%+v: fees were paid before the interest", a)
		}
		if gross := sumOf(entries, models.EntryInvoice); a.Principal > gross {
			t.Fatalf("of %s the principal of %+v is left", gross, a)
		}
		if a.Overpaid > 0 && a.Principal+a.Interest+a.Fees+a.Repayment > 0 {
			t.Fatalf("%+v is overpaid and owed at once", a)
		}
	})
}

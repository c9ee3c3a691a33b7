package receivables

import (
	"slices"
	"testing"

	"purr/models"
	"purr/store"
)

// TestN5AMonthIsAddedUp adds up what was booked before a month and in it.
func TestN5AMonthIsAddedUp(t *testing.T) {
	t.Parallel()
	month, err := models.ParseMonth("2026-10")
	if err != nil || month.String() != "2026-10" || month.Last().String() != "2026-10-31" || month.Plus(3).String() != "2027-01" || month.Plus(-10).String() != "2025-12" {
		t.Fatal(month, month.Last(), month.Plus(3), err)
	}
	booked := func(m models.Movement, items int, amount models.Amount) store.BookedSum {
		return store.BookedSum{Movement: m, Rate: -1, Items: items, Amount: amount}
	}
	before, deleted := booked(models.MovementInvoiced, 7, 500_00), booked(models.MovementPaidByHand, 1, 40_00)
	before.Before, deleted.Deleted = true, true
	for _, tt := range []struct {
		name    string
		sums    []store.BookedSum
		opening models.Amount
		closing models.Amount
		net     models.Amount
		by      map[models.Movement]Moved
	}{
		{name: "nothing was ever booked"},
		{name: "all was booked before", sums: []store.BookedSum{before}, opening: 500_00, closing: 500_00},
		{
			name: "what is of one VAT rate is a part of the whole",
			sums: []store.BookedSum{
				booked(models.MovementInvoiced, 2, 240_00),
				{Movement: models.MovementInvoiced, Rate: 1500, Items: 1, Amount: 100_00, VAT: 15_00},
				{Movement: models.MovementInvoiced, Rate: 2500, Items: 1, Amount: 100_00, VAT: 25_00},
				{Before: true, Movement: models.MovementInvoiced, Rate: 2500, Items: 1, Amount: 400_00, VAT: 100_00},
				before,
			},
			opening: 500_00, closing: 740_00, net: 200_00, by: map[models.Movement]Moved{models.MovementInvoiced: {2, 240_00}},
		},
		{
			name:    "a deletion has the sign turned",
			sums:    []store.BookedSum{before, booked(models.MovementPaidByHand, 2, -90_00), deleted},
			opening: 500_00, closing: 450_00, by: map[models.Movement]Moved{models.MovementPaidByHand: {3, -50_00}},
		},
		{
			name: "what was moved is nothing in all",
			sums: []store.BookedSum{before, booked(models.MovementMoved, 2, 0), booked(models.MovementFee, 1, 35_00), booked(models.MovementReversal, 1, -35_00)},
			by:   map[models.Movement]Moved{models.MovementMoved: {2, 0}, models.MovementFee: {1, 35_00}, models.MovementReversal: {1, -35_00}}, opening: 500_00, closing: 500_00,
		},
	} {
		r := MonthReportOf(month, tt.sums)
		if r.Opening != tt.opening || r.Closing != tt.closing || r.Invoiced.Net != tt.net || r.Opening+r.Movements() != r.Closing {
			t.Errorf("%s: %+v", tt.name, r)
		}
		for _, m := range models.Movements {
			if r.Of(m) != tt.by[m] {
				t.Errorf("%s: %s is %v, want %v", tt.name, m, r.Of(m), tt.by[m])
			}
		}
		if !slices.IsSortedFunc(r.Invoiced.VAT, func(a, b VATSum) int { return int(b.Rate - a.Rate) }) {
			t.Errorf("%s: the rates are %v", tt.name, r.Invoiced.VAT)
		}
	}
}

func TestN5AMonthThatIsNoneIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "2026-13", "2026-00", "2026-1", "2026-10-01", "10-2026", "0000-01", "202610", " 2026-10", "2026-1O"} {
		if m, err := models.ParseMonth(text); err == nil {
			t.Errorf("%q is the month %s", text, m)
		}
	}
}

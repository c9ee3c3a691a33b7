package dunning_test

import (
	"testing"

	"pgregory.net/rapid"

	"purr/dunning"
	"purr/models"
	"purr/store"
)

// planLife is the life of a plan in which anything may come: payments, credit, charges, and each taken back.
type planLife struct {
	plan    store.Plan
	claimed models.Amount
	entries []models.Entry
	paid    []models.Amount // that stand
}

func (l *planLife) post(kind models.EntryType, amount models.Amount) {
	l.claimed += amount
	if kind == models.EntryOverdueCharge {
		l.plan.Charged += amount
	}
	l.entries = append(l.entries, models.Entry{ID: l.plan.LastEntryID + int64(len(l.entries)) + 1, Type: kind, Amount: amount})
}

// goesOn lets one thing happen.
func (l *planLife) goesOn(t *rapid.T) {
	amount := models.Amount(rapid.Int64Range(1, 700_00).Draw(t, "amount"))
	switch kind := rapid.SampledFrom([]string{"pays", "is credited", "is taken back", "is charged", "is not charged after all"}).Draw(t, "what"); {
	case kind == "pays":
		l.paid = append(l.paid, amount)
		l.post(models.EntryOCR, -amount)
	case kind == "is credited":
		l.post(models.EntryCreditNote, -amount)
	case kind == "is taken back" && len(l.paid) > 0:
		last := l.paid[len(l.paid)-1]
		l.paid = l.paid[:len(l.paid)-1]
		l.post(models.EntryOCR, last)
	case kind == "is charged":
		l.post(models.EntryOverdueCharge, amount/10)
	case kind == "is not charged after all" && l.plan.Charged > 0:
		l.post(models.EntryOverdueCharge, -min(amount/10, l.plan.Charged))
	}
}

// holds fails the test unless the instalments are covered in order, by entries that add up to what covers them, and the plan is kept, broken or
// runs accordingly on any day.
func (l *planLife) holds(t *rapid.T) {
	parts := dunning.CoveredBy(dunning.InstalmentsOf(l.plan, l.claimed), l.plan, l.entries)
	var sum models.Amount
	missing := -1
	for n, p := range parts {
		var by models.Amount
		for _, c := range p.By {
			by += c.Amount
		}
		switch {
		case p.Covered < 0 || p.Covered > p.Amount || by != p.Covered:
			t.Fatalf("instalment %d of %s is covered with %s, by entries of %s: %+v", n+1, p.Amount, p.Covered, by, p.By)
		case missing >= 0 && p.Covered > 0:
			t.Fatalf("instalment %d is covered before instalment %d", n+1, missing+1)
		case missing < 0 && p.Covered < p.Amount:
			missing = n
		}
		sum += p.Covered
	}
	if without := l.claimed - max(l.plan.Charged, 0); sum != min(max(l.plan.Sum-without, 0), l.plan.Sum) {
		t.Fatalf("%s of %s is covered, and %s of it is claimed", sum, l.plan.Sum, without)
	}
	before := models.PlanRunning
	for on := parts[0].DueDate - 40; on <= parts[len(parts)-1].WaitUntil+5; on += 3 {
		state, missed := dunning.PlanOn(l.plan, l.claimed, on)
		want := models.PlanRunning
		switch {
		case missing < 0 || l.claimed <= 0:
			want = models.PlanKept
		case on > parts[missing].WaitUntil:
			want = models.PlanBroken
		}
		if state != want || state == models.PlanBroken && missed != missing || before == models.PlanBroken && state != before {
			t.Fatalf("on %s the plan is %s for instalment %d, want %s for %d", on, state, missed+1, want, missing+1)
		}
		before = state
	}
}

// TestL15TheLivesOfPlans makes plans of random sums and lets random things happen to their invoices.
func TestL15TheLivesOfPlans(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		owed := models.Amount(rapid.Int64Range(1, 2000_00).Draw(t, "owed"))
		first := day("2026-03-02") + models.Date(rapid.IntRange(0, 400).Draw(t, "first"))
		parts := models.MonthlyInstalments(owed, first, 0, rapid.IntRange(1, models.MaxInstalments).Draw(t, "months"))
		if err := parts.Validate(owed, day("2026-03-02")); err != nil {
			t.Fatalf("%v of %s: %v", parts, owed, err)
		}
		l := planLife{claimed: owed}
		l.plan.ID, l.plan.Sum, l.plan.LastEntryID, l.plan.Instalments = 1, owed, 10, parts
		l.holds(t)
		for range rapid.IntRange(0, 12).Draw(t, "steps") {
			l.goesOn(t)
			l.holds(t)
		}
	})
}

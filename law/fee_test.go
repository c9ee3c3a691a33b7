package law_test

import (
	"testing"

	"pgregory.net/rapid"

	"purr/law"
	"purr/models"
)

func TestFee(t *testing.T) {
	t.Parallel()
	amount := func(a models.Amount) *models.Amount { return &a }
	rules, newAct := law.Default(), rules2026()
	tests := []struct {
		rules           *law.Rules
		policy          *models.Amount
		lastDue, issued string
		amount, maximum string
		known           bool
		why             string
	}{
		{rules, nil, "2026-11-02", "2026-11-16", "38.00", "38.00", true, "the legal maximum unless the policy says less"},
		{rules, amount(30_00), "2026-11-02", "2026-11-16", "30.00", "38.00", true, "the policy's amount below the maximum"},
		{rules, amount(70_00), "2026-11-02", "2026-11-16", "38.00", "38.00", true, "an amount above the maximum is cut to it"},
		{rules, amount(38_00), "2025-11-03", "2025-12-01", "35.00", "35.00", true, "the maximum is the issue date's, not today's"},
		{rules, amount(0), "2026-11-02", "2026-11-16", "0.00", "38.00", true, "zero is none"},
		{rules, nil, "2026-11-02", "2026-11-15", "0.00", "0.00", true, "none on the 13th day after the due date"},
		{rules, nil, "2026-12-21", "2027-01-04", "38.00", "38.00", false, "past the last known year the maximum goes on"},
		{newAct, nil, "2026-12-21", "2027-01-04", "0.00", "0.00", false, "none under the act of 2026"},
		{newAct, amount(20_00), "2026-12-21", "2027-01-04", "0.00", "0.00", false, "not the policy's either"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			got := tt.rules.Fee(models.Policy{Fee: tt.policy}, day(tt.lastDue), day(tt.lastDue), day(tt.issued))
			if got.Amount.String() != tt.amount || got.Maximum.String() != tt.maximum || got.Outdated == tt.known {
				t.Errorf("the fee is %+v, want %s of at most %s (known %t)", got, tt.amount, tt.maximum, tt.known)
			}
			if got.Rule == "" {
				t.Error("the fee names no rule")
			}
		})
	}
}

func TestFeeNeverExceedsTheMaximum(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		due := dateIn(t, "due", day("2005-01-01"), day("2030-01-01"))
		issued := due + dateIn(t, "days", 0, 400)
		own := models.Amount(rapid.Int64Range(0, 200_00).Draw(t, "policy"))
		got := law.Default().Fee(models.Policy{Fee: &own}, due, due, issued)
		if got.Amount < 0 || got.Amount > min(own, got.Maximum) {
			t.Fatalf("the fee %+v exceeds the policy's %s or its maximum", got, own)
		}
		if got.Amount > 0 && issued < due+14 {
			t.Fatalf("a fee %d days after the due date", issued-due)
		}
	})
}

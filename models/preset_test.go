package models_test

import (
	"reflect"
	"testing"

	"purr/models"
)

// TestE6aPresetsAreLawfulOnEveryDay holds the presets against every maximum of the fee, even none.
func TestE6aPresetsAreLawfulOnEveryDay(t *testing.T) {
	t.Parallel()
	for _, n := range models.Presets {
		for _, maxFee := range []models.Amount{0, 35_00, 1000_00} {
			if err := n.Apply(models.DefaultPolicy()).Validate(maxFee); err != nil {
				t.Errorf("%s, with a fee of at most %s: %v", n, maxFee, err)
			}
		}
	}
}

func TestE6aAPresetSetsTheLadderAlone(t *testing.T) {
	t.Parallel()
	own := models.DefaultPolicy()
	own.Fee, own.InterestRate, own.Compensation, own.SettleCredit = new(models.Amount(30_00)), new(models.Percent(5_00)), true, true
	own.PostalDays, own.PrintDays, own.MinimumBalance, own.Remainder, own.RequirePaymentFile = 3, 2, 10_00, models.RemainderWaive, false
	for _, n := range models.Presets {
		p := n.Apply(own)
		if found, is := models.PresetOf(p); found != n || !is {
			t.Errorf("with the preset %s the policy follows %q", n, found)
		}
		if !p.Enabled {
			t.Errorf("%s is switched off", n)
		}
		back := p
		back.Enabled, back.FirstNoticeDays, back.SecondNoticeDays, back.DaysToPay = own.Enabled, own.FirstNoticeDays, own.SecondNoticeDays, own.DaysToPay
		back.Fee, back.AddInterest, back.InterestRate = own.Fee, own.AddInterest, own.InterestRate
		back.DebtCollectionNotice, back.HandOverDays = own.DebtCollectionNotice, own.HandOverDays
		if !reflect.DeepEqual(back, own) {
			t.Errorf("%s changes more than the ladder: %+v", n, back)
		}
	}
	if n, is := models.PresetOf(own); is {
		t.Errorf("a policy that is switched off follows %s", n)
	}
	if p := models.Preset("").Apply(own); !reflect.DeepEqual(p, own) {
		t.Errorf("no preset changes the policy: %+v", p)
	}
}

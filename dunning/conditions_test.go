package dunning_test

import (
	"testing"

	"purr/dunning"
	"purr/models"
)

func TestConditionsD27(t *testing.T) {
	t.Parallel()
	// Due on Monday 2 November 2026, nothing sent, 1000 kroner owed.
	sent := models.Invoice{DueDate: day("2026-11-02"), Deadline: day("2026-11-02"), Balance: 1000_00}
	with := func(change func(*models.Invoice)) models.Invoice {
		invoice := sent
		change(&invoice)
		return invoice
	}
	reminded := with(func(i *models.Invoice) { i.Notices, i.Deadline = 1, day("2026-11-30") })
	warned := with(func(i *models.Invoice) { i.Notices, i.Warned, i.Deadline = 1, true, day("2026-11-30") })
	tests := []struct {
		invoice models.Invoice
		withFee bool
		today   string
		want    string
		why     string
	}{
		{sent, false, "2026-11-02", "[not_overdue]", "no notice on the due date"},
		{sent, true, "2026-11-02", "[not_overdue]", "nor one with a fee"},
		{sent, false, "2026-11-03", "", "a free notice from the day after it"},
		{sent, true, "2026-11-15", "[too_early_for_charge]", "no fee on the 13th day after it"},
		{sent, true, "2026-11-16", "", "a fee from the 14th day after it"},
		{with(func(i *models.Invoice) { i.Balance = 0 }), true, "2026-12-24", "[not_overdue]", "no notice on a paid invoice"},
		{with(func(i *models.Invoice) { i.Balance = -1 }), true, "2026-12-24", "[not_overdue]", "nor on an overpaid one"},
		{
			with(func(i *models.Invoice) { i.DueDate, i.Deadline = day("2026-11-07"), day("2026-11-07") }),
			true, "2026-11-21", "", "a request counts from the plain due date, a Saturday (E6d)",
		},
		{reminded, false, "2026-11-20", "", "a free second notice while the first one's deadline runs"},
		{reminded, true, "2026-12-13", "[too_early_for_charge]", "no second fee on the 13th day after the first notice's due date"},
		{reminded, true, "2026-12-14", "", "a second fee from the 14th day after it"},
		{warned, false, "2026-12-14", "[debt_collection_notice_sent]", "no notice after a debt-collection warning"},
		{warned, true, "2026-12-01", "[too_early_for_charge debt_collection_notice_sent]", "every unmet condition is named"},
		{
			with(func(i *models.Invoice) { i.Notices, i.Deadline = 2, day("2026-11-30") }),
			true, "2026-12-14", "[too_many_notices]", "no third notice",
		},
		{
			with(func(i *models.Invoice) { i.Notices, i.Warned, i.Deadline = 2, true, day("2026-11-30") }),
			true, "2026-12-14", "[debt_collection_notice_sent too_many_notices]", "no third notice after a warning",
		},
		{with(func(i *models.Invoice) { i.Closed = models.ClosedLost }), true, "2026-12-14", "invoice_closed", "none on a closed invoice"},
		{
			with(func(i *models.Invoice) { i.HandedOver, i.Balance = day("2026-12-01"), 0 }),
			true, "2026-12-14", "invoice_handed_over", "none on an invoice at the agency, paid or not",
		},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			err := dunning.Conditions(tt.invoice, tt.withFee, day(tt.today))
			if got := codes(err); got != tt.want {
				t.Errorf("refused for %q, want %q", got, tt.want)
			}
			if err != nil && models.KindOf(err) != models.KindConflict {
				t.Errorf("%v is not a conflict", err)
			}
		})
	}
}

func TestWarningAllowed(t *testing.T) {
	t.Parallel()
	rules := rules2026()
	if err := dunning.WarningAllowed(rules, day("2026-12-31")); err != nil {
		t.Errorf("the act of 1988 refuses: %v", err)
	}
	if got := codes(dunning.WarningAllowed(rules, day("2027-01-01"))); got != "debt_collection_notice_not_allowed" {
		t.Errorf("the act of 2026 answers %q", got)
	}
}

package models_test

import (
	"testing"

	"purr/models"
)

func TestDefaultPolicyE6a(t *testing.T) {
	p := models.DefaultPolicy()
	if err := p.Validate(35_00); err != nil {
		t.Error(err)
	}
	want := models.Policy{
		FirstNoticeDays: 14, SecondNoticeDays: 14, AddInterest: true, DaysToPay: 14, DebtCollectionNotice: models.WarningSecond, ReminderMethod: models.ByPaper,
		MinimumBalance: 50_00, Remainder: models.RemainderLeave, WeekdaysOnly: true, RequirePaymentFile: true,
	}
	if p != want {
		t.Errorf("the default policy is %+v", p)
	}
}

func TestPolicyValidateE6a(t *testing.T) {
	const maxFee = 35_00
	fee := func(a models.Amount) func(*models.Policy) { return func(p *models.Policy) { p.Fee = &a } }
	rate := func(r models.Percent) func(*models.Policy) { return func(p *models.Policy) { p.InterestRate = &r } }
	handOver := func(days int) func(*models.Policy) { return func(p *models.Policy) { p.HandOverDays = &days } }
	tests := []struct {
		change func(*models.Policy)
		want   string
		why    string
	}{
		{fee(maxFee), "", "a fee of the legal maximum"},
		{fee(maxFee + 1), "fee", "none above it"},
		{fee(0), "", "a fee of nothing"},
		{fee(-1), "fee", "none below"},
		{rate(0), "", "no interest"},
		{rate(100_00), "", "a hundred percent"},
		{rate(100_01), "interest_rate", "not more"},
		{rate(-1), "interest_rate", "and not less than none"},
		{handOver(1), "", "a hand-over the day after the deadline"},
		{handOver(0), "hand_over_days", "not on its day"},
		{func(p *models.Policy) { p.DaysToPay = 365 }, "", "a year to pay"},
		{func(p *models.Policy) { p.DaysToPay = 366 }, "days_to_pay", "not longer"},
		{func(p *models.Policy) { p.DaysToPay = 13 }, "days_to_pay", "never less than 14 days to pay (D28)"},
		{func(p *models.Policy) { p.FirstNoticeDays = 1 }, "", "a notice the day after the due date"},
		{func(p *models.Policy) { p.FirstNoticeDays = 0 }, "first_notice_days", "none on the due date"},
		{func(p *models.Policy) { p.FirstNoticeDays = 366 }, "first_notice_days", "none after more than a year"},
		{func(p *models.Policy) { p.SecondNoticeDays = 0 }, "second_notice_days", "no second one on the first one's due date"},
		{func(p *models.Policy) { p.SecondNoticeDays = 366 }, "second_notice_days", "none after more than a year, either"},
		{func(p *models.Policy) { p.DebtCollectionNotice = models.WarningFirst }, "", "the warning first"},
		{func(p *models.Policy) { p.DebtCollectionNotice = models.WarningNever }, "", "no warning"},
		{func(p *models.Policy) { p.DebtCollectionNotice = "third" }, "debt_collection_notice", "no third notice"},
		{func(p *models.Policy) { p.DebtCollectionNotice = "" }, "debt_collection_notice", "some place for the warning"},
		{func(p *models.Policy) { p.Remainder = models.RemainderWaive }, "", "what is left of fees is waived (L7)"},
		{func(p *models.Policy) { p.Remainder = models.RemainderChase }, "", "or chased"},
		{func(p *models.Policy) { p.Remainder = "forget" }, "remainder", "but nothing else"},
		{func(p *models.Policy) { p.ReminderMethod = models.ByEmail }, "", "reminders by e-mail (L22)"},
		{func(p *models.Policy) { p.ReminderMethod = models.ByEHF }, "reminder_method", "but none by EHF"},
		{func(p *models.Policy) { p.FriendlyReminderDays = "-14 0 13" }, "", "three friendly reminders (L14a)"},
		{func(p *models.Policy) { p.FriendlyReminderDays = "-15" }, "friendly_reminder_days", "none earlier than 14 days before the due date"},
		{func(p *models.Policy) { p.FirstNoticeDays, p.FriendlyReminderDays = 30, "14" }, "friendly_reminder_days", "none later than 13 days after it"},
		{func(p *models.Policy) { p.FriendlyReminderDays = "1 2 3 4" }, "friendly_reminder_days", "not four"},
		{func(p *models.Policy) { p.FriendlyReminderDays = "3 3" }, "friendly_reminder_days", "each once"},
		{func(p *models.Policy) { p.FriendlyReminderDays = "soon" }, "friendly_reminder_days", "only numbers"},
		{func(p *models.Policy) { p.MinimumBalance = -1 }, "minimum_balance", "no minimum below nothing"},
		{func(p *models.Policy) { p.CloseBelow = -1 }, "close_below", "no remainder below nothing (L25)"},
		{func(p *models.Policy) { p.CloseBelow = 100_01 }, "close_below", "no remainder above 100.00 (L25)"},
	}
	for _, tt := range tests {
		t.Run(tt.why, func(t *testing.T) {
			p := models.DefaultPolicy()
			tt.change(&p)
			want := tt.want
			if want != "" {
				want = "dunning_policy/" + want + " illegal_policy"
			}
			if got := places(t, p.Validate(maxFee)); got != want {
				t.Errorf("found %q, want %q", got, want)
			}
		})
	}
}

func TestPolicyValidateNamesAllAtOnceD5(t *testing.T) {
	minus, days := models.Amount(-1), 0
	rate := models.Percent(-1)
	p := models.Policy{Fee: &minus, InterestRate: &rate, HandOverDays: &days, MinimumBalance: -1}
	want := "dunning_policy/first_notice_days illegal_policy; dunning_policy/second_notice_days illegal_policy; " +
		"dunning_policy/days_to_pay illegal_policy; dunning_policy/fee illegal_policy; dunning_policy/interest_rate illegal_policy; " +
		"dunning_policy/hand_over_days illegal_policy; dunning_policy/debt_collection_notice illegal_policy; " +
		"dunning_policy/remainder illegal_policy; dunning_policy/reminder_method illegal_policy; dunning_policy/minimum_balance illegal_policy"
	if got := places(t, p.Validate(35_00)); got != want {
		t.Errorf("found\n%s, want\n%s", got, want)
	}
}

func TestTheLadderE6a(t *testing.T) {
	tests := []struct {
		step     models.WarningStep
		notices  int
		warnings []int // the sequence numbers of debt-collection warnings
	}{
		{models.WarningSecond, 2, []int{2}},
		{models.WarningFirst, 1, []int{1}},
		{models.WarningNever, 2, nil},
	}
	for _, tt := range tests {
		p := models.Policy{DebtCollectionNotice: tt.step}
		if got := p.MaxNotices(); got != tt.notices {
			t.Errorf("with the warning %s there are %d notices, want %d", tt.step, got, tt.notices)
		}
		var warnings []int
		for sequence := range 4 {
			if p.WarningIs(sequence) {
				warnings = append(warnings, sequence)
			}
		}
		if len(warnings) != len(tt.warnings) || (len(warnings) == 1 && warnings[0] != tt.warnings[0]) {
			t.Errorf("with the warning %s, notices %v are warnings, want %v", tt.step, warnings, tt.warnings)
		}
	}
}

// TestL29NoFriendlyReminderComesAfterTheFirstNotice: not on its day either.
func TestL29NoFriendlyReminderComesAfterTheFirstNotice(t *testing.T) {
	for days, want := range map[models.DayList]string{
		"4": "", "-3 4": "", "5": "dunning_policy/friendly_reminder_days after_first_notice", "-3 6": "dunning_policy/friendly_reminder_days after_first_notice",
	} {
		p := models.DefaultPolicy()
		p.FirstNoticeDays, p.FriendlyReminderDays = 5, days
		if got := places(t, p.Validate(35_00)); got != want {
			t.Errorf("%q: found %q, want %q", days, got, want)
		}
	}
}

func TestL14ParseDayList(t *testing.T) {
	for text, want := range map[string]models.DayList{"": "", "10  3": "3 10", "+3\t-7": "-7 3", "-0": "0"} {
		if got, right := models.ParseDayList(text); got != want || !right {
			t.Errorf("%q is %q, %t", text, got, right)
		}
	}
	for _, text := range []string{"3 3", "x", "3,5", "1.5"} {
		if _, right := models.ParseDayList(text); right {
			t.Errorf("%q is a list", text)
		}
	}
}

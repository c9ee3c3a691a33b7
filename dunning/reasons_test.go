package dunning_test

import (
	"testing"

	"purr/dunning"
	"purr/law"
	"purr/models"
)

// hindrances are the reasons of rule L12 in their order. put makes the reason apply to an invoice that would be handed
// over on Saturday, 12 December 2026; lift takes it away again. A reason that is added to dunning is added here.
var hindrances = []struct {
	reason    dunning.Reason
	put, lift func(s *dunning.State, p *models.Policy)
}{
	{
		dunning.PolicyOff,
		func(_ *dunning.State, p *models.Policy) { p.Enabled = false },
		func(_ *dunning.State, p *models.Policy) { p.Enabled = true },
	},
	{
		dunning.CreditorNotReady,
		func(s *dunning.State, _ *models.Policy) { s.NotReady = true },
		func(s *dunning.State, _ *models.Policy) { s.NotReady = false },
	},
	{
		dunning.OnHold,
		func(s *dunning.State, _ *models.Policy) { s.CustomerHold = models.Hold{Held: true} },
		func(s *dunning.State, _ *models.Policy) { s.CustomerHold = models.Hold{} },
	},
	{
		dunning.PaymentInQueue,
		func(s *dunning.State, _ *models.Policy) { s.LikelyPayer = true },
		func(s *dunning.State, _ *models.Policy) { s.LikelyPayer = false },
	},
	{
		dunning.BelowMinimum,
		func(_ *dunning.State, p *models.Policy) { p.MinimumBalance = 2000_00 },
		func(_ *dunning.State, p *models.Policy) { p.MinimumBalance = 0 },
	},
	{
		dunning.LastNoticeSent,
		func(_ *dunning.State, p *models.Policy) { p.HandOverDays = nil },
		func(_ *dunning.State, p *models.Policy) { p.HandOverDays = new(30) },
	},
	{
		dunning.DeadlineRunning,
		func(s *dunning.State, _ *models.Policy) { s.Invoice.Deadline = day("2026-12-14") },
		func(s *dunning.State, _ *models.Policy) { s.Invoice.Deadline = day("2026-12-01") },
	},
	{
		dunning.TooEarly,
		func(*dunning.State, *models.Policy) {}, // 30 days after the deadline are not over
		func(_ *dunning.State, p *models.Policy) { p.HandOverDays = new(1) },
	},
	{
		dunning.WarningTooOld,
		func(s *dunning.State, _ *models.Policy) { s.WarnedOn = day("2026-06-14") },
		func(s *dunning.State, _ *models.Policy) { s.WarnedOn = day("2026-06-15") },
	},
	{
		dunning.PaymentFileLate,
		func(s *dunning.State, _ *models.Policy) { s.FilesLate = true },
		func(s *dunning.State, _ *models.Policy) { s.FilesLate = false },
	},
	{
		dunning.NotASendingDay,
		func(_ *dunning.State, p *models.Policy) { p.WeekdaysOnly = true },
		func(_ *dunning.State, p *models.Policy) { p.WeekdaysOnly = false },
	},
}

// TestL12TheFirstReasonThatAppliesIsTold decides with all hindrances at once, and takes one after the other away, in their
// order. Then each applies alone.
func TestL12TheFirstReasonThatAppliesIsTold(t *testing.T) {
	t.Parallel()
	on := day("2026-12-12")
	s, p := dunning.State{Invoice: warned("2026-12-01")}, policy()
	decides := func(want dunning.Reason) {
		t.Helper()
		if got := dunning.Decide(s, p, law.Default(), on); got.Reason != want {
			t.Errorf("the reason is %q, want %q", got.Reason, want)
		}
	}
	for _, h := range hindrances {
		h.put(&s, &p)
	}
	for _, h := range hindrances {
		decides(h.reason)
		h.lift(&s, &p)
	}
	if got := dunning.Decide(s, p, law.Default(), on); got.Action != dunning.HandOver {
		t.Fatalf("when nothing hinders it, it is %q for %q", got.Action, got.Reason)
	}
	for _, h := range hindrances {
		if h.reason == dunning.TooEarly {
			continue // it is too early by its days
		}
		h.put(&s, &p)
		decides(h.reason)
		h.lift(&s, &p)
		p.HandOverDays, s.Invoice.Deadline = new(1), day("2026-12-01")
	}
}

func TestL10AWarningIsGoodFor180DaysFromItsIssueDate(t *testing.T) {
	t.Parallel()
	for on, want := range map[string]dunning.Reason{"2026-07-15": "", "2026-12-28": "", "2026-12-29": dunning.WarningTooOld, "2027-06-01": dunning.WarningTooOld} {
		s := dunning.State{Invoice: warned("2026-07-13"), WarnedOn: day("2026-07-01")}
		if got := dunning.Decide(s, policy(handOverAfter(1)), law.Default(), day(on)); got.Reason != want {
			t.Errorf("on %s the reason is %q, want %q", on, got.Reason, want)
		}
	}
}

func TestL10WhetherTheWarningsDeadlineRuns(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		invoice models.Invoice
		today   string
		want    bool
		why     string
	}{
		{warned("2026-12-06"), "2026-12-05", true, "before"},
		{warned("2026-12-06"), "2026-12-06", true, "on its last day, a Sunday"},
		{warned("2026-12-06"), "2026-12-07", false, "the day after: what a person asks for counts from the plain day (E6d)"},
		{reminded(1, "2026-12-06"), "2026-12-01", false, "a reminder is no warning"},
		{unreminded("2026-12-06"), "2026-12-01", false, "nor is no notice"},
	} {
		if got := dunning.WarningRuns(tt.invoice, day(tt.today)); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.why, got, tt.want)
		}
	}
}

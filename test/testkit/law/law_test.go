package law_test

import (
	"slices"
	"testing"

	"purr/models"
	"purr/test/testkit"
	"purr/test/testkit/law"
)

func day(t *testing.T, s string) models.Date {
	t.Helper()
	d, err := models.ParseDate(s)
	testkit.Must(t, err)
	return d
}

// TestInterestIsThatOfTheFactSheet reckons the examples of the fact sheet on Norwegian dunning, which a person has reckoned.
func TestInterestIsThatOfTheFactSheet(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		principal    models.Amount
		due, through string
		want         models.Amount
	}{
		{10_000_00, "2026-06-15", "2026-07-20", 116_44},
		{25_000_00, "2025-12-22", "2026-02-03", 354_96},
		{1_250_00, "2026-11-06", "2026-11-21", 6_29},
		{12_500_00, "2026-10-01", "2026-10-31", 125_86},
	} {
		c := law.Claim{Due: day(t, test.due), Rate: law.Rate, Unpaid: func(models.Date) models.Amount { return test.principal }}
		if got := c.Interest(day(t, test.through)); got != test.want {
			t.Errorf("%s from %s to %s: %s, want %s", test.principal, test.due, test.through, got, test.want)
		}
	}
}

// TestTheFirstReasonThatAppliesL12 gives an invoice every reason to be left alone, and takes away the first one that is told,
// until a letter is due.
func TestTheFirstReasonThatAppliesL12(t *testing.T) {
	t.Parallel()
	today := day(t, "2026-01-24") // a Saturday
	p := models.DefaultPolicy()
	d := law.Day{Date: today, NotReady: true, FileLate: true}
	s := law.Standing{
		Due: day(t, "2026-01-15"), Balance: 40_00, Held: true, Shielded: true, Credit: 40_00, Unsent: true, NoAddress: true,
		Entries: []models.Entry{{Type: models.EntryInvoice, Amount: 40_00}},
	}
	s.Letters = []law.Letter{{Sequence: 1, Warning: true, Issued: day(t, "2025-06-01"), Due: day(t, "2026-01-30")}}
	p.DebtCollectionNotice, p.MinimumBalance = models.WarningFirst, 50_00
	for _, step := range []struct {
		reason string
		takes  func()
	}{
		{"policy_off", func() { p.Enabled = true }},
		{"creditor_not_ready", func() { d.NotReady = false }},
		{"hold", func() { s.Held = false }},
		{"payment_in_queue", func() { s.Shielded = false }},
		{"credit_balance", func() { s.Credit = 39_99 }},
		{"below_minimum", func() { s.Entries = append(s.Entries, models.Entry{Type: models.EntryPayment, Amount: -40_00}) }},
		{"only_charges_left", func() { p.Remainder, p.MinimumBalance = models.RemainderChase, 0 }},
		{"last_notice_sent", func() { p.HandOverDays = new(5) }},
		{"not_sent", func() { s.Unsent = false }},
		{"no_address", func() { s.NoAddress = false }},
		{"deadline_running", func() { s.Letters[0].Due = day(t, "2026-01-22") }},
		{"too_early", func() { p.HandOverDays = new(1) }},
		{"warning_too_old", func() { s.Letters[0].Issued = today - 180 }},
		{"payment_file_late", func() { d.FileLate = false }},
		{"not_a_sending_day", func() { p.WeekdaysOnly = false }},
	} {
		if got := s.On(d, p).Reason; got != step.reason {
			t.Fatalf("the reason is %q, want %q", got, step.reason)
		}
		step.takes()
	}
	if !s.On(d, p).HandOver {
		t.Errorf("without a reason against it there is no hand-over: %+v", s.On(d, p))
	}
}

// TestMoneyThatCameEarlierL4 books the money of the example: paid on the due date, and booked after the reminder.
func TestMoneyThatCameEarlierL4(t *testing.T) {
	t.Parallel()
	s := law.Standing{Due: day(t, "2026-01-05"), Entries: []models.Entry{
		{Type: models.EntryInvoice, Amount: 1000_00, TransactionDate: day(t, "2026-01-05")},
		{Type: models.EntryOverdueCharge, Amount: 38_00, TransactionDate: day(t, "2026-01-19")},
		{Type: models.EntryInterest, Amount: 4_60, TransactionDate: day(t, "2026-01-19")},
	}}
	reminder := law.Charged{Letter: law.Letter{Sequence: 1, Issued: day(t, "2026-01-19"), Fee: 38_00, Interest: 4_60}, Fee: 38_00, Interest: 4_60}
	if wrong := s.Overcharged([]law.Charged{reminder}); len(wrong) > 0 {
		t.Errorf("before the money came: %v", wrong)
	}
	s.Entries = append(s.Entries, models.Entry{Type: models.EntryPayment, Amount: -1000_00, TransactionDate: s.Due})
	if wrong := s.Overcharged([]law.Charged{reminder}); len(wrong) != 2 {
		t.Errorf("interest and fee are too much, found: %v", wrong)
	}
	s.Entries = append(s.Entries, models.Entry{Type: models.EntryOverdueCharge, Amount: -38_00}, models.Entry{Type: models.EntryInterest, Amount: -4_60})
	if wrong := s.Overcharged([]law.Charged{reminder}); len(wrong) > 0 {
		t.Errorf("after a person has reversed both: %v", wrong)
	}
	reminder.Fee, reminder.Interest = 0, 0
	if wrong := slices.Concat(s.Overcharged([]law.Charged{reminder}), s.Uncharged([]law.Charged{reminder})); len(wrong) > 0 {
		t.Errorf("after they were taken back: %v", wrong)
	}
}

// TestTheLadderGoesOnFromWhatStandsL1L2 has what came back and failed after later steps were taken.
func TestTheLadderGoesOnFromWhatStandsL1L2(t *testing.T) {
	t.Parallel()
	p := models.DefaultPolicy()
	p.Enabled, p.DebtCollectionNotice = true, models.WarningNever
	s := law.Standing{
		Due: day(t, "2026-01-05"), Balance: 1000_00, Late: 40, // it came back, and left anew after the reminder
		Entries: []models.Entry{{Type: models.EntryInvoice, Amount: 1000_00}},
		Letters: []law.Letter{{Sequence: 1, Issued: day(t, "2026-01-19"), Due: day(t, "2026-02-02")}},
	}
	for on, want := range map[string]string{"2026-02-16": "deadline_running", "2026-03-01": "too_early", "2026-03-02": ""} {
		if got := s.On(law.Day{Date: day(t, on)}, p).Reason; got != want {
			t.Errorf("on %s the reason is %q, want %q", on, got, want)
		}
	}
	s.Letters[0].Sequence = 2 // the first one was withdrawn after the second was sent
	if got := s.On(law.Day{Date: day(t, "2026-03-02")}, p).Reason; got != "last_notice_sent" {
		t.Errorf("after the second step the reason is %q", got)
	}
	s.Failed = true
	if wrong := s.NotToHandOverByHand(day(t, "2026-03-02"), false); len(wrong) > 0 {
		t.Errorf("a notice that was withdrawn hinders a hand-over by hand: %v", wrong)
	}
}

// TestCompensationIsSetOffAgainstFeesE6a writes the letters of a business whose creditor wants standard compensation.
func TestCompensationIsSetOffAgainstFeesE6a(t *testing.T) {
	t.Parallel()
	p := models.DefaultPolicy()
	p.Enabled, p.Compensation, p.FirstNoticeDays = true, true, 1
	s := law.Standing{
		Due: day(t, "2026-06-29"), Balance: 1000_00, Business: true,
		Entries: []models.Entry{{Type: models.EntryInvoice, Amount: 1000_00}, {Type: models.EntryOverdueCharge, Amount: 38_00}},
	}
	first := s.On(law.Day{Date: day(t, "2026-07-01")}, p).Letter
	if first == nil || !first.Compensation || first.Fee != 392_00 {
		t.Fatalf("the first letter is %+v, want 430 of July, which is less than 460 of June, without the fee of 38", first)
	}
	s.Letters = []law.Letter{*first}
	second := s.On(law.Day{Date: first.Due + 20}, p).Letter
	if second == nil || second.Compensation || second.Fee != 0 {
		t.Errorf("the second letter is %+v", second)
	}
}

// TestTheActOf2026E6h warns before the act's day, and reminds from then on.
func TestTheActOf2026E6h(t *testing.T) {
	t.Parallel()
	p := models.DefaultPolicy()
	p.Enabled, p.DebtCollectionNotice = true, models.WarningFirst
	s := law.Standing{
		Due: day(t, "2026-01-05"), Balance: 1000_00, NewAct: day(t, "2026-02-10"),
		Entries: []models.Entry{{Type: models.EntryInvoice, Amount: 1000_00}},
	}
	for on, want := range map[string]law.Letter{"2026-02-09": {Warning: true, Fee: 38_00}, "2026-02-10": {}} {
		l := s.On(law.Day{Date: day(t, on)}, p).Letter
		if l == nil || l.Warning != want.Warning || l.Fee != want.Fee {
			t.Errorf("on %s the letter is %+v, want %+v", on, l, want)
		}
	}
	for on, want := range map[string]int{"2026-02-09": 0, "2026-02-10": 1, "2026-12-03": 1, "2026-12-04": 3} {
		if got := law.Ends(day(t, on), p, s.NewAct); len(got) != want {
			t.Errorf("the plan of %s warns of %q, want %d", on, got, want)
		}
	}
}

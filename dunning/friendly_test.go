package dunning_test

import (
	"context"
	"testing"
	"time"

	"purr/dunning"
	"purr/law"
	"purr/models"
	"purr/store"
)

// TestL14OnWhichDaysAFriendlyReminderLeaves: the invoice is due on Monday 19 January 2026, unless the row says otherwise.
func TestL14OnWhichDaysAFriendlyReminderLeaves(t *testing.T) {
	t.Parallel()
	january := func(day int) models.Date { return models.NewDate(2026, time.January, day) }
	held := models.Hold{Held: true, Until: january(16)}
	for _, tt := range []struct {
		why    string
		list   models.DayList
		on     int // of January
		change func(s *dunning.State, p *models.Policy)
		want   dunning.Action
	}{
		{"three days before the due date", "-3", 16, nil, dunning.Befriend},
		{"not the day before that", "-3", 15, nil, dunning.Nothing},
		{"nor the day after", "-3", 17, nil, dunning.Nothing},
		{"on the due date", "0", 19, nil, dunning.Befriend},
		{"after it", "-3 1", 20, nil, dunning.Befriend},
		{"not on a Saturday", "5", 24, nil, dunning.Nothing},
		{"but on the Monday after", "5", 26, nil, dunning.Befriend},
		{"on the Saturday, where each day is a sending day", "5", 24, func(_ *dunning.State, p *models.Policy) { p.WeekdaysOnly = false }, dunning.Befriend},
		{"and not once more on Monday", "5", 26, func(_ *dunning.State, p *models.Policy) { p.WeekdaysOnly = false }, dunning.Nothing},
		{"not without an e-mail address", "-3", 16, func(s *dunning.State, _ *models.Policy) { s.NoEmail = true }, dunning.Nothing},
		{"without a postal address", "1", 20, func(s *dunning.State, _ *models.Policy) { s.NoAddress = true }, dunning.Befriend},
		{"not while a hold lasts", "-3", 16, func(s *dunning.State, _ *models.Policy) { s.Invoice.Hold = held }, dunning.Nothing},
		{"after the hold", "0", 19, func(s *dunning.State, _ *models.Policy) { s.Invoice.Hold = held }, dunning.Befriend},
		{"not while a payment that may be the customer's waits", "-3", 16, func(s *dunning.State, _ *models.Policy) { s.LikelyPayer = true }, dunning.Nothing},
		{"not before the invoice has left", "-3", 16, func(s *dunning.State, _ *models.Policy) { s.Letters.Unsent = true }, dunning.Nothing},
		{"not while the bank's files are late", "-3", 16, func(s *dunning.State, _ *models.Policy) { s.FilesLate = true }, dunning.Nothing},
		{"not below the least balance", "-3", 16, func(s *dunning.State, _ *models.Policy) { s.Invoice.Balance = 49_99 }, dunning.Nothing},
		{"not where dunning is off", "-3", 16, func(_ *dunning.State, p *models.Policy) { p.Enabled = false }, dunning.Nothing},
		{"not of what is paid", "-3", 16, func(s *dunning.State, _ *models.Policy) { s.Invoice.Balance = 0 }, dunning.Nothing},
		{"a notice that is due goes before", "13", 26, func(_ *dunning.State, p *models.Policy) { p.FirstNoticeDays = 7 }, dunning.Remind},
		{"never on a day on which a notice is due, though the weekend has moved it there", "5", 26, func(_ *dunning.State, p *models.Policy) { p.FirstNoticeDays = 6 }, dunning.Remind},
		{"none where a notice is on the invoice", "-3", 16, func(s *dunning.State, _ *models.Policy) { s.Invoice.Notices = 1 }, dunning.Nothing},
	} {
		s := dunning.State{Invoice: models.Invoice{ID: 1, DueDate: january(19), Deadline: january(19), Gross: 1000_00, Balance: 1000_00}}
		p := models.DefaultPolicy()
		p.Enabled, p.FriendlyReminderDays = true, tt.list
		if tt.change != nil {
			tt.change(&s, &p)
		}
		if d := dunning.Decide(s, p, law.Default(), january(tt.on)); d.Action != tt.want {
			t.Errorf("%s: %q on 2026-01-%d is %s (%s), want %s", tt.why, tt.list, tt.on, d.Action, d.Reason, tt.want)
		}
	}
}

// TestL22ByWhichWayANoticeGoes: the first notice of an invoice, and a warning.
func TestL22ByWhichWayANoticeGoes(t *testing.T) {
	t.Parallel()
	due := models.NewDate(2026, time.January, 5)
	on := due + 14
	bounced := dunning.Letters{Bounced: 7, BouncedStep: 1, AnewFrom: on}
	for _, tt := range []struct {
		why    string
		method models.ShipmentMethod
		step   models.WarningStep
		state  dunning.State
		action dunning.Action
		way    models.ShipmentMethod
		reason dunning.Reason
	}{
		{"on paper as ever", models.ByPaper, models.WarningSecond, dunning.State{}, dunning.Remind, "", ""},
		{"by e-mail", models.ByEmail, models.WarningSecond, dunning.State{}, dunning.Remind, models.ByEmail, ""},
		{"by e-mail, without a postal address", models.ByEmail, models.WarningSecond, dunning.State{NoAddress: true}, dunning.Remind, models.ByEmail, ""},
		{"not without an e-mail address", models.ByEmail, models.WarningSecond, dunning.State{NoEmail: true}, dunning.Nothing, "", dunning.NoAddress},
		{"by what suits: e-mail", models.Auto, models.WarningSecond, dunning.State{}, dunning.Remind, models.ByEmail, ""},
		{"by what suits: paper", models.Auto, models.WarningSecond, dunning.State{NoEmail: true}, dunning.Remind, models.ByPaper, ""},
		{"by nothing that suits", models.Auto, models.WarningSecond, dunning.State{NoEmail: true, NoAddress: true}, dunning.Nothing, "", dunning.NoAddress},
		{"a warning on paper", models.ByEmail, models.WarningFirst, dunning.State{}, dunning.Warn, models.ByPaper, ""},
		{"a warning without an e-mail address", models.ByEmail, models.WarningFirst, dunning.State{NoEmail: true}, dunning.Warn, models.ByPaper, ""},
		{"no warning without a postal address", models.ByEmail, models.WarningFirst, dunning.State{NoAddress: true}, dunning.Nothing, "", dunning.NoAddress},
		{"on paper after a bounce", models.ByEmail, models.WarningSecond, dunning.State{Letters: bounced}, dunning.Remind, models.ByPaper, ""},
		{"not on paper without an address after a bounce", models.ByEmail, models.WarningSecond, dunning.State{Letters: bounced, NoAddress: true}, dunning.Nothing, "", dunning.NoAddress},
		{
			"not on the day of the bounce", models.ByEmail, models.WarningSecond,
			dunning.State{Letters: dunning.Letters{Bounced: 7, BouncedStep: 1, AnewFrom: on + 1}},
			dunning.Nothing, "", dunning.NotSent,
		},
		{
			"by e-mail though that of another step has bounced", models.ByEmail, models.WarningSecond,
			dunning.State{Letters: dunning.Letters{Bounced: 7, BouncedStep: 2}},
			dunning.Remind, models.ByEmail, "",
		},
	} {
		s := tt.state
		s.Invoice = models.Invoice{ID: 1, DueDate: due, Deadline: due, Gross: 1000_00, Balance: 1000_00}
		p := models.DefaultPolicy()
		p.Enabled, p.ReminderMethod, p.DebtCollectionNotice = true, tt.method, tt.step
		if d := dunning.Decide(s, p, law.Default(), on); d.Action != tt.action || d.Method != tt.way || d.Reason != tt.reason {
			t.Errorf("%s: it is %s %s (%s), want %s %s (%s)", tt.why, d.Action, d.Method, d.Reason, tt.action, tt.way, tt.reason)
		}
	}
}

// TestL14AFriendlyReminderIsOwedOnce however often the run is made, by how many at once. The thirteenth day is a Sunday: it is owed on Monday, the
// desk's day. Its invoice stays as it is.
func TestL14AFriendlyReminderIsOwedOnce(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.policy(func(p *models.Policy) { p.FirstNoticeDays, p.FriendlyReminderDays = 30, "13" })
		d.do(func(ctx context.Context, tx *store.Tx) error {
			c, err := tx.LockCustomer(ctx, d.creditor.ID, d.customer.ID)
			if err != nil {
				return err
			}
			c.Recipient.Email = "kari@example.no"
			return tx.UpdateCustomer(ctx, &c)
		})
		before := d.now()
		if planned := d.planOf("2026-03-30"); len(planned) != 1 || planned[0].Action != dunning.Befriend {
			t.Errorf("planned is %+v", planned)
		}
		d.fourAtOnce(func(ctx context.Context) error {
			_, err := dunning.Run(ctx, d.db, law.Default(), d.creditor, day("2026-03-30"))
			return err
		})
		if again := d.run(); again.Friendly != 0 || again.Steps() != 0 {
			t.Errorf("once more it made %+v", again)
		}
		all, err := d.db.ShipmentsOf(t.Context(), d.invoice.Document())
		must(t, err)
		friendly := 0
		for _, s := range all {
			if s.Role() == models.Friendly {
				friendly++
				if s.Method != models.ByEmail || s.Friendly != day("2026-03-30") || s.Recipient.Email != "kari@example.no" || s.State != models.ShipmentOwed {
					t.Errorf("it is %+v", s)
				}
			}
		}
		if friendly != 1 {
			t.Errorf("%d are owed", friendly)
		}
		if after := d.now(); after.Balance != before.Balance || after.Deadline != before.Deadline || after.Notices != 0 {
			t.Errorf("the invoice became %+v", after)
		}
	})
}

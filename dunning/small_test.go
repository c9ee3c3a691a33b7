package dunning_test

import (
	"context"
	"strings"
	"testing"

	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

func closeBelow(sum models.Amount) func(*models.Policy) {
	return func(p *models.Policy) { p.CloseBelow = sum }
}

// TestL25WhatIsClosedForASmallRemainder has rows that read as sentences. Unless a row says more, the policy closes below 50.00, and the
// day is Tuesday, 3 November, the day after the invoice fell due.
func TestL25WhatIsClosedForASmallRemainder(t *testing.T) {
	t.Parallel()
	owed := func(principal, charges models.Amount, changes ...func(*dunning.State)) dunning.State {
		s := dunning.State{Invoice: unreminded("2026-11-02"), Charges: charges}
		if charges > 0 {
			s.Invoice = reminded(1, "2026-11-20")
		}
		s.Invoice.Balance = principal + charges
		for _, change := range changes {
			change(&s)
		}
		return s
	}
	below := policy(closeBelow(50_00))
	due := func(on string) func(*dunning.State) {
		return func(s *dunning.State) { s.Invoice.DueDate, s.Invoice.Deadline = day(on), day(on) }
	}
	free := func(sum models.Amount) func(*dunning.State) {
		return func(s *dunning.State) { s.FreeCredit = sum }
	}
	tests := []struct {
		sentence string
		state    dunning.State
		policy   models.Policy
		want     string
	}{
		{"an overdue invoice of which an øre less is left is closed", owed(49_99, 0), below, "close 49.99"},
		{"one of which as much is left is not", owed(50_00, 0), below, "too_early"},
		{"nor is any by default", owed(1, 0), policy(), "below_minimum"},
		{"it is closed the day after its due date", owed(1, 0), below, "close 0.01"},
		{"not on its due date", owed(1, 0, due("2026-11-03")), below, "not_overdue"},
		{"charges count not", owed(49_99, 500_00), below, "close 49.99"},
		{"and it waits for no deadline of a notice", owed(49_99, 38_00), below, "close 49.99"},
		{"charges alone are no principal", owed(0, 38_00), below, "only_charges_left"},
		{"a warned one is closed too", owed(49_99, 0, func(s *dunning.State) { s.Invoice.Warned = true }), below, "close 49.99"},
		{"and one after whose last notice nothing follows", owed(49_99, 76_00, func(s *dunning.State) { s.Invoice.Notices = 2 }), below, "close 49.99"},
		{"and that of a customer without an address", owed(49_99, 0, func(s *dunning.State) { s.NoAddress = true }), below, "close 49.99"},
		{"a minimum balance does not keep it open", owed(49_99, 0), policy(closeBelow(50_00), floor(100_00)), "close 49.99"},
		{"nor does a Sunday", owed(49_99, 0, due("2026-10-31")), policy(closeBelow(50_00)), "close 49.99"},
		{"a policy that is off closes none", owed(49_99, 0), func() models.Policy { p := models.DefaultPolicy(); p.CloseBelow = 50_00; return p }(), "policy_off"},
		{"nor does a creditor that is not ready", owed(49_99, 0, func(s *dunning.State) { s.NotReady = true }), below, "creditor_not_ready"},
		{"nor one whose policy began later", owed(49_99, 0), policy(closeBelow(50_00), func(p *models.Policy) { p.DueAfter = day("2026-11-02") }), "due_before_start"},
		{"what is on hold stays", owed(49_99, 0, func(s *dunning.State) { s.Invoice.Hold.Held = true }), below, "hold"},
		{"what is disputed stays", owed(49_99, 0, func(s *dunning.State) { s.CustomerHold = models.Hold{Held: true, Reason: models.HoldDispute} }), below, "hold"},
		{"what has more time stays", owed(49_99, 0, func(s *dunning.State) { s.Invoice.MoreTime.Until = day("2026-11-03") }), below, "hold"},
		{"what a payment in the queue may be for stays", owed(49_99, 0, func(s *dunning.State) { s.LikelyPayer = true }), below, "payment_in_queue"},
		{"what the customer's credit pays stays", owed(49_99, 0, free(49_99)), below, "credit_balance"},
		{"also where it does not cover the charges", owed(49_99, 38_00, free(49_99)), below, "below_minimum"},
		{"what it does not pay is closed", owed(49_99, 0, free(49_98)), below, "close 49.99"},
		{"while the bank's files are late it waits", owed(49_99, 0, func(s *dunning.State) { s.FilesLate = true }), below, "payment_file_late"},
		{"unless the policy asks for no file", owed(49_99, 0, func(s *dunning.State) { s.FilesLate = true }), policy(closeBelow(50_00), func(p *models.Policy) { p.RequirePaymentFile = false }), "close 49.99"},
		{"one that has not left waits", owed(49_99, 0, func(s *dunning.State) { s.Letters.Unsent, s.Letters.InvoiceUnsent = true, true }), below, "not_sent"},
		{"one whose notice has not left is closed", owed(49_99, 38_00, func(s *dunning.State) { s.Letters.Unsent = true }), below, "close 49.99"},
		{"one that left a day late is overdue a day later", owed(49_99, 0, func(s *dunning.State) { s.Letters.InvoiceLate = 1 }), below, "too_early"},
		{"one that a person opened again stays", owed(49_99, 0, func(s *dunning.State) { s.Invoice.KeptOpen = true }), below, "below_minimum"},
		{"a repayment that is owed too is for a person", owed(49_99, 0, func(s *dunning.State) { s.Invoice.Balance += 5_00; s.Invoice.RepaymentOwed = 5_00 }), below, "below_minimum"},
		{"what was handed over stays", owed(49_99, 0, func(s *dunning.State) { s.Invoice.HandedOver = day("2026-11-01") }), below, "handed_over"},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			d := dunning.Decide(tt.state, tt.policy, law.Default(), day("2026-11-03"))
			got := string(d.Action) + " " + d.Left.String()
			if d.Action == dunning.Nothing {
				got = string(d.Reason)
			}
			if got != tt.want || d.Action == dunning.Close && d.Reason != "" || d.Fee.Amount != 0 || d.AddInterest {
				t.Errorf("the decision is %+v, want %s", d, tt.want)
			}
		})
	}
}

// TestL25ARunClosesWhatIsSmall has a reminded invoice of which 30.00 is left with its charges: plan, course and forecast say so, one of
// several runs closes it, and the books agree. An invoice of which more is left is reminded.
func TestL25ARunClosesWhatIsSmall(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.remind()
		d.on("2026-04-01")
		d.another("1500")
		d.pay(d.invoice.ID, "970.00")
		d.policy(closeBelow(30_01))
		if got := d.planned("2026-04-01"); got != "1 close 30.00, 2 reminder 1545.89" {
			t.Errorf("the plan is %q", got)
		}
		if got := d.planned("2026-04-02"); strings.Contains(got, "1 ") {
			t.Errorf("the plan of the day after is %q", got)
		}
		d.foretold(1, "30.00")
		d.fourAtOnce(func(ctx context.Context) error {
			_, err := dunning.Run(ctx, d.db, law.Default(), d.creditor, day("2026-04-01"))
			return err
		})
		d.stands(models.StatusClosedOther, "30.00", 1)
		if i := d.now(); i.WrittenOff != 30_00 || i.Free() != 0 {
			t.Errorf("%s is written off, and %s is free", i.WrittenOff, i.Free())
		}
		d.toldOf("invoice.closed", "purrInvoice 1 closed (other): no more than 30.00 of its principal is left; fees of 38.00 and interest of 4.60 reversed")
		if r := d.run(); r.Closed != 0 || len(r.Documents) != 0 {
			t.Errorf("another run closes %d and makes %d notices", r.Closed, len(r.Documents))
		}
		if got := d.planned("2026-04-01"); strings.Contains(got, "1 ") {
			t.Errorf("the plan is %q", got)
		}
		d.proved()
	})
}

// toldOf expects one event of a type; before its text stands who did it.
func (d *desk) toldOf(t models.EventType, text string) {
	d.t.Helper()
	events, err := d.db.Events(d.t.Context(), d.creditor.ID, 0, 1000)
	must(d.t, err)
	var got []string
	for _, e := range events {
		if e.Type == t {
			got = append(got, e.Actor+e.Text)
		}
	}
	if len(got) != 1 || got[0] != text {
		d.t.Errorf("the events are %q, want %q", got, text)
	}
}

// foretold checks what the forecast of a month says of closings.
func (d *desk) foretold(closed int, sum string) {
	d.t.Helper()
	today, err := d.creditor.Today(d.db.Now())
	must(d.t, err)
	snapshot, err := dunning.TakeSnapshot(d.t.Context(), d.db, law.Default(), d.creditor, today)
	must(d.t, err)
	found, err := snapshot.Forecast(d.t.Context(), 30)
	must(d.t, err)
	if total := found[0].Total(); total.Closed != closed || total.WrittenOff != kroner(sum) {
		d.t.Errorf("the forecast closes %d with %s, want %d with %s", total.Closed, total.WrittenOff, closed, sum)
	}
}

// proved fails where the books do not agree.
func (d *desk) proved() {
	d.t.Helper()
	wrong, err := ledger.Verify(d.t.Context(), d.db, d.creditor)
	must(d.t, err)
	for _, w := range wrong {
		d.t.Error(w)
	}
}

// free checks the free credit of the desk's customer, by each of the questions for it.
func (d *desk) free(want string) {
	d.t.Helper()
	sum := kroner(want)
	all, err := d.db.FreeCredit(d.t.Context(), d.creditor.ID, []int64{d.customer.ID})
	must(d.t, err)
	_, listed, err := d.db.CustomerCredits(d.t.Context(), d.creditor.ID, store.Page{Number: 1, Size: 10})
	must(d.t, err)
	standing, err := d.db.StandingOf(d.t.Context(), d.creditor.ID, d.invoice.ID, rows.Today)
	must(d.t, err)
	ids, err := d.db.CustomersWithCredit(d.t.Context(), d.creditor.ID, 0, 10)
	must(d.t, err)
	invoices, err := d.db.InvoicesWithBalance(d.t.Context(), d.creditor.ID, d.customer.ID)
	must(d.t, err)
	notes, err := d.db.CreditNotesWithBalance(d.t.Context(), d.creditor.ID, d.customer.ID)
	must(d.t, err)
	if all[d.customer.ID] != sum || listed.Amount != sum || standing.FreeCredit != sum || len(ids) > 0 != (sum > 0) || ledger.FreeCredit(invoices, notes) != sum {
		d.t.Errorf("%s is free, listed %s, standing %s, of %v, by the rows %s, want %s", all[d.customer.ID], listed.Amount, standing.FreeCredit, ids, ledger.FreeCredit(invoices, notes), want)
	}
}

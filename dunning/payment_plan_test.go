package dunning_test

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"testing"

	"purr/billing"
	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
	"purr/test/testkit/servers"
)

// parts are instalments, each "date amount".
func parts(all ...string) (of models.Instalments) {
	for _, p := range all {
		date, amount, _ := strings.Cut(p, " ")
		of = append(of, models.Instalment{DueDate: day(date), Amount: kroner(amount)})
	}
	return of
}

func (d *desk) makePlan(all ...string) func(ctx context.Context, tx *store.Tx) error {
	return func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.MakePaymentPlan(ctx, tx, d.creditor, d.invoice.ID, models.PaymentPlanRequest{Instalments: parts(all...)}, actor)
		return err
	}
}

func (d *desk) endPlan(ctx context.Context, tx *store.Tx) error {
	return dunning.EndPaymentPlan(ctx, tx, d.creditor, d.invoice.ID, actor)
}

// plan returns the last plan of the desk's invoice.
func (d *desk) plan() store.Plan {
	d.t.Helper()
	p, found, err := d.db.LastPlanOf(d.t.Context(), d.creditor.ID, d.invoice.ID)
	if err != nil || !found {
		d.t.Fatal("there is no plan", err)
	}
	return p
}

// events returns all events, each "type text".
func (d *desk) events() (told []string) {
	d.t.Helper()
	all, err := d.db.Events(d.t.Context(), d.creditor.ID, 0, 1000)
	must(d.t, err)
	for _, e := range all {
		told = append(told, string(e.Type)+" "+e.Text)
	}
	return told
}

// runOn makes the run of a day, as the worker does, and returns what became of the plan and how many notices there are.
func (d *desk) runOn(date string) (models.PlanState, int) {
	d.t.Helper()
	d.on(date)
	d.run()
	return d.plan().State, d.now().Notices
}

// halves are two instalments of the desk's invoice of 1000.00, waited for until 10 and 29 April.
var halves = []string{"2026-04-06 400", "2026-04-24 600"}

// TestL15APlanStopsTheLadderUntilAnInstalmentIsMissed makes a plan for an invoice that is due for a reminder.
func TestL15APlanStopsTheLadderUntilAnInstalmentIsMissed(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.enable()
		for range 2 { // the second press changes nothing
			d.do(d.makePlan(halves...))
		}
		if p := d.plan(); p.Sum != kroner("1000") || p.Since != day("2026-03-30") || p.State != models.PlanRunning || d.now().PlanID != p.ID {
			t.Errorf("the plan is %+v", p)
		}
		if got := d.standing(false); len(got) != 2 || got[0] != "payment_plan 2026-04-29 2026-04-29 1000.00 " {
			t.Errorf("what stands still: %q", got)
		}
		if steps := d.planOf("2026-04-10"); len(steps) != 1 || steps[0].Reason != dunning.OnPlan {
			t.Errorf("until 10 April the first is waited for, due on Easter Monday: %+v", steps)
		}
		if steps := d.planOf("2026-04-13"); len(steps) != 1 || steps[0].Action != dunning.Remind {
			t.Errorf("then the ladder goes on: %+v", steps)
		}
		if state, notices := d.runOn("2026-04-10"); state != models.PlanRunning || notices != 0 {
			t.Errorf("on 10 April the plan is %s, with %d notices", state, notices)
		}
		d.pay(d.invoice.ID, "400")
		if state, notices := d.runOn("2026-04-29"); state != models.PlanRunning || notices != 0 {
			t.Errorf("on 29 April the plan is %s, with %d notices", state, notices)
		}
		if state, notices := d.runOn("2026-04-30"); state != models.PlanBroken || notices != 1 {
			t.Errorf("on 30 April the plan is %s, with %d notices", state, notices)
		}
		if i := d.now(); i.PlanID != 0 || len(d.standing(false)) != 1 {
			t.Errorf("the plan still stands on the invoice: %+v", i)
		}
		broken, err := d.db.BrokenPlans(t.Context(), d.creditor.ID, day("2026-04-01"), 10)
		if err != nil || len(broken) != 1 || broken[0].Number != d.invoice.Number || broken[0].EndedOn != day("2026-04-30") {
			t.Errorf("broken are %+v, %v", broken, err)
		}
		if got := d.events(); !slices.Contains(got, "payment_plan.broken The payment plan for invoice 1 is broken: of instalment 2 of 2, due 2026-04-24, 600.00 is missing; 600.00 is owed") {
			t.Errorf("told is %q", got)
		}
	})
}

// TestL15WhatBecomesOfAPlanInItsLife tells several lives, each by what is done on which day before the run.
func TestL15WhatBecomesOfAPlanInItsLife(t *testing.T) {
	t.Parallel()
	type step struct {
		on   string
		do   func(d *desk)
		want models.PlanState
	}
	pays := func(amount string) func(d *desk) { return func(d *desk) { d.pay(d.invoice.ID, amount) } }
	takesBack := func(d *desk) {
		entries, err := d.db.EntriesOfInvoice(d.t.Context(), d.invoice.ID)
		must(d.t, err)
		d.do(func(ctx context.Context, tx *store.Tx) error {
			today, err := d.creditor.Today(tx.Now)
			must(d.t, err)
			return ledger.DeletePayment(ctx, tx, d.creditor.ID, entries[len(entries)-1].ID, today, actor)
		})
	}
	holds := func(d *desk) {
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.HoldInvoice(ctx, tx, d.creditor, d.invoice.ID, models.Hold{Until: day("2026-04-20")}, actor)
			return err
		})
	}
	for _, tt := range []struct {
		told  string
		steps []step
	}{
		{"kept", []step{{"2026-04-07", pays("400"), models.PlanRunning}, {"2026-04-24", pays("600"), models.PlanKept}}},
		{"kept at once", []step{{"2026-04-07", pays("1000"), models.PlanKept}}},
		{"mended on the last day", []step{{"2026-04-09", nil, models.PlanRunning}, {"2026-04-10", pays("400"), models.PlanRunning}, {"2026-04-13", nil, models.PlanRunning}}},
		{"broken", []step{{"2026-04-10", nil, models.PlanRunning}, {"2026-04-13", nil, models.PlanBroken}}},
		{"broken by an øre", []step{{"2026-04-07", pays("399.99"), models.PlanRunning}, {"2026-04-13", nil, models.PlanBroken}}},
		{"broken once, and paid later", []step{{"2026-04-13", nil, models.PlanBroken}, {"2026-04-14", pays("400"), models.PlanBroken}}},
		{"a payment is taken back", []step{{"2026-04-07", pays("400"), models.PlanRunning}, {"2026-04-14", takesBack, models.PlanBroken}}},
		{"taken back in time, and paid again", []step{{"2026-04-07", pays("400"), models.PlanRunning}, {"2026-04-08", takesBack, models.PlanRunning}, {"2026-04-09", pays("400"), models.PlanRunning}, {"2026-04-14", nil, models.PlanRunning}}},
		{"credited in full", []step{{"2026-04-07", func(d *desk) { rows.CreditNote(d.t, d.db, d.creditor, d.now()) }, models.PlanKept}}},
		{"on hold the plan is not broken before the hold is over", []step{{"2026-04-07", holds, models.PlanRunning}, {"2026-04-20", nil, models.PlanRunning}, {"2026-04-21", nil, models.PlanBroken}}},
		{"a payment that may be the customer's waits", []step{{"2026-04-13", func(d *desk) { d.queue(d.customer.ID) }, models.PlanRunning}}},
		{"closed", []step{{"2026-04-07", func(d *desk) { d.do(d.close) }, models.PlanEnded}}},
		{"closed by mistake, and opened again on the same day", []step{{"2026-04-07", func(d *desk) { d.do(d.close); d.do(d.reopen) }, models.PlanRunning}}},
		{"handed over by a person", []step{{"2026-04-07", func(d *desk) { d.do(d.handOver) }, models.PlanEnded}}},
		{"ended by a person", []step{{"2026-04-07", func(d *desk) { d.do(d.endPlan) }, models.PlanEnded}}},
	} {
		t.Run(tt.told, func(t *testing.T) {
			t.Parallel()
			eachDesk(t, func(t *testing.T, d *desk) {
				d.enable()
				d.do(d.makePlan(halves...))
				for _, s := range tt.steps {
					d.on(s.on)
					if s.do != nil {
						s.do(d)
					}
					if state, _ := d.runOn(s.on); state != s.want {
						t.Errorf("on %s the plan is %s, want %s", s.on, state, s.want)
					}
					if i := d.now(); (i.PlanID != 0) != (s.want == models.PlanRunning) {
						t.Errorf("on %s the invoice names plan %d", s.on, i.PlanID)
					}
				}
			})
		})
	}
}

// TestL15APlanIsToldOnceWhateverRuns: two runs at once, and one that is repeated, tell of a broken plan once and take one step.
func TestL15APlanIsToldOnceWhateverRuns(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.enable()
		d.do(d.makePlan(halves...))
		d.on("2026-04-13")
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.BeginRun(ctx, &models.Run{CreditorID: d.creditor.ID, Kind: models.RunDunning, BusinessDate: day("2026-04-13")})
			return err
		})
		for range 2 {
			d.fourAtOnce(func(ctx context.Context) error {
				s, err := dunning.TakeSnapshot(ctx, d.db, law.Default(), d.creditor, day("2026-04-13"))
				if err != nil {
					return err
				}
				if err := s.SettlePlans(ctx, true); err != nil {
					return err
				}
				_, err = s.Run(ctx, func() {})
				return err
			})
		}
		n := 0
		for _, e := range d.events() {
			if strings.HasPrefix(e, string(models.EventPlanBroken)) {
				n++
			}
		}
		if n != 1 || d.now().Notices != 1 || d.plan().State != models.PlanBroken {
			t.Errorf("told %d times, %d notices, %s", n, d.now().Notices, d.plan().State)
		}
	})
}

// TestL15APlanIsRefused with what is wrong, and changes nothing.
func TestL15APlanIsRefused(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.refused("[plan_sum]", d.makePlan("2026-04-06 400", "2026-04-24 601"))
		d.refused("[plan_dates]", d.makePlan("2026-03-29 1000"))
		d.refused("[required]", d.makePlan())
		d.refused("not_found", func(ctx context.Context, tx *store.Tx) error {
			other := d.creditor
			other.ID += 7
			_, err := dunning.MakePaymentPlan(ctx, tx, other, d.invoice.ID, models.PaymentPlanRequest{Instalments: parts(halves...)}, actor)
			return err
		})
		d.do(d.close)
		d.refused("closed", d.makePlan(halves...))
		d.do(d.reopen)
		d.do(d.handOver)
		d.refused("handed_over", d.makePlan(halves...))
		d.do(d.reopen)
		d.pay(d.invoice.ID, "1000.00")
		d.refused("invoice_paid", d.makePlan(halves...))
		if _, found, err := d.db.LastPlanOf(t.Context(), d.creditor.ID, d.invoice.ID); found || err != nil {
			t.Errorf("there is a plan, %v", err)
		}
	})
}

// TestL15ALetterConfirmsAPlan by the way of the invoice; a new plan withdraws the letter of the old one.
func TestL15ALetterConfirmsAPlan(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		letter := func() (told string) {
			all, err := d.db.ShipmentsOf(t.Context(), d.plan().Document())
			must(t, err)
			for _, s := range all {
				told += string(s.Method) + " " + string(s.State) + "; "
			}
			return told
		}
		d.do(d.makePlan(halves...))
		first := d.plan()
		if got := letter(); got != "PAPER owed; " {
			t.Errorf("the letter is %q", got)
		}
		d.do(d.makePlan("2026-04-20 1000"))
		withdrawn, err := d.db.ShipmentsOf(t.Context(), first.Document())
		if err != nil || len(withdrawn) != 1 || withdrawn[0].State != models.ShipmentWithdrawn || letter() != "PAPER owed; " {
			t.Errorf("the old letter is %+v, the new one %q, %v", withdrawn, letter(), err)
		}
		d.do(d.endPlan)
		if got := letter(); got != "PAPER withdrawn; " {
			t.Errorf("of the plan that was ended the letter is %q", got)
		}
		d.do(d.endPlan) // nothing runs any more
		d.logged(
			`payment_plan.made Payment plan for invoice 1: 1000.00 in 2 instalments, until 2026-04-24, with a letter on paper, by API key 1 (write)`,
			`payment_plan.made Payment plan for invoice 1: 1000.00 in 1 instalments, until 2026-04-20, in the place of the one before, with a letter on paper, the letter of the plan before withdrawn before it left, by API key 1 (write)`,
			`payment_plan.ended The payment plan for invoice 1 ended, its letter withdrawn before it left, by API key 1 (write)`,
		)
		d.do(func(ctx context.Context, tx *store.Tx) error {
			c, err := tx.LockCustomer(ctx, d.creditor.ID, d.customer.ID)
			must(t, err)
			c.Recipient.Address1 = ""
			c.Recipient.Email = "kari@example.no"
			return tx.UpdateCustomer(ctx, &c)
		})
		d.do(d.makePlan(halves...))
		if got := letter(); got != "EMAIL owed; " {
			t.Errorf("without a street the letter is %q", got)
		}
	})
}

// TestL15APartCreditedCoversInstalments: what is credited need not be paid.
func TestL15APartCreditedCoversInstalments(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.enable()
		d.do(d.makePlan(halves...))
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := billing.IssueCreditNote(ctx, tx, d.creditor, d.invoice.ID, billing.CreditNoteRequest{
				Lines: []billing.CreditLine{{Text: "Too dear", Net: 400_00, VAT: models.VATNone}}, Method: models.ByPaper,
			})
			return err
		})
		if state, _ := d.runOn("2026-04-13"); state != models.PlanRunning {
			t.Errorf("the plan is %s", state)
		}
	})
}

// TestL15AnInvoiceWithoutAPlanCostsNoQuestion: a run, a plan and a course ask as many questions of a hundred invoices with plans as of one, and
// none of invoices without.
func TestL15AnInvoiceWithoutAPlanCostsNoQuestion(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.enable()
		asked := func() int64 {
			var q store.Queries
			s, err := dunning.TakeSnapshot(t.Context(), d.db, law.Default(), d.creditor, day("2026-03-30"))
			must(t, err)
			_, _, err = s.Plan(q.Counting(t.Context()), day("2026-03-31"), store.Page{Number: 1, Size: 50})
			must(t, err)
			return q.Count()
		}
		invoices := []models.Invoice{d.invoice}
		for range 5 {
			invoices = append(invoices, d.another("500"))
		}
		without := asked()
		for n, i := range invoices {
			d.do(func(ctx context.Context, tx *store.Tx) error {
				_, err := dunning.MakePaymentPlan(ctx, tx, d.creditor, i.ID, models.PaymentPlanRequest{Instalments: models.Instalments{{DueDate: day("2026-04-20"), Amount: i.Balance}}}, actor)
				return err
			})
			if n == 0 || n == len(invoices)-1 {
				if with := asked(); with > without+1 {
					t.Errorf("with %d plans %d questions are asked, %d without", n+1, with, without)
				}
			}
		}
	})
}

// TestL15APlanThatCannotBeSettledStopsNoOther has the database refuse to change one of three plans whose instalment was missed.
func TestL15APlanThatCannotBeSettledStopsNoOther(t *testing.T) {
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		d := openDesk(t, rows.Open(t, databaseURL))
		d.enable()
		invoices := []models.Invoice{d.invoice, d.another("1000"), d.another("1000")}
		for _, d.invoice = range invoices {
			d.do(d.makePlan(halves...))
		}
		refuses := "CREATE TRIGGER refuses BEFORE UPDATE ON payment_plans WHEN NEW.id = 2 BEGIN SELECT RAISE(ABORT, 'no'); END"
		if strings.HasPrefix(databaseURL, "mysql:") {
			refuses = "CREATE TRIGGER refuses BEFORE UPDATE ON payment_plans FOR EACH ROW IF NEW.id = 2 THEN SIGNAL SQLSTATE '45000'; END IF"
		}
		behind(t, databaseURL, refuses)
		d.on("2026-04-13")
		snapshot, err := dunning.TakeSnapshot(t.Context(), d.db, law.Default(), d.creditor, day("2026-04-13"))
		must(t, err)
		if err := snapshot.SettlePlans(t.Context(), true); err == nil || !strings.Contains(err.Error(), "dun invoice") {
			t.Errorf("it was not told of the plan that stays: %v", err)
		}
		var states []models.PlanState
		for _, d.invoice = range invoices {
			states = append(states, d.plan().State)
		}
		if want := []models.PlanState{models.PlanBroken, models.PlanRunning, models.PlanBroken}; !slices.Equal(states, want) {
			t.Errorf("the plans are %q, want %q", states, want)
		}
	})
}

// TestL15APlanIsLookedAtWhenSomethingCanBecomeOfIt: a plan is put off until its next instalment may be missed, what changes its invoice brings it
// back, and verify finds one that is put off for too long.
func TestL15APlanIsLookedAtWhenSomethingCanBecomeOfIt(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.enable()
		d.do(d.makePlan(halves...))
		settle := func() {
			t.Helper()
			snapshot, err := dunning.TakeSnapshot(t.Context(), d.db, law.Default(), d.creditor, day("2026-03-30"))
			must(t, err)
			must(t, snapshot.SettlePlans(t.Context(), true))
		}
		settle()
		off := day("2026-04-11") // the first is waited for until the day before
		if got := d.plan().LookOn; got != off {
			t.Fatalf("it is looked at on %s, want %s", got, off)
		}
		d.pay(d.invoice.ID, "1")
		if got := d.plan(); got.LookOn != got.Since {
			t.Errorf("after a payment it is looked at on %s", got.LookOn)
		}
		settle()
		d.do(func(ctx context.Context, tx *store.Tx) error { // as a bank file settles most invoices
			before, err := tx.LockInvoices(ctx, d.creditor.ID, []int64{d.invoice.ID})
			must(t, err)
			paid := models.Entry{CreditorID: d.creditor.ID, CustomerID: d.customer.ID, InvoiceID: d.invoice.ID, Type: models.EntryOCR, Amount: -before[d.invoice.ID].Balance, TransactionDate: day("2026-03-30")}
			return ledger.PostOnLocked(ctx, tx, []models.Entry{paid}, "", before)
		})
		if got := d.plan(); got.LookOn != got.Since {
			t.Errorf("after the payment that settles the invoice it is looked at on %s", got.LookOn)
		}
		d.bank("2026-03-30", "999") // and takes it back
		settle()
		for late, want := range map[models.Date]int{off: 0, off + 1: 1} {
			d.do(func(ctx context.Context, tx *store.Tx) error { return tx.PutOffPlan(ctx, d.plan().ID, late) })
			if found, err := dunning.VerifyPlans(t.Context(), d.db, d.creditor); err != nil || len(found) != want {
				t.Errorf("put off until %s, verify finds %q, %v", late, found, err)
			}
		}
	})
}

// behind has a database do something without the store.
func behind(t *testing.T, databaseURL, statement string) {
	t.Helper()
	open := func() (*sql.DB, error) { return servers.OpenMySQL(databaseURL) }
	if path, ok := strings.CutPrefix(databaseURL, "sqlite://"); ok {
		open = func() (*sql.DB, error) { return sql.Open("sqlite", path+"?_pragma=busy_timeout(30000)") }
	}
	db, err := open()
	must(t, err)
	_, err = db.ExecContext(t.Context(), statement)
	must(t, err)
	must(t, db.Close())
}

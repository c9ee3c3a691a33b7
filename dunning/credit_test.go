package dunning_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"

	"purr/billing"
	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/register"
	"purr/store"
	"purr/test/testkit/rows"
)

func remainder(r models.Remainder) func(*models.Policy) {
	return func(p *models.Policy) { p.Remainder = r }
}

func floor(least models.Amount) func(*models.Policy) {
	return func(p *models.Policy) { p.MinimumBalance = least }
}

// TestL5L6L7WhyAnInvoiceIsLeftAlone has rows that read as sentences. Unless a row says more, 1000 is owed on its invoice,
// which fell due on Monday, 2 November, and whose next step is due on the day, Monday, the 16th.
func TestL5L6L7WhyAnInvoiceIsLeftAlone(t *testing.T) {
	t.Parallel()
	credit := func(free models.Amount) dunning.State {
		return dunning.State{Invoice: unreminded("2026-11-02"), FreeCredit: free}
	}
	noAddress := dunning.State{Invoice: unreminded("2026-11-02"), NoAddress: true}
	// owed has been reminded, and owes a principal and charges.
	owed := func(principal, charges models.Amount) dunning.State {
		i := reminded(1, "2026-11-02")
		i.Balance = principal + charges
		return dunning.State{Invoice: i, Charges: charges}
	}
	held := owed(0, 38_00)
	held.CustomerHold = models.Hold{Held: true}
	covered := owed(0, 38_00)
	covered.FreeCredit = 38_00
	early := owed(0, 38_00)
	early.Invoice.Deadline = day("2026-11-20")
	const leave, waive, chase = models.RemainderLeave, models.RemainderWaive, models.RemainderChase
	tests := []struct {
		sentence string
		state    dunning.State
		policy   models.Policy
		want     string
	}{
		{"an invoice is reminded while the creditor holds less of the customer's money than it owes", credit(999_99), policy(), "reminder"},
		{"not while the creditor holds as much", credit(1000_00), policy(), "credit_balance"},
		{"nor while it holds more", credit(5000_00), policy(), "credit_balance"},
		{"so a warned one is not handed over either", dunning.State{Invoice: warned("2026-11-02"), FreeCredit: 1000_00}, policy(handOverAfter(1)), "credit_balance"},
		{"nor are charges waived that the credit covers", covered, policy(remainder(waive)), "credit_balance"},
		{"a customer without an address is left alone", noAddress, policy(), "no_address"},
		{"a policy that is off says so first", noAddress, models.DefaultPolicy(), "policy_off"},
		{"a principal of 50.00 is dunned unless the policy says otherwise", owed(50_00, 0), policy(), "warning"},
		{"one below that is not", owed(49_99, 0), policy(), "below_minimum"},
		{"fees and interest do not lift it above the minimum", owed(49_99, 76_00), policy(), "below_minimum"},
		{"whatever becomes of a remainder", owed(49_99, 76_00), policy(remainder(chase)), "below_minimum"},
		{"a floor of 0 dunns an øre of principal", owed(1, 0), policy(floor(0)), "warning"},
		{"but no fees whose principal is paid", owed(0, 76_00), policy(floor(0)), "only_charges_left"},
		{"they stay owed by default", owed(0, 38_00), policy(), "only_charges_left"},
		{"and where the policy leaves them", owed(0, 38_00), policy(remainder(leave)), "only_charges_left"},
		{"a policy may waive them", owed(0, 38_00), policy(remainder(waive)), "waive"},
		{"without waiting for a deadline", early, policy(remainder(waive)), "waive"},
		{"but not while somebody looks at the case", held, policy(remainder(waive)), "hold"},
		{"nor does it waive what is left beside a principal", owed(1, 38_00), policy(remainder(waive)), "below_minimum"},
		{"a policy may chase them, from its floor on", owed(0, 50_00), policy(remainder(chase)), "warning"},
		{"and not below it", owed(0, 49_99), policy(remainder(chase)), "below_minimum"},
		{"a floor of 0 chases every øre", owed(0, 1), policy(remainder(chase), floor(0)), "warning"},
		{"while a deadline runs it is not chased", early, policy(remainder(chase), floor(0)), "deadline_running"},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			d := dunning.Decide(tt.state, tt.policy, law.Default(), day("2026-11-16"))
			got := string(d.Action)
			if d.Action == dunning.Nothing {
				got = string(d.Reason)
			}
			if got != tt.want {
				t.Errorf("it is %s, want %s", got, tt.want)
			}
			if d.Action == dunning.Waive && d.Reason != dunning.OnlyChargesLeft {
				t.Errorf("it is waived for %q", d.Reason)
			}
		})
	}
}

// TestL12CreditAddressAndRemainderInOrder removes one hindrance after the other: each time the next reason is given.
func TestL12CreditAddressAndRemainderInOrder(t *testing.T) {
	t.Parallel()
	on := day("2026-11-16")
	state := dunning.State{Invoice: reminded(2, "2026-11-16"), Charges: 1000_00, FreeCredit: 1000_00, NoAddress: true, LikelyPayer: true, FilesLate: true}
	p := policy()
	for _, step := range []struct {
		want     dunning.Reason
		takeAway func()
	}{
		{dunning.PaymentInQueue, func() { state.LikelyPayer = false }},
		{dunning.CreditBalance, func() { state.FreeCredit = 999_99; state.Charges = 950_01 }},
		{dunning.BelowMinimum, func() { state.Charges = 1000_00 }},
		{dunning.OnlyChargesLeft, func() { state.Charges = 0 }},
		{dunning.LastNoticeSent, func() { state.Invoice.Notices = 1 }},
		{dunning.NoAddress, func() { state.NoAddress = false }},
		{dunning.DeadlineRunning, func() {}},
	} {
		if d := dunning.Decide(state, p, law.Default(), on); d != (dunning.Decision{Action: dunning.Nothing, Reason: step.want}) || !d.Reason.Listed() {
			t.Fatalf("the decision is %+v, want nothing for %q", d, step.want)
		}
		step.takeAway()
	}
}

// pay registers a payment on an invoice on the desk's day.
func (d *desk) pay(invoiceID int64, amount string) {
	d.t.Helper()
	d.do(func(ctx context.Context, tx *store.Tx) error {
		today, err := d.creditor.Today(tx.Now)
		if err != nil {
			return err
		}
		_, err = ledger.RegisterOnInvoice(ctx, tx, d.creditor.ID, invoiceID, ledger.Payment{Amount: -kroner(amount), Date: today, Actor: actor}, today)
		return err
	})
}

// owesRepayment pays an invoice, pays a part of that out and takes the payment back: what was paid out is owed as a repayment.
func (d *desk) owesRepayment(invoiceID int64, paid, out string) {
	d.t.Helper()
	d.pay(invoiceID, paid)
	d.pay(invoiceID, "-"+out)
	d.do(func(ctx context.Context, tx *store.Tx) error {
		today, err := d.creditor.Today(tx.Now)
		if err != nil {
			return err
		}
		entries, err := tx.EntriesOfInvoice(ctx, invoiceID)
		if err != nil {
			return err
		}
		n := slices.IndexFunc(entries, func(e models.Entry) bool { return e.Amount == -kroner(paid) })
		return ledger.DeletePayment(ctx, tx, d.creditor.ID, entries[n].ID, today, actor)
	})
}

// run makes the day's run as the worker does: credit is moved, then steps are taken.
func (d *desk) run() dunning.Result {
	d.t.Helper()
	today, err := d.creditor.Today(d.db.Now())
	if err != nil {
		d.t.Fatal(err)
	}
	d.do(func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.BeginRun(ctx, &models.Run{CreditorID: d.creditor.ID, Kind: models.RunDunning, BusinessDate: today})
		return err
	})
	snapshot, err := dunning.TakeSnapshot(d.t.Context(), d.db, law.Default(), d.creditor, today)
	if err != nil {
		d.t.Fatal(err)
	}
	if err := snapshot.MoveCredits(d.t.Context()); err != nil {
		d.t.Fatal(err)
	}
	if err := snapshot.SettlePlans(d.t.Context(), true); err != nil {
		d.t.Fatal(err)
	}
	result, err := snapshot.Run(d.t.Context(), func() {})
	if err != nil {
		d.t.Fatal(err)
	}
	return result
}

// moveCredits moves the credit as a run of the day does.
func (d *desk) moveCredits(ctx context.Context, on models.Date) error {
	snapshot, err := dunning.TakeSnapshot(ctx, d.db, law.Default(), d.creditor, on)
	if err != nil {
		return err
	}
	return snapshot.MoveCredits(ctx)
}

// fourAtOnce does the same four times at once. Two of them are broken off before they begin.
func (d *desk) fourAtOnce(do func(ctx context.Context) error) {
	d.t.Helper()
	var all sync.WaitGroup
	for n := range 4 {
		all.Go(func() {
			ctx, kill := context.WithCancel(d.t.Context())
			defer kill()
			if n%2 == 0 {
				kill()
			}
			if err := do(ctx); err != nil && ctx.Err() == nil {
				d.t.Error(err)
			}
		})
	}
	all.Wait()
}

// planned returns the plan of a day, each invoice as "NUMBER what", a notice with what is owed after it.
func (d *desk) planned(date string) string {
	d.t.Helper()
	today, err := d.creditor.Today(d.db.Now())
	if err != nil {
		d.t.Fatal(err)
	}
	snapshot, err := dunning.TakeSnapshot(d.t.Context(), d.db, law.Default(), d.creditor, today)
	if err != nil {
		d.t.Fatal(err)
	}
	steps, total, err := snapshot.Plan(d.t.Context(), day(date), store.Page{Number: 1, Size: 100})
	if err != nil {
		d.t.Fatal(err)
	}
	if total != int64(len(steps)) {
		d.t.Errorf("the plan of %s says that it has %d steps, it has %d", date, total, len(steps))
	}
	var all []string
	for _, s := range steps {
		what := string(s.Reason)
		if s.Action == dunning.Close {
			what = "close " + s.Left.String()
		}
		if s.Notice.Sequence > 0 {
			what = string(s.Action) + " " + s.Notice.Gross.String()
		}
		all = append(all, models.Amount(s.Invoice.Number * 100).String()[:1]+" "+what)
	}
	return strings.Join(all, ", ")
}

// policy changes the creditor's policy.
func (d *desk) policy(changes ...func(*models.Policy)) {
	d.t.Helper()
	d.creditor.Policy = policy(changes...)
	d.do(func(ctx context.Context, tx *store.Tx) error { return tx.UpdateCreditor(ctx, &d.creditor) })
}

// another issues another invoice to the desk's customer, on the day of the first one. It has left.
func (d *desk) another(amount string) models.Invoice {
	invoice := rows.Invoice(d.t, rows.On(d.db, rows.Today), d.creditor, rows.To(d.customer), rows.Of(kroner(amount)))
	rows.Send(d.t, d.db, d.creditor)
	return invoice
}

// TestL5WhoseMoneyTheCreditorHolds has a customer who owes on some invoices and has paid too much on another: plan and run
// leave alone what the credit covers, dun what it does not, and move it first where the policy says so.
func TestL5WhoseMoneyTheCreditorHolds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		why                 string
		paid, second, third string // on the second invoice; the amounts of the others
		settles             bool
		plan                string
		notices             int
	}{
		{"a free credit less than what is owed spares nobody", "1999.99", "1000", "1500", false, "1 reminder 1042.60, 3 reminder 1544.90", 2},
		{"one as large as an invoice spares that one", "2000.00", "1000", "1500", false, "1 credit_balance, 3 reminder 1544.90", 1},
		{"one that covers each of two invoices spares both", "2500.00", "1000", "1500", false, "1 credit_balance, 3 credit_balance", 0},
		{"a customer who owes nothing in all is left alone", "3500.00", "1000", "1500", false, "1 credit_balance, 3 credit_balance", 0},
		{"moved first, it pays the first and a part of the other", "2500.00", "1000", "1500", true, "3 reminder 1044.90", 1},
		{"moved first, it pays what it can", "1999.99", "1000", "1500", true, "1 below_minimum, 3 reminder 1544.90", 1},
		{"moved first, it pays all", "3500.00", "1000", "1500", true, "", 0},
	} {
		t.Run(tt.why, func(t *testing.T) {
			eachDesk(t, func(t *testing.T, d *desk) {
				overpaid := d.another(tt.second)
				d.another(tt.third)
				d.pay(overpaid.ID, tt.paid)
				d.policy(func(p *models.Policy) { p.SettleCredit = tt.settles })
				if got := d.planned("2026-03-30"); got != tt.plan {
					t.Errorf("the plan is %q, want %q", got, tt.plan)
				}
				for try, want := range []int{tt.notices, 0} {
					r := d.run()
					if len(r.Documents) != want {
						t.Errorf("run %d makes %d notices, want %d", try, len(r.Documents), want)
					}
					for _, document := range r.Documents {
						n, err := d.db.Notice(t.Context(), d.creditor.ID, document.ID)
						if err != nil || !strings.Contains(tt.plan, "reminder "+n.Gross.String()) {
							t.Errorf("a notice asks for %s, %v, and the plan was %q", n.Gross, err, tt.plan)
						}
					}
				}
			})
		})
	}
}

// TestD96RunsSettleNoRepayment has a customer who owes a repayment on the invoice that is due first, and has credit for the claim on
// another: the run's credit pays the claim, nobody is reminded of it, and the repayment waits for a person.
func TestD96RunsSettleNoRepayment(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		second, third := d.another("1000"), d.another("1500")
		d.owesRepayment(d.invoice.ID, "1500.00", "500.00")
		d.pay(d.invoice.ID, "1000.00")
		d.pay(third.ID, "2500.00") // the credit of 1000 is as much as is claimed on the second invoice
		d.policy(func(p *models.Policy) { p.SettleCredit = true })
		before := d.planned("2026-03-30")
		if strings.Contains(before, "reminder") || strings.Contains(before, "2 ") {
			t.Errorf("the plan is %q", before)
		}
		if r := d.run(); len(r.Documents) != 0 {
			t.Errorf("the run makes %d notices", len(r.Documents))
		}
		for id, want := range map[int64]string{d.invoice.ID: "500.00", second.ID: "0.00", third.ID: "0.00"} {
			if i, err := d.db.Invoice(t.Context(), d.creditor.ID, id); err != nil || i.Balance.String() != want {
				t.Errorf("invoice %d owes %s, %v, want %s", i.Number, i.Balance, err, want)
			}
		}
	})
}

// TestD96ANoticeIsOfWhatCreditNotesLeave credits 400 of an invoice of 1000 that is paid, pays that out, and deletes the payment. 14 days of
// interest on 1000 are 4.60, and 14 days on 600 are 2.76.
func TestD96ANoticeIsOfWhatCreditNotesLeave(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.pay(d.invoice.ID, "1000.00")
		d.credit(billing.CreditNoteRequest{Lines: []billing.CreditLine{{Text: "Too dear", Net: 400_00, VAT: models.VATNone}}, Method: models.ByPaper})
		d.do(func(ctx context.Context, tx *store.Tx) error {
			entries, err := tx.EntriesOfInvoiceAndCreditNote(ctx, d.invoice.ID)
			if err != nil {
				return err
			}
			note := slices.IndexFunc(entries, func(e models.Entry) bool { return e.CreditNoteID != 0 })
			out := ledger.Payment{Amount: 400_00, Date: day("2026-03-30"), Actor: actor}
			if _, err := ledger.RegisterOnCreditNote(ctx, tx, d.creditor.ID, entries[note].CreditNoteID, out, day("2026-03-30")); err != nil {
				return err
			}
			paid := slices.IndexFunc(entries, func(e models.Entry) bool { return e.Amount == -1000_00 })
			return ledger.DeletePayment(ctx, tx, d.creditor.ID, entries[paid].ID, day("2026-03-30"), actor)
		})
		d.policy()
		d.on("2026-04-13")
		if got := d.planned("2026-04-13"); got != "1 reminder 645.36" {
			t.Errorf("the plan is %q", got)
		}
		if n := d.remind(); n.Gross != 645_36 || n.Interest != 7_36 {
			t.Errorf("the reminder asks for %s, with interest of %s", n.Gross, n.Interest)
		}
	})
}

// TestL5ACreditNoteOutstandingSpares credits a paid invoice: until it is paid out, the customer owes less than it seems.
func TestL5ACreditNoteOutstandingSpares(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		paid := d.another("1000")
		d.pay(paid.ID, "1000.00")
		note := rows.CreditNote(t, d.db, d.creditor, paid)
		d.policy()
		if got := d.planned("2026-03-30"); got != "1 credit_balance" {
			t.Errorf("the plan is %q", got)
		}
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := ledger.RegisterOnCreditNote(ctx, tx, d.creditor.ID, note.ID, ledger.Payment{Amount: 1, Date: day("2026-03-30")}, day("2026-03-30"))
			return err
		})
		if got := d.planned("2026-03-30"); got != "1 reminder 1042.60" {
			t.Errorf("with an øre paid out the plan is %q", got)
		}
	})
}

// TestL5RunsMoveCreditOnce makes the run in several processes at once, some of which are killed: each krone is moved once,
// and only where the policy for the customer says so, of what is not on hold.
func TestL5RunsMoveCreditOnce(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		overpaid, third := d.another("1000"), d.another("1500")
		d.pay(overpaid.ID, "2500.00")
		d.policy()
		d.do(func(ctx context.Context, tx *store.Tx) error {
			d.customer.Policy.SettleCredit = new(true) // the customer's own policy
			if err := tx.UpdateCustomer(ctx, &d.customer); err != nil {
				return err
			}
			_, err := dunning.HoldInvoice(ctx, tx, d.creditor, d.invoice.ID, models.Hold{Reason: models.HoldDispute}, actor)
			return err
		})
		d.fourAtOnce(func(ctx context.Context) error { return d.moveCredits(ctx, day("2026-03-30")) })
		if err := d.moveCredits(t.Context(), day("2026-03-31")); err != nil {
			t.Errorf("a run whose day is over: %v", err)
		}
		d.stands(models.InvoiceOverdueChargeable, "1000.00", 0) // on hold: a person looks at it
		if i, err := d.db.Invoice(t.Context(), d.creditor.ID, third.ID); err != nil || i.Balance != 0 {
			t.Errorf("the other invoice owes %s, %v", i.Balance, err)
		}
		events, err := d.db.Events(t.Context(), d.creditor.ID, 0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		moved := slices.DeleteFunc(events, func(e models.Event) bool { return e.Type != models.EventCreditMoved })
		if len(moved) != 1 || moved[0].Actor != models.ActorProgram {
			t.Errorf("the events are %+v", moved)
		}
	})
}

// TestL5MovedCreditCountsFromItsDay moves credit after a notice: the entries are of the day of the move, so nothing that the
// notice charged was too much, and it stays as it was.
func TestL5MovedCreditCountsFromItsDay(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		overpaid := d.another("1000")
		d.pay(overpaid.ID, "1500.00")
		n := d.remind()
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := ledger.MoveCredit(ctx, tx, d.creditor.ID, d.customer.ID, day("2026-03-30"), actor, nil)
			return err
		})
		kept, err := d.db.Notice(t.Context(), d.creditor.ID, n.ID)
		if err != nil || kept.Sheet != n.Sheet || kept.Fee != n.Fee || kept.Interest != n.Interest {
			t.Errorf("the notice is %+v, %v, want %+v", kept, err, n)
		}
		d.stands(models.OverdueNoticeSent, "542.60", 1)
	})
}

// TestL7WhatBecomesOfTheRest pays the principal of a reminded invoice, and makes the next run under each policy.
func TestL7WhatBecomesOfTheRest(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		remainder models.Remainder
		plan      string
		status    models.Status
		owed      string
	}{
		{models.RemainderLeave, "1 only_charges_left", models.OverdueNoticeSent, "42.60"},
		{models.RemainderWaive, "1 only_charges_left", models.InvoicePaid, "0.00"},
		{models.RemainderChase, "1 deadline_running", models.OverdueNoticeSent, "42.60"},
	} {
		t.Run(string(tt.remainder), func(t *testing.T) {
			eachDesk(t, func(t *testing.T, d *desk) {
				d.remind()
				rows.Send(t, d.db, d.creditor)
				d.pay(d.invoice.ID, "1000.00")
				d.policy(remainder(tt.remainder), floor(10_00))
				if got := d.planned("2026-03-30"); got != tt.plan {
					t.Errorf("the plan is %q, want %q", got, tt.plan)
				}
				if got := d.planned("2026-03-31"); (got == "") != (tt.remainder == models.RemainderWaive) {
					t.Errorf("the plan of the day after is %q", got)
				}
				for range 2 {
					if r := d.run(); r.Steps() > 0 {
						t.Errorf("the run takes %d steps", r.Steps())
					}
				}
				d.stands(tt.status, tt.owed, 1)
				if tt.remainder == models.RemainderWaive {
					d.logged("payment.registered Payment of 1000.00 registered on invoice 1",
						"charges.waived Fees of 38.00 and interest of 4.60 waived on invoice 1, whose principal is paid")
				}
			})
		})
	}
}

// TestL7WaivingIsDoneOnce waives what is left of several invoices while runs are killed and made at once: what was paid of
// a fee stays charged, and each invoice is waived once.
func TestL7WaivingIsDoneOnce(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(_ *testing.T, d *desk) {
		d.remind()
		d.pay(d.invoice.ID, "1010.00") // 4.60 of it are interest, and 5.40 of the fee
		d.policy(remainder(models.RemainderLeave))
		d.do(func(ctx context.Context, tx *store.Tx) error {
			d.customer.Policy.Remainder = new(models.RemainderWaive) // the customer's own policy
			if err := tx.UpdateCustomer(ctx, &d.customer); err != nil {
				return err
			}
			_, err := tx.BeginRun(ctx, &models.Run{CreditorID: d.creditor.ID, Kind: models.RunDunning, BusinessDate: day("2026-03-30")})
			return err
		})
		d.fourAtOnce(func(ctx context.Context) error {
			_, err := dunning.Run(ctx, d.db, law.Default(), d.creditor, day("2026-03-30"))
			return err
		})
		d.stands(models.InvoicePaid, "0.00", 1)
		d.logged("payment.registered Payment of 1010.00 registered on invoice 1",
			"charges.waived Fees of 32.60 and interest of 0.00 waived on invoice 1, whose principal is paid")
	})
}

// TestL6ANoticeGoesWhereTheCustomerLives moves the customer between the invoice and its notice, and after it.
func TestL6ANoticeGoesWhereTheCustomerLives(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		d.moves("Nygata 9")
		n := d.remind()
		d.moves("Fjellveien 3")
		kept, err := d.db.Notice(t.Context(), d.creditor.ID, n.ID)
		if err != nil || kept.Recipient.Address1 != "Nygata 9" {
			t.Errorf("the notice goes to %q, %v", kept.Recipient.Address1, err)
		}
		letters, err := d.db.ShipmentsOf(t.Context(), n.Document())
		if err != nil || len(letters) != 1 || letters[0].Recipient.Address1 != "Nygata 9" {
			t.Errorf("the letters are %+v, %v", letters, err)
		}
		if i := d.now(); i.Recipient.Address1 != "Lillegata 2" {
			t.Errorf("the invoice is changed: %q", i.Recipient.Address1)
		}
	})
}

// TestL6WhoeverHasNoAddressWaits makes runs for a customer without address1: one event, however often, until it has one. A
// person may still send a notice.
func TestL6WhoeverHasNoAddressWaits(t *testing.T) {
	t.Parallel()
	eachDesk(t, func(t *testing.T, d *desk) {
		second := d.another("500")
		d.moves("")
		d.policy()
		waiting := func(want int64) {
			t.Helper()
			if counts, err := d.db.WaitingForPerson(t.Context()); err != nil || counts["customers_without_address"] != want {
				t.Errorf("%d wait, %v, want %d", counts["customers_without_address"], err, want)
			}
		}
		waiting(0)
		if got := d.planned("2026-03-30"); got != "1 no_address, 2 no_address" {
			t.Errorf("the plan is %q", got)
		}
		for range 2 {
			if r := d.run(); r.Steps() > 0 {
				t.Errorf("the run takes %d steps", r.Steps())
			}
		}
		d.logged("customer.changed Customer changed by a person: address1", "customer.address_wanted A notice waits for the customer's address: there is no address1")
		waiting(1)
		d.do(func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.IssueNotice(ctx, tx, law.Default(), d.creditor, second.ID, dunning.Request{})
			return err
		})
		d.moves("Nygata 9")
		waiting(0)
		if r := d.run(); len(r.Documents) != 1 {
			t.Errorf("with an address the run makes %d notices", len(r.Documents))
		}
	})
}

// moves gives the customer another address.
func (d *desk) moves(address1 string) {
	d.t.Helper()
	d.do(func(ctx context.Context, tx *store.Tx) (err error) {
		d.customer, err = register.ChangeCustomer(ctx, tx, d.creditor.ID, d.customer.ID, 38_00, "a person", func(c *models.Customer) error {
			c.Recipient.Address1 = address1
			return nil
		})
		return err
	})
}

package dunning_test

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"purr/calendar"
	"purr/dunning"
	"purr/dunning/law"
	"purr/internal/testkit/rows"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// leastTries is how often each model is tried on either database.
const leastTries = 10

// tryModel lets rapid try a model on both databases at once, ten times on each: a try is many transactions. rapid's flag
// changes the number. tryModel sets that flag for the package, so a test that uses it cannot be parallel to others. It
// fails where the tests have too little time for ten.
func tryModel(t *testing.T, model func(t *testing.T, rt *rapid.T, db *store.DB)) {
	t.Helper()
	tries := setRapid(t, "checks", leastTries)
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		t.Parallel()
		tried := 0
		rapid.Check(t, func(rt *rapid.T) {
			tried++
			model(t, rt, db)
		})
		if tries && tried < leastTries {
			t.Errorf("the model was tried %d times, not %d: the tests have too little time", tried, leastTries)
		}
	})
}

// setRapid sets one of rapid's flags for a test, and reports whether it did: it does not where the flag was given.
func setRapid(t *testing.T, name string, value int) bool {
	t.Helper()
	f := flag.Lookup("rapid." + name)
	if f.Value.String() != f.DefValue {
		return false
	}
	if testing.Short() && name == "checks" {
		value *= 5 // rapid takes a fifth of it
	}
	must(t, f.Value.Set(strconv.Itoa(value)))
	t.Cleanup(func() { must(t, f.Value.Set(f.DefValue)) })
	return true
}

// office is a creditor with customers and invoices, in which anything may happen on any day.
type office struct {
	*rapid.T
	t         *testing.T
	db        *store.DB
	rules     *law.Rules
	creditor  models.Creditor
	customers []models.Customer
	invoices  []int64
	queued    []int64
	file      models.PaymentFilePart // from the bank, of the latest date; none without an ID
	today     models.Date
}

// openOffice opens an office on a day from 2025-11 to 2026-06, so that half-years, years and holidays pass.
func openOffice(t *testing.T, rt *rapid.T, db *store.DB) *office {
	o := &office{T: rt, t: t, db: db, rules: law.Default()}
	o.creditor = rows.Creditor(t, db, func(c *models.Creditor) { c.Policy = o.policy() })
	o.to(dateIn(rt, "opened", day("2025-11-01"), day("2026-06-30")))
	for range one(o, "customers", 1, 2, 3) {
		o.customers = append(o.customers, rows.Customer(t, o.db, o.creditor, func(c *models.Customer) {
			if one(o, "business", true, false) {
				c.OrganisationNumber = "974760673"
			}
			if one(o, "own policy", true, false, false) {
				c.Policy = o.ownPolicy()
			}
		}))
	}
	for range one(o, "invoices", 3, 5) {
		o.issue()
	}
	return o
}

// one draws one of some values, each as often as another: rapid's numbers are mostly small, and what is small is
// seldom due for anything.
func one[V any](o *office, label string, of ...V) V { return rapid.SampledFrom(of).Draw(o.T, label) }

func (o *office) policy() models.Policy {
	p := policy(firstAfter(one(o, "first_notice_days", 1, 5, 14, 14, 21)), secondAfter(one(o, "second_notice_days", 1, 14, 14, 20)),
		warning(one(o, "warning", models.WarningFirst, models.WarningSecond, models.WarningSecond, models.WarningNever)))
	p.Enabled = one(o, "enabled", true, true, true, true, false)
	p.DaysToPay = one(o, "days_to_pay", 14, 14, 20)
	p.Fee = one(o, "fee", nil, nil, new(models.Amount(0)), new(models.Amount(12_34)))
	p.AddInterest = one(o, "add_interest", true, true, true, false)
	p.InterestRate = one(o, "rate", nil, nil, new(models.Percent(5_00)), new(models.Percent(20_00)))
	p.Compensation = one(o, "compensation", false, true)
	p.MinimumBalance = one(o, "minimum_balance", 0, 0, models.Amount(50_00))
	p.HandOverDays = one(o, "hand_over_days", nil, new(1), new(10))
	p.WeekdaysOnly = one(o, "weekdays_only", true, false)
	p.RequirePaymentFile = one(o, "require_payment_file", true, false)
	return p
}

func (o *office) ownPolicy() models.OwnPolicy {
	p := o.policy()
	own := models.OwnPolicy{Enabled: &p.Enabled, FirstNoticeDays: &p.FirstNoticeDays, DaysToPay: &p.DaysToPay}
	if rapid.Bool().Draw(o.T, "more of its own") {
		own.HandOverDays = &models.Choice[int]{Value: p.HandOverDays}
		own.DebtCollectionNotice, own.MinimumBalance, own.WeekdaysOnly = &p.DebtCollectionNotice, &p.MinimumBalance, &p.WeekdaysOnly
	}
	return own
}

// to goes on to another day.
func (o *office) to(on models.Date) {
	o.today = on
	o.db = rows.On(o.db, on)
}

func (o *office) do(act func(ctx context.Context, tx *store.Tx) error) {
	o.t.Helper()
	rows.Write(o.t, o.db, func(tx *store.Tx) error { return act(o.t.Context(), tx) })
}

// try does what may be refused.
func (o *office) try(act func(ctx context.Context, tx *store.Tx) error) {
	err := o.db.InTx(o.t.Context(), func(tx *store.Tx) error { return act(o.t.Context(), tx) })
	if k := models.KindOf(err); err != nil && k != models.KindConflict && k != models.KindInvalid {
		o.Fatal(err)
	}
}

func (o *office) invoice() int64 { return rapid.SampledFrom(o.invoices).Draw(o.T, "invoice") }

func (o *office) now(id int64) models.Invoice {
	i, err := o.db.Invoice(o.t.Context(), o.creditor.ID, id)
	if err != nil {
		o.Fatal(err)
	}
	return i
}

func (o *office) issue() {
	customer := rapid.SampledFrom(o.customers).Draw(o.T, "customer")
	gross := models.Amount(rapid.Int64Range(1, 100_00).Draw(o.T, "gross")) + one(o, "more", 0, models.Amount(500_00), 7000_00)
	invoice := rows.Invoice(o.t, o.db, o.creditor, rows.To(customer), rows.Of(gross), rows.DueIn(one(o, "due in", 0, 3, 14)))
	o.invoices = append(o.invoices, invoice.ID)
}

func (o *office) pay() {
	id := o.invoice()
	owed := o.now(id).Balance
	amount := -models.Amount(rapid.Int64Range(1, max(1, int64(owed)+100)).Draw(o.T, "paid"))
	if rapid.Bool().Draw(o.T, "all of it") && owed > 0 {
		amount = -owed
	}
	date := o.today - models.Date(rapid.IntRange(0, 5).Draw(o.T, "days ago"))
	o.try(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.RegisterOnInvoice(ctx, tx, o.creditor.ID, id, ledger.Payment{Amount: amount, Date: date}, o.today)
		return err
	})
}

func (o *office) reverse() {
	id, amount := o.invoice(), -models.Amount(rapid.Int64Range(1, 40_00).Draw(o.T, "reversed"))
	kind := rapid.SampledFrom([]models.EntryType{models.EntryInterest, models.EntryOverdueCharge}).Draw(o.T, "kind")
	o.try(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.RegisterOnInvoice(ctx, tx, o.creditor.ID, id, ledger.Payment{Amount: amount, Date: o.today, Type: kind}, o.today)
		return err
	})
}

func (o *office) anyHold() models.Hold {
	h := models.Hold{Comment: "asks for time"}
	if rapid.IntRange(0, 3).Draw(o.T, "for a while") > 0 {
		h.Until = o.today + models.Date(rapid.IntRange(0, 20).Draw(o.T, "until"))
	}
	return h
}

func (o *office) holdInvoice() {
	id, h := o.invoice(), o.anyHold()
	o.try(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.HoldInvoice(ctx, tx, o.creditor, id, h, "")
		return err
	})
}

func (o *office) holdCustomer() {
	id, h := rapid.SampledFrom(o.customers).Draw(o.T, "customer").ID, o.anyHold()
	o.try(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.HoldCustomer(ctx, tx, o.creditor, id, h, "")
		return err
	})
}

func (o *office) release() {
	id := o.invoice()
	o.try(func(ctx context.Context, tx *store.Tx) error {
		return dunning.ReleaseInvoice(ctx, tx, o.creditor, id, "")
	})
}

func (o *office) closeOrReopen() {
	id := o.invoice()
	act := rapid.SampledFrom([]func(context.Context, *store.Tx) error{
		func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.CloseInvoice(ctx, tx, o.creditor, id, dunning.Closing{Reason: models.ClosedOther})
			return err
		},
		func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.ReopenInvoice(ctx, tx, o.creditor, id, "")
			return err
		},
		func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.HandOverInvoice(ctx, tx, o.creditor, id, "")
			return err
		},
	}).Draw(o.T, "act")
	o.try(act)
}

func (o *office) notify() {
	id := o.invoice()
	req := dunning.Request{AddFee: rapid.Bool().Draw(o.T, "fee"), AddInterest: rapid.Bool().Draw(o.T, "interest"), Warning: rapid.Bool().Draw(o.T, "warning")}
	o.try(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.IssueNotice(ctx, tx, o.rules, o.creditor, id, req)
		return err
	})
}

func (o *office) queue() {
	customer := rapid.SampledFrom(o.customers).Draw(o.T, "customer").ID
	o.do(func(ctx context.Context, tx *store.Tx) error {
		u := []models.UnmatchedPayment{{
			CreditorID: o.creditor.ID, LineKey: fmt.Appendf(nil, "%032d", len(o.queued)), Amount: 1_00, TransactionDate: o.today, Status: models.PaymentOpen,
		}}
		if err := tx.CreateUnmatchedPayments(ctx, u); err != nil {
			return err
		}
		o.queued = append(o.queued, u[0].ID)
		return tx.SuggestCustomer(ctx, o.creditor.ID, customer, []int64{u[0].ID})
	})
}

// fileComes has a bank file imported that reaches the last bank day.
func (o *office) fileComes() {
	o.do(func(ctx context.Context, tx *store.Tx) error {
		o.file.PaymentFileID, o.file.CreditorID, o.file.LatestDate = 1, o.creditor.ID, calendar.LastBankDayBefore(o.today)
		return tx.SaveFilePart(ctx, &o.file)
	})
}

func (o *office) changePolicy() { o.creditor.Policy = o.policy() }

// live lets some things happen on the day.
func (o *office) live() {
	acts := []func(){
		o.issue, o.pay, o.pay, o.reverse, o.holdInvoice, o.holdCustomer, o.release, o.closeOrReopen, o.notify, o.queue, o.fileComes, o.changePolicy,
	}
	for range rapid.IntRange(0, 2).Draw(o.T, "acts") {
		rapid.SampledFrom(acts).Draw(o.T, "act")()
	}
}

func (o *office) snapshot() *dunning.Snapshot {
	snapshot, err := dunning.TakeSnapshot(o.t.Context(), o.db, o.rules, o.creditor, o.today)
	if err != nil {
		o.Fatal(err)
	}
	return snapshot
}

// plan reads a plan page by page.
func (o *office) plan(on models.Date) []dunning.Step {
	var all []dunning.Step
	for page := 1; ; page++ {
		steps, total, err := o.snapshot().Plan(o.t.Context(), on, store.Page{Number: page, Size: 2})
		if err != nil {
			o.Fatal(err)
		}
		all = append(all, steps...)
		if int64(page) >= (total+1)/2 {
			if int64(len(all)) != total {
				o.Fatalf("the plan of %s has %d items, and says %d", on, len(all), total)
			}
			return all
		}
	}
}

// tell tells what a plan does, a line for each invoice.
func tell(steps []dunning.Step) []string {
	var told []string
	for _, s := range steps {
		switch s.Action {
		case dunning.Remind, dunning.Warn:
			told = append(told, tellNotice(s.Notice))
		case dunning.HandOver:
			told = append(told, fmt.Sprintf("%d: handed over with %s", s.Invoice.ID, s.Invoice.Balance))
		case dunning.Nothing:
		}
	}
	slices.Sort(told)
	return told
}

func tellNotice(n models.Notice) string {
	return fmt.Sprintf("%d: notice %d, warning %t, fee %s, interest %s, owed %s, from %s due %s, announces %t, compensation %t",
		n.InvoiceID, n.Sequence, n.Warning, n.Fee, n.Interest, n.Gross, n.IssueDate, n.DueDate, n.Announces, n.Compensation)
}

// run makes today's run and tells what it has done, from the books.
func (o *office) run() []string {
	before := map[int64]models.Invoice{}
	for _, id := range o.invoices {
		before[id] = o.now(id)
	}
	result, err := dunning.Run(o.t.Context(), o.db, o.rules, o.creditor, o.today)
	if err != nil {
		o.Fatal(err)
	}
	var told []string
	for _, d := range result.Documents {
		n, err := o.db.Notice(o.t.Context(), o.creditor.ID, d.ID)
		if err != nil {
			o.Fatal(err)
		}
		told = append(told, tellNotice(n))
		if now := o.now(n.InvoiceID); now.Balance != n.Gross || now.Balance != before[n.InvoiceID].Balance+n.Fee+n.Interest {
			o.Fatalf("%s is owed after %s", now.Balance, tellNotice(n))
		}
	}
	for _, id := range o.invoices {
		if now := o.now(id); now.HandedOver == o.today && before[id].HandedOver == 0 {
			told = append(told, fmt.Sprintf("%d: handed over with %s", id, now.Balance))
		}
	}
	slices.Sort(told)
	return told
}

// same fails where a plan and what came of it are not alike.
func (o *office) same(planned, done []string) {
	if !slices.Equal(planned, done) {
		o.Fatalf("of %s it is planned:\n\t%s\nand done:\n\t%s", o.today, strings.Join(planned, "\n\t"), strings.Join(done, "\n\t"))
	}
}

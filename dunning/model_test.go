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

	"purr/dunning"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/models/calendar"
	"purr/store"
	"purr/test/testkit/rows"
)

// leastTries is how often each model is tried on either database.
const leastTries = 10

// tryModel lets rapid try a model on both databases at once, ten times on each, because a try takes many
// transactions. rapid's flag changes the number. tryModel sets that flag for the package, so tests that use it
// cannot be parallel. It fails if the tests have too little time for ten.
func tryModel(t *testing.T, try func(t *testing.T, rt *rapid.T, db *store.DB)) {
	t.Helper()
	tries := setRapid(t, "checks", leastTries)
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		t.Parallel()
		tried := 0
		rapid.Check(t, func(rt *rapid.T) {
			tried++
			try(t, rt, db)
		})
		if tries && tried < leastTries {
			t.Errorf("the model was tried %d times, not %d: the tests have too little time", tried, leastTries)
		}
	})
}

// setRapid sets one of rapid's flags for a test. It reports false, and changes nothing, if the flag was given on
// the command line.
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

// model is a creditor with customers and invoices, in which anything may happen on any day.
type model struct {
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

// newModel returns a model that begins on a day from 2025-11 to 2026-06, so that half-years, years and holidays pass.
func newModel(t *testing.T, rt *rapid.T, db *store.DB) *model {
	m := &model{T: rt, t: t, db: db, rules: law.Default()}
	m.creditor = rows.Creditor(t, db, func(c *models.Creditor) { c.Policy = m.policy() })
	m.to(dateIn(rt, "opened", day("2025-11-01"), day("2026-06-30")))
	for range one(m, "customers", 1, 2, 3) {
		m.customers = append(m.customers, rows.Customer(t, m.db, m.creditor, func(c *models.Customer) {
			if one(m, "business", true, false) {
				c.Recipient.OrganisationNumber = "974760673"
			}
			if one(m, "own policy", true, false, false) {
				c.Policy = m.ownPolicy()
			}
		}))
	}
	for range one(m, "invoices", 3, 5) {
		m.issue()
	}
	return m
}

// one draws one of some values, each equally often. rapid's own numbers are mostly small, and small amounts and days make
// few steps due.
func one[V any](m *model, label string, of ...V) V { return rapid.SampledFrom(of).Draw(m.T, label) }

func (m *model) policy() models.Policy {
	p := policy(firstAfter(one(m, "first_notice_days", 1, 5, 14, 14, 21)), secondAfter(one(m, "second_notice_days", 1, 14, 14, 20)),
		warning(one(m, "warning", models.WarningFirst, models.WarningSecond, models.WarningSecond, models.WarningNever)))
	p.Enabled = one(m, "enabled", true, true, true, true, false)
	p.DaysToPay = one(m, "days_to_pay", 14, 14, 20)
	p.Fee = one(m, "fee", nil, nil, new(models.Amount(0)), new(models.Amount(12_34)))
	p.AddInterest = one(m, "add_interest", true, true, true, false)
	p.InterestRate = one(m, "rate", nil, nil, new(models.Percent(5_00)), new(models.Percent(20_00)))
	p.Compensation = one(m, "compensation", false, true)
	p.MinimumBalance = one(m, "minimum_balance", 0, 0, models.Amount(50_00))
	p.CloseBelow = one(m, "close_below", 0, 0, models.Amount(50_00), 100_00)
	p.HandOverDays = one(m, "hand_over_days", nil, new(1), new(10))
	p.WeekdaysOnly = one(m, "weekdays_only", true, false)
	p.RequirePaymentFile = one(m, "require_payment_file", true, false)
	return p
}

func (m *model) ownPolicy() models.CustomerPolicy {
	p := m.policy()
	own := models.CustomerPolicy{Enabled: &p.Enabled, FirstNoticeDays: &p.FirstNoticeDays, DaysToPay: &p.DaysToPay}
	if rapid.Bool().Draw(m.T, "more of its own") {
		own.HandOverDays = &models.Choice[int]{Value: p.HandOverDays}
		own.DebtCollectionNotice, own.MinimumBalance, own.WeekdaysOnly = &p.DebtCollectionNotice, &p.MinimumBalance, &p.WeekdaysOnly
	}
	return own
}

// to moves the model to another day. What is owed leaves before.
func (m *model) to(on models.Date) {
	rows.Send(m.t, m.db, m.creditor)
	m.today = on
	m.db = rows.On(m.db, on)
}

func (m *model) do(act func(ctx context.Context, tx *store.Tx) error) {
	m.t.Helper()
	rows.Write(m.t, m.db, func(tx *store.Tx) error { return act(m.t.Context(), tx) })
}

// try does an act that may be refused.
func (m *model) try(act func(ctx context.Context, tx *store.Tx) error) {
	err := m.db.InTx(m.t.Context(), func(_ context.Context, tx *store.Tx) error { return act(m.t.Context(), tx) })
	if k := models.KindOf(err); err != nil && k != models.KindConflict && k != models.KindInvalid {
		m.Fatal(err)
	}
}

func (m *model) invoice() int64 { return rapid.SampledFrom(m.invoices).Draw(m.T, "invoice") }

func (m *model) now(id int64) models.Invoice {
	i, err := m.db.Invoice(m.t.Context(), m.creditor.ID, id)
	if err != nil {
		m.Fatal(err)
	}
	return i
}

func (m *model) issue() {
	customer := rapid.SampledFrom(m.customers).Draw(m.T, "customer")
	gross := models.Amount(rapid.Int64Range(1, 100_00).Draw(m.T, "gross")) + one(m, "more", 0, models.Amount(500_00), 7000_00)
	invoice := rows.Invoice(m.t, m.db, m.creditor, rows.To(customer), rows.Of(gross), rows.DueIn(one(m, "due in", 0, 3, 14)))
	m.invoices = append(m.invoices, invoice.ID)
}

func (m *model) pay() {
	id := m.invoice()
	owed := m.now(id).Balance
	amount := -models.Amount(rapid.Int64Range(1, max(1, int64(owed)+100)).Draw(m.T, "paid"))
	if rapid.Bool().Draw(m.T, "all of it") && owed > 0 {
		amount = -owed
	}
	date := m.today - models.Date(rapid.IntRange(0, 5).Draw(m.T, "days ago"))
	m.try(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.RegisterOnInvoice(ctx, tx, m.creditor.ID, id, ledger.Payment{Amount: amount, Date: date}, m.today)
		return err
	})
}

func (m *model) reverse() {
	id, amount := m.invoice(), -models.Amount(rapid.Int64Range(1, 40_00).Draw(m.T, "reversed"))
	kind := rapid.SampledFrom([]models.EntryType{models.EntryInterest, models.EntryOverdueCharge}).Draw(m.T, "kind")
	m.try(func(ctx context.Context, tx *store.Tx) error {
		_, err := ledger.RegisterOnInvoice(ctx, tx, m.creditor.ID, id, ledger.Payment{Amount: amount, Date: m.today, Type: kind}, m.today)
		return err
	})
}

func (m *model) anyHold() models.Hold {
	h := models.Hold{Comment: "asks for time"}
	if rapid.IntRange(0, 3).Draw(m.T, "for a while") > 0 {
		h.Until = m.today + models.Date(rapid.IntRange(0, 20).Draw(m.T, "until"))
	}
	return h
}

func (m *model) holdInvoice() {
	id, h := m.invoice(), m.anyHold()
	m.try(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.HoldInvoice(ctx, tx, m.creditor, id, h, "")
		return err
	})
}

func (m *model) holdCustomer() {
	id, h := rapid.SampledFrom(m.customers).Draw(m.T, "customer").ID, m.anyHold()
	m.try(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.HoldCustomer(ctx, tx, m.creditor, id, h, "")
		return err
	})
}

func (m *model) release() {
	id := m.invoice()
	m.try(func(ctx context.Context, tx *store.Tx) error {
		return dunning.ReleaseInvoice(ctx, tx, m.creditor, id, "")
	})
}

func (m *model) closeOrReopen() {
	id := m.invoice()
	act := rapid.SampledFrom([]func(context.Context, *store.Tx) error{
		func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.CloseInvoice(ctx, tx, m.creditor, id, dunning.Closing{Reason: models.ClosedOther})
			return err
		},
		func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.ReopenInvoice(ctx, tx, m.creditor, id, "")
			return err
		},
		func(ctx context.Context, tx *store.Tx) error {
			_, err := dunning.HandOverInvoice(ctx, tx, m.creditor, id, "")
			return err
		},
	}).Draw(m.T, "act")
	m.try(act)
}

func (m *model) notify() {
	id := m.invoice()
	req := dunning.Request{AddFee: rapid.Bool().Draw(m.T, "fee"), AddInterest: rapid.Bool().Draw(m.T, "interest"), Warning: rapid.Bool().Draw(m.T, "warning")}
	m.try(func(ctx context.Context, tx *store.Tx) error {
		_, err := dunning.IssueNotice(ctx, tx, m.rules, m.creditor, id, req)
		return err
	})
}

func (m *model) queue() {
	customer := rapid.SampledFrom(m.customers).Draw(m.T, "customer").ID
	m.do(func(ctx context.Context, tx *store.Tx) error {
		u := []models.UnmatchedPayment{{
			CreditorID: m.creditor.ID, LineKey: fmt.Appendf(nil, "%032d", len(m.queued)), Amount: 1_00, TransactionDate: m.today, Status: models.PaymentOpen,
		}}
		if err := tx.CreateUnmatchedPayments(ctx, u); err != nil {
			return err
		}
		m.queued = append(m.queued, u[0].ID)
		return tx.SetLikelyPayer(ctx, m.creditor.ID, customer, []int64{u[0].ID})
	})
}

// fileComes has a bank file imported that reaches the last bank day.
func (m *model) fileComes() {
	m.do(func(ctx context.Context, tx *store.Tx) error {
		m.file.PaymentFileID, m.file.CreditorID, m.file.LatestDate = 1, m.creditor.ID, calendar.LastBankDayBefore(m.today)
		return tx.SaveFilePart(ctx, &m.file)
	})
}

func (m *model) changePolicy() { m.creditor.Policy = m.policy() }

// live lets some things happen on the day.
func (m *model) live() {
	acts := []func(){
		m.issue, m.pay, m.pay, m.reverse, m.holdInvoice, m.holdCustomer, m.release, m.closeOrReopen, m.notify, m.queue, m.fileComes, m.changePolicy,
	}
	for range rapid.IntRange(0, 2).Draw(m.T, "acts") {
		rapid.SampledFrom(acts).Draw(m.T, "act")()
	}
}

func (m *model) snapshot() *dunning.Snapshot {
	snapshot, err := dunning.TakeSnapshot(m.t.Context(), m.db, m.rules, m.creditor, m.today)
	if err != nil {
		m.Fatal(err)
	}
	return snapshot
}

// plan reads a plan page by page.
func (m *model) plan(on models.Date) []dunning.Step {
	var all []dunning.Step
	for page := 1; ; page++ {
		steps, total, err := m.snapshot().Plan(m.t.Context(), on, store.Page{Number: page, Size: 2})
		if err != nil {
			m.Fatal(err)
		}
		all = append(all, steps...)
		if int64(page) >= (total+1)/2 {
			if int64(len(all)) != total {
				m.Fatalf("the plan of %s has %d items, and says %d", on, len(all), total)
			}
			return all
		}
	}
}

// tell describes the steps of a plan, a line for each.
func tell(steps []dunning.Step) []string {
	var told []string
	for _, s := range steps {
		switch s.Action {
		case dunning.Remind, dunning.Warn:
			told = append(told, tellNotice(s.Notice))
		case dunning.HandOver:
			told = append(told, fmt.Sprintf("%d: handed over with %s", s.Invoice.ID, s.Invoice.Balance))
		case dunning.Close:
			told = append(told, fmt.Sprintf("%d: closed with %s", s.Invoice.ID, s.Left))
		case dunning.Waive:
			told = append(told, fmt.Sprintf("%d: waived", s.Invoice.ID))
		case dunning.Befriend:
			told = append(told, fmt.Sprintf("%d: reminded as a friend", s.Invoice.ID))
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

// run makes today's run and describes the steps that the books show, as tell does.
func (m *model) run() []string {
	before := map[int64]models.Invoice{}
	for _, id := range m.invoices {
		before[id] = m.now(id)
	}
	result, err := dunning.Run(m.t.Context(), m.db, m.rules, m.creditor, m.today)
	if err != nil {
		m.Fatal(err)
	}
	var told []string
	for _, d := range result.Documents {
		n, err := m.db.Notice(m.t.Context(), m.creditor.ID, d.ID)
		if err != nil {
			m.Fatal(err)
		}
		told = append(told, tellNotice(n))
		if now := m.now(n.InvoiceID); now.Balance != n.Gross || now.Balance != before[n.InvoiceID].Balance+n.Fee+n.Interest {
			m.Fatalf("%s is owed after %s", now.Balance, tellNotice(n))
		}
	}
	for _, id := range m.invoices {
		if now := m.now(id); now.HandedOver == m.today && before[id].HandedOver == 0 {
			told = append(told, fmt.Sprintf("%d: handed over with %s", id, now.Balance))
		}
		if now := m.now(id); now.Closed != before[id].Closed {
			told = append(told, fmt.Sprintf("%d: closed with %s", id, now.WrittenOff))
		}
	}
	slices.Sort(told)
	return told
}

// same fails if a plan and the run of its day differ.
func (m *model) same(planned, done []string) {
	if !slices.Equal(planned, done) {
		m.Fatalf("of %s it is planned:\n\t%s\nand done:\n\t%s", m.today, strings.Join(planned, "\n\t"), strings.Join(done, "\n\t"))
	}
}

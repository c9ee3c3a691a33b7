package dunning_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"purr/dunning"
	"purr/internal/clock"
	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
	testlaw "purr/test/testkit/law"
	"purr/test/testkit/rows"
)

// TestTheLadderKeepsTheLawWhateverHappens lets policies change, payments come, and people act on invoices whose runs
// are broken off and made again. It judges every letter by the law, which package testlaw writes a second time:
// no step twice and no more than two, no letter for what is paid, no fee before its day or above its maximum, and the
// interest to the øre.
func TestTheLadderKeepsTheLawWhateverHappens(t *testing.T) {
	setRapid(t, "steps", 15) // acts
	tryModel(t, func(t *testing.T, rt *rapid.T, db *store.DB) {
		m := newModel(t, rt, db)
		act := func(do func()) func(*rapid.T) {
			return func(rt *rapid.T) {
				m.T = rt
				do()
			}
		}
		run := act(func() {
			for range 3 {
				m.to(m.today + one(m, "days later", models.Date(1), 3, 7, 14, 15))
				m.runAndJudge()
			}
		})
		rt.Repeat(map[string]func(*rapid.T){
			"an invoice": act(m.issue), "a payment": act(m.pay), "a reversal": act(m.reverse), "an invoice's hold": act(m.holdInvoice),
			"a customer's hold": act(m.holdCustomer), "a release": act(m.release), "a closing": act(m.closeOrReopen),
			"a notice asked for": act(m.notify), "money in the queue": act(m.queue), "a bank file": act(m.fileComes),
			"another policy": act(m.changePolicy), "runs": run, "more runs": run, "and more": run,
		})
		m.foresees(1)
		differences, err := ledger.Verify(t.Context(), m.db, m.creditor)
		if err != nil || len(differences) > 0 {
			rt.Fatalf("the books: %v, %v", differences, err)
		}
	})
}

// standing is what the books say of an invoice.
type standing struct {
	models.Invoice
	customer models.Customer
	entries  []models.Entry
	notices  []models.Notice
}

func (m *model) stand() map[int64]standing {
	all := map[int64]standing{}
	for _, id := range m.invoices {
		s := standing{Invoice: m.now(id)}
		var errs [3]error
		s.customer, errs[0] = m.db.Customer(m.t.Context(), m.creditor.ID, s.CustomerID)
		s.entries, errs[1] = m.db.EntriesOfInvoice(m.t.Context(), id)
		s.notices, errs[2] = m.db.NoticesOf(m.t.Context(), id)
		for _, err := range errs {
			if err != nil {
				m.Fatal(err)
			}
		}
		all[id] = s
	}
	return all
}

// fuse is a clock that calls blow when it has been asked the time often enough: each transaction asks once.
type fuse struct {
	clock.Clock
	left int
	blow func()
}

func (f *fuse) Now() time.Time {
	if f.left--; f.left == 0 {
		f.blow()
	}
	return f.Clock.Now()
}

// runAndJudge makes the run of the day, which may be interrupted in any transaction, until it ends. It then judges
// the new notices and hand-overs.
func (m *model) runAndJudge() {
	plan, before := m.plan(m.today), m.stand()
	for range rapid.IntRange(0, 2).Draw(m.T, "times broken off") {
		ctx, cancel := context.WithCancel(m.t.Context())
		f := &fuse{clock.NewTest(rows.Start.AddDate(0, 0, int(m.today-rows.Today))), rapid.IntRange(1, 5).Draw(m.T, "transactions"), cancel}
		if _, err := dunning.Run(ctx, m.db.WithClock(f), m.rules, m.creditor, m.today); err != nil && ctx.Err() == nil {
			m.Fatal(err)
		}
		cancel()
	}
	m.run()
	var done []string
	for id, after := range m.stand() {
		was := before[id]
		for _, n := range after.notices {
			if !slices.ContainsFunc(was.notices, func(old models.Notice) bool { return old.ID == n.ID }) {
				done = append(done, tellNotice(n))
				m.judge(n, was)
			}
		}
		if after.HandedOver != was.HandedOver {
			done = append(done, fmt.Sprintf("%d: handed over with %s", id, after.Balance))
			m.judgeHandOver(was)
		}
		if after.Closed != was.Closed {
			done = append(done, fmt.Sprintf("%d: closed with %s", id, after.WrittenOff))
			m.judgeClosing(was, after)
		}
	}
	slices.Sort(done)
	m.same(tell(plan), done)
	if again := m.run(); len(again) > 0 {
		m.Fatalf("made again, the run of %s does %v", m.today, again)
	}
}

// lawful returns an invoice as the law sees it, and the policy for its customer.
func (m *model) lawful(was standing) (testlaw.Standing, models.Policy) {
	s := testlaw.Standing{
		Due: was.DueDate, Balance: was.Balance, Ended: was.Closed != models.NotClosed || was.HandedOver != 0,
		Held: was.Hold.Active(m.today) || was.customer.Hold.Active(m.today), Business: was.customer.Recipient.OrganisationNumber != "", Entries: was.entries,
	}
	for _, n := range was.notices {
		s.Letters = append(s.Letters, letterOf(n))
	}
	return s, was.customer.Policy.Apply(m.creditor.Policy)
}

func letterOf(n models.Notice) testlaw.Letter {
	return testlaw.Letter{
		Sequence: n.Sequence, Warning: n.Warning, Issued: n.IssueDate, Due: n.DueDate, Fee: n.Fee, Compensation: n.Compensation, Interest: n.Interest,
	}
}

// judge checks a notice of today by the law and the policy, given the invoice as it was before.
func (m *model) judge(n models.Notice, was standing) {
	s, p := m.lawful(was)
	letter := letterOf(n)
	for _, wrong := range append(s.Unlawful(letter), s.AgainstPolicy(letter, p)...) {
		m.Errorf("%s\n%+v\n%s", tellNotice(n), was.Invoice, wrong)
	}
	if n.IssueDate != m.today {
		m.Errorf("%s\nit is dated another day", tellNotice(n))
	}
}

// judgeClosing checks what a run of today has closed for a small remainder (rule L25).
func (m *model) judgeClosing(was, after standing) {
	s, p := m.lawful(was)
	left := law.Allocate(was.entries).Principal
	switch {
	case !p.Enabled || left <= 0 || left >= p.CloseBelow || was.KeptOpen:
		m.Errorf("closed: %+v\nwith %s of principal left, against the policy", was.Invoice, left)
	case s.Held || !s.Overdue(m.today):
		m.Errorf("closed: %+v\nit is on hold, or not overdue", was.Invoice)
	case after.Closed != models.ClosedOther || after.WrittenOff != left || after.Balance != left:
		m.Errorf("closed: %+v\nis %+v after it", was.Invoice, after.Invoice)
	}
}

// judgeHandOver checks a hand-over of today by the law and the policy.
func (m *model) judgeHandOver(was standing) {
	s, p := m.lawful(was)
	for _, wrong := range s.NotToHandOver(m.today, p) {
		m.Errorf("handed over: %+v\n%s", was.Invoice, wrong)
	}
}

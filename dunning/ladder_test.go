package dunning_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"purr/clock"
	"purr/dunning"
	"purr/internal/testkit/law"
	"purr/internal/testkit/rows"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// TestTheLadderKeepsTheLawWhateverHappens lets policies change, payments come, and people act in an office whose runs
// are broken off and made again, and holds every letter against the law, which is written down here a second time:
// no step twice and no more than two, no letter for what is paid, no fee before its day or above its maximum, and the
// interest to the øre.
func TestTheLadderKeepsTheLawWhateverHappens(t *testing.T) {
	rows.EachDatabase(t, func(t *testing.T, db *store.DB) {
		checks(t, 10)
		rapid.Check(t, func(rt *rapid.T) {
			o := openOffice(t, rt, db)
			act := func(do func()) func(*rapid.T) {
				return func(rt *rapid.T) {
					o.T = rt
					do()
				}
			}
			run := act(func() {
				for range 3 {
					o.to(o.today + one(o, "days later", models.Date(1), 3, 7, 14, 15))
					o.runAndJudge()
				}
			})
			rt.Repeat(map[string]func(*rapid.T){
				"an invoice": act(o.issue), "a payment": act(o.pay), "a reversal": act(o.reverse), "an invoice's hold": act(o.holdInvoice),
				"a customer's hold": act(o.holdCustomer), "a release": act(o.release), "a closing": act(o.closeOrReopen),
				"a notice asked for": act(o.notify), "money in the queue": act(o.queue), "a bank file": act(o.fileComes),
				"another policy": act(o.changePolicy), "runs": run, "more runs": run, "and more": run,
			})
			o.foresees(1)
			differences, err := ledger.Verify(t.Context(), o.db, o.creditor)
			if err != nil || len(differences) > 0 {
				rt.Fatalf("the books: %v, %v", differences, err)
			}
		})
	})
}

// standing is what an office's books say of an invoice.
type standing struct {
	models.Invoice
	customer models.Customer
	entries  []models.Entry
	notices  []models.Notice
}

func (o *office) stand() map[int64]standing {
	all := map[int64]standing{}
	for _, id := range o.invoices {
		s := standing{Invoice: o.now(id)}
		var errs [3]error
		s.customer, errs[0] = o.db.Customer(o.t.Context(), o.creditor.ID, s.CustomerID)
		s.entries, errs[1] = o.db.EntriesOfInvoice(o.t.Context(), id)
		s.notices, errs[2] = o.db.NoticesOf(o.t.Context(), id)
		for _, err := range errs {
			if err != nil {
				o.Fatal(err)
			}
		}
		all[id] = s
	}
	return all
}

// fuse is a clock that blows after it was asked the time often enough: each transaction asks once.
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

// runAndJudge makes the run of the day, which may be broken off in the middle of any transaction, until it comes to
// its end, and judges what was done.
func (o *office) runAndJudge() {
	plan, before := o.plan(o.today), o.stand()
	for range rapid.IntRange(0, 2).Draw(o.T, "times broken off") {
		ctx, cancel := context.WithCancel(o.t.Context())
		f := &fuse{clock.NewTest(rows.Start.AddDate(0, 0, int(o.today-rows.Today))), rapid.IntRange(1, 5).Draw(o.T, "transactions"), cancel}
		if _, err := dunning.Run(ctx, o.db.WithClock(f), o.rules, o.creditor, o.today); err != nil && ctx.Err() == nil {
			o.Fatal(err)
		}
		cancel()
	}
	o.run()
	var done []string
	for id, after := range o.stand() {
		was := before[id]
		for _, n := range after.notices {
			if !slices.ContainsFunc(was.notices, func(old models.Notice) bool { return old.ID == n.ID }) {
				done = append(done, tellNotice(n))
				o.judge(n, was)
			}
		}
		if after.HandedOver != was.HandedOver {
			done = append(done, fmt.Sprintf("%d: handed over with %s", id, after.Balance))
			o.judgeHandOver(was)
		}
	}
	slices.Sort(done)
	o.same(tell(plan), done)
	if again := o.run(); len(again) > 0 {
		o.Fatalf("made again, the run of %s does %v", o.today, again)
	}
}

// lawful returns how an invoice stands to the law, and the policy for its customer.
func (o *office) lawful(was standing) (law.Standing, models.Policy) {
	s := law.Standing{
		Due: was.DueDate, Balance: was.Balance, Ended: was.Closed != models.NotClosed || was.HandedOver != 0,
		Held: was.Hold.Active(o.today) || was.customer.Hold.Active(o.today), Business: was.customer.OrganisationNumber != "", Entries: was.entries,
	}
	for _, n := range was.notices {
		s.Letters = append(s.Letters, letterOf(n))
	}
	return s, was.customer.Policy.Apply(o.creditor.Policy)
}

func letterOf(n models.Notice) law.Letter {
	return law.Letter{
		Sequence: n.Sequence, Warning: n.Warning, Issued: n.IssueDate, Due: n.DueDate, Fee: n.Fee, Compensation: n.Compensation, Interest: n.Interest,
	}
}

// judge holds a notice of today against the law and the policy, given how the invoice stood before it.
func (o *office) judge(n models.Notice, was standing) {
	s, p := o.lawful(was)
	letter := letterOf(n)
	for _, wrong := range append(s.Unlawful(letter), s.AgainstPolicy(letter, p)...) {
		o.Errorf("%s\n%+v\n%s", tellNotice(n), was.Invoice, wrong)
	}
	if n.IssueDate != o.today {
		o.Errorf("%s\nit is dated another day", tellNotice(n))
	}
}

// judgeHandOver holds a hand-over of today against the law and the policy.
func (o *office) judgeHandOver(was standing) {
	s, p := o.lawful(was)
	for _, wrong := range s.NotToHandOver(o.today, p) {
		o.Errorf("handed over: %+v\n%s", was.Invoice, wrong)
	}
}

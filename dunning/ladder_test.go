package dunning_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"purr/calendar"
	"purr/clock"
	"purr/dunning"
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
		checks(t, 12)
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

// judge holds a notice of today against the law and the policy, given how the invoice stood before it.
func (o *office) judge(n models.Notice, was standing) {
	p := was.customer.Policy.Apply(o.creditor.Policy)
	last := calendar.NextWeekday(was.DueDate)
	if len(was.notices) > 0 {
		last = calendar.NextWeekday(was.notices[len(was.notices)-1].DueDate)
	}
	wait := map[int]int{1: p.FirstNoticeDays, 2: p.SecondNoticeDays}[n.Sequence]
	for wrong, is := range map[string]bool{
		"nothing is owed":                      was.Balance <= 0,
		"less than the minimum is owed":        was.Balance < p.MinimumBalance,
		"the invoice is closed or handed over": was.Closed != models.NotClosed || was.HandedOver != 0,
		"it is one notice too many":            len(was.notices) >= 2,
		"its number is wrong":                  n.Sequence != len(was.notices)+1,
		"a warning was sent":                   slices.ContainsFunc(was.notices, func(n models.Notice) bool { return n.Warning }),
		"the last deadline runs":               o.today <= last,
		"its day is not reached":               o.today < last+models.Date(wait),
		"it is on hold":                        was.Hold.Active(o.today) || was.customer.Hold.Active(o.today),
		"dunning is off":                       !p.Enabled,
		"it is no sending day":                 p.WeekdaysOnly && !calendar.IsWeekday(o.today),
		"it leaves less than 14 days to pay":   n.DueDate < o.today+14,
		"it is dated another day":              n.IssueDate != o.today,
		"it is no warning, or one":             n.Warning != (p.DebtCollectionNotice == models.WarningStep(map[int]string{1: "first", 2: "second"}[n.Sequence])),
		"it has a fee before its day":          n.Fee > 0 && !n.Compensation && o.today < last+14,
		"its fee is above the maximum":         n.Fee > maximumFee(o.today) && !n.Compensation,
		"its fee is above the policy's":        p.Fee != nil && n.Fee > *p.Fee && !n.Compensation,
		"a consumer is to compensate":          n.Compensation && (was.customer.OrganisationNumber == "" || !p.Compensation),
		"interest is charged":                  !p.AddInterest && n.Interest != 0,
	} {
		if is {
			o.Errorf("%s\n%+v\n%s", tellNotice(n), was.Invoice, wrong)
		}
	}
	if want := o.interestOn(was, p); p.AddInterest && n.Interest != want {
		o.Errorf("%s: the interest is %s", tellNotice(n), want)
	}
}

// judgeHandOver holds a hand-over of today against the law and the policy.
func (o *office) judgeHandOver(was standing) {
	p := was.customer.Policy.Apply(o.creditor.Policy)
	if len(was.notices) == 0 || !was.notices[len(was.notices)-1].Warning || p.HandOverDays == nil || was.Balance <= 0 || was.Hold.Active(o.today) {
		o.Fatalf("handed over: %+v", was.Invoice)
	}
	if from := calendar.NextWeekday(was.notices[len(was.notices)-1].DueDate) + models.Date(*p.HandOverDays); o.today < from {
		o.Fatalf("handed over before %s: %+v", from, was.Invoice)
	}
}

// maximumFee is a twentieth of the inkassosats of 700 until 2025 and of 750 from 2026 on, in whole kroner.
func maximumFee(on models.Date) models.Amount {
	if on.Year() < 2026 {
		return 35_00
	}
	return 38_00
}

// interestOn reckons the interest to today a day at a time, and rounds where a half-year, the principal or the rate
// changes.
func (o *office) interestOn(was standing, p models.Policy) (sum models.Amount) {
	first := calendar.NextWeekday(was.DueDate) + 1
	for _, n := range was.notices {
		if n.Interest > 0 {
			first = n.IssueDate + 1
		}
	}
	type span struct {
		principal models.Amount
		rate      models.Percent
		halfYear  models.Date
	}
	days, last := int64(0), span{}
	flush := func() {
		year := int64(365) // no leap year is in reach
		twice := 2 * int64(last.principal) * int64(last.rate) * days
		sum += models.Amount((twice + 10_000*year) / (2 * 10_000 * year))
	}
	for d := first; d <= o.today; d++ {
		s := span{halfYear: models.NewDate(d.Year(), (d.Time().Month()-1)/6*6+1, 1), rate: publishedRate(d)}
		if p.InterestRate != nil && (*p.InterestRate < s.rate || was.customer.OrganisationNumber != "") {
			s.rate = *p.InterestRate
		}
		for _, e := range was.entries {
			if e.Type != models.EntryInterest && e.Type != models.EntryOverdueCharge && e.TransactionDate < d {
				s.principal += e.Amount
			}
		}
		s.principal = max(s.principal, 0)
		if s != last {
			flush()
			days, last = 0, s
		}
		days++
	}
	flush()
	return sum
}

package conformance_test

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"purr/models"
	"purr/test/testkit/law"
)

// review reads what has happened since the last review, holds each step of it against the law and the policies, and
// returns the steps that runs have taken, as plans have them. What people did since came before all steps.
func (s *shop) review() (steps []string) {
	s.T.Helper()
	asked := s.asked
	s.asked = false
	fresh := s.newEvents()
	if len(fresh) == 0 {
		return nil
	}
	for _, e := range fresh {
		s.events = append(s.events, e.Write())
		s.lastEvent = e.At("@id")
	}
	for _, b := range s.bills {
		steps = append(steps, s.reviewBill(b, fresh, asked)...)
	}
	slices.Sort(steps)
	return steps
}

// newEvents returns the events since the last review.
func (s *shop) newEvents() []node {
	s.T.Helper()
	return s.List("/events?after=" + s.lastEvent)
}

// reviewBill reviews one invoice, by the events that are about it.
func (s *shop) reviewBill(b *bill, fresh []node, asked bool) (steps []string) {
	s.T.Helper()
	var events []node
	for _, e := range fresh {
		if uri, about := e.Find("invoice/@uri"); about && below(uri) == b.path {
			events = append(events, e)
		}
	}
	shown := s.Get(b.path).Shown()
	standing := s.before(b, shown)
	closing := slices.ContainsFunc(events, func(e node) bool { return e.At("type") == "invoice.closed" })
	for _, e := range events {
		switch e.At("type") {
		case "overdue_notice.created":
			l := s.letterOf(e)
			s.judge(b, standing, l, asked)
			standing.Balance += l.Fee + l.Interest
			steps = append(steps, fmt.Sprintf("notice %d %s %s %s %s", b.number, digit(l.Warning), l.Fee, l.Interest, standing.Balance))
			b.letters, standing.Letters = append(b.letters, l), append(standing.Letters, l.Letter)
		case "overdue_notice.withdrawn":
			last := len(b.letters) - 1
			l := b.letters[last]
			standing.Balance -= l.Fee + l.Interest
			b.letters, standing.Letters = b.letters[:last], standing.Letters[:last]
			if l.path != "/overdue_notice/"+e.At("subject_id") || b.sent > last || standing.Balance > 0 && !b.ended && !closing {
				s.T.Errorf("%s: it was not the last one, has left, or is not needless: %+v", e.At("text"), standing)
			}
		case "invoice.handed_over":
			if !asked {
				s.judgeHandOver(b, standing, e)
				steps = append(steps, fmt.Sprintf("hand_over %d", b.number))
			}
			b.ended, standing.Ended = true, true
		case "invoice.closed":
			b.ended, standing.Ended = true, true
		case "invoice.reopened":
			b.ended, standing.Ended = false, false
		case "shipment.sent":
			s.judgeSent(b, shown, e)
		}
	}
	s.mustAddUp(b, shown)
	return steps
}

// before returns how an invoice stood before the runs since the last review: without what they have charged, or taken back.
func (s *shop) before(b *bill, shown node) law.Standing {
	standing := law.Standing{Due: b.due, Ended: b.ended, Business: b.buyer.business, Credit: s.freeCredit(b)}
	for _, e := range shown.All("ar_transactions/ar_transaction") {
		kind := models.EntryType(e.At("transaction_type"))
		charge := kind == models.EntryOverdueCharge || kind == models.EntryInterest
		if charge && !b.known[below(e.URI())] {
			continue
		}
		amount := models.Amount(e.Ore("amount"))
		standing.Entries = append(standing.Entries, models.Entry{Type: kind, Amount: amount, TransactionDate: s.date(e, "transaction_date")})
		standing.Balance += amount
	}
	for _, l := range b.letters {
		standing.Letters = append(standing.Letters, l.Letter)
	}
	return standing
}

// freeCredit returns what the creditor holds of the customer's on other invoices and on credit notes (rule L5).
func (s *shop) freeCredit(than *bill) (free models.Amount) {
	for _, b := range s.bills {
		if b.buyer != than.buyer {
			continue
		}
		free += models.Amount(max(0, -b.credit))
		if b != than {
			free += models.Amount(max(0, -b.balance))
		}
	}
	return free
}

// date reads a date of an answer, or of the time of an event.
func (s *shop) date(n node, path string) models.Date {
	d, err := models.ParseDate(n.At(path)[:len("2026-01-01")])
	must(s.T, err)
	return d
}

// created is the text of the event of a new notice.
var created = regexp.MustCompile(`^(Reminder|Debt-collection warning) (\d) on invoice \d+: (\S+) owed, of that fee (\S+) and interest (\S+), due (\S+)$`)

// letterOf returns the notice that an event tells of. The event, the notice and its calculation must agree.
func (s *shop) letterOf(e node) letter {
	s.T.Helper()
	told := created.FindStringSubmatch(e.At("text"))
	if told == nil {
		s.T.Fatalf("the event of a notice says %q", e.At("text"))
	}
	path := "/overdue_notice/" + e.At("subject_id")
	n := s.Get(path).Shown().Shows("gross_amount "+told[3], "due_date "+told[6])
	sheet := s.Get(path+"/calculation").Shown().Shows("overdue_charge/@amount "+told[4], "interest/@amount "+told[5])
	l := law.Letter{
		Sequence: int(told[2][0] - '0'), Warning: told[1] != "Reminder", Issued: s.date(n, "issue_date"), Due: s.date(n, "due_date"),
		Fee: models.Amount(sheet.Ore("overdue_charge/@amount")), Interest: models.Amount(sheet.Ore("interest/@amount")),
	}
	_, l.Compensation = sheet.Find("overdue_charge/@compensation")
	if day := s.date(e, "at"); l.Issued != day {
		s.T.Errorf("%s, is issued on %s, on %s", e.At("text"), l.Issued, day)
	}
	return letter{l, path}
}

// onHold returns the standing as the holds of a day have it.
func (b *bill) onHold(standing law.Standing, on models.Date) law.Standing {
	standing.Held = b.hold.Active(on) || b.buyer.hold.Active(on)
	standing.Disputed = b.hold.Disputed(on) || b.buyer.hold.Disputed(on)
	return standing
}

// judge holds a new notice against the law, and the policy or what was asked for.
func (s *shop) judge(b *bill, standing law.Standing, l letter, asked bool) {
	s.T.Helper()
	standing, p := b.onHold(standing, l.Issued), s.policyFor(b)
	faults := standing.Unlawful(l.Letter)
	if asked {
		want := models.Amount(0)
		if s.wanted.interest {
			want = standing.Interest(p, l.Issued)
		}
		if l.Interest != want || l.Warning != s.wanted.warning || l.Fee > 0 && !s.wanted.fee {
			faults = append(faults, fmt.Sprintf("%+v was asked for, and interest of %s is lawful", s.wanted, want))
		}
	} else {
		faults = append(faults, standing.AgainstPolicy(l.Letter, p)...)
	}
	for _, fault := range faults {
		s.T.Errorf("invoice %d, %+v: %s\nit stood so: %+v\nunder the policy %+v", b.number, l, fault, standing, p)
	}
}

// judgeHandOver holds a hand-over by a run against the policy.
func (s *shop) judgeHandOver(b *bill, standing law.Standing, e node) {
	on := s.date(e, "at")
	for _, fault := range b.onHold(standing, on).NotToHandOver(on, s.policyFor(b)) {
		s.T.Errorf("%s on %s: %s\nit stood so: %+v", e.At("text"), on, fault, standing)
	}
}

// judgeSent holds a letter that has left against what is owed: no letter is sent for what is paid (rule E6f).
func (s *shop) judgeSent(b *bill, shown, e node) {
	if text := e.At("text"); !strings.HasPrefix(text, "Reminder ") && !strings.HasPrefix(text, "Debt-collection warning ") {
		return
	}
	if b.sent++; b.sent > len(b.letters) {
		s.T.Fatalf("%s: of %d letters", e.At("text"), len(b.letters))
	}
	l := b.letters[b.sent-1]
	if owed := models.Amount(shown.Ore("ar_transactions/@balance")); owed <= l.Fee+l.Interest {
		s.T.Errorf("%s: but %s is owed", e.At("text"), owed)
	}
}

// mustAddUp keeps how an invoice stands now. Its transactions must be what is owed, and its notices those that are known.
func (s *shop) mustAddUp(b *bill, shown node) {
	s.T.Helper()
	sum := 0
	b.entries = nil
	for _, e := range shown.All("ar_transactions/ar_transaction") {
		b.known[below(e.URI())] = true
		sum += e.Ore("amount")
		b.entries = append(b.entries, models.Entry{
			Type: models.EntryType(e.At("transaction_type")), Amount: models.Amount(e.Ore("amount")), TransactionDate: s.date(e, "transaction_date"),
		})
	}
	b.credit = 0
	for _, note := range shown.All("credit_notes/credit_note") {
		b.credit += s.Get(note.URI()).Shown().Ore("ar_transactions/@balance")
	}
	b.balance = shown.Ore("ar_transactions/@balance")
	equal(s.T, "the sum of transactions", sum, b.balance)
	var paths []string
	for _, n := range shown.All("overdue_notices/overdue_notice") {
		paths = append(paths, below(n.URI()))
	}
	var want []string
	for _, l := range b.letters {
		want = append(want, l.path)
	}
	same(s.T, "the notices on "+b.path, paths, want)
}

// dunningPlan is the plan of a day.
type dunningPlan struct {
	steps []string
	alone map[int]string // why invoices are left alone, by number
}

func (s *shop) planOf(on models.Date) dunningPlan {
	s.T.Helper()
	p := dunningPlan{alone: map[int]string{}}
	for _, item := range s.List("/dunning_plan?date=" + on.String()) {
		switch item.Name() {
		case "notice":
			p.steps = append(p.steps, fmt.Sprintf("notice %s %s %s %s %s", item.At("@invoice_number"), item.At("@is_incasso_notice"),
				item.At("@overdue_charge"), item.At("@interest"), item.At("@gross_amount")))
		case "hand_over":
			p.steps = append(p.steps, "hand_over "+item.At("@invoice_number"))
		case "left_alone":
			number, err := strconv.Atoi(item.At("@invoice_number"))
			must(s.T, err)
			p.alone[number] = item.At("@reason")
		}
	}
	slices.Sort(p.steps)
	return p
}

// waits reports whether an invoice waits for a bank file or for the queue. A plan made ahead does not know that.
func (p dunningPlan) waits() bool {
	for _, reason := range p.alone {
		if reason == "payment_file_late" || reason == "payment_in_queue" {
			return true
		}
	}
	return false
}

// mustForesee holds a plan that was made days ahead against that of the morning itself (rule E6).
func (s *shop) mustForesee(ahead, plan dunningPlan) {
	s.T.Helper()
	if !ahead.waits() && !plan.waits() {
		equal(s.T, "the plan of the day, made ahead", fmt.Sprint(ahead), fmt.Sprint(plan))
	}
}

// mustForgetNone fails where an invoice that had no step today should have had one.
func (s *shop) mustForgetNone(on models.Date, plan dunningPlan) {
	s.T.Helper()
	for _, b := range s.bills {
		switch plan.alone[b.number] { // what the model does not look at
		case "payment_file_late", "payment_in_queue", "credit_balance", "below_minimum", "only_charges_left":
			continue
		}
		p := s.policyFor(b)
		standing := b.onHold(law.Standing{
			Due: b.due, Balance: models.Amount(b.balance), Ended: b.ended, Business: b.buyer.business, Entries: b.entries, Credit: s.freeCredit(b),
		}, on)
		for _, l := range b.letters {
			standing.Letters = append(standing.Letters, l.Letter)
		}
		if standing.Overdue(on) && standing.On(law.Day{Date: on}, p).Reason == "" {
			s.T.Errorf("invoice %d is forgotten on %s (%s): %+v\nunder the policy %+v", b.number, on, plan.alone[b.number], standing, p)
		}
	}
}

// mustHaveRuns fails unless each day up to today has one run (rule E6f).
func (s *shop) mustHaveRuns(today models.Date) {
	s.T.Helper()
	var want []string
	for d := s.opened; d <= today; d++ {
		want = append(want, d.String())
	}
	runs := s.List("/dunning_runs")
	days := texts(runs, "date")
	slices.Sort(days)
	same(s.T, "days with a run", days, want)
	for _, r := range runs {
		if state := r.At("state"); state != "done" && state != "missed" {
			s.T.Errorf("the run of %s is %s", r.At("date"), state)
		}
	}
}

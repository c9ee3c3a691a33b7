package dunning

import (
	"purr/law"
	"purr/models"
	"purr/models/calendar"
	"purr/store"
)

// Step is what the run of a day does to an invoice, or why it does nothing.
type Step struct {
	Decision
	On      models.Date
	Invoice models.Invoice // before the run
	Notice  models.Notice  // the reminder or warning, without its lines; it is not written
	Sheet   law.Sheet      // behind the notice's amounts
	Letter  int64          // the number of the first invoice of the letter that the notice shares with others; zero if it shares none (rule L23)
	Rides   bool           // the notice shares the letter of one before it

	draft *draft // of the notice
}

// simulation takes an invoice through the runs of the days from the next run's on.
//
// It assumes that what is owed leaves today, and that what failed does not leave (rule L1). The notices that it makes leave
// on their day.
type simulation struct {
	*Snapshot
	basis
	charges    models.Amount  // how much of the invoice's balance is fees and interest
	plan       store.Plan     // that runs for the invoice; without ID if there is none
	freeCredit models.Amount  // the customer's
	coming     []models.Entry // credit that the next run moves to the invoice if the policy says so; without date
	leaving    models.Amount  // how much of the free credit that run moves to this and other invoices
	warnedOn   models.Date    // when the debt-collection warning was issued, or zero
	post       post           // what will become of the letters that have not left
	renews     models.Notice  // the notice of post.renews
	late       models.Notice  // the notice of post.tooLate, which is taken back
	unread     Needs
	next       models.Date // the day of the next run to simulate
	stops      bool        // before a notice that needs the ledger: its amounts matter
	stopped    bool        // it did so, in the run of next
}

// simulate returns the simulation of an invoice whose customer was read.
func (s *Snapshot) simulate(invoice models.Invoice, customer models.Customer, c credit) simulation {
	return simulation{
		Snapshot: s, basis: basis{invoice: invoice, customer: customer, policy: s.policyFor(customer), language: s.creditor.LanguageOf(customer)},
		freeCredit: c.free, coming: c.coming[invoice.ID], leaving: c.leaving, unread: Needs{Letters: true, Ledger: true}, next: s.nextRun,
	}
}

// decide decides on the invoice on a day.
func (s *simulation) decide(on models.Date) Decision {
	return s.Snapshot.decide(s.state(), s.policy, on)
}

// state returns what is decided by.
func (s *simulation) state() State {
	letters := s.letters
	letters.Unsent = letters.Unsent || s.customer.LettersHeld.Since != nil // no letter would leave (rule S1b)
	return State{
		Invoice: s.invoice, Charges: s.charges, CustomerHold: s.customer.Hold, Plan: s.plan, FreeCredit: s.freeCredit,
		Letters: letters, WarnedOn: s.warnedOn, NoAddress: !s.customer.Recipient.Addressed(), NoEmail: s.customer.Recipient.Email == "", Unread: s.unread,
	}
}

// needsLetters reports whether a decision of the days until last needs the letters, of which none is read. It changes a copy.
func (s simulation) needsLetters(last models.Date) bool {
	if last >= s.nextRun {
		s.moveCredit(s.nextRun)
	}
	if s.decide(last).Needs.Letters {
		return true
	}
	for day, there := s.nextFriendly(s.nextRun - 1); there && day <= last; day, there = s.nextFriendly(day) {
		if s.decide(day).Needs.Letters {
			return true
		}
	}
	return false
}

// setPost sets what was read of the letters.
func (s *simulation) setPost(p post) { s.post, s.letters, s.unread.Letters = p, p.Letters, false }

// renewal returns the ID of the notice that is issued anew: when its owed letter leaves (rule L2), or since its letter left too late
// (rule D94). It is zero if there is none.
func (s *simulation) renewal() int64 {
	switch {
	case s.post.tooLate != 0:
		return s.post.tooLate
	case s.post.failed:
		return 0
	}
	return s.post.renews
}

// leave lets what is owed leave today. A notice of an earlier day is issued anew, as Renew does it.
func (s *simulation) leave() {
	if !s.letters.Unsent || s.post.failed {
		return
	}
	s.letters.Unsent, s.letters.InvoiceUnsent = false, false
	if s.post.invoiceOwed {
		s.letters.InvoiceLate = max(0, int(s.today-s.invoice.IssueDate))
	}
	if s.post.renews == 0 {
		return
	}
	if s.renews.Withdrawn == 0 {
		s.takeBack(s.renews)
	}
	if s.renews.AskedBy == "" {
		s.step(s.today)
		return
	}
	s.add(s.draft(s.rules, s.requested(s.rules, askedFor(s.renews), s.today), s.today))
}

// takeBack takes a notice back, as withdraw does.
func (s *simulation) takeBack(n models.Notice) {
	charged := s.basis.takeBack(n)
	s.charges -= charged
	s.plan.Charged -= charged
}

// add adds the notice of a draft.
func (s *simulation) add(d draft) {
	n := d.notice
	s.entries, s.notices = append(s.entries, chargesOf(n)...), append(s.notices, n)
	s.charges += n.Fee + n.Interest
	s.plan.Charged += n.Fee + n.Interest
	if n.Warning {
		s.warnedOn = n.IssueDate
	}
	s.invoice.Notices, s.invoice.Warned, s.invoice.Deadline = n.Sequence, n.Warning, n.RunsUntil()
	s.invoice.Balance += n.Fee + n.Interest
	s.letters.NoticeUntil = 0
}

// run simulates the run of a day, and changes the invoice as the run does.
func (s *simulation) run(on models.Date) Step {
	if on > s.today {
		s.leave()
	}
	s.moveCredit(on)
	return s.step(on)
}

// step simulates the decision of a day, and what follows from it, unless it stops.
func (s *simulation) step(on models.Date) Step {
	step := Step{Decision: s.decide(on), On: on, Invoice: s.invoice}
	if s.stopped = s.stops && step.Needs.Ledger; s.stopped {
		return step
	}
	switch step.Action {
	case Remind, Warn:
		d := s.draft(s.rules, decided(step.Decision), on)
		s.add(d)
		step.Notice, step.Sheet, step.draft = d.notice, d.sheet, &d
	case HandOver:
		s.invoice.HandedOver = on
	case Close:
		s.invoice.Closed, s.invoice.WrittenOff, s.invoice.Balance, s.charges = models.ClosedOther, step.Left, step.Left, 0
	case Waive:
		s.invoice.Balance = s.invoice.RepaymentOwed
	case Befriend, Nothing:
	}
	return step
}

// left returns why the invoice is left alone on a day whose run is made. A step that has fallen due since is the next
// run's: for this one it is too early (rule L12).
func (s *simulation) left(on models.Date) Step {
	step := Step{Decision: s.decide(on), On: on, Invoice: s.invoice}
	if step.Action != Nothing {
		step.Decision = Decision{Action: Nothing, Reason: TooEarly}
	}
	return step
}

// stepOn simulates the run of a day, after those of the days before. Of a day whose run is made it says why the invoice is left alone.
func (s *simulation) stepOn(on models.Date) Step {
	if on < s.nextRun {
		return s.left(on)
	}
	if s.runDays(on-1, func(Step) {}); s.stopped {
		return Step{}
	}
	return s.run(on)
}

// runDays simulates the runs of the days until last. It calls do with each step except Nothing. Where it stops it goes on when it
// is called again.
func (s *simulation) runDays(last models.Date, do func(Step)) {
	s.stopped = false
	for ; s.next <= last; s.next++ {
		step := s.run(s.next)
		switch {
		case s.stopped:
			return
		case step.Action != Nothing:
			do(step)
		case step.Reason.lasting(), step.Reason == NotSent && s.next > s.today:
			s.next = last
		case step.Reason.waiting():
			next := s.nextStepDue() // on the days between, the reason is the same
			if friendly, there := s.nextFriendly(s.next); there {
				next = min(next, friendly)
			}
			if closes, may := s.nextClosing(); may && closes > s.next {
				next = min(next, closes)
			}
			s.next = next - 1
		}
	}
}

// nextStepDue returns the first day on which the invoice's next step may be taken.
func (s *simulation) nextStepDue() models.Date {
	_, days := nextStep(s.invoice, s.policy)
	return calendar.NextWeekday(s.letters.deadline(s.invoice)) + models.Date(days)
}

// nextClosing returns the day from which the invoice may be closed for the small remainder of its principal (rule L25), and false if it is
// not small.
func (s *simulation) nextClosing() (models.Date, bool) {
	state := s.state()
	return state.overdueFrom(), mayClose(state, s.policy)
}

package dunning

import (
	"context"
	"slices"

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
}

// simulation takes an invoice through the runs of some days. Without entries and notices it takes the same steps.
// Then it lacks interest, compensation and the amounts that depend on them.
//
// It assumes that what is owed leaves today, and that what failed does not leave (rule L1). The notices that it makes leave
// on their day.
type simulation struct {
	*Snapshot
	basis
	customer   models.Customer
	charges    models.Amount  // how much of the invoice's balance is fees and interest
	freeCredit models.Amount  // the customer's
	coming     []models.Entry // credit that the next run moves to the invoice if the policy says so; without date
	leaving    models.Amount  // how much of the free credit that run moves to this and other invoices
	warnedOn   models.Date    // when the debt-collection warning was issued, or zero
	post       post           // what will become of the letters that have not left
	renews     models.Notice  // the notice of post.renews
	asks       bool           // a decision depended on the letters
}

// simulations returns the simulation of each of the invoices from today on, without entries and notices, and the IDs of
// those that get a notice. dryRun runs a simulation. It finds the invoices whose decisions depend on their letters, so that
// nothing is read for the others.
func (s *Snapshot) simulations(ctx context.Context, v store.View, invoices []models.Invoice, dryRun func(*simulation)) (sims []simulation, noticed []int64, err error) {
	ids := make([]int64, len(invoices))
	for i, invoice := range invoices {
		ids[i] = invoice.CustomerID
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	customers, err := v.CustomersByID(ctx, s.creditor.ID, ids)
	if err != nil {
		return nil, nil, err
	}
	credits, err := s.readCredits(ctx, v, customers, ids)
	if err != nil {
		return nil, nil, err
	}
	charges, err := readCharges(ctx, v, invoices)
	if err != nil {
		return nil, nil, err
	}
	warned, err := warnings(ctx, v, invoices)
	if err != nil {
		return nil, nil, err
	}
	sims = make([]simulation, len(invoices))
	var asking []models.Invoice
	for i, invoice := range invoices {
		c := credits[invoice.CustomerID]
		sims[i] = simulation{
			Snapshot: s, basis: basis{invoice: invoice}, customer: customers[invoice.CustomerID],
			charges: charges[invoice.ID], freeCredit: c.free, coming: c.coming[invoice.ID], leaving: c.leaving,
			warnedOn: warned[invoice.ID],
		}
		dry := sims[i]
		if dryRun(&dry); dry.asks {
			asking = append(asking, invoice)
		}
		if len(dry.notices) > 0 {
			noticed = append(noticed, invoice.ID)
		}
	}
	if len(asking) == 0 {
		return sims, nil, nil
	}
	posts, err := readPost(ctx, v, s.creditor, asking, s.today)
	if err != nil {
		return nil, nil, err
	}
	return sims, noticed, s.setPosts(ctx, v, sims, posts)
}

// setPosts sets what is known of the invoices' letters, by the invoice's ID. It reads the entries and the notices of those of
// which a notice will be issued anew.
func (s *Snapshot) setPosts(ctx context.Context, v store.View, sims []simulation, posts map[int64]post) error {
	var renewed, invoices []int64
	for i := range sims {
		if sims[i].setPost(posts[sims[i].invoice.ID]); sims[i].renewal() != 0 {
			renewed, invoices = append(renewed, sims[i].renewal()), append(invoices, sims[i].invoice.ID)
		}
	}
	if len(renewed) == 0 {
		return nil
	}
	letters, err := v.NoticesByID(ctx, s.creditor.ID, renewed)
	if err != nil {
		return err
	}
	entries, err := v.EntriesOfInvoices(ctx, invoices)
	if err != nil {
		return err
	}
	notices, err := v.NoticesOfInvoices(ctx, invoices)
	if err != nil {
		return err
	}
	for i := range sims {
		if sim := &sims[i]; sim.renewal() != 0 {
			sim.renews, sim.entries, sim.notices = letters[sim.renewal()], entries[sim.invoice.ID], notices[sim.invoice.ID]
		}
	}
	return nil
}

func (s *simulation) setPost(p post) { s.post, s.letters = p, p.Letters }

// renewal returns the ID of the notice that is issued anew when its owed letter leaves (rule L2), or zero.
func (s *simulation) renewal() int64 {
	if s.post.failed {
		return 0
	}
	return s.post.renews
}

// readCharges reads how much of each invoice's balance is fees and interest, by the invoice's ID. Without a notice there
// are none.
func readCharges(ctx context.Context, v store.View, invoices []models.Invoice) (map[int64]models.Amount, error) {
	var noticed []int64
	for _, i := range invoices {
		if i.Notices > 0 {
			noticed = append(noticed, i.ID)
		}
	}
	if len(noticed) == 0 {
		return nil, nil //nolint:nilnil // a nil map has none
	}
	entries, err := v.EntriesOfInvoices(ctx, noticed)
	if err != nil {
		return nil, err
	}
	charges := make(map[int64]models.Amount, len(noticed))
	for _, id := range noticed {
		owed := law.Allocate(entries[id])
		charges[id] = owed.Fees + owed.Interest
	}
	return charges, nil
}

// warnings returns when the debt-collection warning of each of the invoices was issued that has one.
func warnings(ctx context.Context, v store.View, invoices []models.Invoice) (map[int64]models.Date, error) {
	var ids []int64
	for _, invoice := range invoices {
		if invoice.Warned {
			ids = append(ids, invoice.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	notices, err := v.NoticesOfInvoices(ctx, ids)
	if err != nil {
		return nil, err
	}
	issued := make(map[int64]models.Date, len(ids))
	for id, all := range notices {
		if on := warnedOn(all); on != 0 {
			issued[id] = on
		}
	}
	return issued, nil
}

// warnedOn returns when the last debt-collection warning among an invoice's notices was issued, or zero.
func warnedOn(notices []models.Notice) (on models.Date) {
	for _, n := range notices {
		if n.Warning {
			on = n.IssueDate
		}
	}
	return on
}

// exactSimulations returns the simulations of the invoices, with entries and notices for those that get a notice.
func (s *Snapshot) exactSimulations(ctx context.Context, v store.View, invoices []models.Invoice, dryRun func(*simulation)) ([]simulation, error) {
	sims, noticed, err := s.simulations(ctx, v, invoices, dryRun)
	if err != nil || len(noticed) == 0 {
		return sims, err
	}
	entries, err := v.EntriesOfInvoices(ctx, noticed)
	if err != nil {
		return nil, err
	}
	notices, err := v.NoticesOfInvoices(ctx, noticed)
	if err != nil {
		return nil, err
	}
	for i := range sims {
		if of, has := entries[sims[i].invoice.ID]; has {
			sims[i].entries, sims[i].notices = of, notices[sims[i].invoice.ID]
		}
	}
	return sims, nil
}

// decide decides on the invoice on a day. It notes whether the decision depends on the letters.
func (s *simulation) decide(on models.Date) Decision {
	letters := s.letters
	letters.Unsent = letters.Unsent || s.customer.LettersHeld.Since != nil // no letter would leave (rule S1b)
	d := s.Snapshot.decide(State{
		Invoice: s.invoice, Charges: s.charges, CustomerHold: s.customer.Hold, FreeCredit: s.freeCredit,
		Letters: letters, WarnedOn: s.warnedOn, NoAddress: !s.customer.Recipient.Addressed(),
	}, s.policyFor(s.customer), on)
	s.asks = s.asks || d.Action != Nothing || d.Reason.seesLetters()
	return d
}

// draft returns the draft of the notice that d decides on.
func (s *simulation) draft(d Decision, on models.Date) draft {
	return draft{
		basis: s.basis, customer: s.customer, policy: s.policyFor(s.customer),
		warning: d.Action == Warn, fee: d.Fee, addInterest: d.AddInterest, today: on,
	}
}

// leave lets what is owed leave today. A notice of an earlier day is issued anew, as Renew does it.
func (s *simulation) leave() {
	if !s.letters.Unsent || s.post.failed {
		return
	}
	s.letters.Unsent = false
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
	req, p := askedFor(s.renews), s.policyFor(s.customer)
	d := draft{basis: s.basis, customer: s.customer, policy: p, warning: req.Warning, free: !req.AddFee, addInterest: req.AddInterest, asked: req, today: s.today}
	if req.AddFee {
		d.fee = s.rules.Fee(p, s.invoice.DueDate, s.invoice.Deadline, s.today)
	}
	s.add(d)
}

// takeBack takes a notice back, as withdraw does.
func (s *simulation) takeBack(n models.Notice) {
	charged := chargedBy(s.entries, n)
	n.Fee, n.Interest = -charged.Fees, -charged.Interest
	s.entries = slices.Concat(s.entries, chargesOf(n))
	s.notices = slices.DeleteFunc(slices.Clone(s.notices), func(o models.Notice) bool { return o.ID == n.ID })
	s.invoice = before(s.invoice, s.notices)
	s.invoice.Balance += n.Fee + n.Interest
	s.charges += n.Fee + n.Interest
	s.letters.NoticeUntil = 0
}

// add adds the notice of a draft.
func (s *simulation) add(d draft) (models.Notice, law.Sheet) {
	n, sheet := d.notice(s.rules)
	n.Gross = s.invoice.Claimed() + n.Fee + n.Interest
	s.entries, s.notices = append(s.entries, chargesOf(n)...), append(s.notices, n)
	s.charges += n.Fee + n.Interest
	if n.Warning {
		s.warnedOn = n.IssueDate
	}
	s.invoice.Notices, s.invoice.Warned, s.invoice.Deadline = n.Sequence, n.Warning, n.RunsUntil()
	s.invoice.Balance += n.Fee + n.Interest
	s.letters.NoticeUntil = 0
	return n, sheet
}

// run simulates the run of a day, and changes the invoice as the run does.
func (s *simulation) run(on models.Date) Step {
	if on > s.today {
		s.leave()
	}
	s.moveCredit(on)
	return s.step(on)
}

// step simulates the decision of a day, and what follows from it.
func (s *simulation) step(on models.Date) Step {
	step := Step{Decision: s.decide(on), On: on, Invoice: s.invoice}
	switch step.Action {
	case Remind, Warn:
		step.Notice, step.Sheet = s.add(s.draft(step.Decision, on))
	case HandOver:
		s.invoice.HandedOver = on
	case Waive:
		s.invoice.Balance = s.invoice.RepaymentOwed
	case Nothing:
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

// runDays simulates the runs of the days from first to last, both inclusive. It calls do with each step except
// Nothing.
func (s *simulation) runDays(first, last models.Date, do func(Step)) {
	for on := first; on <= last; on++ {
		step := s.run(on)
		switch {
		case step.Action != Nothing:
			do(step)
		case step.Reason.lasting(), step.Reason == NotSent && on > s.today:
			return
		case step.Reason.waiting():
			on = s.nextStepDue() - 1 // on the days between, the reason is the same
		}
	}
}

// nextStepDue returns the first day on which the invoice's next step may be taken.
func (s *simulation) nextStepDue() models.Date {
	_, days := nextStep(s.invoice, s.policyFor(s.customer))
	return calendar.NextWeekday(s.letters.deadline(s.invoice)) + models.Date(days)
}

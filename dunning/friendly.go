package dunning

import (
	"context"
	"slices"

	"purr/models"
	"purr/models/calendar"
	"purr/store"
)

// befriends reports whether automatic dunning reminds of an invoice on a day by an e-mail that is no notice (rule L14). waits is why it takes no
// step: what holds a step back holds the e-mail back too. What counts is the day's run: an e-mail that is held then is not sent later.
func befriends(s State, waits Reason, p models.Policy, on models.Date) bool {
	switch {
	case p.FriendlyReminderDays == "", waits != NotOverdue && waits != TooEarly && waits != NoAddress, s.Invoice.Notices > 0 || s.NoEmail:
		return false
	case s.Invoice.DrawnUntil != 0: // its customer has nothing to do (rule G3)
		return false
	case !friendlyOn(p, s.Invoice.DueDate, on), on >= firstNoticeDue(s.Letters.deadline(s.Invoice), p):
		return false
	}
	late := p.RequirePaymentFile && s.FilesLate
	return !late && hindrance(s, p, Remind, on) == ""
}

// firstNoticeDue returns the day on which the first notice is due of an invoice with a deadline. It may be no sending day.
func firstNoticeDue(deadline models.Date, p models.Policy) models.Date {
	return calendar.NextWeekday(deadline) + models.Date(p.FirstNoticeDays)
}

// friendlyOn reports whether the policy has a friendly reminder leave on a day for an invoice that is due on another. They count from the due
// date that the invoice shows. One whose day is no sending day leaves on the next one.
func friendlyOn(p models.Policy, due, on models.Date) bool {
	from, sends := friendlySince(p, on)
	if !sends {
		return false
	}
	for _, n := range p.FriendlyReminderDays.Days() {
		if day := due + models.Date(n); from <= day && day <= on {
			return true
		}
	}
	return false
}

// friendlySince returns the first of the days whose friendly reminders leave on a day: that day, and the days before it that are no sending
// days. It reports false if the day is none itself.
func friendlySince(p models.Policy, on models.Date) (from models.Date, sends bool) {
	if !p.WeekdaysOnly {
		return on, true
	}
	from = on
	for !calendar.IsWeekday(from - 1) {
		from--
	}
	return from, calendar.IsWeekday(on)
}

// friendlyDays returns the days on which the policy's friendly reminders leave for an invoice that is due on a day, if none is held back.
func friendlyDays(p models.Policy, due models.Date) (days []models.Date) {
	for _, n := range p.FriendlyReminderDays.Days() {
		day := due + models.Date(n)
		for p.WeekdaysOnly && !calendar.IsWeekday(day) {
			day++
		}
		days = append(days, day)
	}
	return slices.Compact(days)
}

// friendlyWindows returns the windows of the invoices of which a friendly reminder may leave on a day, under a policy. They do not overlap.
func friendlyWindows(on models.Date, p models.Policy) (windows []models.Window) {
	from, sends := friendlySince(p, on)
	if !p.Enabled || !sends {
		return nil
	}
	for _, n := range slices.Backward(p.FriendlyReminderDays.Days()) {
		w := models.Window{Stage: models.StageOpen, From: from - models.Date(n), To: on - models.Date(n)}
		if last := len(windows) - 1; last >= 0 && w.From <= windows[last].To {
			windows[last].To = w.To
			continue
		}
		windows = append(windows, w)
	}
	return windows
}

// StillReminds reports whether a friendly reminder of an invoice, which is owed, may leave on a day (rule L14): not once the invoice is paid, closed
// or handed over, a notice is on it or due, a payment plan runs, or the customer has no e-mail address any more.
func StillReminds(c models.Creditor, customer models.Customer, invoice models.Invoice, on models.Date) bool {
	claimed := invoice.Closed == models.NotClosed && invoice.HandedOver == 0 && invoice.Claimed() > 0
	return claimed && invoice.PlanID == 0 && invoice.Notices == 0 && customer.Recipient.Email != "" && on < firstNoticeDue(invoice.DueDate, customer.Policy.Apply(c.Policy))
}

// remindsKindly reports whether the creditor or a customer has friendly reminders.
func (p policies) remindsKindly() bool {
	if p.creditors.FriendlyReminderDays != "" {
		return true
	}
	for _, own := range p.own {
		if own.FriendlyReminderDays != "" {
			return true
		}
	}
	return false
}

// eachFriendly calls do with the invoices of which a friendly reminder may leave on a day, a page at a time. It asks nothing where nobody has
// friendly reminders.
func (s *Snapshot) eachFriendly(ctx context.Context, from invoices, on models.Date, do func(page []models.Invoice) error) error {
	if !s.policies.remindsKindly() {
		return nil
	}
	under := func(p models.Policy) []models.Window { return friendlyWindows(on, p) }
	return s.eachIn(ctx, from, from.InvoicesInWindowWithoutPlan, under, do) // who pays by a plan is not reminded
}

// befriendAll owes the friendly reminders of the day (rule L14). A run that was made before has done so: what was held back then is not sent
// later.
func (r *run) befriendAll(ctx context.Context) error {
	if r.runDone {
		return nil
	}
	return r.eachFriendly(ctx, r.db, r.today, func(page []models.Invoice) error {
		return r.inBatches(ctx, page, r.befriend)
	})
}

// befriend owes the friendly reminders of the invoices in one transaction. It decides again on the locked rows, and owes each once.
func (r *run) befriend(ctx context.Context, seen ...models.Invoice) error {
	ids := idsOf(seen)
	var owed int
	var heldBack bool
	err := r.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		owed, heldBack = 0, false
		today, err := r.creditor.Today(tx.Now)
		if err != nil || today != r.today {
			return err
		}
		if _, err := tx.LockInvoices(ctx, r.creditor.ID, ids); err != nil {
			return err
		}
		invoices, err := tx.InvoicesByID(ctx, r.creditor.ID, ids)
		if err != nil {
			return err
		}
		sims, decisions, err := r.decideAll(ctx, tx.View(), invoices)
		if err != nil {
			return err
		}
		made, err := tx.FriendlyReminders(ctx, ids, r.today)
		if err != nil {
			return err
		}
		var letters []models.Shipment
		for i, sim := range sims {
			if heldBack = heldBack || sim.waitsForFiles(r.today); decisions[i].Action != Befriend || slices.Contains(made, sim.invoice.ID) {
				continue
			}
			letter := models.NewShipment(r.creditor.ID, sim.invoice.Document(), models.Friendly, models.ByEmail, sim.customer.Recipient)
			letter.Friendly = r.today
			letters = append(letters, letter)
		}
		owed = len(letters)
		return tx.CreateShipments(ctx, letters)
	})
	if err == nil {
		r.result.Friendly += owed
		r.result.HeldBack = r.result.HeldBack || heldBack
	}
	return err
}

// waitsForFiles reports whether a friendly reminder is held back on a day for the bank's files alone.
func (s simulation) waitsForFiles(on models.Date) bool {
	if !s.filesLate || s.decide(on).Action == Befriend {
		return false
	}
	other := *s.Snapshot
	other.filesLate = false
	s.Snapshot = &other
	return s.decide(on).Action == Befriend
}

// befriended returns what the run of a day does with the invoices that are not overdue by then and of which a friendly reminder leaves, if
// their customers have an e-mail address and nothing holds it back.
func (s *Snapshot) befriended(ctx context.Context, v store.View, on models.Date, do func(Step) error) error {
	return s.eachFriendly(ctx, v, on, func(page []models.Invoice) error {
		page = slices.DeleteFunc(page, func(i models.Invoice) bool { return i.DueDate < on })
		if len(page) == 0 {
			return nil
		}
		steps, err := s.steps(ctx, v, page, on)
		if err != nil {
			return err
		}
		for _, step := range steps {
			if step.Action != Befriend {
				continue
			}
			if err := do(step); err != nil {
				return err
			}
		}
		return nil
	})
}

// nextFriendly returns the first day after one on which a friendly reminder of the invoice may leave, and false if none does.
func (s *simulation) nextFriendly(after models.Date) (first models.Date, there bool) {
	if s.policy.FriendlyReminderDays == "" || s.invoice.Notices > 0 {
		return 0, false
	}
	for _, day := range friendlyDays(s.policy, s.invoice.DueDate) {
		if day > after && (!there || day < first) {
			first, there = day, true
		}
	}
	return first, there
}

// farAhead returns the last due date of the invoices of which a friendly reminder may leave until the forecasts' last day.
func (f *forecaster) farAhead() models.Date {
	for _, s := range f.snapshots {
		if s.creditor.Policy.FriendlyReminderDays != "" || s.policies.remindsKindly() {
			return f.last - models.FirstFriendlyDay
		}
	}
	return f.last
}

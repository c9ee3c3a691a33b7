package audit

import (
	"slices"

	"purr/audit/reckoning"
	"purr/models"
)

// owed asks whether that was owed for which the notice was sent, and whether anything should have held it back.
func (j *judge) owed() {
	n := j.notice
	booked, sure := j.bookedBefore(n)
	if !sure {
		j.unknown(nothingOwed)
	} else {
		then := reckoning.Allocate(booked, 0)
		j.backAll(j.ask(nothingOwed, claimed(then) > 0, claimed(then), "> 0.00"))
		if n.automatic() && claimed(then) > 0 {
			j.worthIt(belowMinimum, onlyCharges, then)
			if least, most := j.freeThen(n); least < claimed(then) && most >= claimed(then) {
				j.unknown(creditElsewhere)
			} else {
				j.ask(creditElsewhere, least < claimed(then), least, claimed(then))
			}
		}
	}
	known := j.knownBefore(n)
	if n.inForce() {
		// Interest that accrued before the money came is owed, whoever asks for it; automatic dunning would not have asked (rule D97).
		if f := j.ask(nothingOwedNow, claimed(known) > 0, claimed(known), "> 0.00").stands(); n.automatic() {
			j.backAll(f)
		} else {
			j.backFee(f, 0)
		}
		if n.automatic() && claimed(known) > 0 {
			j.worthIt(belowMinimumNow, onlyChargesNow, known)
			if free, claim, told := j.freeKnown(n); told {
				j.backAll(j.ask(creditElsewhereNow, free < claim, free, claim).stands())
			}
		}
	}
	j.heldBack()
	j.ready()
}

// worthIt asks whether enough was owed for automatic dunning, by the policy of its day (rule L7).
func (j *judge) worthIt(minimum, charges Code, was reckoning.Standing) {
	floor := j.floor()
	if floor == nil {
		j.unknown(minimum)
		return
	}
	chased := was.Principal - was.Overpaid
	if chased == 0 && floor.Remainder == models.RemainderChase {
		chased = claimed(was)
	}
	now := minimum == belowMinimumNow
	for _, f := range []*Finding{
		j.ask(charges, chased != 0, chased, "> 0.00"),
		j.ask(minimum, chased <= 0 || chased >= floor.Minimum, chased, floor.Minimum),
	} {
		if now {
			j.backAll(f.stands())
		}
	}
}

// floor returns for how little automatic dunning issued no notice: what the sheet keeps of the policy of its day, or what the log says of that
// day's policy, since sheets of earlier releases keep none. It is nil if neither tells.
func (j *judge) floor() *floor {
	if j.notice.sheet.Floor != nil {
		return j.notice.sheet.Floor
	}
	p, sure := j.policyAt(j.notice.CreatedAt)
	if !sure || !j.notice.plain {
		return nil
	}
	return &floor{p.MinimumBalance, p.Remainder}
}

// freeThen returns the free credit that the customer had on other documents when a notice was issued, by what was booked then, less what was
// reserved for paying out (rules L5, N12). A run moves credit before it issues notices. What came first of what was booked in the moment of the
// notice the order of the entries tells; of a notice without charges nothing does, so the credit is at least the one sum and at most the other.
func (j *judge) freeThen(n *Notice) (least, most models.Amount) {
	for d, entries := range j.Elsewhere {
		if d.Kind == models.InvoiceDocument && d.ID == j.Invoice.ID {
			continue
		}
		var sum, perhaps models.Amount
		for _, e := range entries {
			switch first, sure := j.cameFirst(n, e.ID, e.CreatedAt); {
			case !sure:
				perhaps += e.Amount
			case first:
				sum += e.Amount
			}
		}
		for _, gone := range j.Gone[d] { // it was there then
			switch first, sure := j.cameFirst(n, gone.EntryID, gone.CreatedAt); {
			case sure && !first || surelyBefore(gone.DeletedAt, n.CreatedAt):
			case !sure || near(gone.DeletedAt, n.CreatedAt):
				perhaps += gone.Amount
			default:
				sum += gone.Amount
			}
		}
		least += max(0, min(-sum, -sum-perhaps))
		most += max(0, -sum, -sum-perhaps)
	}
	for _, r := range j.Reserved {
		if surelyBefore(n.CreatedAt, r.CreatedAt) || r.PaidAt != nil && surelyBefore(*r.PaidAt, n.CreatedAt) {
			continue
		}
		least -= r.Amount
		if surelyBefore(r.CreatedAt, n.CreatedAt) && (r.PaidAt == nil || surelyBefore(n.CreatedAt, *r.PaidAt)) {
			most -= r.Amount
		}
	}
	return max(0, least), max(0, most)
}

// heldBack asks whether anything that people did should have held the notice back.
func (j *judge) heldBack() {
	n := j.notice
	if n.automatic() {
		var hold, plan, queued named
		for _, s := range j.Stops {
			if !stopped(s, n) {
				continue
			}
			if s.Kind == models.StandsOnPlan {
				plan = row("standstills", s.ID)
			} else {
				hold = row("standstills", s.ID)
			}
		}
		j.ask(onHold, hold == (named{}), hold, "", j.rowsWith(hold)...)
		j.ask(onPlan, plan == (named{}), plan, "", j.rowsWith(plan)...)
		for _, p := range j.Queued {
			if surelyBefore(p.CreatedAt, n.CreatedAt) {
				queued = row("unmatched_payments", p.ID)
			}
		}
		j.ask(inQueue, queued == (named{}), queued, "", j.rowsWith(queued)...)
		j.waited()
	}
	var closed, handed named
	for _, e := range j.Events {
		switch {
		case e.Type == models.EventInvoiceClosed && surelyBefore(e.At, n.CreatedAt):
			closed = row("events", e.ID)
		case e.Type == models.EventInvoiceReopened && !surelyBefore(n.CreatedAt, e.At):
			closed = named{}
		}
	}
	j.backAll(j.ask(afterClosing, closed == (named{}), closed, "", j.rowsWith(closed)...))
	for _, h := range j.HandOvers {
		if surelyBefore(h.CreatedAt, n.CreatedAt) && (h.TakenBack == 0 || h.TakenBack > n.IssueDate) {
			handed = row("hand_overs", h.ID)
		}
	}
	j.backAll(j.ask(afterHandOver, handed == (named{}), handed, "", j.rowsWith(handed)...))
}

// waited asks whether a payment waited in the queue since the day before, or longer, of just what the invoice owed and no other did (rule
// D95). Of a step that was taken anew the first letter tells.
func (j *judge) waited() {
	n := j.notice
	var waits models.UnmatchedPayment
	for _, p := range n.Waiting {
		if j.Of.day(p.CreatedAt) < n.IssueDate && !slices.Contains(p.NotOf, n.CustomerID) {
			waits = p
		}
	}
	if n.notLooked {
		j.unknown(paymentWaited)
		return
	}
	if waits.ID == 0 || j.issuedAnew(n) {
		j.ask(paymentWaited, true, "", "")
		return
	}
	j.ask(paymentWaited, false, waits.Amount, "", j.rowsWith(row("unmatched_payments", waits.ID))...)
}

// rowsWith returns the notice's row and another one, if there is one.
func (j *judge) rowsWith(other named) []named {
	rows := []named{row("overdue_notices", j.notice.ID)}
	if other != (named{}) {
		rows = append(rows, other)
	}
	return rows
}

// stopped reports whether a standstill surely stopped dunning when a notice was issued: what began or ended about that moment may not
// have.
func stopped(s models.Standstill, n *Notice) bool {
	return s.Since != nil && surelyBefore(*s.Since, n.CreatedAt) && (s.EndedAt == nil || surelyBefore(n.CreatedAt, *s.EndedAt)) && (s.Until == 0 || n.IssueDate <= s.Until)
}

// ready asks whether the creditor was ready to dun, and its policy lawful (rules L8, E6a).
func (j *judge) ready() {
	n := j.notice
	if !n.automatic() {
		return
	}
	if n.Seller == nil {
		j.unknown(notReady)
	} else {
		s := n.Seller
		lacks := ""
		for what, is := range map[string]bool{
			"name": s.Name != "" && s.Name != "default", "organisation_number": s.OrganisationNumber != "", "address1": s.Address1 != "",
			"postal_code": s.PostalCode != "", "postal_name": s.PostalName != "", "bank_account": s.BankAccount != "", "email": s.Email != "" || s.Phone != "",
		} {
			if !is {
				lacks = max(lacks, what)
			}
		}
		j.ask(notReady, lacks == "", lacks, "")
	}
	p, sure := j.policyAt(n.CreatedAt)
	if !sure {
		j.unknown(policyOff)
		return
	}
	j.ask(policyOff, p.Enabled, "", "")
	j.ask(beforeStart, j.Invoice.DueDate > p.DueAfter, j.Invoice.DueDate, p.DueAfter)
	legal := p.DaysToPay >= reckoning.LeastDays && p.FirstNoticeDays >= 1 && p.SecondNoticeDays >= 1 && (p.HandOverDays == nil || *p.HandOverDays >= 1)
	j.ask(illegalPolicy, legal, p.DaysToPay, reckoning.LeastDays, row("creditors", j.Invoice.CreditorID))
}

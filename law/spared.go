package law

import (
	"fmt"

	"purr/models"
	"purr/models/calendar"
)

// Spared says why automatic dunning takes no step for what is owed on an invoice, as the interface names it; empty if that is no
// reason.
type Spared string

// The reasons that lie in the money alone, in order.
const (
	SparedRepayment Spared = "only_repayment_left" // nothing is claimed: what is owed is a repayment (rule D96)
	SparedCredit    Spared = "credit_balance"      // the customer's free credit covers what is claimed (rule L5)
	SparedMinimum   Spared = "below_minimum"       // of unpaid principal (rule L7)
	SparedCharges   Spared = "only_charges_left"   // the principal is paid (rule L7)
	SparedPaid      Spared = "paid"                // nothing was owed, as is known later
)

// Claimed is what a step would be taken for, in øre.
type Claimed struct {
	Sum     models.Amount // what documents may ask for
	Charges models.Amount // how much of it is fees and interest
	Free    models.Amount // the customer's free credit, on other documents
}

// Spared returns why no step is taken under a policy for the customer. Dunning asks it before a step, and a recalculation after
// one, with what is known then (rule D97).
func (c Claimed) Spared(p models.Policy) Spared {
	chased := c.Sum - c.Charges // the principal, or where that is paid, all that is left if the policy chases it
	if chased == 0 && p.Remainder == models.RemainderChase {
		chased = c.Sum
	}
	switch {
	case c.Sum <= 0:
		return SparedRepayment
	case c.Free >= c.Sum: // so it is where the customer's balance is zero or below
		return SparedCredit
	case chased > 0 && chased < p.MinimumBalance:
		return SparedMinimum
	case chased == 0:
		return SparedCharges
	}
	return ""
}

// Floor is what of a policy says for how little no step is taken. A sheet keeps it, because the policy may change.
type Floor struct {
	Minimum   models.Amount    `json:"minimum_balance"`
	Remainder models.Remainder `json:"remainder"`
}

// FloorOf returns the floor of a policy.
func FloorOf(p models.Policy) *Floor { return &Floor{p.MinimumBalance, p.Remainder} }

// Known is what is known now of the steps that were taken on an invoice, besides its entries (rules D97, L1, D94).
type Known struct {
	Policy models.Policy           // for the customer; a sheet that keeps its floor has that of its day
	Free   map[int64]models.Amount // the customer's free credit on other documents when a notice was issued, by the notice's ID
	Late   Late                    // what turns out now to have left late; the zero value is nothing
}

// Late says that an invoice, or the letter of a notice on it, turns out to have left on a later day than was known.
type Late struct {
	Left models.Date // the day on which it left; zero if nothing turns out to have left late
	Due  models.Date // the invoice's due date, moved by as many days as the invoice left late (rule L1); zero if it was a notice's letter
}

// bearsFrom returns the first day that bears interest on the invoice that left late, or zero.
func (l Late) bearsFrom() models.Date {
	if l.Due == 0 {
		return 0
	}
	return Claim{DueDate: l.Due}.bearsFrom()
}

// noFee returns why a notice may have no fee, by what is known now of the day on which its invoice and the notice before it left; empty
// if it may. before is until when the notice before it runs, zero if there is none. What a person asked for counts from that day alone,
// automatic dunning also from the invoice's moved due date, and off weekends and holidays (rules L1, D94, E6d).
func (k *Known) noFee(n models.Notice, before models.Date) string {
	last := before
	if k != nil && n.AskedBy == "" {
		last = calendar.NextWeekday(max(k.Late.Due, before))
	}
	if Chargeable(last, n.IssueDate) {
		return ""
	}
	return noFeeBefore(last)
}

// sparedNow returns why an automatic notice would not have been issued by what is known now, given what was owed without its own
// charges. What a person asked for was not for automatic dunning to decide.
func (k *Known) sparedNow(n models.Notice, first Sheet, owed Allocation) Spared {
	if k == nil || n.AskedBy != "" {
		return ""
	}
	if owed.Claimed() <= 0 {
		return SparedPaid
	}
	p := k.Policy
	if first.Floor != nil {
		p.MinimumBalance, p.Remainder = first.Floor.Minimum, first.Floor.Remainder
	}
	return Claimed{Sum: owed.Claimed(), Charges: owed.Interest + owed.Fees, Free: k.Free[n.ID]}.Spared(p)
}

// notTaken is the rule of a charge that is none because the step would not have been taken.
func notTaken(n models.Notice, why Spared) Charge {
	if why == SparedPaid {
		return Charge{Rule: fmt.Sprintf("no fee, because nothing was owed on %s", n.IssueDate)}
	}
	return Charge{Rule: fmt.Sprintf("no fee, because the notice of %s would not have been issued: %s", n.IssueDate, why)}
}

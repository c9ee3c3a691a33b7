package dunning

import (
	"purr/law"
	"purr/models"
	"purr/models/calendar"
	"purr/store"
)

// Action is what automatic dunning does to an invoice.
type Action string

// The actions.
const (
	Nothing  Action = "none"
	Remind   Action = "reminder"
	Warn     Action = "warning"
	HandOver Action = "hand_over"
	// Befriend sends an e-mail that reminds of the invoice before a notice is due: no notice, and no step of the ladder (rule L14).
	Befriend Action = "friendly_reminder"
	Waive    Action = "waive" // fees and interest that are left are reversed; no letter is sent (rule L7)
	Close    Action = "close" // a small remainder of the principal is written off, and the charges reversed; no letter is sent (rule L25)
)

// Reason says why dunning takes no step with an invoice.
type Reason string

// The reasons of rules E6g, L12, L15 and D96, in the order in which they apply.
const (
	PolicyOff        Reason = "policy_off"
	CreditorNotReady Reason = "creditor_not_ready" // rule L8
	DueBeforeStart   Reason = "due_before_start"   // the policy follows only what is due later
	OnHold           Reason = "hold"
	OnPlan           Reason = "payment_plan" // the customer pays by instalments, and has missed none (rule L15)
	PaymentInQueue   Reason = "payment_in_queue"
	OnlyRepayment    Reason = "only_repayment_left" // what is owed was paid out of money that was taken back (rule D96)
	CreditBalance    Reason = "credit_balance"      // the customer's free credit covers what is owed (rule L5)
	BelowMinimum     Reason = "below_minimum"       // of unpaid principal (rule L7)
	OnlyChargesLeft  Reason = "only_charges_left"   // the principal is paid (rule L7)
	LastNoticeSent   Reason = "last_notice_sent"
	NotSent          Reason = "not_sent"   // the invoice or the letter of its last notice has not left (rule L1)
	NoAddress        Reason = "no_address" // the customer has no address1, or an address that cannot be printed (rules L6, D111)
	DeadlineRunning  Reason = "deadline_running"
	TooEarly         Reason = "too_early"
	WarningTooOld    Reason = "warning_too_old" // rule L10
	PaymentFileLate  Reason = "payment_file_late"
	NotASendingDay   Reason = "not_a_sending_day"
)

// The reasons why dunning never considers an invoice. The plan does not list such invoices.
const (
	Closed     Reason = "closed"
	HandedOver Reason = "handed_over"
	Paid       Reason = "paid"
	NotOverdue Reason = "not_overdue"
)

// Listed reports whether the plan lists an invoice that gets no step for this reason (rule E6g).
func (r Reason) Listed() bool {
	return r != Closed && r != HandedOver && r != Paid && r != OnlyRepayment && r != NotOverdue
}

// lasting reports whether the reason holds on every later day.
func (r Reason) lasting() bool {
	switch r {
	case Closed, HandedOver, Paid, PolicyOff, CreditorNotReady, DueBeforeStart, OnlyRepayment, CreditBalance, BelowMinimum, OnlyChargesLeft, LastNoticeSent, NoAddress, WarningTooOld:
		return true
	case NotOverdue, OnHold, OnPlan, PaymentInQueue, NotSent, DeadlineRunning, TooEarly, PaymentFileLate, NotASendingDay:
	}
	return false
}

// waiting reports whether the next step's day is still to come.
func (r Reason) waiting() bool { return r == NotOverdue || r == DeadlineRunning || r == TooEarly }

// State is everything that a decision depends on besides the policy and the rules.
type State struct {
	NotReady     bool // the creditor lacks an element that dunning needs (rule L8)
	Invoice      models.Invoice
	Charges      models.Amount // how much of the invoice's balance is fees and interest, in øre (rule L7)
	CustomerHold models.Hold
	Plan         store.Plan // the invoice's payment plan that runs (rule L15); without ID if there is none
	Letters      Letters
	FreeCredit   models.Amount // the customer's, on its other invoices and on credit notes, in øre (rule L5)
	WarnedOn     models.Date   // when the invoice's debt-collection warning was issued; zero if it has none
	NoAddress    bool          // the customer has no address1, or an address that cannot be printed (rules L6, D111)
	NoEmail      bool          // the customer has no e-mail address
	LikelyPayer  bool          // an open unmatched payment's best suggestion points at the customer
	FilesLate    bool          // the bank's files are late (rule E6b)
	Unread       Needs         // what was not read: Decide says whether it needs that
}

// Needs names what is read of an invoice only where a decision needs it.
type Needs struct {
	Letters bool // State.Letters, and what becomes of the letters that have not left
	Ledger  bool // the invoice's entries and notices, from which the amounts of a notice are reckoned
}

// Decision is what automatic dunning does to one invoice on one day.
type Decision struct {
	Action Action
	Reason Reason // empty unless the action is Nothing or Waive
	// Method is the way of a reminder or warning; empty if the policy has reminders go on paper (rule L22).
	Method      models.ShipmentMethod
	Fee         law.Charge    // of a reminder or warning
	Left        models.Amount // of the principal of an invoice that is closed (rule L25)
	AddInterest bool          // whether the reminder or warning charges interest
	Needs       Needs         // what was not read, but is needed: the letters for the decision itself, the ledger for its notice
}

// Decide says what automatic dunning does to an invoice on a day (rules E6a, E6d, E6g). p is the policy for the
// customer. Periods count from the last document's due date: moved by as many days as the document left late (rule L1),
// and then off weekends and holidays.
//
// Letters that were not read are taken to have left on their days. A decision that needs them says so, and so does that of
// each later day, since holds and deadlines only run out: who looks at many days asks for the last one.
//
// While the statute of 2026 is in force, a reminder without a fee replaces the debt-collection warning, even if
// other reminders have a fee. So only invoices that were warned before that statute are handed over.
func Decide(s State, p models.Policy, r *law.Rules, on models.Date) Decision {
	d := decide(s, p, r, on)
	if d.Action == Nothing && befriends(s, d.Reason, p, on) {
		return Decision{Action: Befriend, Needs: Needs{Letters: s.Unread.Letters}}
	}
	return d
}

func decide(s State, p models.Policy, r *law.Rules, on models.Date) Decision {
	if reason := unconcerned(s.Invoice, on); reason != "" {
		return Decision{Action: Nothing, Reason: reason}
	}
	action, days := nextStep(s.Invoice, p)
	needs := Needs{Letters: s.Unread.Letters}
	reason := hindrance(s, p, action, on)
	if d, is := small(s, p, reason, needs, on); is {
		return d
	}
	switch {
	case reason == OnlyChargesLeft && p.Remainder == models.RemainderWaive:
		return Decision{Action: Waive, Reason: reason, Needs: needs} // what a notice charges is not waived if it is withdrawn
	case reason != "":
		return Decision{Action: Nothing, Reason: reason}
	}
	own := action != Warn || r.OwnWarning(on)
	method := wayOf(s, p, action == Warn && own)
	due := calendar.NextWeekday(s.Letters.deadline(s.Invoice))
	if reason := delay(s, p, action, method, due, days, on); reason != "" {
		return Decision{Action: Nothing, Reason: reason, Needs: needs}
	}
	if action == HandOver {
		return Decision{Action: HandOver, Needs: needs}
	}
	needs.Ledger = s.Unread.Ledger
	fee := r.Fee(p, s.Invoice.DueDate, due, on)
	if !own {
		action, fee = Remind, law.Charge{Rule: "LOV-2026-05-22-19 § 20: no fee in the place of a debt-collection warning"}
	}
	return Decision{Action: action, Method: method, Fee: fee, AddInterest: p.AddInterest, Needs: needs}
}

// unconcerned returns why dunning does not consider the invoice on the day, or an empty reason if the invoice is
// overdue.
func unconcerned(invoice models.Invoice, on models.Date) Reason {
	switch invoice.Stage() {
	case models.StageClosedLost, models.StageClosedOther:
		return Closed
	case models.StageCollection:
		return HandedOver
	case models.StagePaid:
		return Paid
	case models.StageRepaying:
		return OnlyRepayment
	case models.StageOpen:
		if on <= invoice.Deadline {
			return NotOverdue
		}
	case models.StageReminded, models.StageWarned:
	}
	return ""
}

// MaxWarningDays is how many days after its issue date a debt-collection warning is good for an automatic hand-over.
// Later a person decides: the debtor, who has heard nothing since, may think that it is settled (rule L10).
const MaxWarningDays = 180

// nextStep returns the next step of the ladder, and how many days after the last due date it is taken. At the end
// of the ladder it returns Nothing.
func nextStep(invoice models.Invoice, p models.Policy) (action Action, days int) {
	switch {
	case invoice.Warned && p.HandOverDays != nil:
		return HandOver, *p.HandOverDays
	case invoice.Warned || invoice.Notices >= p.MaxNotices():
		return Nothing, 0
	}
	if p.WarningIs(invoice.Notices + 1) {
		return Warn, noticeDays(invoice, p)
	}
	return Remind, noticeDays(invoice, p)
}

// noticeDays returns how many days after the last due date the next notice is taken.
func noticeDays(invoice models.Invoice, p models.Policy) int {
	if invoice.Notices > 0 {
		return p.SecondNoticeDays
	}
	return p.FirstNoticeDays
}

// tooEarly reports whether automatic dunning would not have taken an invoice's next notice on a day yet, as delay says of the days.
func tooEarly(invoice models.Invoice, letters Letters, p models.Policy, on models.Date) bool {
	due := calendar.NextWeekday(letters.deadline(invoice))
	return on <= due || on < due+models.Date(noticeDays(invoice, p))
}

// hindrance returns the first reason of rule E6g that stops the action whatever has left, or because something has not, or an empty
// reason if none does.
func hindrance(s State, p models.Policy, action Action, on models.Date) Reason {
	spared := law.Claimed{Sum: s.Invoice.Claimed(), Charges: s.Charges, Free: s.FreeCredit}.Spared(p)
	switch {
	case !p.Enabled:
		return PolicyOff
	case s.NotReady:
		return CreditorNotReady
	case s.Invoice.DueDate <= p.DueAfter:
		return DueBeforeStart
	case s.Invoice.Hold.Active(on) || s.Invoice.MoreTime.Active(on) || s.CustomerHold.Active(on):
		return OnHold
	case s.onPlan(on):
		return OnPlan
	case s.LikelyPayer:
		return PaymentInQueue
	case spared != "":
		return Reason(spared)
	case action == Nothing:
		return LastNoticeSent
	case s.Letters.Unsent || on < s.Letters.AnewFrom:
		return NotSent
	}
	return ""
}

// delay returns the first of the further reasons of rule E6g that stops the action, or an empty reason if none does. due is when the
// last document ran out, by the day on which it left, and days is how long after it the action is taken, by the method if it is a notice.
func delay(s State, p models.Policy, action Action, method models.ShipmentMethod, due models.Date, days int, on models.Date) Reason {
	switch {
	case on <= s.Invoice.DrawnUntil: // the bank may draw it yet (rule G3)
		return DeadlineRunning
	case unreachable(s, method):
		return NoAddress
	case s.Invoice.Notices > 0 && on <= due:
		return DeadlineRunning
	case on < due+models.Date(days):
		return TooEarly
	case action == HandOver && s.WarnedOn != 0 && on > s.WarnedOn+MaxWarningDays:
		return WarningTooOld
	case p.RequirePaymentFile && s.FilesLate:
		return PaymentFileLate
	case p.WeekdaysOnly && !calendar.IsWeekday(on):
		return NotASendingDay
	}
	return ""
}

// NoticeDueDate returns the due date of a notice issued on a day. It adds the policy's days to pay, but at least
// 14 (rule D28), its postal days (rule L2) and its days for the printer (rule D94).
func NoticeDueDate(p models.Policy, issued models.Date) models.Date {
	return issued + models.Date(max(p.DaysToPay, models.MinNoticeDays)+p.PostalDays+p.PrintDays)
}

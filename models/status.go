package models

import "slices"

// Status is the state of an invoice, as the interface shows it.
type Status string

// The statuses of an invoice (rule D26).
const (
	InvoiceSent                 Status = "invoice_sent"
	InvoicePaid                 Status = "invoice_paid"
	InvoiceOverdue              Status = "invoice_overdue"
	InvoiceOverdueChargeable    Status = "invoice_overdue_chargeable"
	OverdueNoticeSent           Status = "overdue_notice_sent"
	OverdueNoticeOverdue        Status = "overdue_notice_overdue"
	DebtCollectionNoticeSent    Status = "debt_collection_notice_sent"
	DebtCollectionNoticeOverdue Status = "debt_collection_notice_overdue"
	DebtCollection              Status = "debt_collection"
	StatusClosedLost            Status = "closed_lost"
	StatusClosedOther           Status = "closed_other"
)

// Statuses are all statuses, in the order of the interface description.
var Statuses = []Status{
	InvoiceSent, InvoicePaid, InvoiceOverdue, InvoiceOverdueChargeable, OverdueNoticeSent, OverdueNoticeOverdue,
	DebtCollectionNoticeSent, DebtCollectionNoticeOverdue, DebtCollection, StatusClosedLost, StatusClosedOther,
}

// ChargeableDays is for how many days a document must be overdue before a notice may carry a fee (condition 2 of
// rule D27; inkassoforskriften § 1-2).
const ChargeableDays = 14

// Stage is the part of an invoice's status that does not change with time. Stage and deadline give the status, so an
// index on the two finds the invoices of a status.
type Stage string

// The stages, in the order in which rule D26 checks them.
const (
	StageClosedLost  Stage = "closed_lost"
	StageClosedOther Stage = "closed_other"
	StageCollection  Stage = "collection"
	StagePaid        Stage = "paid"
	StageRepaying    Stage = "repaying" // nothing is owed but a repayment, which is due when it is asked for (rule D96)
	StageWarned      Stage = "warned"
	StageReminded    Stage = "reminded"
	StageOpen        Stage = "open"
)

// Stage returns the invoice's stage. The store keeps the same rule as a generated column.
func (i Invoice) Stage() Stage {
	switch {
	case i.Closed == ClosedLost:
		return StageClosedLost
	case i.Closed == ClosedOther:
		return StageClosedOther
	case i.HandedOver != 0:
		return StageCollection
	case i.Balance <= 0:
		return StagePaid
	case i.Claimed() <= 0:
		return StageRepaying
	case i.Warned:
		return StageWarned
	case i.Notices > 0:
		return StageReminded
	}
	return StageOpen
}

// Status returns the invoice's status on a day (rule D26).
func (i Invoice) Status(today Date) Status { return statusOf(i.Stage(), i.Deadline, today) }

func statusOf(stage Stage, deadline, today Date) Status {
	if stage == StageRepaying {
		return InvoiceSent
	}
	for _, s := range Statuses {
		if w := s.Window(today); w.Stage == stage && w.holds(deadline) {
			return s
		}
	}
	panic("models: the status windows of stage " + stage + " leave a gap")
}

// Window is what a status means on a day: a stage and a period of deadlines. A zero bound leaves that side open.
type Window struct {
	Stage      Stage
	From       Date  // first deadline, inclusive
	To         Date  // last deadline, inclusive
	CustomerID int64 // only this customer's invoices; zero for those of all customers
	// Below takes only invoices of which less principal is left (rule L25); zero takes all.
	Below Amount
}

func (w Window) holds(deadline Date) bool {
	return (w.From == 0 || deadline >= w.From) && (w.To == 0 || deadline <= w.To)
}

// Windows returns all windows that the status means today: its Window and, of InvoiceSent, the invoices on which only a repayment is
// owed, which are never overdue (rule D96). The windows of all statuses have no gap and no overlap.
func (s Status) Windows(today Date) []Window {
	if s == InvoiceSent {
		return []Window{s.Window(today), {Stage: StageRepaying}}
	}
	return []Window{s.Window(today)}
}

// Window returns the stage and deadlines that the status means today (rules D15, D26), as far as they change with time. The status
// must be one of Statuses.
func (s Status) Window(today Date) Window {
	switch s {
	case InvoiceSent:
		return Window{Stage: StageOpen, From: today}
	case InvoiceOverdue:
		return Window{Stage: StageOpen, From: today - ChargeableDays + 1, To: today - 1}
	case InvoiceOverdueChargeable:
		return Window{Stage: StageOpen, To: today - ChargeableDays}
	case OverdueNoticeSent:
		return Window{Stage: StageReminded, From: today}
	case OverdueNoticeOverdue:
		return Window{Stage: StageReminded, To: today - 1}
	case DebtCollectionNoticeSent:
		return Window{Stage: StageWarned, From: today}
	case DebtCollectionNoticeOverdue:
		return Window{Stage: StageWarned, To: today - 1}
	case InvoicePaid:
		return Window{Stage: StagePaid}
	case DebtCollection:
		return Window{Stage: StageCollection}
	case StatusClosedLost:
		return Window{Stage: StageClosedLost}
	case StatusClosedOther:
		return Window{Stage: StageClosedOther}
	}
	panic("models: unknown status " + string(s))
}

// ParseStatuses reads a filter value for invoices: statuses, and the groups all, overdue, waiting and paid (rule D23).
// It returns nil for all, and false for an unknown value.
func ParseStatuses(values []string) ([]Status, bool) {
	var found []Status
	all := false
	for _, v := range values {
		switch v {
		case "all":
			all = true
		case "overdue":
			found = append(found, InvoiceOverdue, InvoiceOverdueChargeable, OverdueNoticeOverdue, DebtCollectionNoticeOverdue)
		case "waiting":
			found = append(found, InvoiceSent, OverdueNoticeSent, DebtCollectionNoticeSent)
		case "paid":
			found = append(found, InvoicePaid)
		default:
			s := Status(v)
			if !s.known() {
				return nil, false
			}
			found = append(found, s)
		}
	}
	if all {
		return nil, true
	}
	return found, true
}

func (s Status) known() bool {
	return slices.Contains(Statuses, s)
}

package models

import "time"

// StandstillKind says what stops dunning (rule N11).
type StandstillKind string

// The kinds.
const (
	StandsOnHold   StandstillKind = "hold"
	StandsDisputed StandstillKind = "dispute" // a hold with the reason HoldDispute
	StandsMoreTime StandstillKind = "more_time"
	StandsOnPlan   StandstillKind = "payment_plan" // rule L15
)

// StandstillKinds are all kinds, in the order in which people choose among them.
var StandstillKinds = []StandstillKind{StandsOnHold, StandsDisputed, StandsMoreTime, StandsOnPlan}

// EndlessDay is the last day of what ends by a person's word alone.
const EndlessDay = Date(3652059) // 9999-12-31

// Standstill is what a person did to stop automatic dunning, of one invoice or of all invoices of a customer, from when it was done
// until it ended (rule N11). What stops dunning now stands on the invoice and on the customer: such a row tells of it, and is kept.
type Standstill struct {
	ID         int64
	CreditorID int64
	CustomerID int64
	InvoiceID  int64 // zero if it is the customer's
	Kind       StandstillKind
	HoldReason HoldReason // of a hold: why; empty for HoldOther
	Comment    string     // what was typed: the comment of a hold, the reason of more time
	Since      *time.Time // nil if it was before such rows were kept, and nobody knows
	StartedBy  string     // the actor
	Until      Date       // as it was set, inclusive; zero means until a person ends it
	LastDay    Date       // on which it stops dunning, by what is known; EndlessDay if only a person ends it
	EndedAt    *time.Time // nil unless something ended it before Until
	EndedBy    string     // who that was
}

// Running reports whether it stops dunning on a day.
func (s Standstill) Running(on Date) bool { return on <= s.LastDay }

// StandstillOf returns a hold as a row, of an invoice or, where that is zero, of a customer.
func StandstillOf(customerID, invoiceID int64, h Hold) Standstill {
	s := Standstill{CustomerID: customerID, InvoiceID: invoiceID, Kind: StandsOnHold, HoldReason: h.Reason, Comment: h.Comment, Until: h.Until}
	if h.Reason == HoldDispute {
		s.Kind = StandsDisputed
	}
	return s
}

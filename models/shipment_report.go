package models

import "time"

// ReportedDelayed is the state of a report that is a note only: the document is late, but still on its way.
const ReportedDelayed ShipmentState = "delayed"

// ReportedStates are the states that a report can tell of (rule S1b).
var ReportedStates = []ShipmentState{ShipmentSent, ShipmentDelivered, ShipmentFailed, ShipmentReturned, ReportedDelayed}

// ShipmentReport is what somebody tells of a shipment after it was handed over: a mail server, a print shop, a person who
// opens returned mail. Each is kept once: shipment, state and moment tell reports apart (rule S1).
type ShipmentReport struct {
	ID         int64
	CreditorID int64 // whose shipment it is; zero in reports of releases before that was kept
	ShipmentID int64
	State      ShipmentState // one of ReportedStates
	At         time.Time     // the moment that it tells of, in whole microseconds
	Reason     string
	CreatedAt  time.Time
}

// weight says when a report changes the state of a shipment.
type weight int

const (
	never     weight = iota
	always           // whichever moment it tells of
	notOlder         // than the report that gave the present state
	onlyNewer        // than the report that gave the present state
)

// weights says for each state what reports weigh. Whatever order reports come in, the outcome is the same:
//
//   - That a document arrived, or came back, outweighs that it was sent or failed. Of these two the later one counts.
//   - Of "sent" and "failed" the later one counts.
//   - Of two that tell of one moment, the one counts that is better for the debtor.
//   - What is withdrawn stays withdrawn.
//
// A delay changes nothing. What purr itself knows, such as that a channel took the shipment, is older than any report.
var weights = map[change]weight{
	{ShipmentOwed, ShipmentSent}: always, {ShipmentOwed, ShipmentDelivered}: always, {ShipmentOwed, ShipmentFailed}: always, {ShipmentOwed, ShipmentReturned}: always,
	{ShipmentSent, ShipmentSent}: onlyNewer, {ShipmentSent, ShipmentDelivered}: always, {ShipmentSent, ShipmentFailed}: notOlder, {ShipmentSent, ShipmentReturned}: always,
	{ShipmentFailed, ShipmentSent}: onlyNewer, {ShipmentFailed, ShipmentDelivered}: always, {ShipmentFailed, ShipmentFailed}: onlyNewer, {ShipmentFailed, ShipmentReturned}: always,
	{ShipmentDelivered, ShipmentDelivered}: onlyNewer, {ShipmentDelivered, ShipmentReturned}: notOlder,
	{ShipmentReturned, ShipmentDelivered}: onlyNewer, {ShipmentReturned, ShipmentReturned}: onlyNewer,
}

// change is from the state of a shipment to the one that a report tells of.
type change struct{ from, to ShipmentState }

// outweighs reports whether a report says something that the shipment's state does not know yet. A report of a moment
// before a person had the shipment sent again is of an earlier attempt, and says nothing.
func (r ShipmentReport) outweighs(s Shipment) bool {
	if s.RetriedAt != nil && r.At.Before(*s.RetriedAt) {
		return false
	}
	switch weights[change{s.State, r.State}] {
	case always:
		return true
	case notOlder:
		return s.ReportedAt == nil || !r.At.Before(*s.ReportedAt)
	case onlyNewer:
		return s.ReportedAt == nil || r.At.After(*s.ReportedAt)
	case never:
	}
	return false
}

// Heed returns the shipment as a report leaves it. The report may change nothing.
func (s Shipment) Heed(r ShipmentReport) Shipment {
	if !r.outweighs(s) {
		return s.leftBy(r)
	}
	s.State, s.ReportedAt, s.Reason, s.GivenUp = r.State, &r.At, r.Reason, false
	if s.State == ShipmentDelivered {
		s.DeliveredAt = &r.At
	}
	if s.State.HasLeft() {
		s.Reason = ""
		if s.SentAt == nil {
			s.SentAt = &r.At
		}
	}
	return s.leftBy(r)
}

// leftBy returns the shipment with the moment at which a report says that it was sent, if that is later than what is known: the
// day counts on which a print shop posts a letter (rule D94), also if it is heard of only after the letter has arrived.
func (s Shipment) leftBy(r ShipmentReport) Shipment {
	of := r.State == ShipmentSent && s.SentAt != nil && s.SentAt.Before(r.At)
	if of && (s.State.HasLeft() || s.State == ShipmentReturned) && (s.RetriedAt == nil || !r.At.Before(*s.RetriedAt)) {
		s.SentAt = &r.At
	}
	return s
}

package models

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// ShipmentState says whether a shipment must still be sent.
type ShipmentState string

// The states of a shipment. Only an owed one is ever dispatched.
const (
	ShipmentOwed      ShipmentState = "owed"
	ShipmentSent      ShipmentState = "sent"
	ShipmentDelivered ShipmentState = "delivered" // the channel reported that it has arrived (rule S1)
	ShipmentFailed    ShipmentState = "failed"    // permanently; it waits for a person
	ShipmentReturned  ShipmentState = "returned"  // it came back (rule S1)
	ShipmentWithdrawn ShipmentState = "withdrawn" // withdrawn before it was sent (rule E6f)
)

// HasLeft reports whether the shipment was sent and did not come back: it is sent or delivered (rule L13a).
func (s ShipmentState) HasLeft() bool { return s == ShipmentSent || s == ShipmentDelivered }

// ShipmentStates are all states of a shipment.
var ShipmentStates = []ShipmentState{ShipmentOwed, ShipmentSent, ShipmentDelivered, ShipmentFailed, ShipmentReturned, ShipmentWithdrawn}

// LettersHeldReason is the reason of a letter that stays owed because earlier ones to the customer came back (rule S1b).
const LettersHeldReason = "letters_held"

// The most characters of what is kept of a channel's words.
const (
	MaxReceipt = 200
	MaxReason  = 500
)

// MaxCopies is the most copies of an invoice that are sent (rule S5).
const MaxCopies = 10

// Shipment is a document on its way to a recipient by one method. The row says what is owed; the queue is only a hint.
type Shipment struct {
	ID           int64
	CreditorID   int64
	DocumentKind DocumentKind
	DocumentID   int64
	Beside       bool       `gorm:"column:copy"` // it is not the original: see Role
	OnceMore     bool       // it is a duplicate: see Role
	MoreTime     TimeLetter `gorm:"type:text"` // what it tells of more time; it is none of any other role
	Correction   Correction `gorm:"type:text"` // what it tells of charges that were wrong; it is none of any other role
	Friendly     Date       // of a Friendly one the day of the run that owes it; zero of any other role
	Ordinary     Date       // of an Original that goes once more, since AvtaleGiro does not draw the invoice, the day until which it asks to be paid (rule G3a); else zero
	Method       ShipmentMethod
	Decided      bool      // purr has decided on the method, because Auto was asked for (rule H4)
	Recipient    Recipient `gorm:"embedded;embeddedPrefix:recipient_"` // as at sending; for a Copy only Email
	State        ShipmentState
	Attempts     int
	FirstAttempt *time.Time
	PatientFrom  *time.Time // from when its patience is reckoned: the first attempt, and later by the time in which nothing ran
	UnclearUntil *time.Time // until when it waits whose refusal is nobody's yet; nil if it was not refused so. The time in which nothing ran moves it
	NextAttempt  time.Time  // not before this moment, in common time; of one in hand, when the attempt began
	TakenBy      string     // the worker that has it in hand; empty if none has
	BatchID      int64      // the batch of letters that has it in hand, or 0
	SentAt       *time.Time
	DeliveredAt  *time.Time
	Receipt      string     // what the channel answered when it accepted it; of one that is owed, see Accepted
	Reason       string     `gorm:"column:failure"` // why the last attempt failed, or why it came back, or why it waits
	HeldFor      int64      // the customer whose letters are held, while this one waits for that; else 0
	KeptBack     string     // why it is kept back, such as KeptPaused; empty if it is not
	FallbackOf   int64      // the shipment by another method whose place it takes, or 0
	RetriedAt    *time.Time // when a person last had it sent again, or a report made it owed again
	ReportedAt   *time.Time // the moment that the report tells of which gave it its state; nil if none did since RetriedAt, or it was taken since
	Way          WayID      // by which it left, or may have: that of the last attempt, and the installation's before the first
	Unsure       int        // the attempts by Way of which nothing says that they surely failed; a present one is counted
	GivenUp      bool       // it failed last because its channel was away until it was given up, and not because it was refused
	Trace        string     `gorm:"column:trace_parent"` // what made it, for a collector of traces; empty where nothing is told (rule K7)
	CreatedAt    time.Time
}

// To returns whom the shipment goes to, or went to: what its method uses of the recipient on its row. That stands there since the
// shipment was made, so a customer who moves later changes nothing of it; a retry to another e-mail address does (rule D92). Until
// purr has decided on AUTO, it is all that there is.
func (s Shipment) To() Recipient { return s.Method.To(s.Recipient) }

// shipmentName is the form of a shipment's name.
var shipmentName = regexp.MustCompile(`^([a-z]+(?:-[a-z]+)*)-([0-9]{1,18})-shipment-([1-9][0-9]{0,17})$`)

// Name returns the shipment's name outside the program, such as "invoice-10001-shipment-17" (rule S1a): a file's name, or
// a reference. number is the document's number; for a notice it is the invoice's, and for a statement the customer's ID. The name never changes, so the receiver
// recognises a shipment that is handed over twice.
func (s Shipment) Name(number int64) string {
	return fmt.Sprintf("%s-%d-shipment-%d", strings.ReplaceAll(string(s.DocumentKind), "_", "-"), number, s.ID)
}

// ParseShipmentName takes the name of a shipment apart. It reports false for any other text.
func ParseShipmentName(name string) (kind DocumentKind, number, id int64, is bool) {
	parts := shipmentName.FindStringSubmatch(name)
	if parts == nil {
		return "", 0, 0, false
	}
	number, err := strconv.ParseInt(parts[2], 10, 64)
	if err != nil {
		return "", 0, 0, false
	}
	id, err = strconv.ParseInt(parts[3], 10, 64)
	if err != nil {
		return "", 0, 0, false
	}
	return DocumentKind(strings.ReplaceAll(parts[1], "-", "_")), number, id, true
}

// Tells reports whether the shipment's letter tells of the time that was given for an invoice, and may still leave, or has left and did
// not come back.
func (s Shipment) Tells(i Invoice) bool {
	return s.Role() == TellsOfTime && (s.State == ShipmentOwed || s.State.HasLeft()) && s.MoreTime.SameTime(i)
}

// IsNoticeMail reports whether the shipment is the e-mail by which a reminder goes (rule L22). If it fails, the reminder is issued anew on paper.
func (s Shipment) IsNoticeMail() bool { return s.IsNoticeLetter() && s.Method == ByEmail }

// NewShipment returns a shipment of a document that is not written yet.
func NewShipment(creditorID int64, d Document, role Role, m ShipmentMethod, r Recipient) Shipment {
	return Shipment{CreditorID: creditorID, DocumentKind: d.Kind, DocumentID: d.ID, Beside: role != Original, OnceMore: role == Duplicate, Method: m, Recipient: r}
}

// InHand reports whether a worker or a batch has the shipment in hand: it may be leaving at this moment.
func (s Shipment) InHand() bool { return s.TakenBy != "" || s.BatchID != 0 }

// Document points at what is sent.
func (s Shipment) Document() Document { return Document{s.DocumentKind, s.DocumentID} }

// IsNoticeLetter reports whether the shipment is the letter of a notice, and not its courtesy, or the letter that several notices share (rule L23).
func (s Shipment) IsNoticeLetter() bool {
	return (s.DocumentKind == NoticeDocument || s.DocumentKind.Joint()) && s.Role() == Original
}

// GiveUpAfter is how long after its first attempt a shipment is still tried again (rule R5c).
const GiveUpAfter = 24 * time.Hour

// GiveUpAcceptedAfter is how long after the first attempt a channel is still asked what became of a shipment that it has
// accepted. It outlasts a weekend without paper in the printer.
const GiveUpAcceptedAfter = 7 * 24 * time.Hour

// Accepted reports whether the channel has accepted the shipment without knowing yet what becomes of it.
func (s Shipment) Accepted() bool { return s.State == ShipmentOwed && s.Receipt != "" }

// MayHaveArrived reports whether an earlier attempt may have reached the channel, so that the channel must be asked before
// the shipment is handed over once more. The present attempt is counted already.
func (s Shipment) MayHaveArrived() bool { return s.Attempts > 1 || s.GivenUp || s.Receipt != "" }

// KeepsWay reports whether the present attempt is by the way of the one before, whatever is set now: that way has accepted the shipment, or
// may have got it, so that by another one it might leave twice (rule Q7).
func (s Shipment) KeepsWay() bool { return s.Receipt != "" || s.Unsure > 1 }

// Overdue reports whether the shipment is given up if it does not leave now.
func (s Shipment) Overdue(now time.Time) bool {
	return !now.Before(s.patientFrom(now).Add(s.patience()))
}

// patience is how long the shipment is tried.
func (s Shipment) patience() time.Duration {
	if s.Receipt != "" {
		return GiveUpAcceptedAfter
	}
	return GiveUpAfter
}

// patientFrom returns from when its patience is reckoned. Older versions kept the first attempt alone.
func (s Shipment) patientFrom(now time.Time) time.Time {
	switch {
	case s.PatientFrom != nil:
		return *s.PatientFrom
	case s.FirstAttempt != nil:
		return *s.FirstAttempt
	}
	return now
}

// Begin counts an attempt that begins. common is the same moment as now in common time.
func (s *Shipment) Begin(now, common time.Time) {
	from := now
	if s.FirstAttempt != nil {
		from = patienceFrom(s.patientFrom(now), now, common.Sub(s.NextAttempt), s.patience())
	}
	if s.FirstAttempt == nil || s.FirstAttempt.After(now) {
		s.FirstAttempt = &now
	}
	s.waitOn(now, common.Sub(s.NextAttempt))
	s.PatientFrom, s.NextAttempt = &from, common
	s.Attempts++
	s.Unsure++
}

// longestAttempt is longer than any attempt takes while the machine is awake.
const longestAttempt = 15 * time.Minute

// End takes the time off the patience in which nothing ran since the attempt began.
func (s *Shipment) End(now, common time.Time) {
	if late := common.Sub(s.NextAttempt) - longestAttempt; late > 0 {
		from := patienceFrom(s.patientFrom(now), now, late, s.patience())
		s.PatientFrom = &from
		s.waitOn(now, late)
	}
}

// Forget makes the next attempt the first one. Of a letter whose channel was away until it was given up, that channel is asked first all the same.
func (s *Shipment) Forget() {
	s.Attempts, s.FirstAttempt, s.PatientFrom, s.UnclearUntil = 0, nil, nil, nil
	if !s.GivenUp || s.Method == ByEmail {
		s.Unsure = 0
	}
}

// unclearFor is for how long a refusal that may be the settings' or the recipient's leaves a shipment owed, while nothing tells whose it
// is (rule D107).
const unclearFor = time.Hour

// WaitUnclear lets a shipment wait until something tells whose fault it is that it was refused, unless it waits for that already.
func (s *Shipment) WaitUnclear(now time.Time) {
	if s.UnclearUntil == nil {
		until := now.Add(unclearFor)
		s.UnclearUntil = &until
	}
}

// WaitedUnclear reports whether the shipment has waited for as long as one does of which nobody knows whose fault it is that it was refused.
func (s Shipment) WaitedUnclear(now time.Time) bool {
	return s.UnclearUntil != nil && !now.Before(*s.UnclearUntil)
}

// waitOn moves the end of that wait by the time in which nothing ran before an attempt that began, or ended, late (rule D118).
func (s *Shipment) waitOn(now time.Time, late time.Duration) {
	if s.UnclearUntil == nil {
		return
	}
	until := s.UnclearUntil.Add(max(late, 0))
	if least := now.Add(afterSleep); late > asleep && until.Before(least) {
		until = least
	}
	if until.After(now.Add(afterSleep + ClockSlack)) { // a clock was ahead when the wait began
		until = now.Add(unclearFor)
	}
	s.UnclearUntil = &until
}

// OweAgain makes a shipment owed of which a report tells that it failed by our settings' fault, for the report's reason (rule D107). A channel
// that accepted it would accept it again, and the recipient may get it each time: so it is tried once a day, until a person has it
// sent at once.
func (s *Shipment) OweAgain(now, common time.Time) {
	again := now.Truncate(time.Second) // a report may tell of the same second
	s.FirstAttempt, s.PatientFrom, s.UnclearUntil = nil, nil, nil
	s.State, s.KeptBack, s.NextAttempt, s.RetriedAt = ShipmentOwed, KeptRefused, common.Add(bouncedPause), &again
	s.SentAt, s.DeliveredAt, s.Receipt, s.Unsure = nil, nil, "", 0
}

// bouncedPause is how long a shipment waits that a report has made owed again.
const bouncedPause = 24 * time.Hour

// Bounced reports whether a report has made the shipment owed again, and it was not taken since.
func (s Shipment) Bounced() bool { return s.State == ShipmentOwed && s.ReportedAt != nil }

// The longest waits: of a shipment, a batch of letters or a hand-over between two attempts, and of a letter that is held, a shipment that bounced or a delivery.
// What is put off further was put off by a clock that was ahead (rule D117).
const (
	LongestWait     = longestRetryPause + ClockSlack
	LongestLongWait = 24*time.Hour + ClockSlack
)

// PutOff reports whether a clock that was ahead has put the next attempt off.
func (s Shipment) PutOff(common time.Time) bool {
	most := LongestWait
	if s.HeldFor != 0 || s.KeptBack == KeptAudit || s.Bounced() {
		most = LongestLongWait
	}
	return s.State == ShipmentOwed && !s.InHand() && s.NextAttempt.After(common.Add(most))
}

// WaitsForPerson reports whether a person may have the shipment tried at once, though it is owed: it was refused for a fault of the
// settings, the audit disagrees with it, or a clock that was ahead has put it off.
func (s Shipment) WaitsForPerson(common time.Time) bool {
	refused := s.State == ShipmentOwed && (s.KeptBack == KeptRefused || s.KeptBack == KeptAudit) && !s.InHand() && s.NextAttempt.After(common)
	return refused || s.PutOff(common)
}

const longestRetryPause = time.Hour

// RetryPause returns how long to wait after the given number of failed attempts, which is at least one: 5 s at first,
// then twice as long each time, up to one hour (rule R5c).
func RetryPause(attempts int) time.Duration {
	pause := 5 * time.Second
	for range attempts - 1 {
		if pause *= 2; pause >= longestRetryPause {
			return longestRetryPause
		}
	}
	return pause
}

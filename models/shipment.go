package models

import "time"

// ShipmentMethod is the channel by which a document goes out.
type ShipmentMethod string

// The channels.
const (
	ByPaper ShipmentMethod = "PAPER"
	ByEmail ShipmentMethod = "EMAIL"
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

// MaxCopies is the most copies of an invoice that are sent (rule S5).
const MaxCopies = 10

// Shipment is a document on its way to a recipient by one method. The row says what is owed; the queue is only a hint.
type Shipment struct {
	ID           int64
	CreditorID   int64
	DocumentKind DocumentKind
	DocumentID   int64
	Copy         bool // a copy, not the original
	Method       ShipmentMethod
	Recipient    Recipient `gorm:"embedded;embeddedPrefix:recipient_"` // as at sending; for a copy only Email
	State        ShipmentState
	Attempts     int
	FirstAttempt *time.Time
	NextAttempt  time.Time // not before this moment, in common time
	TakenBy      string    // the worker that has it in hand; empty if none has
	SentAt       *time.Time
	Failure      string // why the last attempt failed
	GivenUp      bool   // it failed because its channel was away until it was given up, and not because it was refused
	CreatedAt    time.Time
}

// Document points at what is sent.
func (s Shipment) Document() Document { return Document{s.DocumentKind, s.DocumentID} }

// GiveUpAfter is how long after its first attempt a shipment is still tried again (rule R5c).
const GiveUpAfter = 24 * time.Hour

// RetryPause returns how long to wait after the given number of failed attempts, which is at least one: 5 s at first,
// then twice as long each time, up to one hour (rule R5c).
func RetryPause(attempts int) time.Duration {
	pause := 5 * time.Second
	for range attempts - 1 {
		if pause *= 2; pause >= time.Hour {
			return time.Hour
		}
	}
	return pause
}

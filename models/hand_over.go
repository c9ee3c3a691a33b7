package models

import (
	"fmt"
	"time"
)

// HandOverState says what must still be delivered to the debt collector.
type HandOverState string

// The states of a hand-over.
const (
	BundleOwed      HandOverState = "owed"       // the collection bundle is to be delivered
	BundleDelivered HandOverState = "delivered"  // the collector has it
	WithdrawalOwed  HandOverState = "taken_back" // it was taken back; the collector has the bundle, or may have it, and must be told
	HandOverEnded   HandOverState = "ended"      // it was taken back, and the collector was told if necessary
)

// HandOver is one hand-over of an invoice's claim to the debt collector. An invoice that is handed over again gets a
// new one. The row says what is owed; the queue is only a hint.
type HandOver struct {
	ID          int64
	CreditorID  int64
	InvoiceID   int64
	HandedOver  Date   // the business date
	LastEntryID int64  // the claim is the sum of the invoice's entries up to this one
	Bundle      string // SHA-256 of the collection bundle, in hex; empty until it is made
	State       HandOverState
	Attempts    int
	NextAttempt time.Time // not before this moment
	DeliveredAt *time.Time
	TakenBack   Date   // the day on which it was taken back, or zero
	Failure     string // why the last attempt failed
	CreatedAt   time.Time
}

// Owed reports whether something is to be delivered to the collector.
func (h HandOver) Owed() bool { return h.State == BundleOwed || h.State == WithdrawalOwed }

// Name returns the hand-over's name for the collector, "invoice-10001-hand-over-17", given the invoice's number. The
// name never changes, so a second delivery is recognised.
func (h HandOver) Name(number int64) string {
	return fmt.Sprintf("invoice-%d-hand-over-%d", number, h.ID)
}

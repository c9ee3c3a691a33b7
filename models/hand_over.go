package models

import (
	"fmt"
	"time"
)

// HandOverState says what must still be delivered to the debt collector.
type HandOverState string

// The states of a hand-over.
const (
	BundleOwed      HandOverState = "owed"       // the collection bundle must be delivered
	BundleDelivered HandOverState = "delivered"  // the collector has it
	WithdrawalOwed  HandOverState = "taken_back" // the hand-over was withdrawn; the collector has or may have the bundle, and must be informed
	HandOverEnded   HandOverState = "ended"      // the hand-over was withdrawn; nothing is left to deliver
)

// HandOver gives an invoice's claim to the debt collector once. An invoice that is handed over again gets a new
// HandOver. The row says what must be delivered; the queue is only a hint.
type HandOver struct {
	ID          int64
	CreditorID  int64
	InvoiceID   int64
	HandedOver  Date   // the business date
	Forced      bool   // a person insisted, although the warning's deadline had not passed (rule L10)
	SellerID    int64  // what the bundle shows of the creditor, as an invoice's
	LastEntryID int64  // the claim is the sum of the invoice's entries up to and including this one
	Bundle      string // SHA-256 of the collection bundle, in hex; empty until it is made
	State       HandOverState
	Attempts    int
	NextAttempt time.Time // not before this moment, in common time
	TakenBy     string    // the worker that has it in hand; empty if none has
	Way         WayID     // by which the bundle left, or may have; a message that it is withdrawn goes the same way
	Unsure      int       // the attempts by Way of which nothing says that they surely failed; a present one is counted
	DeliveredAt *time.Time
	TakenBack   Date   // the day on which it was withdrawn, or zero
	Failure     string // why the last attempt failed
	CreatedAt   time.Time
}

// Owed reports whether something must still be delivered to the collector.
func (h HandOver) Owed() bool { return h.State == BundleOwed || h.State == WithdrawalOwed }

// Name returns the hand-over's name for the collector, such as "invoice-10001-hand-over-17". number is the
// invoice's. The name never changes, so the collector recognises a second delivery.
func (h HandOver) Name(number int64) string {
	return fmt.Sprintf("invoice-%d-hand-over-%d", number, h.ID)
}

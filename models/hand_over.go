package models

import (
	"fmt"
	"time"
)

// HandOverState is what the debt collector is owed of a hand-over.
type HandOverState string

// The states of a hand-over.
const (
	BundleOwed      HandOverState = "owed"       // the collection bundle is to be delivered
	BundleDelivered HandOverState = "delivered"  // the collector has it
	WithdrawalOwed  HandOverState = "taken_back" // the collector has it, or may have it, and is to be told that it is taken back
	HandOverEnded   HandOverState = "ended"      // taken back, and whoever had to know knows
)

// HandOver is one invoice that went to debt collection, once: handed over anew it is another. The row is what
// the collector is owed; the queue only hints at it.
type HandOver struct {
	ID          int64
	CreditorID  int64
	InvoiceID   int64
	HandedOver  Date   // the day
	LastEntryID int64  // the claim is what the invoice's entries up to this one make it
	Bundle      string // SHA-256 of the collection bundle, in hex; empty until it is made
	State       HandOverState
	Attempts    int
	NextAttempt time.Time // not before this moment
	DeliveredAt *time.Time
	TakenBack   Date   // the day, zero where it was not
	Failure     string // why the last attempt failed
	CreatedAt   time.Time
}

// Owed reports whether something is to be delivered to the collector.
func (h HandOver) Owed() bool { return h.State == BundleOwed || h.State == WithdrawalOwed }

// Name returns the name of the hand-over outside, "invoice-10001-hand-over-17", given the invoice's number. It
// never changes, so what is delivered twice is recognised as one.
func (h HandOver) Name(number int64) string {
	return fmt.Sprintf("invoice-%d-hand-over-%d", number, h.ID)
}

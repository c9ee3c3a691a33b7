package models

import (
	"fmt"
	"time"
)

// BatchState says how far a batch of letters has come.
type BatchState string

// The states of a batch. Each follows the one before; from BatchGathered a batch may also be given up.
const (
	BatchGathered BatchState = "gathered" // its letters are chosen, and their files may lie at the print shop; it has no manifest
	BatchSealed   BatchState = "sealed"   // its manifest may have left: it is these letters and these bytes for ever
	BatchAccepted BatchState = "accepted" // its manifest lies at the print shop; some letters may not say so yet
	BatchGivenUp  BatchState = "given_up" // it did not leave; some letters may not be free yet
	BatchOver     BatchState = "over"     // none of its letters is in its hand any more
)

// MaxBatch is the most letters of a batch (rule S4a).
const MaxBatch = 1000

// LetterBatch is letters of one creditor that go to a print shop together. What its worker has in hand is the batch; the
// letters are in the batch's.
type LetterBatch struct {
	ID           int64
	CreditorID   int64
	State        BatchState
	BusinessDate Date   // the creditor's day on which its letters were chosen; notices leave on no other
	Manifest     string // the bytes of its manifest; empty before BatchSealed
	Attempts     int
	NextAttempt  time.Time // not before this moment, in common time
	TakenBy      string    // the worker that has it in hand; empty if none has
	Failure      string    // why the last attempt failed
	CreatedAt    time.Time
	HandedOverAt *time.Time
}

// Overdue reports whether the batch is given up if it is not handed over now: it was tried for GiveUpAcceptedAfter, in which the time
// that nothing ran does not count.
func (b LetterBatch) Overdue(now time.Time) bool {
	tried := time.Duration(0)
	for n := 1; n < b.Attempts && tried < GiveUpAcceptedAfter; n++ {
		tried += RetryPause(n)
	}
	return tried >= GiveUpAcceptedAfter && !now.Before(b.CreatedAt.Add(GiveUpAcceptedAfter))
}

// Name returns the name of the batch at the print shop, which is the receipt of its letters. It never changes, so the shop
// recognises a batch that comes twice.
func (b LetterBatch) Name() string { return fmt.Sprintf("batch-%d", b.ID) }

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
	PatientFrom  *time.Time // from when its patience is reckoned: the first attempt, and later by the time in which nothing ran
	NextAttempt  time.Time  // not before this moment, in common time; of one in hand, when the attempt began
	TakenBy      string     // the worker that has it in hand; empty if none has
	Way          WayID      // by which it leaves, from its first attempt to its last
	Failure      string     // why the last attempt failed
	CreatedAt    time.Time
	HandedOverAt *time.Time
}

// Overdue reports whether the batch is given up if it is not handed over now: it was tried for GiveUpAcceptedAfter, in which the time
// that nothing ran does not count.
func (b LetterBatch) Overdue(now time.Time) bool {
	return !now.Before(b.patientFrom().Add(GiveUpAcceptedAfter))
}

// patientFrom returns from when its patience is reckoned. Older versions kept only when it was made, just before its first attempt.
func (b LetterBatch) patientFrom() time.Time {
	if b.PatientFrom == nil {
		return b.CreatedAt
	}
	return *b.PatientFrom
}

// Begin counts an attempt that begins. common is the same moment as now in common time.
func (b *LetterBatch) Begin(now, common time.Time) {
	from := now
	if b.Attempts > 0 {
		from = patienceFrom(b.patientFrom(), now, common.Sub(b.NextAttempt), GiveUpAcceptedAfter)
	}
	b.PatientFrom, b.NextAttempt = &from, common
	b.Attempts++
}

// End takes the time off the patience in which nothing ran since the attempt began.
func (b *LetterBatch) End(now, common time.Time) {
	if late := common.Sub(b.NextAttempt) - longestBatch; late > 0 {
		from := patienceFrom(b.patientFrom(), now, late, GiveUpAcceptedAfter)
		b.PatientFrom = &from
	}
}

// longestBatch is longer than the attempt at a batch takes while the machine is awake: its letters are drawn and uploaded.
const longestBatch = 2 * time.Hour

// Name returns the name of the batch at the print shop, which is the receipt of its letters. It never changes, so the shop
// recognises a batch that comes twice.
func (b LetterBatch) Name() string { return fmt.Sprintf("batch-%d", b.ID) }

package shipments

import (
	"cmp"
	"context"
	"time"

	"purr/documents"
	"purr/models"
	"purr/store"
)

// Outcome is what came of a shipment that was taken.
type Outcome struct {
	// Taken is the shipment as it was taken. Its receipt is empty if the channel knows nothing of what it had accepted, and Unsure is 0 if the
	// channel of its way knows nothing of the shipment.
	Taken   models.Shipment
	Receipt string // what the channel answered when it accepted the shipment
	Failure error  // why the channel did not; nil if it did
	Pending bool   // the channel has accepted it, and does not know yet whether it can send it
	Untried bool   // it was not handed over at all; the rest says nothing
	Unsent  bool   // the failure is not the channel's: it could not be made
	// NotThere says that the attempt surely has not reached the channel.
	NotThere bool
	By       string // the kind of real way that has accepted it, or empty
	// At is when the channel sent it, zero if that is now: the answer may be noted much later.
	At time.Time
	// Canceled says that the channel has given back what it had accepted, because the letter's day had ended (rule D94). It is
	// due at once, as if it had not been handed over: it is issued anew.
	Canceled bool
	// Decided says that the shipment, for which models.Auto was asked, goes by the method Way, or by none. It was not handed
	// over.
	Decided bool
	Way     models.ShipmentMethod
	// Rows are those of the document, as the caller has read them. Zero ones are read: what the event tells of a document never
	// changes.
	Rows documents.Rows
}

// Record writes the result of handing a taken shipment over, and returns the changed shipment. Without a failure it is
// sent, and receipt is what the channel answered. It fails permanently if the failure is a models.Refused and the
// recipient's (rule D107), or if models.GiveUpAfter has passed. Otherwise it stays owed and is due again after a pause (rule R5c). A failure is written
// only if the worker that took the shipment still has it in hand, at the same attempt. What was reported meanwhile counts
// more than either. The caller empties taken.Receipt if the channel knows nothing of what it had accepted.
func Record(ctx context.Context, tx *store.Tx, taken models.Shipment, receipt string, failure error) (models.Shipment, error) {
	return recordOne(ctx, tx, Outcome{Taken: taken, Receipt: receipt, Failure: failure})
}

// RecordSent does what Record does without a failure, of a shipment that left at a moment, which is noted only now.
func RecordSent(ctx context.Context, tx *store.Tx, taken models.Shipment, receipt string, at time.Time) (models.Shipment, error) {
	return recordOne(ctx, tx, Outcome{Taken: taken, Receipt: receipt, At: at})
}

// RecordAccepted writes that the channel has accepted a taken shipment without knowing yet whether it can send it. The
// shipment stays owed, keeps the receipt, and is due again after a pause, to be asked after. It writes nothing if the
// worker that took the shipment no longer has it in hand at the same attempt, and only takes the worker's name off if
// somebody reported meanwhile what became of it.
func RecordAccepted(ctx context.Context, tx *store.Tx, taken models.Shipment, receipt string) (models.Shipment, error) {
	return recordOne(ctx, tx, Outcome{Taken: taken, Receipt: receipt, Pending: true})
}

func recordOne(ctx context.Context, tx *store.Tx, o Outcome) (models.Shipment, error) {
	recorded, err := RecordAll(ctx, tx, []Outcome{o})
	if err != nil {
		return models.Shipment{}, err
	}
	return recorded[0], nil
}

// RecordAll writes what came of several shipments of one creditor, and returns the changed shipments in the same order. Of
// each it writes what Record or RecordAccepted writes. One that was not tried is due again at once, and its attempt does not
// count. One whose way was decided is due at once, with all its attempts; by no method it is withdrawn. One that was refused
// falls back (rule S2).
func RecordAll(ctx context.Context, tx *store.Tx, outcomes []Outcome) ([]models.Shipment, error) {
	taken, ids := make([]models.Shipment, len(outcomes)), make([]int64, len(outcomes))
	for i, o := range outcomes {
		taken[i], ids[i] = o.Taken, o.Taken.ID
	}
	verdicts, err := hearAnswers(ctx, tx, outcomes)
	if err != nil {
		return nil, err
	}
	if err := lockInvoicesOf(ctx, tx, taken); err != nil {
		return nil, err
	}
	locked, err := tx.LockShipments(ctx, ids)
	if err != nil {
		return nil, err
	}
	letters, err := lettersInTime(ctx, tx, outcomes)
	if err != nil {
		return nil, err
	}
	var quiet []models.Shipment // changed, with nothing to tell
	var told []change
	recorded := make([]models.Shipment, len(outcomes))
	for i, o := range outcomes {
		s, there := locked[o.Taken.ID]
		if !there {
			return nil, models.NotFound("shipment")
		}
		written, event, done := o.apply(&s, verdicts[i], tx, letters)
		switch recorded[i] = s; {
		case event != "":
			told = append(told, change{s, event, models.ActorProgram, done, o.Rows})
		case written:
			quiet = append(quiet, s)
		}
	}
	if err := tx.UpdateShipments(ctx, quiet); err != nil {
		return nil, err
	}
	if err := updateAll(ctx, tx, told); err != nil {
		return nil, err
	}
	for i, o := range outcomes {
		if recorded[i].State == models.ShipmentFailed && passedOn(o.Failure) {
			if err := fallBack(ctx, tx, recorded[i]); err != nil {
				return nil, err
			}
		}
	}
	return recorded, nil
}

// apply changes a locked shipment by what came of it. It reports whether anything is to be written, and with which event,
// if any, whose text ends with done. letters says when accepted letters are asked after at the latest.
func (o Outcome) apply(s *models.Shipment, v verdict, tx *store.Tx, letters day) (written bool, event models.EventType, done string) {
	lost := s.TakenBy != o.Taken.TakenBy || s.Attempts != o.Taken.Attempts
	if lost && (o.Failure != nil || o.Pending || o.Untried || o.Decided || o.Canceled) { // it is of a worker that no longer has the shipment in hand
		return false, "", ""
	}
	if s.State.HasLeft() && !s.InHand() {
		return false, "", ""
	}
	s.TakenBy, s.BatchID = "", 0
	if o.Untried {
		s.Unsure = max(0, s.Unsure-1)
		if s.Attempts--; s.Attempts <= 0 {
			s.Forget()
		}
		return true, "", ""
	}
	if o.Decided {
		s.Forget()
		s.Reason, s.NextAttempt = "", tx.Common
		s.Decided = true
		if s.Method = o.Way; s.Method == "" {
			s.Method, s.State = models.ByEHF, models.ShipmentWithdrawn
		}
		return true, "", ""
	}
	if o.Canceled {
		if s.State == models.ShipmentOwed {
			s.Receipt, s.Reason, s.Unsure, s.NextAttempt = "", "", 0, tx.Common
		}
		return true, "", ""
	}
	if s.Bounced() { // before its channel's answer was noted
		return true, "", ""
	}
	why := ""
	switch {
	case o.Failure != nil:
		why, s.Receipt, s.Unsure = models.Foreign(o.Failure.Error(), models.MaxReason), o.Taken.Receipt, o.unsure()
	case o.Pending:
		s.Receipt = cmp.Or(models.Foreign(o.Receipt, models.MaxReceipt), "accepted") // the row must say that it was
	default:
		s.Receipt = models.Foreign(o.Receipt, models.MaxReceipt)
	}
	s.End(tx.Now, tx.Common)
	switch {
	case s.ReportedAt != nil, o.Pending && s.State != models.ShipmentOwed:
		return true, "", ""
	case o.Failure == nil && !o.Pending:
		s.State, s.SentAt, s.Reason, s.GivenUp, s.Unsure = models.ShipmentSent, o.left(*s, tx.Now), "", false, 0
		return true, models.EventShipmentSent, "sent"
	case v.owed:
		v.keep(s, why, tx)
		return true, "", ""
	case models.IsRefused(o.Failure) || s.Overdue(tx.Now):
		if o.Pending {
			why = "the channel accepted it, but has not told for too long what became of it"
		}
		s.State, s.Reason, s.GivenUp = models.ShipmentFailed, why, !models.IsRefused(o.Failure)
		return true, models.EventShipmentFailed, "failed: " + s.Reason
	}
	pause := models.RetryPause(s.Attempts)
	if o.awaited() {
		pause = min(pause, letters.asks(*s))
	}
	s.Reason, s.NextAttempt = why, tx.Common.Add(pause)
	return true, "", ""
}

// unsure returns how many attempts may have reached the channel, after one that failed.
func (o Outcome) unsure() int {
	if o.Unsent || o.NotThere || models.IsRefused(o.Failure) {
		return max(0, o.Taken.Unsure-1)
	}
	return o.Taken.Unsure
}

// left returns when a shipment left, as its channel tells now: never after now, nor before it was made and first tried.
func (o Outcome) left(s models.Shipment, now time.Time) *time.Time {
	if o.At.IsZero() || o.At.After(now) {
		return &now
	}
	at := o.At.UTC().Truncate(time.Microsecond)
	for _, known := range []*time.Time{&s.CreatedAt, s.FirstAttempt} {
		if known != nil && at.Before(*known) {
			at = *known
		}
	}
	return &at
}

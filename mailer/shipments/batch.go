package shipments

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"purr/models"
	"purr/store"
)

// TakeBatch takes what a creditor has for the print shop, for a worker: the batch that is due, or else a new one without
// letters if letters are due that may leave (see OpenGate). It counts the attempt. It reports false if there is nothing to send
// (rule S4a).
func TakeBatch(ctx context.Context, tx *store.Tx, part Part, creditorID int64, worker string) (b models.LetterBatch, taken bool, err error) {
	b, found, err := tx.LockDueBatch(ctx, creditorID)
	if err != nil {
		return b, false, err
	}
	if found {
		b.Begin(tx.Now, tx.Common)
		b.TakenBy = worker
		return b, true, tx.UpdateBatch(ctx, b)
	}
	if part.OneByOne {
		return b, false, nil
	}
	gate, err := OpenGate(ctx, tx, part, creditorID, models.BatchMethods)
	if err != nil {
		return b, false, err
	}
	due, err := tx.DueShipments(ctx, creditorID, tx.Common, 1, gate.Free...)
	if err != nil || len(due) == 0 {
		return b, false, err
	}
	creditor, err := tx.Creditor(ctx, creditorID)
	if err != nil {
		return b, false, err
	}
	today, err := creditor.Today(tx.Now)
	if err != nil {
		return b, false, err
	}
	b = models.LetterBatch{
		CreditorID: creditorID, State: models.BatchGathered, BusinessDate: today, TakenBy: worker, Way: part.Batches,
	}
	b.Begin(tx.Now, tx.Common)
	return b, true, tx.CreateBatch(ctx, &b)
}

// Gather takes up to limit letters that are due, as Take does, and puts them into the batch's hand. It returns how many
// were due, as far as it has looked: it takes fewer where notices were needless or letters are held.
func Gather(ctx context.Context, tx *store.Tx, part Part, look SecondLook, b models.LetterBatch, limit int) (due int, err error) {
	if locked, err := tx.LockBatch(ctx, b.ID); err != nil || locked.State != models.BatchGathered || locked.TakenBy != b.TakenBy || locked.Attempts != b.Attempts {
		return 0, err
	}
	gate, err := OpenGate(ctx, tx, part, b.CreditorID, models.BatchMethods)
	if err != nil {
		return 0, err
	}
	found, err := tx.DueShipmentIDs(ctx, b.CreditorID, tx.Common, limit, gate.Free...)
	if err != nil {
		return 0, err
	}
	passed, err := gate.Pass(ctx, tx, found)
	if err != nil {
		return 0, err
	}
	if part.OwnLetters {
		if passed, err = tx.ThatMayGoBy(ctx, b.Way, passed); err != nil {
			return 0, err
		}
	}
	taken, err := TakeAll(ctx, tx, look, passed, b.TakenBy)
	if err != nil {
		return 0, err
	}
	for i := range taken {
		taken[i].TakenBy, taken[i].BatchID, taken[i].Way = "", b.ID, b.Way
	}
	return len(found), tx.UpdateShipments(ctx, taken)
}

// Seal writes that the batch's manifest may leave from now on. manifest makes it of the letters that are still owed. It fails
// with models.KindUnavailable if the day has ended for which the letters were chosen, because notices are of their day
// (rule L2), and if another worker has the batch in hand.
func Seal(ctx context.Context, tx *store.Tx, b models.LetterBatch, manifest func(letters []models.Shipment) (string, error)) (models.LetterBatch, error) {
	locked, err := tx.LockBatch(ctx, b.ID)
	if err != nil {
		return b, err
	}
	creditor, err := tx.Creditor(ctx, b.CreditorID)
	if err != nil {
		return b, err
	}
	today, err := creditor.Today(tx.Now)
	if err != nil {
		return b, err
	}
	if locked.State != models.BatchGathered || locked.TakenBy != b.TakenBy || locked.Attempts != b.Attempts || locked.BusinessDate != today {
		return b, errNotSealed
	}
	letters, err := tx.LockLettersOfBatch(ctx, b.ID)
	if err != nil || len(letters) == 0 {
		return locked, err
	}
	if locked.Manifest, err = manifest(letters); err != nil {
		return b, err
	}
	locked.State = models.BatchSealed
	return locked, tx.UpdateBatch(ctx, locked)
}

var errNotSealed = models.Unavailable("the batch", errors.New("its day has ended, or another worker has it in hand"))

// RecordBatch writes the result of handing a taken batch over. Without a failure the print shop has its manifest. A batch
// that failed before it was sealed is given up: its letters are free for another one. A sealed batch is tried again, with
// growing pauses, for models.GiveUpAcceptedAfter: the shop may have it. Settle tells the letters. A failure is written only
// if the worker that took the batch still has it in hand, at the same attempt. The caller sets taken.HandedOverAt, if that is
// not now.
func RecordBatch(ctx context.Context, tx *store.Tx, taken models.LetterBatch, failure error) (models.LetterBatch, error) {
	b, err := tx.LockBatch(ctx, taken.ID)
	if err != nil {
		return b, err
	}
	if lost := b.TakenBy != taken.TakenBy || b.Attempts != taken.Attempts; lost && failure != nil || b.State == models.BatchAccepted || b.State == models.BatchOver {
		return b, nil //nolint:nilerr // the failure is that of a worker that no longer has it in hand
	}
	b.TakenBy, b.Failure = "", ""
	b.End(tx.Now, tx.Common)
	if failure != nil {
		b.Failure = models.Foreign(failure.Error(), models.MaxReason)
		if models.IsSetupFault(failure) {
			b.Failure = models.Foreign(refusedBatch+failure.Error(), models.MaxReason)
		}
	}
	switch {
	case failure == nil && b.State == models.BatchGathered: // no letter was left in it
		b.State = models.BatchOver
	case failure == nil:
		b.State, b.HandedOverAt = models.BatchAccepted, cmp.Or(taken.HandedOverAt, &tx.Now)
	case b.State == models.BatchGathered, b.Overdue(tx.Now):
		b.State = models.BatchGivenUp
	default:
		b.NextAttempt = tx.Common.Add(models.RetryPause(b.Attempts))
	}
	return b, tx.UpdateBatch(ctx, b)
}

// refusedBatch begins the failure of a batch that was refused for a fault of the settings: its letters stay owed (rule D107).
const refusedBatch = "refused: "

// failureOf returns why a batch that was given up failed, for its letters.
func failureOf(b models.LetterBatch) error {
	if said, refused := strings.CutPrefix(b.Failure, refusedBatch); refused {
		return models.Refuse(models.BlameSettings, nil, "%s", said)
	}
	return &models.Error{Kind: models.KindUnavailable, Code: "unavailable", Msg: b.Failure}
}

// settledAtOnce is how many letters one transaction of Settle writes.
const settledAtOnce = 50

// Settle tells the letters of a batch that is accepted or given up what became of them, as Record does, and takes them out of
// the batch's hand. It can be repeated, and broken off anywhere.
func Settle(ctx context.Context, db *store.DB, b models.LetterBatch) error {
	var failure error
	if b.State == models.BatchGivenUp {
		failure = failureOf(b)
	}
	for {
		letters, err := db.LettersOfBatch(ctx, b.ID, settledAtOnce)
		if err != nil {
			return err
		}
		err = db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			if len(letters) > 0 {
				return settle(ctx, tx, b, letters, failure, false)
			}
			over, err := tx.LockBatch(ctx, b.ID)
			if err != nil {
				return err
			}
			over.State = models.BatchOver
			return tx.UpdateBatch(ctx, over)
		})
		if err != nil || len(letters) == 0 {
			return err
		}
	}
}

// settle records what became of some letters of a batch, but for those with which another worker was faster. Those that could not
// be made are unsent.
func settle(ctx context.Context, tx *store.Tx, b models.LetterBatch, letters []models.Shipment, failure error, unsent bool) error {
	ids := make([]int64, len(letters))
	for i, s := range letters {
		ids[i] = s.ID
	}
	now, err := tx.ShipmentsByID(ctx, ids)
	if err != nil {
		return err
	}
	var at time.Time
	if b.HandedOverAt != nil {
		at = *b.HandedOverAt
	}
	var outcomes []Outcome
	for _, s := range letters {
		if now[s.ID].BatchID == b.ID {
			o := Outcome{Taken: s, Receipt: b.Name(), Failure: failure, Unsent: unsent, At: at}
			if o.Taken.Unsure = 0; !b.Way.Own() { // the batch has ended, so the next one may go another way
				o.By = models.WaySFTP
			}
			outcomes = append(outcomes, o)
		}
	}
	_, err = RecordAll(ctx, tx, outcomes)
	return err
}

// TakeOut records the failure of one letter of a batch that is not sealed yet, and takes it out of the batch's hand: the
// others go without it.
func TakeOut(ctx context.Context, tx *store.Tx, b models.LetterBatch, s models.Shipment, failure error) error {
	return settle(ctx, tx, b, []models.Shipment{s}, failure, true)
}

// Package shipments changes the state of a shipment: a worker takes it, it is sent, it waits for another attempt,
// it fails, or a person retries it. Each change is written with its event. The package knows no channel and no
// queue.
package shipments

import (
	"context"
	"fmt"
	"slices"
	"time"

	"purr/documents"
	"purr/dunning"
	"purr/dunning/law"
	"purr/models"
	"purr/store"
)

// Take takes a shipment that is owed and due: it counts the attempt and names the worker that has the shipment in hand,
// so that nobody else takes it while that worker lives. It reports false if the shipment is not due. If a payment or the closing of
// the invoice has made a notice needless, Take withdraws the notice instead (rules E2, E6f). If a notice is of an earlier
// day, Take issues it anew, and takes the new notice's letter (rule L2). rules are the program's and the operator's.
func Take(ctx context.Context, tx *store.Tx, rules *law.Rules, id int64, worker string) (s models.Shipment, taken bool, err error) {
	if s, err = tx.Shipment(ctx, id); err != nil {
		return models.Shipment{}, false, err
	}
	if s.DocumentKind == models.NoticeDocument {
		if id, err = renew(ctx, tx, rules, s); err != nil || id == 0 {
			return models.Shipment{}, false, err
		}
	}
	if s, err = tx.LockShipment(ctx, id); err != nil || !due(s, tx.Common) {
		return models.Shipment{}, false, err
	}
	if s.FirstAttempt == nil {
		s.FirstAttempt = &tx.Now
	}
	s.Attempts++
	s.TakenBy = worker
	return s, true, tx.UpdateShipment(ctx, s)
}

func due(s models.Shipment, now time.Time) bool {
	return s.State == models.ShipmentOwed && s.TakenBy == "" && !s.NextAttempt.After(now)
}

// renew returns the ID of the letter that may leave in the place of a notice's letter, or zero if none may. It locks the
// invoice before the shipment, as everything does that issues or withdraws notices. A letter that takes another's place goes
// on with the other's attempts, so that it is not tried for longer.
func renew(ctx context.Context, tx *store.Tx, rules *law.Rules, s models.Shipment) (int64, error) {
	s, err := lockLetter(ctx, tx, s)
	if err != nil || !due(s, tx.Common) {
		return 0, err
	}
	n, may, err := dunning.Renew(ctx, tx, rules, s.CreditorID, s.DocumentID)
	switch {
	case err != nil || !may:
		return 0, err
	case n.ID == s.DocumentID:
		return s.ID, nil
	}
	letters, err := tx.ShipmentsOf(ctx, n.Document())
	if err != nil {
		return 0, err
	}
	anew := letters[0]
	anew.FirstAttempt, anew.Attempts = s.FirstAttempt, s.Attempts
	return anew.ID, tx.UpdateShipment(ctx, anew)
}

// lockLetter locks a notice's letter, and its invoice before it.
func lockLetter(ctx context.Context, tx *store.Tx, s models.Shipment) (models.Shipment, error) {
	n, err := tx.Notice(ctx, s.CreditorID, s.DocumentID)
	if err != nil {
		return models.Shipment{}, err
	}
	if _, err := tx.LockInvoice(ctx, n.CreditorID, n.InvoiceID); err != nil {
		return models.Shipment{}, err
	}
	return tx.LockShipment(ctx, s.ID)
}

// Record writes the result of dispatching a taken shipment, and returns the changed shipment. Without a failure it
// is sent. It fails permanently if the failure is of models.KindInvalid, or if models.GiveUpAfter has passed.
// Otherwise it stays owed and is due again after a pause (rule R5c). A failure is written only if the worker that took
// the shipment still has it in hand, at the same attempt. If the letter of a notice fails permanently, Record withdraws the
// notice (rule L2).
func Record(ctx context.Context, tx *store.Tx, taken models.Shipment, failure error) (models.Shipment, error) {
	letter := taken.DocumentKind == models.NoticeDocument
	lock := tx.LockShipment
	if letter && failure != nil {
		lock = func(ctx context.Context, _ int64) (models.Shipment, error) { return lockLetter(ctx, tx, taken) }
	}
	s, err := lock(ctx, taken.ID)
	if err != nil || s.State == models.ShipmentSent {
		return s, err
	}
	if lost := s.TakenBy != taken.TakenBy || s.Attempts != taken.Attempts; lost && failure != nil {
		return s, nil //nolint:nilerr // the failure is that of a worker that no longer has it in hand
	}
	s.TakenBy = ""
	switch {
	case failure == nil:
		s.State, s.SentAt, s.Failure = models.ShipmentSent, &tx.Now, ""
		return s, update(ctx, tx, s, models.EventShipmentSent, models.ActorProgram, "sent")
	case models.KindOf(failure) == models.KindInvalid || !tx.Now.Before(s.FirstAttempt.Add(models.GiveUpAfter)):
		s.State, s.Failure, s.GivenUp = models.ShipmentFailed, failure.Error(), models.KindOf(failure) != models.KindInvalid
		err := update(ctx, tx, s, models.EventShipmentFailed, models.ActorProgram, "failed: "+s.Failure)
		if err == nil && letter {
			err = dunning.WithdrawFailed(ctx, tx, s.CreditorID, s.DocumentID, s.Failure)
		}
		return s, err
	}
	s.Failure, s.NextAttempt = failure.Error(), tx.Common.Add(models.RetryPause(s.Attempts))
	return s, tx.UpdateShipment(ctx, s)
}

// RetryFailed makes the failed shipments with the IDs due again, or all failed ones if no ID is given. It returns
// their number.
func RetryFailed(ctx context.Context, db *store.DB, actor string, ids ...int64) (int, error) {
	if len(ids) == 0 {
		failed, err := db.FailedShipments(ctx)
		if err != nil {
			return 0, err
		}
		for _, s := range failed {
			ids = append(ids, s.ID)
		}
	}
	for _, id := range ids {
		if err := db.InTx(ctx, func(tx *store.Tx) error { return Retry(ctx, tx, id, actor) }); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

// RetryGivenUp makes the letters of a creditor's notices due again that were given up because the channel was away, once
// works says that it works again (rule L2). Take issues their notices anew.
func RetryGivenUp(ctx context.Context, db *store.DB, creditorID int64, works func(ctx context.Context) error) error {
	letters, err := db.FailedLetters(ctx, creditorID)
	if err != nil {
		return err
	}
	letters = slices.DeleteFunc(letters, func(s models.Shipment) bool { return !s.GivenUp })
	if len(letters) == 0 || works(ctx) != nil {
		return nil
	}
	ids := make([]int64, len(letters))
	for i, s := range letters {
		ids[i] = s.ID
	}
	_, err = RetryFailed(ctx, db, models.ActorProgram, ids...)
	return err
}

// Retry makes a failed shipment due at once, with all its attempts again (rule R5c). The notice of a letter is then issued
// anew (rule L2). It fails with the conflict
// shipment_not_failed if the shipment has not failed.
func Retry(ctx context.Context, tx *store.Tx, id int64, actor string) error {
	s, err := tx.LockShipment(ctx, id)
	if err != nil {
		return err
	}
	if s.State != models.ShipmentFailed {
		return models.Conflict("shipment_not_failed", "shipment %d is %s; only a failed one is sent again", id, s.State)
	}
	s.State, s.NextAttempt, s.FirstAttempt, s.Attempts, s.GivenUp = models.ShipmentOwed, tx.Common, nil, 0, false
	return update(ctx, tx, s, models.EventShipmentRetried, actor, "is sent again, by "+actor)
}

// update writes a shipment and the event of what was done with it.
func update(ctx context.Context, tx *store.Tx, s models.Shipment, t models.EventType, actor, done string) error {
	if err := tx.UpdateShipment(ctx, s); err != nil {
		return err
	}
	invoiceID, text, err := describe(ctx, tx, s)
	if err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{CreditorID: s.CreditorID, Type: t, Actor: actor, InvoiceID: invoiceID, SubjectID: s.ID, Text: text + " " + done})
}

// describe returns the invoice that a shipment is about, and its document and channel in words.
func describe(ctx context.Context, tx *store.Tx, s models.Shipment) (invoiceID int64, text string, err error) {
	r, err := documents.Read(ctx, tx, s.CreditorID, s.Document())
	if err != nil {
		return 0, "", err
	}
	text = fmt.Sprintf("Invoice %d", r.Invoice.Number)
	switch s.DocumentKind {
	case models.InvoiceDocument:
	case models.CreditNoteDocument:
		text = fmt.Sprintf("Credit note %d", r.CreditNote.Number)
	case models.NoticeDocument:
		text = fmt.Sprintf("%s on invoice %d", dunning.Title(r.Notice), r.Invoice.Number)
	}
	if s.Copy {
		text += " as a copy"
	}
	return r.Invoice.ID, text + map[models.ShipmentMethod]string{models.ByPaper: " on paper", models.ByEmail: " by e-mail"}[s.Method], nil
}

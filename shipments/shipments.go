// Package shipments changes the state of a shipment: a worker takes it, it is sent, it waits for another attempt, it
// fails, somebody reports what became of it, or a person has it sent again. Each change is written with its event. The
// package knows no channel and no queue.
package shipments

import (
	"context"
	"fmt"
	"time"

	"purr/documents"
	"purr/dunning"
	"purr/dunning/law"
	"purr/models"
	"purr/store"
)

// Take takes a shipment that is owed and due: it counts the attempt and names the worker that has the shipment in hand,
// so that nobody else takes it while that worker lives. It reports false if the shipment is not due. If a payment or the closing of
// the invoice has made a notice needless, Take withdraws the notice instead (rules E2, E6f). A letter to a customer whose
// letters are held is put off for a day (rule S1b). If a notice is of an earlier day, Take issues it anew, and takes the new
// notice's letter (rule L2). What its channel has accepted already is past all that: Take takes it so that the channel is
// asked what became of it. rules are the program's and the operator's.
func Take(ctx context.Context, tx *store.Tx, rules *law.Rules, id int64, worker string) (s models.Shipment, taken bool, err error) {
	if s, err = tx.Shipment(ctx, id); err != nil {
		return models.Shipment{}, false, err
	}
	if err := lockInvoiceOf(ctx, tx, s); err != nil {
		return models.Shipment{}, false, err
	}
	heldFor := int64(0)
	if !s.Accepted() {
		if heldFor, err = letterHeldFor(ctx, tx, s); err != nil {
			return models.Shipment{}, false, err
		}
	}
	if s.DocumentKind == models.NoticeDocument && !s.Accepted() {
		if id, err = renew(ctx, tx, rules, s, heldFor != 0); err != nil || id == 0 {
			return models.Shipment{}, false, err
		}
	}
	if s, err = tx.LockShipment(ctx, id); err != nil || !due(s, tx.Common) {
		return models.Shipment{}, false, err
	}
	if heldFor != 0 {
		s.HeldFor, s.Reason, s.NextAttempt = heldFor, models.LettersHeldReason, tx.Common.Add(heldPause)
		return models.Shipment{}, false, tx.UpdateShipment(ctx, s)
	}
	if s.FirstAttempt == nil {
		s.FirstAttempt = &tx.Now
	}
	s.Attempts++
	s.TakenBy, s.HeldFor = worker, 0
	return s, true, tx.UpdateShipment(ctx, s)
}

// heldPause is how long a letter that is held waits until it is looked at again. Its release does not wait for that; a
// notice that has become needless is withdrawn then.
const heldPause = 24 * time.Hour

// letterHeldFor returns the customer whose letters are held, if the shipment is a letter to such a customer, or 0. It locks
// that customer, so that nobody releases the letters before this one is put off.
func letterHeldFor(ctx context.Context, tx *store.Tx, s models.Shipment) (customerID int64, err error) {
	if s.Method != models.ByPaper {
		return 0, nil
	}
	c, err := tx.CustomerOf(ctx, s.Document())
	if err != nil || c.LettersHeld.Since == nil {
		return 0, err
	}
	if c, err = tx.LockCustomer(ctx, c.CreditorID, c.ID); err != nil || c.LettersHeld.Since == nil {
		return 0, err
	}
	return c.ID, nil
}

func due(s models.Shipment, now time.Time) bool {
	return s.State == models.ShipmentOwed && !s.InHand() && !s.NextAttempt.After(now)
}

// renew returns the ID of the letter that may leave in the place of a notice's letter, or zero if none may. The invoice is
// locked. A letter that takes another's place goes on with the other's attempts, so that it is not tried for longer. While letters to the customer are held, a notice is
// withdrawn if it is needless, and otherwise waits as it is.
func renew(ctx context.Context, tx *store.Tx, rules *law.Rules, s models.Shipment, held bool) (int64, error) {
	s, err := tx.LockShipment(ctx, s.ID)
	if err != nil || !due(s, tx.Common) || s.Accepted() {
		return 0, err
	}
	if held {
		withdrawn, err := dunning.WithdrawIfNeedless(ctx, tx, s.CreditorID, s.DocumentID)
		if err != nil || withdrawn {
			return 0, err
		}
		return s.ID, nil
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

// lockInvoiceOf locks the invoice of a notice's letter, because a change of the letter's state may change the invoice. It
// comes before the customer and the shipment, as in everything that issues or withdraws notices. Of another shipment it
// locks nothing.
func lockInvoiceOf(ctx context.Context, tx *store.Tx, s models.Shipment) error {
	if s.DocumentKind != models.NoticeDocument {
		return nil
	}
	n, err := tx.Notice(ctx, s.CreditorID, s.DocumentID)
	if err != nil {
		return err
	}
	_, err = tx.LockInvoice(ctx, n.CreditorID, n.InvoiceID)
	return err
}

// Record writes the result of handing a taken shipment over, and returns the changed shipment. Without a failure it is
// sent, and receipt is what the channel answered. It fails permanently if the failure is of models.KindInvalid, or if
// models.GiveUpAfter has passed. Otherwise it stays owed and is due again after a pause (rule R5c). A failure is written
// only if the worker that took the shipment still has it in hand, at the same attempt. What was reported meanwhile counts
// more than either. The caller empties taken.Receipt if the channel knows nothing of what it had accepted.
func Record(ctx context.Context, tx *store.Tx, taken models.Shipment, receipt string, failure error) (models.Shipment, error) {
	if err := lockInvoiceOf(ctx, tx, taken); err != nil {
		return models.Shipment{}, err
	}
	s, err := tx.LockShipment(ctx, taken.ID)
	if err != nil {
		return s, err
	}
	if lost := s.TakenBy != taken.TakenBy || s.Attempts != taken.Attempts; lost && failure != nil {
		return s, nil //nolint:nilerr // the failure is that of a worker that no longer has it in hand
	}
	if s.State.HasLeft() && !s.InHand() {
		return s, nil
	}
	s.TakenBy, s.BatchID = "", 0
	why := ""
	if failure != nil {
		why = models.Foreign(failure.Error(), models.MaxReason)
		s.Receipt = taken.Receipt
	} else {
		s.Receipt = models.Foreign(receipt, models.MaxReceipt)
	}
	switch {
	case s.ReportedAt != nil:
		return s, tx.UpdateShipment(ctx, s)
	case failure == nil:
		s.State, s.SentAt, s.Reason, s.GivenUp = models.ShipmentSent, &tx.Now, "", false
		return s, update(ctx, tx, s, models.EventShipmentSent, models.ActorProgram, "sent")
	case models.KindOf(failure) == models.KindInvalid || s.Overdue(tx.Now):
		s.State, s.Reason, s.GivenUp = models.ShipmentFailed, why, models.KindOf(failure) != models.KindInvalid
		return s, update(ctx, tx, s, models.EventShipmentFailed, models.ActorProgram, "failed: "+s.Reason)
	}
	s.Reason, s.NextAttempt = why, tx.Common.Add(models.RetryPause(s.Attempts))
	return s, tx.UpdateShipment(ctx, s)
}

// RecordAccepted writes that the channel has accepted a taken shipment without knowing yet whether it can send it. The
// shipment stays owed, keeps the receipt, and is due again after a pause, to be asked after. It writes nothing if the
// worker that took the shipment no longer has it in hand at the same attempt, and only takes the worker's name off if
// somebody reported meanwhile what became of it.
func RecordAccepted(ctx context.Context, tx *store.Tx, taken models.Shipment, receipt string) (models.Shipment, error) {
	if err := lockInvoiceOf(ctx, tx, taken); err != nil {
		return models.Shipment{}, err
	}
	s, err := tx.LockShipment(ctx, taken.ID)
	if err != nil || s.TakenBy != taken.TakenBy || s.Attempts != taken.Attempts {
		return s, err
	}
	s.TakenBy = ""
	if s.Receipt = models.Foreign(receipt, models.MaxReceipt); s.Receipt == "" {
		s.Receipt = "accepted" // the row must say that it was
	}
	switch {
	case s.State != models.ShipmentOwed:
		return s, tx.UpdateShipment(ctx, s)
	case s.Overdue(tx.Now):
		s.State, s.GivenUp = models.ShipmentFailed, true
		s.Reason = "the channel accepted it, but has not told for too long what became of it"
		return s, update(ctx, tx, s, models.EventShipmentFailed, models.ActorProgram, "failed: "+s.Reason)
	}
	s.Reason, s.NextAttempt = "", tx.Common.Add(models.RetryPause(s.Attempts))
	return s, tx.UpdateShipment(ctx, s)
}

// update writes a shipment whose state has changed, and the event of what was done with it. Every change of a state but
// a withdrawal passes here. If the letter of a notice has failed, update withdraws the notice (rule L2); the invoice is
// locked then.
func update(ctx context.Context, tx *store.Tx, s models.Shipment, t models.EventType, actor, done string) error {
	if err := tx.UpdateShipment(ctx, s); err != nil {
		return err
	}
	e, err := describe(ctx, tx, s)
	if err != nil {
		return err
	}
	e.Type, e.Actor, e.Text = t, actor, e.Text+" "+done
	if err := tx.Log(ctx, e); err != nil {
		return err
	}
	if s.State == models.ShipmentFailed && s.DocumentKind == models.NoticeDocument {
		return dunning.WithdrawFailed(ctx, tx, s.CreditorID, s.DocumentID, s.Reason)
	}
	return nil
}

// describe returns an event of a shipment, without its type and actor. Its text is the document and the channel in words.
func describe(ctx context.Context, tx *store.Tx, s models.Shipment) (models.Event, error) {
	r, err := documents.Read(ctx, tx, s.CreditorID, s.Document())
	if err != nil {
		return models.Event{}, err
	}
	text := fmt.Sprintf("Invoice %d", r.Invoice.Number)
	facts := models.Facts{"document": s.DocumentKind, "method": s.Method, "invoice_number": r.Invoice.Number}
	switch s.DocumentKind {
	case models.InvoiceDocument:
	case models.CreditNoteDocument:
		text = fmt.Sprintf("Credit note %d", r.CreditNote.Number)
		facts["credit_note_number"] = r.CreditNote.Number
	case models.NoticeDocument:
		text = fmt.Sprintf("%s on invoice %d", dunning.Title(r.Notice), r.Invoice.Number)
		facts["is_incasso_notice"] = r.Notice.Warning
	}
	if s.Copy {
		text += " as a copy"
		facts["copy"] = true
	}
	if s.Reason != "" {
		facts["reason"] = s.Reason
	}
	return models.Event{CreditorID: s.CreditorID, InvoiceID: r.Invoice.ID, SubjectID: s.ID, Text: text + " " + inWords[s.Method], Facts: facts}, nil
}

// inWords are the methods as events call them.
var inWords = map[models.ShipmentMethod]string{models.ByPaper: "on paper", models.ByEmail: "by e-mail"}

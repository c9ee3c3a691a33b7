package jobs

import (
	"context"
	"errors"
	"fmt"
	"net/textproto"
	"strconv"
	"time"

	"purr/dunning"
	"purr/mailer"
	"purr/models"
	"purr/store"
)

const kindShip = "ship"

// shipPayload names a shipment.
type shipPayload struct{ ShipmentID int64 }

func shipTask(id int64) task {
	return task{kind: kindShip, key: strconv.FormatInt(id, 10), payload: shipPayload{id}, timeout: shipLease - mailer.Overrun - time.Minute}
}

// shipLease is how long a shipment that is being handed over is nobody else's. It outlasts the job's own
// time-out, so that no two workers ever hand over the same one.
const shipLease = 3 * time.Minute

// ship hands one shipment to its channel and notes that it was sent. A channel that is away for the
// moment is tried again by the sweep, with growing pauses (rule R5c).
//
// queued by: render, and the sweep.
func (w *Worker) ship(ctx context.Context, p shipPayload) error {
	s, claimed, err := w.claim(ctx, p.ShipmentID)
	if err != nil || !claimed {
		return err
	}
	pdf, err := w.Documents.PDF(ctx, s.CreditorID, s.Document())
	if err == nil {
		err = w.hand(ctx, s, pdf)
	}
	return w.insist(ctx, func(ctx context.Context, tx *store.Tx) error { return w.note(ctx, tx, s, err) })
}

// What a channel has taken must be noted, also when the job's time is up, and when the database is away
// for a moment: who does not note it sends it again.
const (
	keepTrying = 50 * time.Second // of the minute that the lease leaves after the job's time-out
	keepPause  = 500 * time.Millisecond
)

// insist notes how something went that was claimed, and keeps trying to, whatever becomes of the context.
func (w *Worker) insist(ctx context.Context, note func(ctx context.Context, tx *store.Tx) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), keepTrying)
	defer cancel()
	pause := time.NewTicker(keepPause)
	defer pause.Stop()
	for {
		err := w.DB.InTx(ctx, func(tx *store.Tx) error { return note(ctx, tx) })
		if err == nil {
			return nil
		}
		select {
		case <-pause.C:
		case <-ctx.Done():
			return err
		}
	}
}

// claim takes a shipment that is owed and due, and reports false where it is not. A notice that a payment
// or the closing of its invoice has made needless is withdrawn instead (rules E2, E6f), but not while its
// letter is being handed over.
func (w *Worker) claim(ctx context.Context, id int64) (s models.Shipment, claimed bool, err error) {
	err = w.DB.InTx(ctx, func(tx *store.Tx) error {
		claimed = false
		if s, err = lockShipment(ctx, tx, id); err != nil || !isDue(s, tx.Now) {
			return err
		}
		if s.DocumentKind == models.NoticeDocument {
			if err := dunning.WithdrawIfNeedless(ctx, tx, s.CreditorID, s.DocumentID); err != nil {
				return err
			}
			if s, err = tx.LockShipment(ctx, id); err != nil || !isDue(s, tx.Now) {
				return err
			}
		}
		if s.FirstAttempt == nil {
			s.FirstAttempt = &tx.Now
		}
		s.Attempts++
		s.NextAttempt = tx.Now.Add(shipLease)
		claimed = true
		return tx.UpdateShipment(ctx, s)
	})
	return s, claimed, err
}

func isDue(s models.Shipment, now time.Time) bool {
	return s.State == models.ShipmentOwed && !s.NextAttempt.After(now)
}

// lockShipment locks a shipment; a notice's after the invoice, in the order in which whoever issues notices locks.
func lockShipment(ctx context.Context, tx *store.Tx, id int64) (models.Shipment, error) {
	s, err := tx.Shipment(ctx, id)
	if err != nil {
		return s, err
	}
	if s.DocumentKind == models.NoticeDocument {
		n, err := tx.Notice(ctx, s.CreditorID, s.DocumentID)
		if err != nil {
			return s, err
		}
		if _, err := tx.LockInvoice(ctx, n.CreditorID, n.InvoiceID); err != nil {
			return s, err
		}
	}
	return tx.LockShipment(ctx, id)
}

// note keeps how the hand-over of a claimed shipment went.
func (w *Worker) note(ctx context.Context, tx *store.Tx, claimed models.Shipment, failure error) error {
	s, err := tx.LockShipment(ctx, claimed.ID)
	if err != nil {
		return err
	}
	if s.State == models.ShipmentSent {
		return nil
	}
	event := models.Event{CreditorID: s.CreditorID, SubjectID: s.ID}
	if event.InvoiceID, event.Text, err = w.describe(ctx, tx, s); err != nil {
		return err
	}
	switch {
	case failure == nil:
		s.State, s.SentAt, s.Failure = models.ShipmentSent, &tx.Now, ""
		event.Type, event.Text = models.EventShipmentSent, event.Text+" sent"
	case models.KindOf(failure) == models.KindInvalid || !tx.Now.Before(s.FirstAttempt.Add(models.GiveUpAfter)):
		s.State, s.Failure = models.ShipmentFailed, failure.Error()
		event.Type, event.Text = models.EventShipmentFailed, event.Text+" failed: "+s.Failure
	default:
		s.Failure, s.NextAttempt = failure.Error(), tx.Now.Add(models.RetryPause(s.Attempts))
		w.Log.Warn("a shipment failed and will be tried again", "shipment", s.ID, "attempt", s.Attempts, "next", s.NextAttempt, "error", unquoted(failure))
		return tx.UpdateShipment(ctx, s)
	}
	if err := tx.UpdateShipment(ctx, s); err != nil {
		return err
	}
	return tx.Log(ctx, event)
}

// unquoted says why a shipment failed without the mail server's words, which may repeat the address: they
// are kept on the shipment, and do not go into the log.
func unquoted(failure error) string {
	if reply, is := errors.AsType[*textproto.Error](failure); is {
		return fmt.Sprintf("the mail server answered %d", reply.Code)
	}
	return failure.Error()
}

// describe returns the invoice that a shipment is about, and words for the event log.
func (w *Worker) describe(ctx context.Context, tx *store.Tx, s models.Shipment) (invoiceID int64, text string, err error) {
	by := map[models.ShipmentMethod]string{models.ByPaper: "on paper", models.ByEmail: "by e-mail"}[s.Method]
	if s.Copy {
		by = "as a copy " + by
	}
	switch s.DocumentKind {
	case models.InvoiceDocument:
		i, err := tx.Invoice(ctx, s.CreditorID, s.DocumentID)
		return i.ID, fmt.Sprintf("Invoice %d %s", i.Number, by), err
	case models.CreditNoteDocument:
		c, err := tx.CreditNote(ctx, s.CreditorID, s.DocumentID)
		return c.InvoiceID, fmt.Sprintf("Credit note %d %s", c.Number, by), err
	case models.NoticeDocument:
		n, err := tx.Notice(ctx, s.CreditorID, s.DocumentID)
		if err != nil {
			return 0, "", err
		}
		i, err := tx.Invoice(ctx, s.CreditorID, n.InvoiceID)
		return i.ID, fmt.Sprintf("%s on invoice %d %s", dunning.Title(n), i.Number, by), err
	}
	return 0, "", fmt.Errorf("shipment %d is of an unknown kind of document, %q", s.ID, s.DocumentKind)
}

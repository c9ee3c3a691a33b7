package jobs

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/mail"
	"net/textproto"
	"strconv"

	"purr/documents"
	"purr/mailer"
	"purr/models"
	"purr/shipments"
	"purr/store"
)

const kindShip = "ship"

// shipPayload names a shipment.
type shipPayload struct{ ShipmentID int64 }

func shipTask(s models.Shipment) task {
	return task{kind: kindShip, key: strconv.FormatInt(s.ID, 10), payload: shipPayload{s.ID}, timeout: shipTimeout}
}

// ship dispatches one shipment to its channel and records that it was sent. If the channel is away, the sweep tries the
// shipment again, with growing pauses (rule R5c).
//
// queued by: render, and the sweep.
func (w *Worker) ship(ctx context.Context, p shipPayload) error {
	var s models.Shipment
	_, err := w.underLease(ctx, leased{
		take: func(ctx context.Context, tx *store.Tx) (taken bool, err error) {
			s, taken, err = shipments.Take(ctx, tx, p.ShipmentID, shipLease)
			return taken, err
		},
		do: func(ctx context.Context) error {
			pdf, err := w.Documents.PDF(ctx, s.CreditorID, s.Document())
			if err != nil {
				return err
			}
			return w.dispatch(ctx, s, pdf)
		},
		record: func(ctx context.Context, tx *store.Tx, failure error) error {
			now, err := shipments.Record(ctx, tx, s.ID, failure)
			if err == nil && now.State == models.ShipmentOwed {
				w.Log.Warn("a shipment failed and will be tried again",
					"shipment", s.ID, "attempt", now.Attempts, "next", now.NextAttempt, "error", unquoted(failure))
			}
			return err
		},
	})
	return err
}

// noSender is the sender address of a creditor who has none yet. It receives no answers: RFC 2606 reserves the domain.
const noSender = "no-reply@purr.invalid"

// dispatch gives a shipment to its channel. It returns nil once the channel has accepted it.
func (w *Worker) dispatch(ctx context.Context, s models.Shipment, pdf []byte) error {
	rows, err := documents.Read(ctx, w.DB, s.CreditorID, s.Document())
	if err != nil {
		return err
	}
	i, note := rows.Invoice, rows.CreditNote
	cover := mailer.Cover{
		Kind: s.DocumentKind, Copy: s.Copy, Customer: i.Recipient.Name1, Number: i.Number,
		Amount: i.Gross, DueDate: i.DueDate, BankAccount: i.BankAccount, KID: i.KID,
	}
	if s.DocumentKind == models.CreditNoteDocument {
		cover.Customer, cover.Number, cover.Invoice, cover.Amount = note.Recipient.Name1, note.Number, i.Number, note.Gross
	}
	id := mailer.ShipmentID(s, cover.Number)
	if s.Method == models.ByPaper {
		return w.Letters.SendLetter(ctx, mailer.Letter{ID: id, PDF: pdf})
	}
	creditor, err := w.DB.Creditor(ctx, s.CreditorID)
	if err != nil {
		return err
	}
	customer, err := w.DB.Customer(ctx, s.CreditorID, i.CustomerID)
	if err != nil {
		return err
	}
	cover.Creditor = creditor.Name
	text, err := cover.Text(customer.Language)
	if err != nil {
		return err
	}
	return w.Email.SendEmail(ctx, mailer.Email{
		ID: id, From: mail.Address{Name: creditor.Name, Address: cmp.Or(creditor.Email, noSender)}, To: s.Recipient.Email,
		Subject: text.Subject, Text: text.Body, AttachmentName: text.FileName, Attachment: pdf, Date: s.CreatedAt,
	})
}

// unquoted says why a shipment failed, without the mail server's words: they may repeat the address. The shipment
// keeps those words; the log leaves them out.
func unquoted(failure error) string {
	if reply, is := errors.AsType[*textproto.Error](failure); is {
		return fmt.Sprintf("the mail server answered %d", reply.Code)
	}
	return failure.Error()
}

// dueShipments returns the shipments that are due.
func (s *Scheduler) dueShipments(ctx context.Context) ([]models.Shipment, error) {
	return s.DB.OwedShipments(ctx, s.Clock.Now(), sweepMost)
}

// Package shipments changes the state of a shipment: a worker takes it, it is sent, it waits for another attempt, it
// fails, somebody reports what became of it, or a person has it sent again. Each change is written with its event. The
// package knows no channel and no queue.
package shipments

import (
	"context"
	"fmt"

	"purr/documents"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

// change is a shipment whose state has changed, and the event of what was done with it.
type change struct {
	shipment models.Shipment
	event    models.EventType
	actor    string
	done     string         // the end of the event's text
	rows     documents.Rows // of its document, or zero
}

// update writes a shipment whose state has changed, and the event of what was done with it.
func update(ctx context.Context, tx *store.Tx, s models.Shipment, t models.EventType, actor, done string) error {
	return updateAll(ctx, tx, []change{{shipment: s, event: t, actor: actor, done: done}})
}

// updateAll does for several shipments of one creditor what update does for one. Every change of a state but
// a withdrawal passes here. If the letter of a notice has failed, it withdraws the notice (rule L2); the invoice is
// locked then. It is issued anew on paper if the letter was an e-mail (rule L22). If it has left, the notice follows the day on which it did (rule D94), and may go by EHF too (rule H1).
func updateAll(ctx context.Context, tx *store.Tx, changes []change) error {
	if len(changes) == 0 {
		return nil
	}
	ss := make([]models.Shipment, len(changes))
	for i, c := range changes {
		ss[i] = c.shipment
	}
	if err := tx.UpdateShipments(ctx, ss); err != nil {
		return err
	}
	rows, err := rowsOf(ctx, tx, changes)
	if err != nil {
		return err
	}
	events := make([]models.Event, len(changes))
	for i, c := range changes {
		r, there := rows[ss[i].Document()]
		if !there {
			return models.NotFound(string(ss[i].DocumentKind))
		}
		events[i] = describe(c.shipment, r)
		events[i].Type, events[i].Actor, events[i].Text = c.event, c.actor, events[i].Text+" "+c.done
	}
	for _, c := range changes {
		if c.shipment.Role() == models.Friendly && c.event == models.EventShipmentSent {
			events = append(events, reminded(c.shipment, rows[c.shipment.Document()].Invoice))
		}
	}
	if err := tx.Log(ctx, events...); err != nil {
		return err
	}
	var left []models.Shipment // letters of notices
	for _, s := range ss {
		switch letter := s.IsNoticeLetter(); {
		case s.IsNoticeMail() && (s.State == models.ShipmentFailed || s.State == models.ShipmentReturned):
			bounced := dunning.WithdrawBounced
			if s.DocumentKind.Joint() {
				bounced = dunning.WithdrawBouncedLetter
			}
			if err := bounced(ctx, tx, s.CreditorID, s.DocumentID, s.Reason); err != nil {
				return err
			}
		case letter && s.State == models.ShipmentFailed:
			failed := dunning.WithdrawFailed
			if s.DocumentKind.Joint() {
				failed = dunning.WithdrawFailedLetter
			}
			if err := failed(ctx, tx, s.CreditorID, s.DocumentID, s.Reason); err != nil {
				return err
			}
		case letter && s.State.HasLeft():
			left = append(left, s)
		}
	}
	return haveLeft(ctx, tx, left, rows)
}

// rowsOf returns the rows of the documents of the changes, and reads those that the changes do not have.
func rowsOf(ctx context.Context, tx *store.Tx, changes []change) (map[models.Document]documents.Rows, error) {
	var unread []models.Document
	for _, c := range changes {
		if c.rows.Head.CustomerID == 0 {
			unread = append(unread, c.shipment.Document())
		}
	}
	rows, err := documents.ReadAll(ctx, tx, changes[0].shipment.CreditorID, unread)
	if err != nil {
		return nil, err
	}
	for _, c := range changes {
		if c.rows.Head.CustomerID != 0 {
			rows[c.shipment.Document()] = c.rows
		}
	}
	return rows, nil
}

// documentNames are what the text of an event calls a document, by its kind. Each adds to the facts which one it is.
var documentNames = map[models.DocumentKind]func(documents.Rows, models.Facts) string{
	models.InvoiceDocument: func(r documents.Rows, _ models.Facts) string { return fmt.Sprintf("Invoice %d", r.Head.Number) },
	models.CreditNoteDocument: func(r documents.Rows, facts models.Facts) string {
		facts["credit_note_number"] = r.Head.Number
		return fmt.Sprintf("Credit note %d", r.Head.Number)
	},
	models.NoticeDocument: func(r documents.Rows, facts models.Facts) string {
		facts["is_incasso_notice"] = r.Notice.Warning
		return fmt.Sprintf("%s on invoice %d", dunning.Title(r.Notice), r.Head.Number)
	},
	models.LetterDocument: func(r documents.Rows, facts models.Facts) string {
		facts["is_incasso_notice"], facts["letter_number"], facts["customer"] = r.Letter.Warning, r.Letter.Number, r.Letter.CustomerID
		return fmt.Sprintf("Letter %d for %d invoices", r.Letter.Number, len(r.Parts))
	},
	models.StatementDocument: func(r documents.Rows, facts models.Facts) string {
		facts["customer"] = r.Head.Number
		return fmt.Sprintf("Statement of customer %d", r.Head.Number)
	},
	models.PlanDocument: func(r documents.Rows, _ models.Facts) string {
		return fmt.Sprintf("Payment plan for invoice %d", r.Head.Number)
	},
}

// reminded returns the event of a friendly reminder that was sent for an invoice (rule L14).
func reminded(s models.Shipment, i models.Invoice) models.Event {
	return models.Event{
		CreditorID: s.CreditorID, Type: models.EventFriendlyReminder, Actor: models.ActorProgram, InvoiceID: i.ID, SubjectID: s.ID,
		Text:  fmt.Sprintf("The customer was reminded of invoice %d, due %s, by e-mail: %s owed", i.Number, i.DueDate, i.Claimed()),
		Facts: models.Facts{"invoice_number": i.Number, "due_date": i.DueDate, "balance": i.Claimed()},
	}
}

// describe returns an event of a shipment, without its type and actor. Its text is the document and the channel in words.
func describe(s models.Shipment, r documents.Rows) models.Event {
	facts := models.Facts{"document": s.DocumentKind, "method": s.Method}
	if r.Invoice.ID != 0 {
		facts["invoice_number"] = r.Invoice.Number
	}
	text := documentNames[s.DocumentKind](r, facts)
	switch s.Role() {
	case models.Original:
		if s.Ordinary != 0 {
			facts["pay_until"] = s.Ordinary
			text = fmt.Sprintf("Invoice %d once more, as one that AvtaleGiro does not draw,", r.Invoice.Number)
		}
	case models.TellsOfTime:
		facts["more_time"] = s.MoreTime.Until
		text = fmt.Sprintf("Letter of more time for invoice %d", r.Invoice.Number)
	case models.TellsOfCorrection:
		facts["correction"] = s.Correction.Back
		text = fmt.Sprintf("Letter of a correction of invoice %d", r.Invoice.Number)
	case models.Friendly:
		facts["friendly_reminder"] = s.Friendly
		text = fmt.Sprintf("Friendly reminder of invoice %d", r.Invoice.Number)
	default:
		text += " as a copy"
		facts["copy"] = true
	}
	if s.Reason != "" || s.State == models.ShipmentFailed { // who reports a failure may give no reason
		facts["reason"] = s.Reason
	}
	customerID := r.Statement.CustomerID
	if s.DocumentKind.Joint() {
		customerID = r.Letter.CustomerID
	}
	return models.Event{CreditorID: s.CreditorID, InvoiceID: r.Invoice.ID, CustomerID: customerID, SubjectID: s.ID, Text: text + " " + s.Method.InWords(), Facts: facts}
}

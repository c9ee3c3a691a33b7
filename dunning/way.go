package dunning

import (
	"cmp"
	"context"
	"fmt"

	"purr/law"
	"purr/models"
	"purr/models/calendar"
	"purr/store"
)

// wayOf returns by which way automatic dunning sends the next notice of an invoice (rule L22); empty if the policy has reminders go on paper.
// A warning goes on paper, and so does a reminder whose e-mail has bounced.
func wayOf(s State, p models.Policy, warning bool) models.ShipmentMethod {
	switch {
	case p.ReminderMethod != models.ByEmail && p.ReminderMethod != models.Auto:
		return ""
	case warning || s.Letters.bouncedFor(s.Invoice) || p.ReminderMethod == models.Auto && s.NoEmail:
		return models.ByPaper
	}
	return models.ByEmail
}

// unreachable reports whether a customer lacks the address to which something goes by a method; empty is on paper (rules L6, L22).
func unreachable(s State, method models.ShipmentMethod) bool {
	if method == models.ByEmail {
		return s.NoEmail
	}
	return s.NoAddress
}

// way returns by which way the ordered notice goes (rule L22). What a person asks for goes by the way that he names. If he names none it
// goes by the policy's, and on paper where the customer lacks an e-mail address.
func (b basis) way(o order) models.ShipmentMethod {
	if o.asked.Actor == "" {
		return cmp.Or(o.method, models.ByPaper)
	}
	p, s := b.policy, State{Invoice: b.invoice, Letters: b.letters, NoEmail: b.customer.Recipient.Email == ""}
	if o.asked.Method != "" {
		p.ReminderMethod = o.asked.Method
	}
	if p.ReminderMethod == models.ByEmail && (o.asked.Method == "" || o.asked.Again) {
		p.ReminderMethod = models.Auto
	}
	return cmp.Or(wayOf(s, p, o.warning), models.ByPaper)
}

// insteadOfMail reports whether the notice goes on paper because its e-mail came to nothing (rule L22).
func (d draft) insteadOfMail() bool {
	return d.method == models.ByPaper && d.letters.bouncedFor(d.invoice)
}

// fellBack returns the event of a letter in the place of an e-mail that came to nothing (rule S2).
func (d draft) fellBack(letter models.Shipment) models.Event {
	e := models.Event{
		CreditorID: letter.CreditorID, Type: models.EventShipmentFallback, Actor: models.ActorProgram, InvoiceID: d.invoice.ID, SubjectID: letter.ID,
		Text: fmt.Sprintf("%s on invoice %d on paper is sent in the place of one by e-mail, which failed: %s", Title(d.notice), d.invoice.Number, d.letters.BouncedBy),
		Facts: models.Facts{
			"document": letter.DocumentKind, "method": letter.Method, "instead_of": models.ByEmail, "invoice_number": d.invoice.Number, "reason": d.letters.BouncedBy,
			"is_incasso_notice": false,
		},
	}
	if d.joint != nil {
		e.Facts["letter_number"] = d.joint.letter.Number
	}
	return e
}

// WithdrawBounced withdraws a reminder whose e-mail came to nothing, with its fee and interest (rules L2, L22). It is issued anew on paper on the
// next sending day: by automatic dunning if that issued it, and as it was asked for otherwise.
func WithdrawBounced(ctx context.Context, tx *store.Tx, creditorID, noticeID int64, failure string) error {
	n, err := tx.Notice(ctx, creditorID, noticeID)
	if err != nil || n.Withdrawn != 0 {
		return err
	}
	because := why{reason: "letter_failed", detail: failure, mailed: true}
	if err := withdrawFor(ctx, tx, creditorID, noticeID, because); err != nil || n.AskedBy == "" {
		return err
	}
	if n, err = tx.Notice(ctx, creditorID, noticeID); err != nil {
		return err
	}
	return tx.IssueAnewFrom(ctx, n.ID, n.Withdrawn+1)
}

// IssueBounced issues those reminders anew on paper that a person asked for, and that were withdrawn on an earlier day because their e-mails came
// to nothing (rule L22), unless the day is no sending day. One that may no longer be issued is let go. It returns the new ones.
func IssueBounced(ctx context.Context, db *store.DB, r *law.Rules, c models.Creditor, today models.Date) (made []models.Document, err error) {
	waiting, err := db.NoticesToIssueAnew(ctx, c.ID, today)
	if err != nil {
		return nil, err
	}
	for _, n := range waiting {
		var anew models.Notice
		var may bool
		err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
			anew, may, err = issueBounced(ctx, tx, r, c, n, today)
			return err
		})
		if err != nil {
			return made, fmt.Errorf("issue notice %d anew on paper: %w", n.ID, err)
		}
		if may {
			made = append(made, anew.Document())
		}
	}
	return made, nil
}

func issueBounced(ctx context.Context, tx *store.Tx, r *law.Rules, c models.Creditor, n models.Notice, day models.Date) (models.Notice, bool, error) {
	invoice, today, err := lockInvoice(ctx, tx, c, n.InvoiceID)
	if err != nil || today != day {
		return models.Notice{}, false, err
	}
	customer, err := tx.Customer(ctx, c.ID, n.CustomerID)
	if err != nil {
		return models.Notice{}, false, err
	}
	if customer.Policy.Apply(c.Policy).WeekdaysOnly && !calendar.IsWeekday(today) {
		return models.Notice{}, false, nil
	}
	if n, err = tx.Notice(ctx, c.ID, n.ID); err != nil || n.AnewFrom == 0 { // somebody was faster
		return models.Notice{}, false, err
	}
	if err := tx.IssueAnewFrom(ctx, n.ID, 0); err != nil || invoice.HandedOver != 0 || invoice.Notices >= n.Sequence {
		return models.Notice{}, false, err
	}
	return issueAnew(ctx, tx, r, c, invoice, n, today)
}

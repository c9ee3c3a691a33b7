package dunning

import (
	"context"
	"fmt"
	"slices"
	"time"

	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// LetterLeft tells a notice that its letter left on a day that is later than its own (rule D94). The notice keeps what is
// printed, and runs until its due date moved by as many days. A later notice's fee that is too early by that is reversed. If the
// printed due date then leaves fewer than models.MinNoticeDays to pay, the notice is withdrawn with its fee and interest, as one is
// whose letter failed (rule L2). LetterLeft reports true if the step is then to be taken anew: a letter must be owed in the place of
// the one that left, which Renew replaces. The caller has locked the invoice and the letter.
//
// A notice that is withdrawn already stays as it is, and so does one on which nothing is claimed any more. Nothing takes the
// place of a notice whose invoice is closed or handed over, or on which a later notice stands.
func LetterLeft(ctx context.Context, tx *store.Tx, c models.Creditor, noticeID int64, day models.Date) (again bool, err error) {
	n, err := tx.Notice(ctx, c.ID, noticeID)
	if err != nil || n.Withdrawn != 0 {
		return false, err
	}
	invoice, today, err := lockInvoice(ctx, tx, c, n.InvoiceID)
	if err != nil {
		return false, err
	}
	until, keeps := n.LeftOn(day)
	if keeps || invoice.Claimed() <= 0 {
		return false, countUntil(ctx, tx, invoice, n, until, day, today)
	}
	if invoice, err = withdraw(ctx, tx, invoice, n, today, why{reason: "left_late", detail: day.String()}); err != nil {
		return false, err
	}
	again = invoice.Closed == models.NotClosed && invoice.HandedOver == 0 && invoice.Notices < n.Sequence
	return again, tx.WithdrawCopies(ctx, n.ID)
}

// decideLocked does what decideAll does, with locked invoices. It first withdraws each notice whose letter left too late, and which stands
// because nothing was owed when that was told, if something is owed again and a step would build on it: the letter gave no time to pay
// (rule D94, inkassoforskriften § 1-3, inkassoloven § 9).
func (s *Snapshot) decideLocked(ctx context.Context, tx *store.Tx, ids []int64) ([]simulation, []Decision, error) {
	for {
		invoices, err := tx.InvoicesByID(ctx, s.creditor.ID, ids)
		if err != nil {
			return nil, nil, err
		}
		sims, decisions, err := s.decideAll(ctx, tx.View(), invoices)
		if err != nil {
			return nil, nil, err
		}
		withdrew := false
		for i, sim := range sims {
			if sim.late.ID == 0 || decisions[i].Action == Nothing {
				continue
			}
			if _, err := withdrawTooLate(ctx, tx, invoices[i], sim.late, sim.post, s.today); err != nil {
				return nil, nil, err
			}
			withdrew = true
		}
		if !withdrew {
			return sims, decisions, nil
		}
	}
}

// withdrawTooLate withdraws a notice on a locked invoice whose letter left too late, as LetterLeft does, and returns the changed invoice.
func withdrawTooLate(ctx context.Context, tx *store.Tx, invoice models.Invoice, n models.Notice, sent post, today models.Date) (models.Invoice, error) {
	left := n.IssueDate + sent.NoticeUntil - n.DueDate
	invoice, err := withdraw(ctx, tx, invoice, n, today, why{reason: "left_late", detail: left.String()})
	if err != nil {
		return models.Invoice{}, err
	}
	return invoice, tx.WithdrawCopies(ctx, n.ID)
}

// countUntil writes until when a notice on a locked invoice runs, since its letter left on a day, with what follows, and tells of it.
// It does so once for each day.
func countUntil(ctx context.Context, tx *store.Tx, invoice models.Invoice, n models.Notice, until, left, today models.Date) error {
	if until <= n.RunsUntil() {
		return nil
	}
	n.CountsUntil = until
	if err := tx.SetCountsUntil(ctx, n.ID, until); err != nil {
		return err
	}
	if n.Sequence == invoice.Notices {
		invoice.Deadline = n.RunsUntil()
		if err := tx.UpdateInvoice(ctx, invoice); err != nil {
			return err
		}
	}
	if err := ledger.RecalculateLate(ctx, tx, invoice.ID, law.Late{Left: left}); err != nil {
		return err
	}
	invoice, err := correctHandOver(ctx, tx, invoice, today, why{reason: "left_late", detail: left.String()})
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s %d on invoice %d left on %s only: its deadline of %s counts until %s", Title(n), n.Sequence, invoice.Number, left, n.DueDate, until)
	facts := models.Facts{
		"invoice_number": invoice.Number, "sequence_number": n.Sequence, "is_incasso_notice": n.Warning, "left": left, "due_date": n.DueDate, "counts_until": until,
	}
	if invoice.HandedOver != 0 {
		text += fmt.Sprintf(". The debt collector has the invoice since %s", invoice.HandedOver)
		facts["handed_over"] = invoice.HandedOver
	}
	return tx.Log(ctx, models.Event{
		CreditorID: n.CreditorID, Type: models.EventNoticeLeftLate, InvoiceID: n.InvoiceID, CustomerID: n.CustomerID, SubjectID: n.ID, Text: text, Facts: facts,
	})
}

// WithdrawTaken withdraws the notices on an invoice that were taken since a moment, because the invoice turns out not to have
// left, or to have come back by then (rule D98): with their fees and interest, the last one first. The ladder begins when the
// invoice has left (rule L1). The letters of the notices that have not left do not leave either. One that is just being handed
// over, or that its channel has accepted, stays owed: Renew takes it back. The caller has locked the invoice.
func WithdrawTaken(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, since time.Time) error {
	invoice, today, err := lockInvoice(ctx, tx, c, invoiceID)
	if err != nil || invoice.Notices == 0 {
		return err
	}
	notices, err := tx.NoticesOf(ctx, invoice.ID)
	if err != nil {
		return err
	}
	notices = slices.DeleteFunc(notices, func(n models.Notice) bool { return n.CreatedAt.Before(since) })
	_, err = withdrawEach(ctx, tx, invoice, notices, today, why{reason: "invoice_not_left"})
	return err
}

// WithdrawEarly does with the notices on an invoice that turns out to have left on a later day what WithdrawTaken does (rule
// D98): with those that were taken before that day, and with those that automatic dunning would not have taken on their days, since
// the invoice's due date moves with it (rule L1). Of a notice that stands it reverses the interest of the days before that due date,
// and the fee of automatic dunning that came too early.
func WithdrawEarly(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64) error {
	invoice, today, err := lockInvoice(ctx, tx, c, invoiceID)
	if err != nil || invoice.Notices == 0 {
		return err
	}
	late, err := InvoiceLate(ctx, tx.View(), c, invoice)
	if err != nil || late == 0 {
		return err
	}
	notices, err := tx.NoticesOf(ctx, invoice.ID)
	if err != nil {
		return err
	}
	customer, err := tx.Customer(ctx, c.ID, invoice.CustomerID)
	if err != nil {
		return err
	}
	left := invoice.IssueDate + models.Date(late)
	early := takenEarly(invoice, late, notices, customer.Policy.Apply(c.Policy))
	if invoice, err = withdrawEach(ctx, tx, invoice, early, today, why{reason: "invoice_left_late", detail: left.String()}); err != nil {
		return err
	}
	if len(early) == len(notices) {
		return nil
	}
	if err := ledger.RecalculateLate(ctx, tx, invoice.ID, law.Late{Left: left, Due: invoice.DueDate + models.Date(late)}); err != nil {
		return err
	}
	return correctBundle(ctx, tx, invoice)
}

// takenEarly returns those of an invoice's notices, which are in order, that were taken before the invoice left, as many days late as
// is known now, and those of automatic dunning whose day under the policy had not come, given those before that stand (rules L1, D98).
func takenEarly(invoice models.Invoice, late int, notices []models.Notice, p models.Policy) (early []models.Notice) {
	var stand []models.Notice
	for _, n := range notices {
		notLeft := n.IssueDate < invoice.IssueDate+models.Date(late)
		if notLeft || n.AskedBy == "" && tooEarly(before(invoice, stand), Letters{InvoiceLate: late}, p, n.IssueDate) {
			early = append(early, n)
		} else {
			stand = append(stand, n)
		}
	}
	return early
}

// withdrawEach withdraws notices on a locked invoice, which are in order, the last one first, with the letters that have not left. It
// returns the changed invoice.
func withdrawEach(ctx context.Context, tx *store.Tx, invoice models.Invoice, notices []models.Notice, today models.Date, because why) (models.Invoice, error) {
	for _, n := range slices.Backward(notices) {
		var err error
		if invoice, err = withdraw(ctx, tx, invoice, n, today, because); err != nil {
			return models.Invoice{}, err
		}
		if err := withdrawWhatWaits(ctx, tx, n); err != nil {
			return models.Invoice{}, err
		}
	}
	return invoice, nil
}

// withdrawWhatWaits withdraws the copies of a withdrawn notice, and its letters unless one may be leaving at this moment.
func withdrawWhatWaits(ctx context.Context, tx *store.Tx, n models.Notice) error {
	if err := tx.WithdrawCopies(ctx, n.ID); err != nil {
		return err
	}
	unsent, err := letterUnsent(ctx, tx, n)
	if err != nil || !unsent {
		return err
	}
	return tx.WithdrawLetters(ctx, n.ID)
}

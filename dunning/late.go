package dunning

import (
	"context"
	"fmt"
	"slices"
	"time"

	"purr/models"
	"purr/store"
)

// LetterLeft tells a notice that its letter left on a day that is later than its own (rule D94). The notice keeps what is
// printed, and runs until its due date moved by as many days. If the printed due date then leaves fewer than
// models.MinNoticeDays to pay, the notice is withdrawn with its fee and interest, as one is whose letter failed (rule L2).
// LetterLeft reports true if the step is then to be taken anew: a letter must be owed in the place of the one that left, which
// Renew replaces. The caller has locked the invoice and the letter.
//
// A notice that is withdrawn already stays as it is. Where nothing is owed any more, no charge is touched. Nothing takes the
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
	if keeps || invoice.Balance <= 0 {
		return false, countUntil(ctx, tx, invoice, n, until, day)
	}
	if invoice, err = withdraw(ctx, tx, invoice, n, today, why{reason: "left_late", detail: day.String()}); err != nil {
		return false, err
	}
	again = invoice.Closed == models.NotClosed && invoice.HandedOver == 0 && invoice.Notices < n.Sequence
	return again, tx.WithdrawCopies(ctx, n.ID)
}

// countUntil writes until when a notice on a locked invoice runs, since its letter left on a day, and tells of it. It does so
// once for each day.
func countUntil(ctx context.Context, tx *store.Tx, invoice models.Invoice, n models.Notice, until, left models.Date) error {
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
	return withdrawTaken(ctx, tx, c, invoiceID, func(n models.Notice, _ models.Invoice) bool { return !n.CreatedAt.Before(since) })
}

// WithdrawEarly does with the notices on an invoice that turns out to have left on a later day what WithdrawTaken does (rule
// D98): with those that were taken before that day, and with those of automatic dunning by the due date that moves with it
// (rule L1).
func WithdrawEarly(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64) error {
	invoice, err := tx.Invoice(ctx, c.ID, invoiceID)
	if err != nil {
		return err
	}
	late, err := InvoiceLate(ctx, tx.View(), c, invoice)
	if err != nil || late == 0 {
		return err
	}
	return withdrawTaken(ctx, tx, c, invoiceID, func(n models.Notice, i models.Invoice) bool {
		return n.IssueDate < i.IssueDate+models.Date(late) || n.AskedBy == "" && n.IssueDate <= i.DueDate+models.Date(late)
	})
}

// withdrawTaken withdraws those of an invoice's notices that were taken too early, the last one first.
func withdrawTaken(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, early func(models.Notice, models.Invoice) bool) error {
	invoice, today, err := lockInvoice(ctx, tx, c, invoiceID)
	if err != nil || invoice.Notices == 0 {
		return err
	}
	notices, err := tx.NoticesOf(ctx, invoice.ID)
	if err != nil {
		return err
	}
	for _, n := range slices.Backward(notices) {
		if !early(n, invoice) {
			continue
		}
		if invoice, err = withdraw(ctx, tx, invoice, n, today, why{reason: "invoice_not_left"}); err != nil {
			return err
		}
		if err := withdrawWhatWaits(ctx, tx, n); err != nil {
			return err
		}
	}
	return nil
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

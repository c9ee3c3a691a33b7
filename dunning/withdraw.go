package dunning

import (
	"context"
	"fmt"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// WithdrawIfNeedless takes back a notice, whose letter has not left, when nothing would be owed without
// the notice's own fee and interest: these are reversed, and the invoice stands as before the notice
// (rule E6f).
func WithdrawIfNeedless(ctx context.Context, tx *store.Tx, creditorID, noticeID int64) error {
	n, err := tx.Notice(ctx, creditorID, noticeID)
	if err != nil || n.Withdrawn != 0 {
		return err
	}
	invoice, err := tx.LockInvoice(ctx, creditorID, n.InvoiceID)
	if err != nil {
		return err
	}
	if invoice.Balance-n.Fee-n.Interest > 0 {
		return nil
	}
	creditor, err := tx.Creditor(ctx, creditorID)
	if err != nil {
		return err
	}
	today, err := creditor.Today(tx.Now)
	if err != nil {
		return err
	}
	if err := reverse(ctx, tx, n, today); err != nil {
		return err
	}
	if err := rewind(ctx, tx, invoice, n); err != nil {
		return err
	}
	if err := tx.WithdrawNotice(ctx, n, today); err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: creditorID, Type: models.EventNoticeWithdrawn, InvoiceID: n.InvoiceID, CustomerID: n.CustomerID, SubjectID: n.ID,
		Text: fmt.Sprintf("%s %d on invoice %d withdrawn before it was sent: paid meanwhile", Title(n), n.Sequence, invoice.Number),
	})
}

// reverse posts the opposite of a notice's fee and interest, as far as they are not reversed already.
func reverse(ctx context.Context, tx *store.Tx, n models.Notice, today models.Date) error {
	entries, err := tx.EntriesOfInvoice(ctx, n.InvoiceID)
	if err != nil {
		return err
	}
	charged := ledger.Sum(entries)
	n.Fee, n.Interest, n.IssueDate = -min(n.Fee, charged.Fees), -min(n.Interest, charged.Interest), today
	return ledger.Post(ctx, tx, chargesOf(n))
}

// rewind lets a locked invoice stand as it did before its last notice.
func rewind(ctx context.Context, tx *store.Tx, invoice models.Invoice, last models.Notice) error {
	notices, err := tx.NoticesOf(ctx, invoice.ID)
	if err != nil {
		return err
	}
	invoice.Notices, invoice.Warned, invoice.Deadline = 0, false, invoice.DueDate
	for _, n := range notices {
		if n.Sequence < last.Sequence {
			invoice.Notices, invoice.Warned, invoice.Deadline = n.Sequence, n.Warning, n.DueDate
		}
	}
	return tx.FollowInvoice(ctx, invoice)
}

package dunning

import (
	"context"
	"fmt"
	"slices"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// WithdrawIfNeedless withdraws a notice whose letter was not sent if its invoice is closed (rule E2). It also does
// so if nothing would be owed without the notice's own fee and interest (rule E6f). It reverses both, and restores
// the invoice to its state before the notice.
func WithdrawIfNeedless(ctx context.Context, tx *store.Tx, creditorID, noticeID int64) error {
	n, err := tx.Notice(ctx, creditorID, noticeID)
	if err != nil || n.Withdrawn != 0 {
		return err
	}
	invoice, err := tx.LockInvoice(ctx, creditorID, n.InvoiceID)
	if err != nil {
		return err
	}
	var why string
	switch {
	case invoice.Closed != models.NotClosed:
		why = becauseClosed
	case invoice.Balance-n.Fee-n.Interest > 0:
		return nil
	default:
		charged, err := stillCharged(ctx, tx, n)
		if err != nil || invoice.Balance-charged.Fees-charged.Interest > 0 {
			return err
		}
		why = "paid meanwhile"
	}
	creditor, err := tx.Creditor(ctx, creditorID)
	if err != nil {
		return err
	}
	today, err := creditor.Today(tx.Now)
	if err != nil {
		return err
	}
	_, err = withdraw(ctx, tx, invoice, n, today, why)
	return err
}

const becauseClosed = "the invoice is closed"

// withdrawUnsent withdraws the notices whose letters were not sent on a locked invoice that will be closed, the
// last one first. It returns the changed invoice. It keeps a notice whose letter may be on its way to the printer;
// WithdrawIfNeedless withdraws that one later.
func withdrawUnsent(ctx context.Context, tx *store.Tx, invoice models.Invoice, today models.Date) (models.Invoice, error) {
	notices, err := tx.NoticesOf(ctx, invoice.ID)
	if err != nil {
		return models.Invoice{}, err
	}
	for _, n := range slices.Backward(notices) {
		unsent, err := letterUnsent(ctx, tx, n)
		if err != nil || !unsent {
			return invoice, err
		}
		if invoice, err = withdraw(ctx, tx, invoice, n, today, becauseClosed); err != nil {
			return invoice, err
		}
	}
	return invoice, nil
}

// letterUnsent locks a notice's letter. It reports true only if the letter was certainly not sent.
func letterUnsent(ctx context.Context, tx *store.Tx, n models.Notice) (bool, error) {
	letters, err := tx.ShipmentsOf(ctx, n.Document())
	if err != nil {
		return false, err
	}
	for _, l := range letters {
		locked, err := tx.LockShipment(ctx, l.ID)
		if err != nil || !certainlyUnsent(locked) {
			return false, err
		}
	}
	return true, nil
}

func certainlyUnsent(s models.Shipment) bool {
	return s.State == models.ShipmentFailed || s.State == models.ShipmentOwed && s.TakenBy == ""
}

// withdraw withdraws a notice on a locked invoice, and returns the changed invoice.
func withdraw(ctx context.Context, tx *store.Tx, invoice models.Invoice, n models.Notice, today models.Date, why string) (models.Invoice, error) {
	if err := reverse(ctx, tx, n, today); err != nil {
		return models.Invoice{}, err
	}
	if err := restore(ctx, tx, invoice, n); err != nil {
		return models.Invoice{}, err
	}
	if err := tx.WithdrawNotice(ctx, n, today); err != nil {
		return models.Invoice{}, err
	}
	if err := tx.Log(ctx, models.Event{
		CreditorID: n.CreditorID, Type: models.EventNoticeWithdrawn, InvoiceID: n.InvoiceID, CustomerID: n.CustomerID, SubjectID: n.ID,
		Text: fmt.Sprintf("%s %d on invoice %d withdrawn before it was sent: %s", Title(n), n.Sequence, invoice.Number, why),
	}); err != nil {
		return models.Invoice{}, err
	}
	return tx.Invoice(ctx, invoice.CreditorID, invoice.ID)
}

// reverse posts the reversal of a notice's fee and interest, without the parts that are reversed already.
func reverse(ctx context.Context, tx *store.Tx, n models.Notice, today models.Date) error {
	charged, err := stillCharged(ctx, tx, n)
	if err != nil {
		return err
	}
	n.Fee, n.Interest, n.IssueDate = -charged.Fees, -charged.Interest, today
	return ledger.Post(ctx, tx, chargesOf(n), "")
}

// stillCharged returns a notice's fee and interest, without the parts that are reversed already: by a recalculation
// (rule L4), by a person (E3) or by a credit note (D21).
func stillCharged(ctx context.Context, tx *store.Tx, n models.Notice) (ledger.Totals, error) {
	entries, err := tx.EntriesOfInvoice(ctx, n.InvoiceID)
	if err != nil {
		return ledger.Totals{}, err
	}
	all, charged := ledger.TotalsOf(entries), ledger.TotalsOfNotice(entries, n.ID)
	charged.Fees, charged.Interest = min(charged.Fees, all.Fees), min(charged.Interest, all.Interest)
	return charged, nil
}

// restore changes a locked invoice to the state that it would have without one of its notices.
func restore(ctx context.Context, tx *store.Tx, invoice models.Invoice, without models.Notice) error {
	notices, err := tx.NoticesOf(ctx, invoice.ID)
	if err != nil {
		return err
	}
	invoice.Notices, invoice.Warned, invoice.Deadline = 0, false, invoice.DueDate
	for _, n := range notices {
		if n.ID != without.ID {
			invoice.Notices, invoice.Warned, invoice.Deadline = n.Sequence, n.Warning, n.DueDate
		}
	}
	return tx.UpdateInvoice(ctx, invoice)
}

package dunning

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"purr/models"
	"purr/store"
)

// CanHandOver returns nil if a person may hand an invoice over to debt collection today. Otherwise it returns the
// conflict invoice_closed, invoice_handed_over, invoice_paid or not_overdue (rules E2, E6d). WarningRuns says whether
// the person must insist.
func CanHandOver(invoice models.Invoice, today models.Date) error {
	switch {
	case invoice.Closed != models.NotClosed:
		return errClosed()
	case invoice.HandedOver != 0:
		return errHandedOver(invoice)
	case invoice.Claimed() <= 0:
		return errPaid()
	case today <= invoice.DueDate:
		return errNotOverdue(invoice)
	}
	return nil
}

// WarningRuns reports whether the deadline of the invoice's debt-collection warning has not passed on a day: the debtor
// may still pay without costs of collection (inkassoloven §§ 9, 17; rule L10). Like all that a person asks for it counts
// from the deadline as it is, not moved off weekends (rule E6d). A warning that left late runs for longer (rule D94).
func WarningRuns(invoice models.Invoice, today models.Date) bool {
	return invoice.Warned && today <= invoice.Deadline
}

// HandOverInvoice hands an invoice over to debt collection at a person's request (rule E2). It fails with the
// conflicts of CanHandOver, with the conflict not_sent if the invoice or the letter of its last notice has not left (rule
// L1), and with deadline_running while WarningRuns, or if the warning left too late (rule D94). seen is the invoice as the person saw it (store's LookAtInvoice), if he
// looked: if it is not so any more, HandOverInvoice fails with the conflict changed_meanwhile (rule D115).
func HandOverInvoice(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, actor string, seen ...models.Seen) (models.Invoice, error) {
	return handOverByHand(ctx, tx, c, invoiceID, false, actor, seen)
}

// ForceHandOver does what HandOverInvoice does, also while WarningRuns. The collector's bundle then says so (rule L10).
func ForceHandOver(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, actor string, seen ...models.Seen) (models.Invoice, error) {
	return handOverByHand(ctx, tx, c, invoiceID, true, actor, seen)
}

func handOverByHand(ctx context.Context, tx *store.Tx, c models.Creditor, invoiceID int64, force bool, actor string, seen []models.Seen) (models.Invoice, error) {
	invoice, today, err := lockInvoice(ctx, tx, c, invoiceID)
	if err != nil {
		return models.Invoice{}, err
	}
	if err := tx.SameInvoice(ctx, invoice, seen...); err != nil {
		return models.Invoice{}, err
	}
	if err := CanHandOver(invoice, today); err != nil {
		return models.Invoice{}, err
	}
	sent, err := readPostOf(ctx, tx.View(), c, invoice, today)
	if err != nil {
		return models.Invoice{}, err
	}
	if sent.refuses {
		return models.Invoice{}, errNotSent()
	}
	invoice.Deadline = sent.runsUntil(invoice)
	dead := invoice.Warned && sent.tooLate != 0
	early := dead || WarningRuns(invoice, today)
	switch {
	case force || !early:
	case dead:
		return models.Invoice{}, models.Conflict("deadline_running",
			"the debt-collection warning left too late to give %d days to pay: issue it anew, or hand over with force", models.MinNoticeDays)
	default:
		return models.Invoice{}, models.Conflict("deadline_running",
			"the debt-collection warning can be paid until %s: hand over after that day, or with force", invoice.Deadline)
	}
	return handOver(ctx, tx, invoice, today, early, actor)
}

// handOver hands a locked invoice over to debt collection, and writes that the bundle must be delivered. forced says
// that its warning's deadline has not passed. actor is the person who asked for it, empty for automatic dunning.
func handOver(ctx context.Context, tx *store.Tx, invoice models.Invoice, today models.Date, forced bool, actor string) (models.Invoice, error) {
	h := models.HandOver{CreditorID: invoice.CreditorID, InvoiceID: invoice.ID, HandedOver: today, Forced: forced}
	var err error
	if invoice.PlanID != 0 {
		if err := endPlanFor(ctx, tx, &invoice, today, cmp.Or(actor, models.ActorProgram)); err != nil {
			return models.Invoice{}, err
		}
	}
	if h.LastEntryID, err = lastEntry(ctx, tx, invoice); err != nil {
		return models.Invoice{}, err
	}
	if h.SellerID, err = keepSeller(ctx, tx, invoice.CreditorID); err != nil {
		return models.Invoice{}, err
	}
	if err := tx.CreateHandOver(ctx, &h); err != nil {
		return models.Invoice{}, err
	}
	invoice.HandedOver = today
	text := fmt.Sprintf("Invoice %d handed over to debt collection with %s owed", invoice.Number, invoice.Claimed())
	if forced {
		text += fmt.Sprintf(", although its warning can be paid until %s", invoice.Deadline)
	}
	return invoice, act{Actor: actor, Forced: forced}.onInvoice(ctx, tx, models.EventInvoiceHandedOver, invoice, text)
}

// lastEntry returns the ID of the newest entry of an invoice and the credit note on it.
func lastEntry(ctx context.Context, tx *store.Tx, invoice models.Invoice) (last int64, err error) {
	entries, err := tx.EntriesOfInvoiceAndCreditNote(ctx, invoice.ID)
	if err != nil {
		return 0, err
	}
	for _, e := range entries {
		last = max(last, e.ID)
	}
	return last, nil
}

// correctHandOver puts the hand-over of a locked invoice right of which a notice was withdrawn, or runs for longer: it takes it back if
// automatic dunning made it on a warning that does not bear it any more (rules D94, D98) and nothing of the bundle was handed over,
// and otherwise lets the bundle that is not made yet have the entries. What a person asked for, and what the collector has or may
// have, a person puts right: Today and verify name it. It returns the invoice as it is then.
func correctHandOver(ctx context.Context, tx *store.Tx, invoice models.Invoice, today models.Date, because why) (models.Invoice, error) {
	groundless := because != becauseClosed && invoice.HandedOver != 0 && (!invoice.Warned || invoice.HandedOver <= invoice.Deadline)
	if !groundless || invoice.Closed != models.NotClosed {
		return invoice, correctBundle(ctx, tx, invoice)
	}
	byRun, err := handedOverByRun(ctx, tx, invoice)
	if err != nil {
		return models.Invoice{}, err
	}
	last, found, err := tx.LastHandOver(ctx, invoice.ID)
	if err != nil {
		return models.Invoice{}, err
	}
	if !byRun || !found || last.Attempts > 0 {
		return invoice, correctBundle(ctx, tx, invoice)
	}
	if last, err = tx.LockHandOver(ctx, invoice.CreditorID, last.ID); err != nil {
		return models.Invoice{}, err
	}
	if last.State != models.BundleOwed || last.Attempts > 0 {
		return invoice, correctBundle(ctx, tx, invoice)
	}
	if err := withdrawBundle(ctx, tx, invoice, today, because, models.BundleOwed); err != nil {
		return models.Invoice{}, err
	}
	invoice.HandedOver = 0
	text := fmt.Sprintf("Invoice %d not handed over to debt collection after all, with %s owed: %s", invoice.Number, invoice.Balance, because.text())
	return invoice, act{Was: "handed_over"}.onInvoice(ctx, tx, models.EventInvoiceReopened, invoice, text)
}

// handedOverByRun reports whether automatic dunning has handed an invoice over. Of a hand-over under a release that did not keep who acts
// last it is not known.
func handedOverByRun(ctx context.Context, tx *store.Tx, invoice models.Invoice) (bool, error) {
	closing := models.Thing{Kind: models.ThingClosing, ID: invoice.ID}
	acts, err := tx.LastActs(ctx, invoice.CreditorID, closing)
	if err != nil {
		return false, err
	}
	last := acts[closing]
	return last.Event == models.EventInvoiceHandedOver && last.Actor == models.ActorProgram, nil
}

// correctBundle lets the bundle of a locked invoice have the entries that reverse a notice, if the bundle is not made yet:
// it will not have the notice. A bundle that is made stays as it is.
func correctBundle(ctx context.Context, tx *store.Tx, invoice models.Invoice) error {
	if invoice.HandedOver == 0 {
		return nil
	}
	last, found, err := tx.LastHandOver(ctx, invoice.ID)
	if err != nil || !found {
		return err
	}
	h, err := tx.LockHandOver(ctx, invoice.CreditorID, last.ID)
	if err != nil || h.Bundle != "" {
		return err
	}
	if h.LastEntryID, err = lastEntry(ctx, tx, invoice); err != nil {
		return err
	}
	return tx.UpdateHandOver(ctx, h)
}

// withdrawBundle withdraws the bundle of a locked invoice's last hand-over, if the hand-over is in one of the
// states. A bundle that was not sent is not delivered. A debt collector who has or may have the bundle is
// informed.
func withdrawBundle(ctx context.Context, tx *store.Tx, invoice models.Invoice, today models.Date, why why, from ...models.HandOverState) error {
	last, found, err := tx.LastHandOver(ctx, invoice.ID)
	if err != nil || !found {
		return err
	}
	h, err := tx.LockHandOver(ctx, invoice.CreditorID, last.ID)
	if err != nil || !slices.Contains(from, h.State) {
		return err
	}
	h.TakenBack = today
	text := fmt.Sprintf("The collection bundle of invoice %d will not be delivered: %s", invoice.Number, why.text())
	if h.State = models.HandOverEnded; h.Attempts > 0 {
		h.State, h.NextAttempt = models.WithdrawalOwed, tx.Common
		text = fmt.Sprintf("The collection bundle of invoice %d is taken back: %s", invoice.Number, why.text())
	}
	if err := tx.UpdateHandOver(ctx, h); err != nil {
		return err
	}
	return tx.Log(ctx, models.Event{
		CreditorID: h.CreditorID, Type: models.EventBundleWithdrawn, InvoiceID: invoice.ID, CustomerID: invoice.CustomerID, SubjectID: h.ID, Text: text,
		Facts: models.Facts{"invoice_number": invoice.Number, "reason": why.reason, "delivered": h.State == models.WithdrawalOwed},
	})
}

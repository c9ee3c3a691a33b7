package dunning

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"purr/law"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// Renew returns the notice whose letter may leave today in the place of one whose letter is due, and false if none may. The
// caller has locked the invoice and the letter.
//
// Mostly it is the notice itself. It withdraws a notice whose invoice is closed (rule E2), or on which nothing would be
// owed without the notice's own fee and interest (rule E6f). A notice of an earlier day is withdrawn and issued anew, so
// that its date, fee, interest and deadline are those of the day on which it leaves (rule L2). So is a notice that was
// withdrawn because its letter failed, if the letter is to be sent again. What a person asked for is issued as it was asked
// for; automatic dunning decides anew. If it takes no step today, the ladder goes on with the next run. Nothing takes the
// place of a notice whose invoice is handed over, or on which a later notice stands. gone says that the notice's e-mail may not leave, because the
// customer has no e-mail address any more: then it is issued anew at once (rule L22).
func Renew(ctx context.Context, tx *store.Tx, base *law.Rules, creditorID, noticeID int64, gone ...bool) (leaves models.Notice, may bool, err error) {
	n, err := tx.Notice(ctx, creditorID, noticeID)
	if err != nil {
		return models.Notice{}, false, err
	}
	creditor, err := tx.Creditor(ctx, creditorID)
	if err != nil {
		return models.Notice{}, false, err
	}
	invoice, today, err := lockInvoice(ctx, tx, creditor, n.InvoiceID)
	if err != nil {
		return models.Notice{}, false, err
	}
	because, err := needless(ctx, tx, invoice, n)
	if err != nil {
		return models.Notice{}, false, err
	}
	switch {
	case n.Withdrawn != 0:
		err = tx.WithdrawLetters(ctx, n.ID)
	case because == (why{}) && !n.Outdated(today) && !slices.Contains(gone, true):
		return n, true, nil
	default:
		late := why{reason: "not_left", detail: n.IssueDate.String()}
		if !n.Outdated(today) {
			late = why{reason: "email_gone"}
		}
		invoice, err = recall(ctx, tx, invoice, n, today, cmp.Or(because, late))
	}
	if err != nil || because != (why{}) || invoice.HandedOver != 0 || invoice.Notices >= n.Sequence {
		return models.Notice{}, false, err
	}
	rules, err := RulesFor(ctx, base, tx, creditorID)
	if err != nil {
		return models.Notice{}, false, err
	}
	return issueAnew(ctx, tx, rules, creditor, invoice, n, today)
}

// LeavesAsItIs reports whether the rows of a locked invoice and of its notice alone tell that the notice's letter may leave
// today. If not, Renew says what becomes of the notice.
func LeavesAsItIs(invoice models.Invoice, n models.Notice, today models.Date) bool {
	return n.Withdrawn == 0 && invoice.Closed == models.NotClosed && invoice.Claimed() > n.Fee+n.Interest && !n.Outdated(today)
}

// issueAnew issues a notice that was withdrawn as of today, on the locked invoice. It reports false if that may not be.
func issueAnew(ctx context.Context, tx *store.Tx, r *law.Rules, c models.Creditor, invoice models.Invoice, n models.Notice, today models.Date) (models.Notice, bool, error) {
	if n.AskedBy != "" {
		anew, err := issueAsked(ctx, tx, r, c, invoice, today, askedFor(n))
		if kind := models.KindOf(err); kind == models.KindConflict || kind == models.KindInvalid { // an address that cannot be printed
			return models.Notice{}, false, nil
		}
		return anew, err == nil, err
	}
	snapshot, err := takeSnapshot(ctx, tx.View(), r, c, today)
	if err != nil {
		return models.Notice{}, false, err
	}
	snapshot.creditMoved = true // a letter that leaves moves none
	sims, decisions, err := snapshot.decideLocked(ctx, tx, []int64{invoice.ID})
	if err != nil {
		return models.Notice{}, false, err
	}
	if d := decisions[0]; d.Action != Remind && d.Action != Warn {
		return models.Notice{}, false, nil
	}
	notices, err := issue(ctx, tx, []draft{sims[0].draft(r, decided(decisions[0]), today)})
	if err != nil {
		return models.Notice{}, false, err
	}
	return notices[0], true, nil
}

// askedFor returns the request of the person who asked for a notice.
func askedFor(n models.Notice) Request {
	return Request{AddFee: n.AskedFee, AddInterest: n.AskedInterest, Warning: n.Warning, Method: n.AskedMethod, Again: true, Comment: n.Comment, Actor: n.AskedBy}
}

// WithdrawIfNeedless withdraws a notice whose invoice is closed (rule E2), or on which nothing would be owed without the
// notice's own fee and interest (rule E6f), and reports whether it did. The caller has locked the invoice and the letter.
func WithdrawIfNeedless(ctx context.Context, tx *store.Tx, creditorID, noticeID int64) (bool, error) {
	n, err := tx.Notice(ctx, creditorID, noticeID)
	if err != nil || n.Withdrawn != 0 {
		return false, err
	}
	creditor, err := tx.Creditor(ctx, creditorID)
	if err != nil {
		return false, err
	}
	invoice, today, err := lockInvoice(ctx, tx, creditor, n.InvoiceID)
	if err != nil {
		return false, err
	}
	because, err := needless(ctx, tx, invoice, n)
	if err != nil || because == (why{}) {
		return false, err
	}
	_, err = recall(ctx, tx, invoice, n, today, because)
	return err == nil, err
}

// needless returns why a notice is not to be sent, or no reason. The invoice is locked.
func needless(ctx context.Context, tx *store.Tx, invoice models.Invoice, n models.Notice) (why, error) {
	if invoice.Closed != models.NotClosed {
		return becauseClosed, nil
	}
	if invoice.Claimed() > n.Fee+n.Interest {
		return why{}, nil
	}
	charged, err := stillCharged(ctx, tx, n)
	if err != nil || invoice.Claimed() > charged.Fees+charged.Interest {
		return why{}, err
	}
	return becausePaid, nil
}

// WithdrawFailed withdraws a notice whose letter failed for good, with its fee and interest (rule L2). The letter stays
// failed, and the ladder waits until the letter is sent again: Renew then takes the step anew. An invoice that was handed
// over stays so, unless correctHandOver takes that back, and the event says that a person must tell the debt collector, who claims
// more than is owed. A letter can fail after it had left, as is reported: a copy that is still owed then is withdrawn with the notice.
func WithdrawFailed(ctx context.Context, tx *store.Tx, creditorID, noticeID int64, failure string) error {
	return withdrawFor(ctx, tx, creditorID, noticeID, why{reason: "letter_failed", detail: failure})
}

func withdrawFor(ctx context.Context, tx *store.Tx, creditorID, noticeID int64, because why) error {
	n, err := tx.Notice(ctx, creditorID, noticeID)
	if err != nil || n.Withdrawn != 0 {
		return err
	}
	creditor, err := tx.Creditor(ctx, creditorID)
	if err != nil {
		return err
	}
	invoice, today, err := lockInvoice(ctx, tx, creditor, n.InvoiceID)
	if err != nil {
		return err
	}
	if _, err = withdraw(ctx, tx, invoice, n, today, because); err != nil {
		return err
	}
	return tx.WithdrawCopies(ctx, n.ID)
}

// CanSendAgain returns nil if the letter of a notice on the invoice may be sent again. Otherwise it returns the conflict
// invoice_handed_over, or not_failed if a later notice is in force: the letter would demand an old amount by a day that
// has passed (rule L2).
func CanSendAgain(invoice models.Invoice, n models.Notice) error {
	switch {
	case invoice.HandedOver != 0:
		return errHandedOver(invoice)
	case n.Withdrawn == 0 && n.Sequence < invoice.Notices:
		return models.Conflict("not_failed", "notice %d was issued after notice %d, whose letter is not sent again", invoice.Notices, n.Sequence)
	}
	return nil
}

// WithdrawAllFailed does what WithdrawFailed does with each notice of a creditor whose letter failed. Most are withdrawn
// when the letter fails; these are the others, such as those of an earlier release.
func WithdrawAllFailed(ctx context.Context, db *store.DB, creditorID int64) error {
	letters, err := db.FailedLetters(ctx, creditorID)
	if err != nil {
		return err
	}
	for _, l := range letters {
		err := db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
			if l.DocumentKind.Joint() {
				return WithdrawFailedLetter(ctx, tx, creditorID, l.DocumentID, l.Reason)
			}
			return WithdrawFailed(ctx, tx, creditorID, l.DocumentID, l.Reason)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// withdrawUnsent withdraws the notices whose letters were not sent on a locked invoice that will be closed, the
// last one first. It returns the changed invoice. It keeps a notice whose letter may be on its way to the printer;
// Renew withdraws that one later.
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
		if invoice, err = recall(ctx, tx, invoice, n, today, becauseClosed); err != nil {
			return invoice, err
		}
	}
	return invoice, nil
}

// letterUnsent locks a notice's letter. It reports true only if the letter was certainly not sent.
func letterUnsent(ctx context.Context, tx *store.Tx, n models.Notice) (bool, error) {
	letters, err := tx.ShipmentsOf(ctx, n.SentAs())
	if err != nil {
		return false, err
	}
	for _, l := range letters {
		locked, err := tx.LockShipment(ctx, l.ID)
		if err != nil || locked.Role() == models.Original && !certainlyUnsent(locked) {
			return false, err
		}
	}
	return true, nil
}

func certainlyUnsent(s models.Shipment) bool {
	return s.State == models.ShipmentFailed || s.State == models.ShipmentOwed && !s.InHand() && !s.Accepted()
}

// recall withdraws a notice on a locked invoice with its letter, and returns the changed invoice.
func recall(ctx context.Context, tx *store.Tx, invoice models.Invoice, n models.Notice, today models.Date, because why) (models.Invoice, error) {
	if err := tx.WithdrawLetters(ctx, n.ID); err != nil {
		return models.Invoice{}, err
	}
	return withdraw(ctx, tx, invoice, n, today, because)
}

// withdraw withdraws a notice on a locked invoice, and returns the changed invoice.
func withdraw(ctx context.Context, tx *store.Tx, invoice models.Invoice, n models.Notice, today models.Date, because why) (models.Invoice, error) {
	if err := reverse(ctx, tx, n, today); err != nil {
		return models.Invoice{}, err
	}
	if err := restore(ctx, tx, invoice, n); err != nil {
		return models.Invoice{}, err
	}
	if err := tx.WithdrawNotice(ctx, n, today); err != nil {
		return models.Invoice{}, err
	}
	invoice, err := tx.Invoice(ctx, invoice.CreditorID, invoice.ID)
	if err != nil {
		return models.Invoice{}, err
	}
	if invoice, err = correctHandOver(ctx, tx, invoice, today, because); err != nil {
		return models.Invoice{}, err
	}
	return invoice, tx.Log(ctx, withdrawn(n, invoice, because))
}

// withdrawn returns the event of a notice that was withdrawn on an invoice.
func withdrawn(n models.Notice, invoice models.Invoice, because why) models.Event {
	text := fmt.Sprintf("%s %d on invoice %d withdrawn%s: %s", Title(n), n.Sequence, invoice.Number, because.before(), because.text())
	facts := models.Facts{"invoice_number": invoice.Number, "sequence_number": n.Sequence, "is_incasso_notice": n.Warning, "reason": because.reason}
	switch because.reason {
	case "letter_failed":
		facts["failure"] = because.detail
	case "left_late", "invoice_left_late":
		facts["left"] = because.detail
	}
	if invoice.HandedOver != 0 {
		text += fmt.Sprintf(". Tell the debt collector, who has the invoice since %s: %s is owed", invoice.HandedOver, invoice.Claimed())
		facts["handed_over"], facts["balance"] = invoice.HandedOver, invoice.Claimed()
	}
	return models.Event{
		CreditorID: n.CreditorID, Type: models.EventNoticeWithdrawn, InvoiceID: n.InvoiceID, CustomerID: n.CustomerID, SubjectID: n.ID, Text: text, Facts: facts,
	}
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
	return chargedBy(entries, n), nil
}

// chargedBy returns what the entries of a notice's invoice still charge of the notice.
func chargedBy(entries []models.Entry, n models.Notice) ledger.Totals {
	all, charged := ledger.TotalsOf(entries), ledger.TotalsOfNotice(entries, n.ID)
	charged.Fees, charged.Interest = min(charged.Fees, all.Fees), min(charged.Interest, all.Interest)
	return charged
}

// restore changes a locked invoice to the state that it would have without one of its notices.
func restore(ctx context.Context, tx *store.Tx, invoice models.Invoice, without models.Notice) error {
	notices, err := tx.NoticesOf(ctx, invoice.ID)
	if err != nil {
		return err
	}
	left := slices.DeleteFunc(notices, func(n models.Notice) bool { return n.ID == without.ID })
	return tx.UpdateInvoice(ctx, before(invoice, left))
}

// before returns an invoice with the state that it has with only some of its notices, which are in order. The balance stays.
func before(invoice models.Invoice, notices []models.Notice) models.Invoice {
	invoice.Notices, invoice.Warned, invoice.Deadline = 0, false, invoice.DueDate
	for _, n := range notices {
		invoice.Notices, invoice.Warned, invoice.Deadline = n.Sequence, n.Warning, n.RunsUntil()
	}
	return invoice
}

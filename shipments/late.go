package shipments

import (
	"context"
	"slices"
	"time"

	"purr/documents"
	"purr/dunning"
	"purr/models"
	"purr/store"
)

// haveLeft does what follows when letters of one creditor's notices have left: a notice whose letter left on a later day
// follows it (rule D94), and one that stands may go by EHF too (rule H1). rows are those of the notices.
func haveLeft(ctx context.Context, tx *store.Tx, letters []models.Shipment, rows map[models.Document]documents.Rows) error {
	if len(letters) == 0 {
		return nil
	}
	creditor, err := tx.Creditor(ctx, letters[0].CreditorID)
	if err != nil {
		return err
	}
	var stand []models.Shipment
	for _, l := range letters {
		stands, err := follow(ctx, tx, creditor, l, rows[l.Document()].Notice)
		if err != nil {
			return err
		}
		if stands {
			stand = append(stand, l)
		}
	}
	return besides(ctx, tx, creditor, stand, rows)
}

// leftLate does for one locked shipment whose moment of sending has changed what haveLeft does: nothing unless it is a
// notice's letter.
func leftLate(ctx context.Context, tx *store.Tx, s models.Shipment) error {
	if !isLetter(s) {
		return nil
	}
	creditor, err := tx.Creditor(ctx, s.CreditorID)
	if err != nil {
		return err
	}
	n, err := tx.Notice(ctx, s.CreditorID, s.DocumentID)
	if err != nil {
		return err
	}
	_, err = follow(ctx, tx, creditor, s, n)
	return err
}

// follow lets a notice follow its letter, if that left on a later day, and reports whether the notice stands. If the step is
// taken anew, it owes a letter in the place of the one that left: whoever takes it finds the notice withdrawn, and issues it
// anew (rules D94, L2).
func follow(ctx context.Context, tx *store.Tx, c models.Creditor, letter models.Shipment, n models.Notice) (stands bool, err error) {
	if letter.SentAt == nil {
		return true, nil
	}
	day, err := c.Today(*letter.SentAt)
	if err != nil || day <= n.IssueDate {
		return true, err
	}
	again, err := dunning.LetterLeft(ctx, tx, c, n.ID, day)
	if err != nil {
		return false, err
	}
	if again {
		_, err = inPlace(ctx, tx, letter)
		return false, err
	}
	if n, err = tx.Notice(ctx, c.ID, n.ID); err != nil {
		return false, err
	}
	return n.Withdrawn == 0, nil
}

// movedFrom reports whether a shipment left at another moment than was known.
func movedFrom(before, s models.Shipment) bool {
	return s.SentAt != nil && (before.SentAt == nil || !before.SentAt.Equal(*s.SentAt))
}

// invoiceNotLeft withdraws the notices that were taken although their invoice had not left, as is reported now of its last
// original: it failed, or it had come back before the notice (rule D98). The invoice is locked.
func invoiceNotLeft(ctx context.Context, tx *store.Tx, s models.Shipment) error {
	if s.DocumentKind != models.InvoiceDocument || s.Copy || s.State != models.ShipmentFailed && s.State != models.ShipmentReturned {
		return nil
	}
	others, err := tx.ShipmentsOf(ctx, s.Document())
	if err != nil || slices.ContainsFunc(others, func(o models.Shipment) bool { return !o.Copy && o.State.HasLeft() }) {
		return err
	}
	creditor, err := tx.Creditor(ctx, s.CreditorID)
	if err != nil {
		return err
	}
	var since time.Time // it never left
	if s.State == models.ShipmentReturned {
		since = *s.ReportedAt
	}
	return dunning.WithdrawTaken(ctx, tx, creditor, s.DocumentID, since)
}

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
		stands, err := follow(ctx, tx, creditor, l, rows[l.Document()])
		if err != nil {
			return err
		}
		if stands && !l.DocumentKind.Joint() { // what shares a letter does not go by EHF besides

			stand = append(stand, l)
		}
	}
	return besides(ctx, tx, creditor, stand, rows)
}

// leftLate does for one locked shipment whose moment of sending has changed what haveLeft does: nothing unless it is a
// notice's letter.
func leftLate(ctx context.Context, tx *store.Tx, s models.Shipment) error {
	if !s.IsNoticeLetter() {
		return nil
	}
	creditor, err := tx.Creditor(ctx, s.CreditorID)
	if err != nil {
		return err
	}
	rows, err := documents.Read(ctx, tx, s.CreditorID, s.Document())
	if err != nil {
		return err
	}
	_, err = follow(ctx, tx, creditor, s, rows)
	return err
}

// follow lets a notice follow its letter, if that left on a later day, and reports whether the notice stands. If the step is
// taken anew, it owes a letter in the place of the one that left: whoever takes it finds the notice withdrawn, and issues it
// anew (rules D94, L2).
func follow(ctx context.Context, tx *store.Tx, c models.Creditor, letter models.Shipment, rows documents.Rows) (stands bool, err error) {
	if letter.SentAt == nil {
		return true, nil
	}
	day, err := c.Today(*letter.SentAt)
	if err != nil || !rows.Outdated(day) {
		return true, err
	}
	var again bool
	if letter.DocumentKind.Joint() {
		again, err = dunning.JointLetterLeft(ctx, tx, c.ID, letter.DocumentID, day)
	} else {
		again, err = dunning.LetterLeft(ctx, tx, c, letter.DocumentID, day)
	}
	if err != nil {
		return false, err
	}
	if again {
		_, err = inPlace(ctx, tx, letter)
		return false, err
	}
	if rows, err = documents.Read(ctx, tx, c.ID, letter.Document()); err != nil {
		return false, err
	}
	return !rows.Withdrawn(), nil
}

// movedFrom reports whether a shipment left at another moment than was known.
func movedFrom(before, s models.Shipment) bool {
	return s.SentAt != nil && (before.SentAt == nil || !before.SentAt.Equal(*s.SentAt))
}

// invoiceNotLeft withdraws the notices that were taken although their invoice had not left, as is reported now of its original:
// it failed, had come back before the notice, or left on a later day (rule D98). What another original did counts as well: the
// first that left. The invoice is locked.
func invoiceNotLeft(ctx context.Context, tx *store.Tx, before, s models.Shipment) error {
	if s.DocumentKind != models.InvoiceDocument || s.Role() != models.Original {
		return nil
	}
	creditor, err := tx.Creditor(ctx, s.CreditorID)
	if err != nil {
		return err
	}
	if s.State.HasLeft() {
		if !movedFrom(before, s) {
			return nil
		}
		return dunning.WithdrawEarly(ctx, tx, creditor, s.DocumentID)
	}
	others, err := tx.ShipmentsOf(ctx, s.Document())
	if err != nil || slices.ContainsFunc(others, func(o models.Shipment) bool { return o.Role() == models.Original && o.State.HasLeft() }) {
		return err
	}
	switch s.State { //nolint:exhaustive // no report gives another state
	case models.ShipmentFailed, models.ShipmentOwed: // the latter failed by our settings' fault (rule D107)
		return dunning.WithdrawTaken(ctx, tx, creditor, s.DocumentID, time.Time{})
	case models.ShipmentReturned:
		return dunning.WithdrawTaken(ctx, tx, creditor, s.DocumentID, *s.ReportedAt)
	}
	return nil
}

// awaited reports whether the outcome is of a notice's letter that its channel has accepted, and of which nobody knows yet
// what becomes of it.
func (o Outcome) awaited() bool { return o.Taken.IsNoticeLetter() && (o.Pending || o.Taken.Accepted()) }

// day is the day of a creditor.
type day struct{ begins, ends, now time.Time }

// lettersInTime returns the creditor's day, if one of the outcomes is accepted. It asks nothing otherwise.
func lettersInTime(ctx context.Context, tx *store.Tx, outcomes []Outcome) (day, error) {
	if !slices.ContainsFunc(outcomes, Outcome.awaited) {
		return day{}, nil
	}
	creditor, err := tx.Creditor(ctx, outcomes[0].Taken.CreditorID)
	if err != nil {
		return day{}, err
	}
	zone, err := creditor.Location()
	if err != nil {
		return day{}, err
	}
	year, month, date := tx.Now.In(zone).Date()
	begin := func(date int) time.Time { return time.Date(year, month, date, 0, 0, 0, 0, zone) }
	return day{begin(date), begin(date + 1), tx.Now}, nil
}

// asksAgain is how soon a channel is asked again about a letter whose day is over: it may still be taken back.
const asksAgain = 5 * time.Minute

// asks returns after how long a channel is asked at the latest what became of a letter that it has accepted: as the letter's day
// ends, and from then on again and again (rule D94).
func (d day) asks(letter models.Shipment) time.Duration {
	if letter.CreatedAt.Before(d.begins) {
		return asksAgain
	}
	return d.ends.Sub(d.now)
}

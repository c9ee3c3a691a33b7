package shipments

import (
	"context"
	"slices"
	"strconv"
	"time"

	"purr/models"
	"purr/store"
)

// earliest is before all moments that a report can tell of.
var earliest = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// newReport returns a report in the form in which it is kept. It fails if there is no such state or moment.
func newReport(state, reason string, at time.Time) (models.ShipmentReport, error) {
	r := models.ShipmentReport{
		State: models.ShipmentState(state), At: at.UTC().Truncate(time.Microsecond), Reason: models.Foreign(reason, models.MaxReason),
	}
	if !slices.Contains(models.ReportedStates, r.State) {
		return r, models.Invalid("invalid_state", "state", "%q is no state of a report: sent, delivered, failed, returned or delayed", models.Shorten(state, 40))
	}
	if r.At.Before(earliest) || r.At.Year() > 9999 {
		return r, models.Invalid("out_of_range", "at", "must be a moment since the year 2000")
	}
	return r, nil
}

// Report keeps what is told of a shipment, and changes the shipment's state if that is news (see models.Shipment.Heed).
// A letter that came back holds further letters to the customer (rule S1b). The same report once more changes nothing. A
// moment that is still to come counts as the present one.
//
// If a notice's letter turns out to have left on a later day, the notice follows (rule D94). If an invoice turns out not to
// have left, to have come back by then or to have left later, the notices that were taken meanwhile are withdrawn (rule D98).
func Report(ctx context.Context, tx *store.Tx, r models.ShipmentReport, actor string) (models.Shipment, error) {
	return report(ctx, tx, r, actor, false)
}

// report does what Report does. What failed by our settings' fault is owed again (rule D107).
func report(ctx context.Context, tx *store.Tx, r models.ShipmentReport, actor string, ours bool) (models.Shipment, error) {
	s, err := tx.Shipment(ctx, r.ShipmentID)
	if err != nil {
		return models.Shipment{}, err
	}
	if err := lockInvoicesOf(ctx, tx, []models.Shipment{s}); err != nil {
		return models.Shipment{}, err
	}
	if s.DocumentKind == models.InvoiceDocument {
		if _, err := tx.LockInvoices(ctx, s.CreditorID, []int64{s.DocumentID}); err != nil {
			return models.Shipment{}, err
		}
	}
	customer, err := tx.CustomerOf(ctx, s.Document())
	if err != nil {
		return models.Shipment{}, err
	}
	if customer, err = tx.LockCustomer(ctx, customer.CreditorID, customer.ID); err != nil {
		return models.Shipment{}, err
	}
	if s, err = tx.LockShipment(ctx, s.ID); err != nil {
		return models.Shipment{}, err
	}
	r.CreditorID = s.CreditorID
	kept, err := tx.HasShipmentReport(ctx, r)
	if err != nil || kept {
		return s, err
	}
	if err := tx.CreateShipmentReport(ctx, r); err != nil {
		return models.Shipment{}, err
	}
	if r.At.After(tx.Now) {
		r.At = tx.Now
	}
	before := s
	s = s.Heed(r)
	if ours && s.State == models.ShipmentFailed && before.State != models.ShipmentFailed {
		s.OweAgain(tx.Now, tx.Common)
		text := "is owed again, since it was refused for a fault of the settings: " + s.Reason
		if err := update(ctx, tx, s, models.EventShipmentRetried, actor, text); err != nil {
			return models.Shipment{}, err
		}
		return s, invoiceNotLeft(ctx, tx, before, s)
	}
	if s.State == before.State {
		if err := tx.UpdateShipment(ctx, s); err != nil {
			return models.Shipment{}, err
		}
		if movedFrom(before, s) {
			if err := leftLate(ctx, tx, s); err != nil {
				return models.Shipment{}, err
			}
		}
		return s, invoiceNotLeft(ctx, tx, before, s)
	}
	if s.State == models.ShipmentReturned && s.Method.IsLetter() {
		if err := holdLetters(ctx, tx, customer, s); err != nil {
			return models.Shipment{}, err
		}
	}
	n := news(s.State)
	if s.Reason != "" {
		n.done += ": " + s.Reason
	}
	if err := update(ctx, tx, s, n.event, actor, n.done); err != nil {
		return models.Shipment{}, err
	}
	if err := invoiceNotLeft(ctx, tx, before, s); err != nil || s.State != models.ShipmentFailed {
		return s, err
	}
	return s, fallBack(ctx, tx, s)
}

// told is the event of a state that a report gives.
type told struct {
	event models.EventType
	done  string
}

// news returns what is told of a state that a report gives.
func news(s models.ShipmentState) told {
	switch s {
	case models.ShipmentDelivered:
		return told{models.EventShipmentDelivered, "has arrived, as is reported"}
	case models.ShipmentFailed:
		return told{models.EventShipmentFailed, "failed, as is reported"}
	case models.ShipmentReturned:
		return told{models.EventShipmentReturned, "came back"}
	default:
		return told{models.EventShipmentSent, "was sent, as is reported"}
	}
}

// holdLetters holds further letters to a locked customer, because a letter came back. It does not if the customer has got
// another address since the letter was written.
func holdLetters(ctx context.Context, tx *store.Tx, c models.Customer, letter models.Shipment) error {
	if c.LettersHeld.Since != nil || c.Recipient.Address() != letter.Recipient.Address() {
		return nil
	}
	c.LettersHeld = models.LettersHeld{Since: &tx.Now, Reason: letter.Reason}
	return tx.UpdateCustomer(ctx, &c)
}

// Reader is a database, or a transaction on one.
type Reader interface {
	Shipment(ctx context.Context, id int64) (models.Shipment, error)
	NumbersOf(ctx context.Context, shipments ...models.Shipment) (map[models.Document]int64, error)
}

// Find returns the shipment with the ID or the name, of any creditor. A name finds nothing if it is of another document
// than the shipment with its ID.
func Find(ctx context.Context, from Reader, idOrName string) (models.Shipment, error) {
	id, err := idOf(idOrName)
	if err != nil {
		return models.Shipment{}, err
	}
	s, err := from.Shipment(ctx, id)
	_, number, _, named := models.ParseShipmentName(idOrName)
	if err != nil || !named {
		return s, err
	}
	numbers, err := from.NumbersOf(ctx, s)
	if err != nil {
		return models.Shipment{}, err
	}
	if numbers[s.Document()] != number || s.Name(number) != idOrName {
		return models.Shipment{}, models.NotFound("shipment")
	}
	return s, nil
}

// idOf returns the ID of a shipment from its ID or its name.
func idOf(idOrName string) (int64, error) {
	if _, _, id, named := models.ParseShipmentName(idOrName); named {
		return id, nil
	}
	id, err := strconv.ParseInt(idOrName, 10, 64)
	if err != nil || id <= 0 {
		return 0, models.Invalid("invalid_shipment", "shipment", "%q is neither the ID of a shipment nor its name", models.Shorten(idOrName, 80))
	}
	return id, nil
}

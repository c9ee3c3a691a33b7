package shipments

import (
	"cmp"
	"context"
	"slices"

	"purr/documents"
	"purr/models"
	"purr/register"
	"purr/store"
)

// CopyRequest is how a person has a copy of a document sent (rule N4).
type CopyRequest struct {
	Method models.ShipmentMethod // one of models.DuplicateMethods
	Email  string                // the address of an e-mail, for this time; empty for the customer's
	Save   bool                  // the address becomes the customer's
	Actor  string
	Seen   models.Seen // what the person saw (LookAtCopies); may be empty (rule D115)
}

// Validate returns all faults of a request that can be found without the document.
func (r CopyRequest) Validate() error {
	var faults models.Errors
	switch asked := slices.Contains(models.DuplicateMethods, r.Method); {
	case !asked:
		faults.Add("invalid_shipment_method", "shipment_method", "must be %s", models.Alternatives(models.DuplicateMethods))
	case r.Method != models.ByEmail && r.Email != "":
		faults.Add("invalid_shipment_method", "shipment_method", "only EMAIL goes to an e-mail address")
	}
	switch {
	case r.Email != "" && (len(r.Email) > models.MaxEmail || !models.ValidEmail(r.Email)):
		faults.Add("invalid_email", "email", "is not a valid e-mail address")
	case r.Save && r.Email == "":
		faults.Add("email_required", "email", "is the address to save")
	}
	return faults.ErrorOrNil()
}

// SendCopy has a copy of a creditor's invoice, credit note or notice sent, as the document is kept, to its customer as he is now. It
// returns the shipment that owes it. A copy is no new claim: what becomes of it moves no deadline, holds no dunning, counts as no sending
// of the original, and falls back to no other way.
//
// It fails with the faults of Validate, with models.KindInvalid if the customer lacks the address, with the conflict notice_withdrawn for a
// notice that claims nothing any more, with not_sent_yet for one whose letter has not left, and with changed_meanwhile if somebody has
// sent a copy, or changed the customer, since the person looked.
func SendCopy(ctx context.Context, tx *store.Tx, creditorID int64, d models.Document, r CopyRequest) (models.Shipment, error) {
	if err := r.Validate(); err != nil {
		return models.Shipment{}, err
	}
	rows, err := documents.Read(ctx, tx, creditorID, d)
	if err != nil {
		return models.Shipment{}, err
	}
	if _, err := tx.LockInvoice(ctx, creditorID, rows.Invoice.ID); err != nil {
		return models.Shipment{}, err
	}
	customer, err := tx.LockCustomer(ctx, creditorID, rows.Head.CustomerID)
	if err != nil {
		return models.Shipment{}, err
	}
	if customer.ForgottenAt != nil {
		return models.Shipment{}, models.ErrForgotten
	}
	if err := sameCopies(ctx, tx, rows, customer, r.Seen); err != nil {
		return models.Shipment{}, err
	}
	if err := copyable(ctx, tx, creditorID, d); err != nil {
		return models.Shipment{}, err
	}
	to := customer.Recipient
	to.Email = cmp.Or(r.Email, to.Email)
	if lacks := r.Method.LacksAddress(to, "email"); lacks != nil {
		return models.Shipment{}, lacks
	}
	if r.Save {
		if err := saveEmail(ctx, tx, customer, r.Email, r.Actor); err != nil {
			return models.Shipment{}, err
		}
	}
	owed := []models.Shipment{models.NewShipment(creditorID, d, models.Duplicate, r.Method, to)}
	if err := tx.CreateShipments(ctx, owed); err != nil {
		return models.Shipment{}, err
	}
	e := describe(owed[0], rows)
	e.Type, e.Actor = models.EventCopySent, r.Actor
	e.Text += " is sent, by " + r.Actor
	return owed[0], tx.Log(ctx, e)
}

// saveEmail gives a locked customer another e-mail address, unless it has that one.
func saveEmail(ctx context.Context, tx *store.Tx, c models.Customer, email, actor string) error {
	if c.Recipient.Email == email {
		return nil
	}
	const unasked = 0 // the legal maximum of a fee: the customer's own policy stays as it is
	_, err := register.ChangeCustomer(ctx, tx, c.CreditorID, c.ID, unasked, actor, func(c *models.Customer) error {
		c.Recipient.Email = email
		return nil
	})
	return err
}

// copyable fails with a conflict if a document must not be sent once more. Its invoice is locked.
func copyable(ctx context.Context, tx *store.Tx, creditorID int64, d models.Document) error {
	if d.Kind != models.NoticeDocument {
		return nil
	}
	n, err := tx.Notice(ctx, creditorID, d.ID)
	if err != nil {
		return err
	}
	if n.Withdrawn != 0 {
		return models.Conflict("notice_withdrawn", "notice %d is withdrawn, and claims nothing any more", n.Sequence)
	}
	all, err := tx.ShipmentsOf(ctx, n.SentAs())
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(all, func(s models.Shipment) bool { return s.IsNoticeLetter() && HasLeftHouse(s) }) {
		return models.Conflict("not_sent_yet", "the letter of notice %d has not left yet", n.Sequence)
	}
	return nil
}

// HasLeftHouse reports whether a shipment has left, also if it came back.
func HasLeftHouse(s models.Shipment) bool {
	return s.State.HasLeft() || s.State == models.ShipmentReturned
}

// actsReader is a database, a view of it, or a transaction.
type actsReader interface {
	LastActs(ctx context.Context, creditorID int64, things ...models.Thing) (map[models.Thing]store.LastAct, error)
}

// LookAtCopies returns what a person sees who is about to have a copy of a document of an invoice sent: how many were, and how often the
// customer was changed.
func LookAtCopies(ctx context.Context, from actsReader, creditorID, invoiceID, customerID int64) (models.Seen, error) {
	copies, customer := copyThings(invoiceID, customerID)
	acts, err := from.LastActs(ctx, creditorID, copies, customer)
	if err != nil {
		return "", err
	}
	return acts[copies].Look() + " " + acts[customer].Look(), nil
}

func copyThings(invoiceID, customerID int64) (copies, customer models.Thing) {
	return models.Thing{Kind: models.ThingCopies, ID: invoiceID}, models.Thing{Kind: models.ThingCustomer, ID: customerID}
}

// sameCopies fails with the conflict changed_meanwhile if it is not as a person saw it (LookAtCopies). Invoice and customer are locked.
func sameCopies(ctx context.Context, tx *store.Tx, rows documents.Rows, c models.Customer, seen models.Seen) error {
	if seen == "" {
		return nil
	}
	now, err := LookAtCopies(ctx, tx, c.CreditorID, rows.Invoice.ID, c.ID)
	if err != nil || seen.Holds(now) {
		return err
	}
	copies, customer := copyThings(rows.Invoice.ID, c.ID)
	acts, err := tx.LastActs(ctx, c.CreditorID, copies, customer)
	if err != nil {
		return err
	}
	last := acts[copies]
	if other := acts[customer]; other.Turn != 0 && (last.Turn == 0 || other.At.After(last.At)) {
		last = other
	}
	return models.ChangedMeanwhile(last.Change())
}

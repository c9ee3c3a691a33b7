package shipments

import (
	"cmp"
	"context"
	"slices"

	"purr/models"
	"purr/store"
)

// MaxRetried is the most shipments that are sent again together.
const MaxRetried = 100

// Failed is a shipment that is to be sent again, as a person saw it.
type Failed struct {
	ID   int64
	Seen models.Seen // LookAt; may be empty (rule D115)
}

// TogetherAgain says how what failed for one customer is sent again together (rule N8).
type TogetherAgain struct {
	Failed []Failed
	Method models.ShipmentMethod // by which all go; empty for each as before
	Email  string                // the address of the e-mails; empty for each as before
	Save   bool                  // the address becomes the customer's
	Actor  string
	Seen   models.Seen // the customer, as the person saw it (the look of models.ThingCustomer); may be empty (rule D115)
}

// Validate returns all faults of a request that can be found without the shipments.
func (r TogetherAgain) Validate() error {
	var faults models.Errors
	switch n := len(r.Failed); {
	case n == 0:
		faults.Add("nothing_chosen", "", "choose what is to be sent again")
	case n > MaxRetried:
		faults.Add("out_of_range", "", "at most %d are sent again together", MaxRetried)
	}
	switch {
	case r.Method != "" && !r.Method.HasChannel():
		faults.Add("invalid_shipment_method", "shipment_method", "must be %s", models.Alternatives(models.ShipmentMethods))
	case r.Method != "" && r.Method != models.ByEmail && r.Email != "":
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

// RetryAll does what Retry does with several shipments of one customer of the creditor, all or none, and returns them by the order of
// the old ones' IDs (rule N8).
//
// It fails with the faults of Validate, with models.KindNotFound for a shipment that is not the creditor's, with several_customers, with
// those of Retry for any of them, and with changed_meanwhile if somebody has changed the customer since the person looked.
func RetryAll(ctx context.Context, tx *store.Tx, creditorID int64, r TogetherAgain) ([]models.Shipment, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	failed := slices.Clone(r.Failed)
	slices.SortFunc(failed, func(a, b Failed) int { return cmp.Compare(a.ID, b.ID) })
	failed = slices.CompactFunc(failed, func(a, b Failed) bool { return a.ID == b.ID })
	locked, customer, err := lockFailed(ctx, tx, creditorID, failed)
	if err != nil {
		return nil, err
	}
	if err := tx.Unchanged(ctx, creditorID, models.Thing{Kind: models.ThingCustomer, ID: customer.ID}, r.Seen); err != nil {
		return nil, err
	}
	if r.Save {
		if err := saveEmail(ctx, tx, customer, r.Email, r.Actor); err != nil {
			return nil, err
		}
	}
	again := make([]models.Shipment, len(failed))
	for i, f := range failed {
		how := Again{Method: r.Method, Seen: f.Seen}
		if cmp.Or(r.Method, locked[f.ID].Method) == models.ByEmail {
			how.Email = r.Email
		}
		if again[i], err = retryLocked(ctx, tx, locked[f.ID], customer, how, r.Actor); err != nil {
			return nil, err
		}
	}
	return again, nil
}

// lockFailed locks the shipments, of which all must be of one customer of the creditor's, before them the customer, and before him the
// invoices of notices.
func lockFailed(ctx context.Context, tx *store.Tx, creditorID int64, failed []Failed) (map[int64]models.Shipment, models.Customer, error) {
	ids := make([]int64, len(failed))
	for i, f := range failed {
		ids[i] = f.ID
	}
	found, err := tx.ShipmentsByID(ctx, ids)
	if err != nil {
		return nil, models.Customer{}, err
	}
	ss, of := make([]models.Shipment, len(ids)), make([]models.Document, len(ids))
	for i, id := range ids {
		if ss[i] = found[id]; ss[i].CreditorID != creditorID {
			return nil, models.Customer{}, models.NotFound("shipment")
		}
		of[i] = ss[i].Document()
	}
	customers, err := tx.CustomersOf(ctx, of)
	if err != nil {
		return nil, models.Customer{}, err
	}
	customerID := customers[of[0]]
	if slices.ContainsFunc(of, func(d models.Document) bool { return customers[d] != customerID }) {
		return nil, models.Customer{}, models.Invalid("several_customers", "", "what is sent again together must be of one customer")
	}
	if err := lockInvoicesOf(ctx, tx, ss); err != nil {
		return nil, models.Customer{}, err
	}
	customer, err := tx.LockCustomer(ctx, creditorID, customerID)
	if err != nil {
		return nil, models.Customer{}, err
	}
	locked, err := tx.LockShipments(ctx, ids)
	return locked, customer, err
}

// HasMoved reports whether a customer has another address than a letter to him went to.
func HasMoved(letter models.Shipment, c models.Customer) bool {
	return c.Recipient.Address() != letter.Recipient.Address()
}

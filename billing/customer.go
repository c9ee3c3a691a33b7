package billing

import (
	"context"
	"errors"

	"purr/models"
	"purr/store"
)

// address gives the drafts their recipients: existing customers and new ones. It locks existing customers, so that nobody
// deletes them meanwhile. It refuses a request that does not suit its customer.
func address(ctx context.Context, tx *store.Tx, c models.Creditor, drafts []*Issued) error {
	var ids []int64
	for _, d := range drafts {
		if d.request.NewCustomer == nil {
			ids = append(ids, d.request.CustomerID)
		}
	}
	var known map[int64]models.Customer
	if len(ids) > 0 {
		var err error
		if known, err = tx.LockRecipients(ctx, c.ID, ids); err != nil {
			return err
		}
	}
	ways := map[models.ShipmentMethod]models.Errors{} //nolint:exhaustive // it is filled
	for _, d := range drafts {
		faults, asked := ways[d.request.Method]
		if !asked {
			var err error
			if faults, err = FaultsOfWay(ctx, tx, d.request.Method); err != nil {
				return err
			}
			ways[d.request.Method] = faults
		}
		to, found := known[d.request.CustomerID]
		switch {
		case d.request.NewCustomer != nil:
			d.Err = d.address(c, *d.request.NewCustomer, faults)
		case found && to.ForgottenAt != nil:
			d.Err = models.ErrForgotten
		case found:
			d.Err = d.address(c, to, faults)
		default:
			d.Err = noSuchCustomer()
		}
	}
	return nil
}

// createNew writes the new customers of accepted requests.
func createNew(ctx context.Context, tx *store.Tx, creditorID int64, accepted []*Issued) error {
	var fresh []models.Customer
	for _, a := range accepted {
		if a.request.NewCustomer != nil {
			customer := *a.request.NewCustomer
			customer.CreditorID = creditorID
			fresh = append(fresh, customer)
		}
	}
	if err := tx.CreateCustomers(ctx, fresh); err != nil {
		if fault, is := errors.AsType[*models.Error](err); is && len(fault.Place) > 0 {
			return fault.Under(atRecipient)
		}
		return err
	}
	for _, a := range accepted {
		if a.request.NewCustomer != nil {
			a.Invoice.CustomerID, fresh = fresh[0].ID, fresh[1:]
		}
	}
	return nil
}

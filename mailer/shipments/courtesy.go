package shipments

import (
	"context"
	"slices"

	"purr/documents"
	"purr/models"
	"purr/store"
)

// besides owes the EHFs of notices whose letters have left, where the policy wants them: copies, which dunning does not look
// at (rule H1). The worker decides whether the customer receives them. The letters are of one creditor; rows are those of
// their notices.
func besides(ctx context.Context, tx *store.Tx, creditor models.Creditor, letters []models.Shipment, rows map[models.Document]documents.Rows) error {
	of := make([]int64, len(letters))
	for i, l := range letters {
		of[i] = rows[l.Document()].Head.CustomerID
	}
	customers, err := tx.CustomersByID(ctx, creditor.ID, of)
	if err != nil {
		return err
	}
	for i, l := range letters {
		if customers[of[i]].Policy.Apply(creditor.Policy).EHFReminder {
			if err := copyByEHF(ctx, tx, l); err != nil {
				return err
			}
		}
	}
	return nil
}

// copyByEHF owes a copy of a notice by EHF, unless there is one already or it cannot be.
func copyByEHF(ctx context.Context, tx *store.Tx, letter models.Shipment) error {
	all, err := tx.ShipmentsOf(ctx, letter.Document())
	if err != nil || slices.ContainsFunc(all, func(s models.Shipment) bool { return s.Role() == models.Courtesy }) {
		return err
	}
	if err := expressible(ctx, tx, letter); err != nil {
		if models.KindOf(err) == models.KindInvalid {
			return nil
		}
		return err
	}
	return tx.CreateShipments(ctx, []models.Shipment{models.NewShipment(letter.CreditorID, letter.Document(), models.Courtesy, models.Auto, letter.Recipient)})
}

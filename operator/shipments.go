package operator

import (
	"context"

	"purr/models"
	"purr/store"
)

// RetryShipments has failed shipments sent again, those with the IDs or, where none is named, all. It returns
// how many they are (rule R5c).
func (o *Operator) RetryShipments(ctx context.Context, ids ...int64) (int, error) {
	if len(ids) == 0 {
		failed, err := o.DB.FailedShipments(ctx)
		if err != nil {
			return 0, err
		}
		for _, s := range failed {
			ids = append(ids, s.ID)
		}
	}
	for _, id := range ids {
		if err := o.DB.InTx(ctx, func(tx *store.Tx) error { return retryShipment(ctx, tx, id) }); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

func retryShipment(ctx context.Context, tx *store.Tx, id int64) error {
	s, err := tx.LockShipment(ctx, id)
	if err != nil {
		return err
	}
	if s.State != models.ShipmentFailed {
		return models.Conflict("shipment_not_failed", "shipment %d is %s; only a failed one is sent again", id, s.State)
	}
	s.State, s.NextAttempt, s.FirstAttempt, s.Attempts = models.ShipmentOwed, tx.Now, nil, 0
	return tx.UpdateShipment(ctx, s)
}

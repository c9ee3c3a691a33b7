package shipments

import (
	"context"

	"purr/models"
	"purr/store"
)

// timesOf returns those of the shipments whose letters tell of more time.
func timesOf(ss []models.Shipment) (times []models.Shipment) {
	for _, s := range ss {
		if s.Role() == models.TellsOfTime {
			times = append(times, s)
		}
	}
	return times
}

// tellsOfWhatRuns returns which letters of more time say what is so: by the IDs of their shipments. The caller has locked their invoices.
func tellsOfWhatRuns(ctx context.Context, tx *store.Tx, creditorID int64, times []models.Shipment) (map[int64]bool, error) {
	if len(times) == 0 {
		return nil, nil
	}
	creditor, err := tx.Creditor(ctx, creditorID)
	if err != nil {
		return nil, err
	}
	today, err := creditor.Today(tx.Now)
	if err != nil {
		return nil, err
	}
	ids := make([]int64, len(times))
	for i, s := range times {
		ids[i] = s.DocumentID
	}
	found, err := tx.InvoicesByID(ctx, creditorID, ids)
	if err != nil {
		return nil, err
	}
	invoices := make(map[int64]models.Invoice, len(found))
	for _, i := range found {
		invoices[i.ID] = i
	}
	told := make(map[int64]bool, len(times))
	for _, s := range times {
		told[s.ID] = s.MoreTime.Holds(invoices[s.DocumentID], today)
	}
	return told, nil
}

// withdrawTime withdraws a letter of more time that is due, because what it says is no longer so.
func withdrawTime(ctx context.Context, tx *store.Tx, id int64) error {
	s, err := tx.LockShipment(ctx, id)
	if err != nil || !due(s, tx.Common) || s.Accepted() {
		return err
	}
	s.State = models.ShipmentWithdrawn
	return tx.UpdateShipment(ctx, s)
}

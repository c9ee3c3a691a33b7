package store

import (
	"context"
	"time"

	"purr/models"
)

// Shipment returns one shipment of any creditor: jobs and the command line know a shipment by its ID alone.
func (r reads) Shipment(ctx context.Context, id int64) (models.Shipment, error) {
	return readOne[models.Shipment](r.with(ctx).Where("id = ?", id), "shipment")
}

// ShipmentsByID returns those of the shipments that exist, by ID, of any creditor.
func (r reads) ShipmentsByID(ctx context.Context, ids []int64) (map[int64]models.Shipment, error) {
	return readBy(r.with(ctx).Where("id IN ?", ids), func(s models.Shipment) int64 { return s.ID })
}

// ShipmentsOf returns a document's shipments, the original first.
func (r reads) ShipmentsOf(ctx context.Context, d models.Document) ([]models.Shipment, error) {
	return readAll[models.Shipment](r.with(ctx).Where("document_kind = ? AND document_id = ?", d.Kind, d.ID).Order("id"))
}

// FailedShipments returns the shipments that failed permanently and wait for a person, oldest first.
func (r reads) FailedShipments(ctx context.Context) ([]models.Shipment, error) {
	return readAll[models.Shipment](r.with(ctx).Where("state = ?", models.ShipmentFailed).Order("id"))
}

// OwedShipments returns up to limit shipments that are due by the moment, the longest due first.
func (r reads) OwedShipments(ctx context.Context, by time.Time, limit int) ([]models.Shipment, error) {
	return readAll[models.Shipment](r.with(ctx).Where("state = ? AND next_attempt <= ?", models.ShipmentOwed, by).Order("next_attempt, id").Limit(limit))
}

// NextShipment returns when the next owed shipment is due, and false if none is owed.
func (r reads) NextShipment(ctx context.Context) (time.Time, bool, error) {
	s, found, err := readFirst[models.Shipment](r.with(ctx).Where("state = ?", models.ShipmentOwed).Order("next_attempt"))
	if err != nil {
		return time.Time{}, false, err
	}
	return s.NextAttempt, found, nil
}

// LockShipment reads a shipment and locks it until the transaction ends.
func (tx *Tx) LockShipment(ctx context.Context, id int64) (models.Shipment, error) {
	return readOne[models.Shipment](forUpdate(tx.with(ctx)).Where("id = ?", id), "shipment")
}

// CreateShipments writes new shipments and sets their IDs. They are owed at once.
func (tx *Tx) CreateShipments(ctx context.Context, ss []models.Shipment) error {
	for i := range ss {
		ss[i].State, ss[i].NextAttempt, ss[i].CreatedAt = models.ShipmentOwed, tx.Now, tx.Now
	}
	return tx.insert(ctx, &ss)
}

// UpdateShipment writes all fields of a shipment, which the caller has locked.
func (tx *Tx) UpdateShipment(ctx context.Context, s models.Shipment) error {
	return classify(tx.with(ctx).Save(&s).Error, "")
}

package store

import (
	"context"
	"strings"

	"purr/models"
)

// FailedCustomer is a customer to whom shipments failed, or from whom they came back, that a person can still bring further.
type FailedCustomer struct {
	CustomerID int64
	Newest     int64 // the ID of the newest of these shipments
	Shipments  int64
}

// FailedShipment is such a shipment with its customer.
type FailedShipment struct {
	models.Shipment `gorm:"embedded"`
	CustomerID      int64
}

// failedStates are those in which a shipment waits for a person.
var failedStates = []models.ShipmentState{models.ShipmentFailed, models.ShipmentReturned}

// FailedCustomers returns up to limit of the creditor's customers to whom something failed, whoever has the newest such shipment first:
// those whose newest one has an ID below before, unless that is zero. It looks at all that failed, once.
func (r reads) FailedCustomers(ctx context.Context, creditorID, before int64, limit int) ([]FailedCustomer, error) {
	failed := ShipmentFilter{States: failedStates, Pending: true}.of(ctx, r, creditorID).Select("id, " + customerOfShipment + " AS customer_id")
	g := r.with(ctx).Table("(?) AS failed", failed).Select("customer_id, MAX(id) AS newest, COUNT(*) AS shipments").Group("customer_id")
	if before != 0 {
		g = g.Having("MAX(id) < ?", before)
	}
	return scan[[]FailedCustomer](g.Order("newest DESC").Limit(limit))
}

// FailedOf returns what failed for each of the creditor's customers with the IDs, the newest first, at most so many of each.
func (r reads) FailedOf(ctx context.Context, creditorID int64, customerIDs []int64, ofEach int) ([]FailedShipment, error) {
	if len(customerIDs) == 0 {
		return nil, nil
	}
	failed := ShipmentFilter{States: failedStates, Pending: true}.of(ctx, r, creditorID).Select("*, " + customerOfShipment + " AS customer_id")
	counted := r.with(ctx).Table("(?) AS failed", failed).Select("*, ROW_NUMBER() OVER (PARTITION BY customer_id ORDER BY id DESC) AS turn").
		Where("customer_id IN ?", customerIDs)
	return scan[[]FailedShipment](r.with(ctx).Table("(?) AS counted", counted).Where("turn <= ?", ofEach).Order("id DESC"))
}

// customerOfShipment is the customer whose document a shipment sends.
var customerOfShipment = func() string {
	var b strings.Builder
	b.WriteString("CASE document_kind")
	for _, kind := range models.DocumentKinds() {
		b.WriteString(" WHEN '" + string(kind) + "' THEN (SELECT d.customer_id FROM " + documentTables[kind].name + " d WHERE d.id = shipments.document_id)")
	}
	return b.String() + " END"
}()

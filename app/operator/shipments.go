package operator

import (
	"context"
	"io"
	"time"

	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

// NamedShipment is a shipment with its name outside the program (rule S1a), and the place of its document in the interface.
type NamedShipment struct {
	models.Shipment
	Name     string
	Resource string
}

// Shipments returns the newest shipments in a state and by a method, up to limit of each creditor, oldest first. An empty
// state or method takes all. It looks at one creditor, or at all if the name is empty.
func (o *Operator) Shipments(
	ctx context.Context, creditor string, state models.ShipmentState, method models.ShipmentMethod, limit int,
) ([]NamedShipment, error) {
	creditors, err := o.Creditors(ctx, creditor)
	if err != nil {
		return nil, err
	}
	filter := store.ShipmentFilter{Method: method}
	if state != "" {
		filter.States = []models.ShipmentState{state}
	}
	var found []models.Shipment
	for _, c := range creditors {
		of, err := o.DB.NewestShipments(ctx, c.ID, filter, limit)
		if err != nil {
			return nil, err
		}
		found = append(found, of...)
	}
	return o.named(ctx, found...)
}

func (o *Operator) named(ctx context.Context, found ...models.Shipment) ([]NamedShipment, error) {
	named := make([]NamedShipment, len(found))
	const atOnce = 1000
	for from := 0; from < len(found); from += atOnce {
		some := found[from:min(from+atOnce, len(found))]
		numbers, err := o.DB.NumbersOf(ctx, some...)
		if err != nil {
			return nil, err
		}
		for i, s := range some {
			number := numbers[s.Document()]
			named[from+i] = NamedShipment{s, s.Name(number), s.Document().Resource(number)}
		}
	}
	return named, nil
}

// Shipment returns the shipment with the ID or the name, and what was reported of it.
func (o *Operator) Shipment(ctx context.Context, idOrName string) (NamedShipment, []models.ShipmentReport, error) {
	s, err := shipments.Find(ctx, o.DB, idOrName)
	if err != nil {
		return NamedShipment{}, nil, err
	}
	named, err := o.named(ctx, s)
	if err != nil {
		return NamedShipment{}, nil, err
	}
	reports, err := o.DB.ShipmentReports(ctx, s.ID)
	return named[0], reports, err
}

// RetryShipment makes the shipment with the ID or the name due again, as before or by another way.
func (o *Operator) RetryShipment(ctx context.Context, idOrName string, how shipments.Again) error {
	s, err := shipments.Find(ctx, o.DB, idOrName)
	if err != nil {
		return err
	}
	_, err = inTx(ctx, o, func(ctx context.Context, tx *store.Tx) (models.Shipment, error) {
		return shipments.Retry(ctx, tx, s.ID, how, o.Actor)
	})
	return err
}

// RetryFailed makes all shipments that failed due again, of one creditor or of all if the name is empty. It returns their
// number.
func (o *Operator) RetryFailed(ctx context.Context, creditor string) (n int, err error) {
	creditors, err := o.Creditors(ctx, creditor)
	if err != nil {
		return 0, err
	}
	for _, c := range creditors {
		of, err := shipments.RetryFailed(ctx, o.DB, c.ID, o.Actor)
		if err != nil {
			return 0, err
		}
		n += of
	}
	return n, nil
}

// ReportShipment keeps what is told of the shipment with the ID or the name. Without a moment, it is of now.
func (o *Operator) ReportShipment(ctx context.Context, idOrName, state, reason string, at *time.Time) (models.Shipment, error) {
	if at == nil {
		now := o.Clock.Now()
		at = &now
	}
	return shipments.Tell(ctx, o.DB, shipments.Told{Shipment: idOrName, State: state, Reason: reason, At: *at}, o.Actor)
}

// ReportFile keeps what a file of reports tells (rule S1b). See shipments.ReportFile.
func (o *Operator) ReportFile(ctx context.Context, file io.Reader) (kept int, unknown []string, err error) {
	return shipments.ReportFile(ctx, o.DB, file, o.Actor)
}

// Creditors returns the creditor with the name or number, or all if it is empty.
func (o *Operator) Creditors(ctx context.Context, nameOrNumber string) ([]models.Creditor, error) {
	if nameOrNumber == "" {
		return o.DB.Creditors(ctx)
	}
	c, err := o.Creditor(ctx, nameOrNumber)
	if err != nil {
		return nil, err
	}
	return []models.Creditor{c}, nil
}

// Ways returns how what goes by each method leaves at present.
func (o *Operator) Ways(ctx context.Context) ([]shipments.WayNow, error) {
	return shipments.WaysNow(ctx, o.DB)
}

// MeanFolder lets what goes by the method go to the folder from now on (rule D105). See shipments.MeanFolder.
func (o *Operator) MeanFolder(ctx context.Context, m models.ShipmentMethod) error {
	return o.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return shipments.MeanFolder(ctx, tx, m, o.Actor) })
}

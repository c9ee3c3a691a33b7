package store

import (
	"context"
	"crypto/rand"

	"gorm.io/gorm/clause"

	"purr/models"
)

// setting is one fact of the installation.
type setting struct {
	Name  string `gorm:"primaryKey"`
	Value string
}

// Setting returns a fact of the installation, empty if it was never set.
func (r reads) Setting(ctx context.Context, name string) (string, error) {
	row, _, err := readFirst[setting](r.with(ctx).Where("name = ?", name))
	if err != nil {
		return "", err
	}
	return row.Value, nil
}

// SetSetting keeps a fact of the installation.
func (tx *Tx) SetSetting(ctx context.Context, name, value string) error {
	return classify(tx.with(ctx).Clauses(clause.OnConflict{UpdateAll: true}).Create(&setting{name, value}).Error, "")
}

// InstallationID returns what tells this installation from all others, and makes it if it was never asked for. Copies
// of an installation have the same.
func (db *DB) InstallationID(ctx context.Context) (id string, err error) {
	const name = "installation"
	if id, err = db.Setting(ctx, name); err != nil || id != "" {
		return id, err
	}
	made := rand.Text()
	err = db.InTx(ctx, func(tx *Tx) error {
		if id, err = tx.Setting(ctx, name); err != nil || id != "" {
			return err
		}
		id = made
		return tx.SetSetting(ctx, name, id)
	})
	return id, err
}

// WaitingForPerson counts what waits for a person: shipments and webhook deliveries that failed for good, shipments that
// came back, letters that are held since then, hand-overs that could not be delivered to the debt collector yet, unmatched
// payments and those that have waited long, rejected payment files, runs that need approval, and customers whose notices
// wait for an address.
func (r reads) WaitingForPerson(ctx context.Context) (map[string]int64, error) {
	counts := map[string]int64{}
	for kind, query := range map[string]struct {
		model any
		where string
		value any
	}{
		"failed_shipments":   {&models.Shipment{}, "state = ? AND NOT " + replaced, models.ShipmentFailed},
		"returned_shipments": {&models.Shipment{}, "state = ? AND NOT " + replaced, models.ShipmentReturned},
		"held_letters":       {&models.Shipment{}, "state = ? AND held_for <> 0", models.ShipmentOwed},
		"failed_webhook_deliveries": {
			&models.WebhookDelivery{}, "state = ? AND EXISTS (SELECT 1 FROM webhooks w WHERE w.id = webhook_deliveries.webhook_id AND w.enabled)",
			models.DeliveryFailed,
		},
		"undelivered_hand_overs": {&models.HandOver{}, "state IN ? AND failure <> ''", owedHandOvers},
		"customers_without_address": {
			&models.Customer{}, "address_wanted IS NOT NULL AND EXISTS (SELECT 1 FROM invoices i WHERE i.customer_id = customers.id AND i.stage IN ?)",
			[]models.Stage{models.StageOpen, models.StageReminded, models.StageWarned},
		},
		"unmatched_payments":     {&models.UnmatchedPayment{}, "status = ?", "open"},
		"payments_waiting_long":  {&models.UnmatchedPayment{}, "status = ? AND waiting_long", "open"},
		"waiting_dunning_runs":   {&models.Run{}, "state = ?", models.RunWaiting},
		"rejected_payment_files": {&models.PaymentFile{}, "state = ?", models.FileRejected},
	} {
		var n int64
		if err := r.with(ctx).Model(query.model).Where(query.where, query.value).Count(&n).Error; err != nil {
			return nil, classify(err, "")
		}
		counts[kind] = n
	}
	return counts, nil
}

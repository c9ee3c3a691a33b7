package store

import (
	"context"

	"purr/models"
)

// WaitingForPerson counts what only a person can bring further: shipments that failed for good,
// deliveries to webhooks likewise, hand-overs that could not be delivered to the debt collector yet, payments that are not matched, payment files that were rejected, runs that
// wait to be approved.
func (r reads) WaitingForPerson(ctx context.Context) (map[string]int64, error) {
	counts := map[string]int64{}
	for kind, query := range map[string]struct {
		model any
		where string
		value any
	}{
		"failed_shipments": {&models.Shipment{}, "state = ?", models.ShipmentFailed},
		"failed_webhook_deliveries": {
			&models.WebhookDelivery{}, "state = ? AND EXISTS (SELECT 1 FROM webhooks w WHERE w.id = webhook_deliveries.webhook_id AND w.enabled)",
			models.DeliveryFailed,
		},
		"undelivered_hand_overs": {&models.HandOver{}, "state IN ? AND failure <> ''", owedHandOvers},
		"unmatched_payments":     {&models.UnmatchedPayment{}, "status = ?", "open"},
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

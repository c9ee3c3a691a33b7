package store

import (
	"context"

	"gorm.io/gorm"

	"purr/models"
)

// Waiting counts what of one creditor waits for a person.
type Waiting struct {
	Payments          int64 // open unmatched payments
	FailedShipments   int64 // shipments that failed for good, and that a person can still bring further
	ReturnedShipments int64 // shipments that came back, likewise
	DatedAhead        int64 // statement lines of payment files that are dated after the day (rule D110)
	RunID             int64 // the dunning run of the day that waits to be approved, 0 if none does
}

// Shipments returns how many shipments failed or came back.
func (w Waiting) Shipments() int64 { return w.FailedShipments + w.ReturnedShipments }

// WaitingOf counts what of the creditor waits for a person on a day. It asks one question, of indexes alone.
func (r reads) WaitingOf(ctx context.Context, creditorID int64, today models.Date) (Waiting, error) {
	letters := func(state models.ShipmentState) *gorm.DB {
		return ShipmentFilter{States: []models.ShipmentState{state}, Pending: true}.of(ctx, r, creditorID).Select("COUNT(*)")
	}
	run := r.with(ctx).Model(&models.Run{}).Select("id").
		Where("creditor_id = ? AND kind = ? AND business_date = ? AND state = ?", creditorID, models.RunDunning, today, models.RunWaiting)
	ahead := r.with(ctx).Model(&models.StatementLine{}).Select("COUNT(*)").Where("creditor_id = ? AND transaction_date > ?", creditorID, today)
	return scan[Waiting](r.with(ctx).Model(&models.UnmatchedPayment{}).
		Select("COUNT(*) AS payments, (?) AS failed_shipments, (?) AS returned_shipments, (?) AS dated_ahead, COALESCE((?), 0) AS run_id",
			letters(models.ShipmentFailed), letters(models.ShipmentReturned), ahead, run).
		Where("creditor_id = ? AND status = ?", creditorID, models.PaymentOpen))
}

// WaitingForPerson counts what waits for a person in the whole installation: shipments and webhook deliveries that failed
// for good, shipments that came back, letters that are held since then, shipments that are kept back and the ways that are paused,
// hand-overs that could not be delivered to the debt collector yet, unmatched payments and those that have waited long, rejected
// payment files, runs that need approval, bank accounts that wait for the operator, and customers whose notices wait for an
// address.
func (r reads) WaitingForPerson(ctx context.Context) (map[string]int64, error) {
	counts := map[string]int64{}
	for kind, query := range map[string]struct {
		model any
		where string
		value any
	}{
		"failed_shipments":    {&models.Shipment{}, "state = ? AND " + pending, models.ShipmentFailed},
		"returned_shipments":  {&models.Shipment{}, "state = ? AND " + pending, models.ShipmentReturned},
		"kept_back_shipments": {&models.Shipment{}, "state = ? AND kept_back <> ''", models.ShipmentOwed},
		"paused_ways":         {&models.WayOut{}, "paused_since IS NOT NULL AND method <> ?", ""},
		"held_letters":        {&models.Shipment{}, "state = ? AND held_for <> 0", models.ShipmentOwed},
		"failed_webhook_deliveries": {
			&models.WebhookDelivery{}, "state = ? AND EXISTS (SELECT 1 FROM webhooks w WHERE w.id = webhook_deliveries.webhook_id AND w.enabled)",
			models.DeliveryFailed,
		},
		"undelivered_hand_overs":      {&models.HandOver{}, "state IN ? AND failure <> ''", owedHandOvers},
		"undelivered_collector_files": {&models.CollectorFile{}, "state = ? AND failure <> ''", models.CollectorFileOwed},
		"customers_without_address": {
			&models.Customer{}, "address_wanted IS NOT NULL AND EXISTS (SELECT 1 FROM invoices i WHERE i.customer_id = customers.id AND i.stage IN ?)",
			[]models.Stage{models.StageOpen, models.StageReminded, models.StageWarned},
		},
		"unmatched_payments":     {&models.UnmatchedPayment{}, "status = ?", "open"},
		"payments_waiting_long":  {&models.UnmatchedPayment{}, "status = ? AND waiting_long", "open"},
		"waiting_dunning_runs":   {&models.Run{}, "state = ?", models.RunWaiting},
		"rejected_payment_files": {&models.PaymentFile{}, "state = ?", models.FileRejected},
		"waiting_bank_accounts":  {&models.Creditor{}, asksForAccount + " AND id > ?", 0},
	} {
		n, err := count(r.with(ctx).Model(query.model).Where(query.where, query.value))
		if err != nil {
			return nil, err
		}
		counts[kind] = n
	}
	return counts, nil
}

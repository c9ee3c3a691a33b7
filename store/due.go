package store

import (
	"context"
	"time"

	"purr/models"
)

// Due says what is to leave at once, of all creditors.
type Due struct {
	Events       bool  // new events wait for their IDs
	Shipments    bool  // there are due shipments that nobody has in hand
	Deliveries   bool  // there are due deliveries to webhooks that nobody has in hand
	WorkerDeaths int64 // see reads.WorkerDeaths
}

// Any reports whether anything is due.
func (d Due) Any() bool { return d.Events || d.Shipments || d.Deliveries }

// someDeliveries are due deliveries, up to someDue. Mostly there are so few that this tells all; else the webhooks are asked one by one,
// since those that are switched off may have many (rule D113).
const (
	someDeliveries = "SELECT webhook_id FROM webhook_deliveries WHERE state = ? AND next_attempt <= ? AND taken_by = '' LIMIT " + someDue
	someDue        = "1000"
)

// DueBy returns what is due by the moment. It asks one question, of indexes alone, since it is asked each second.
func (r reads) DueBy(ctx context.Context, by time.Time) (due Due, err error) {
	err = r.each(ctx, `SELECT EXISTS (SELECT 1 FROM new_events),
		EXISTS (SELECT 1 FROM shipments WHERE state = ? AND next_attempt <= ? AND taken_by = '' AND batch_id = 0),
		EXISTS (SELECT 1 FROM (`+someDeliveries+`) d JOIN webhooks w ON w.id = d.webhook_id WHERE w.enabled = ?)
			OR (SELECT COUNT(*) FROM (`+someDeliveries+`) d) = `+someDue+` AND EXISTS (SELECT 1 FROM webhooks w WHERE w.enabled = ? AND EXISTS (
				SELECT 1 FROM webhook_deliveries d WHERE d.state = ? AND d.webhook_id = w.id AND d.next_attempt <= ? AND d.taken_by = '')),
		COALESCE((SELECT value FROM settings WHERE name = ?), '0')`,
		[]any{
			models.ShipmentOwed, by, models.DeliveryPending, by, true, models.DeliveryPending, by, true, models.DeliveryPending, by, workerDeaths,
		},
		func() {}, &due.Events, &due.Shipments, &due.Deliveries, &due.WorkerDeaths)
	return due, err
}

// Work says what work is owed, of all creditors.
type Work struct {
	Due
	Held      bool // the installation is held (rule O3)
	Runs      bool // runs are unfinished
	Files     bool // payment files are unfinished
	Payments  bool // suggestions were not sought yet for unmatched payments
	Batches   bool // there are due batches that nobody has in hand, or batches that are not settled
	HandOvers bool // there are due hand-overs that nobody has in hand
}

// WorkBy returns what work is owed by the moment. It asks two questions, of indexes alone: most sweeps find nothing.
func (r reads) WorkBy(ctx context.Context, by time.Time) (Work, error) {
	due, err := r.DueBy(ctx, by)
	if err != nil {
		return Work{}, err
	}
	work, err := scan[Work](r.with(ctx).Raw(`SELECT EXISTS (SELECT 1 FROM settings WHERE name = ? AND value <> '') AS held,
		EXISTS (SELECT 1 FROM runs WHERE state = ?) AS runs,
		EXISTS (SELECT 1 FROM payment_files WHERE state IN ?) OR EXISTS (SELECT 1 FROM payment_files WHERE has_statement = ? AND state = ?)
			OR EXISTS (`+assignableFiles+`) AS files,
		EXISTS (SELECT 1 FROM unmatched_payments WHERE suggested_customer_id IS NULL AND creditor_id > 0) AS payments,
		EXISTS (SELECT 1 FROM letter_batches WHERE state IN ?)
			OR EXISTS (SELECT 1 FROM letter_batches WHERE state IN ? AND next_attempt <= ? AND taken_by = '') AS batches,
		EXISTS (SELECT 1 FROM hand_overs WHERE state IN ? AND next_attempt <= ? AND taken_by = '') AS hand_overs`,
		heldName, models.RunStarted, underWay, false, models.FileImported, models.FileImported, unsettledBatches, unsentBatches, by, owedHandOvers, by))
	if err != nil {
		return Work{}, err
	}
	work.Due = due
	return work, nil
}

// Chores say what a creditor's dunning run does before it takes steps.
type Chores struct {
	Status   bool // the date's status run is not done
	Payments bool // suggestions were not sought yet for unmatched payments
	Queue    bool // payments are in the queue
	Waits    bool // nobody was told yet of open payments that have waited for long
	Letters  bool // letters of notices have failed
}

// Chores returns what the creditor's dunning run of a date does before it takes steps. Payments have waited for long that were
// queued before the moment. It asks one question, of indexes alone: mostly there is nothing to do.
func (r reads) Chores(ctx context.Context, creditorID int64, date models.Date, before time.Time) (is Chores, err error) {
	err = r.each(ctx, `SELECT NOT EXISTS (SELECT 1 FROM runs WHERE creditor_id = ? AND kind = 'status' AND business_date = ? AND state = 'done'),
		EXISTS (SELECT 1 FROM unmatched_payments WHERE `+unsoughtPayments+`), EXISTS (SELECT 1 FROM unmatched_payments WHERE `+openPayments+`),
		EXISTS (SELECT 1 FROM unmatched_payments WHERE `+waitingPayments+`),
		EXISTS (SELECT 1 FROM shipments WHERE `+failedLetters+`)`,
		[]any{creditorID, date, creditorID, creditorID, creditorID, before.UTC(), creditorID},
		func() {}, &is.Status, &is.Payments, &is.Queue, &is.Waits, &is.Letters)
	return is, err
}

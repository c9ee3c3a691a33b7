package store

import (
	"context"
	"errors"
	"time"

	"purr/clock"
	"purr/models"
)

// fullFor is how long the database counts as full after a transaction found no room. The small row of Probe may fit where
// others do not.
const fullFor = 15 * time.Second

// noteFull remembers when a transaction found no room.
func (db *DB) noteFull(err error) {
	if err != nil && isFull(err) {
		now := clock.System{}.Now()
		db.full.Store(&now)
	}
}

// Probe writes a small row, and fails if the database cannot keep it: it does not answer, it is read-only, its disk is full
// or was a moment ago (rule O6).
func (db *DB) Probe(ctx context.Context) error {
	if at := db.full.Load(); at != nil && (clock.System{}).Now().Sub(*at) < fullFor {
		return models.Unavailable("the database", errors.New("its disk is full"))
	}
	return db.InTx(ctx, func(tx *Tx) error { return tx.SetSetting(ctx, "readyz", tx.Now.UTC().Format(time.RFC3339)) })
}

// ClockAhead returns by how much the clock of this machine is ahead of the database's, negative if it is behind (rule O16).
// An SQLite file has the clock of this machine.
func (db *DB) ClockAhead(ctx context.Context) (time.Duration, error) {
	if db.dialect == dialectSQLite {
		return 0, nil
	}
	asked := clock.System{}.Now()
	theirs, err := scan[time.Time](db.with(ctx).Raw("SELECT UTC_TIMESTAMP(6)"))
	if err != nil {
		return 0, err
	}
	answered := clock.System{}.Now()
	return asked.Add(answered.Sub(asked) / 2).Sub(theirs), nil
}

// OldestOwed returns since when the oldest shipment, hand-over, payment file, webhook delivery and run has been owed. The time
// of a kind of which none is owed is zero (rule O6).
func (r reads) OldestOwed(ctx context.Context) (map[string]time.Time, error) {
	oldest := map[string]time.Time{}
	for _, q := range []struct {
		kind, column string
		model        any
		where        string
		value        any
	}{
		{"shipment", "created_at", &models.Shipment{}, "state = ? AND held_for = 0", models.ShipmentOwed},
		{"hand_over", "created_at", &models.HandOver{}, "state IN ?", owedHandOvers},
		{"payment_file", "received_at", &models.PaymentFile{}, "state IN ?", []models.FileState{models.FileReceived, models.FileImporting}},
		{"webhook_delivery", "created_at", &models.WebhookDelivery{}, "state = ?", models.DeliveryPending},
		{"run", "started_at", &models.Run{}, "state = ?", models.RunStarted},
	} {
		var since []time.Time
		first := r.with(ctx).Model(q.model).Select("MIN(id)").Where(q.where, q.value) // the index of states has the IDs
		err := r.with(ctx).Model(q.model).Where("id = (?)", first).Pluck(q.column, &since).Error
		if err != nil {
			return nil, classify(err, "")
		}
		if oldest[q.kind] = (time.Time{}); len(since) > 0 {
			oldest[q.kind] = since[0]
		}
	}
	return oldest, nil
}

// LastRuns returns when the latest finished run of each kind began.
func (r reads) LastRuns(ctx context.Context) (map[models.RunKind]time.Time, error) {
	last := make(map[models.RunKind]time.Time)
	for _, kind := range []models.RunKind{models.RunStatus, models.RunVerify, models.RunDunning} {
		run, found, err := readFirst[models.Run](r.with(ctx).Where("kind = ? AND state = ?", kind, models.RunDone).Order("id DESC"))
		if err != nil {
			return nil, err
		}
		if found {
			last[kind] = run.StartedAt
		}
	}
	return last, nil
}

// LastBankFile returns when the latest payment file came, and false if none ever did.
func (r reads) LastBankFile(ctx context.Context) (time.Time, bool, error) {
	file, found, err := readFirst[models.PaymentFile](r.with(ctx).Where("state = ?", models.FileImported).Order("id DESC"))
	if err != nil {
		return time.Time{}, false, err
	}
	return file.ReceivedAt, found, nil
}

// CountShipments counts the shipments by state. It reads the whole index: do not ask often.
func (r reads) CountShipments(ctx context.Context) (map[models.ShipmentState]int64, error) {
	return countStates(r.with(ctx).Model(&models.Shipment{}))
}

package store

import (
	"context"
	"time"

	"purr/models"
)

// PutOff counts what of one creditor a clock that was ahead has put off (rule D117).
type PutOff struct{ Shipments, HandOvers, Batches, Deliveries, Ways int64 }

// longestWaits are the ends of the longest waits that begin now.
type longestWaits struct {
	attempt time.Time // of most work
	long    time.Time // of a letter that is held, of a shipment that bounced, and of a delivery
	trial   time.Time // of a way that is paused
}

func waitsFrom(common time.Time) longestWaits {
	return longestWaits{common.Add(models.LongestWait), common.Add(models.LongestLongWait), common.Add(models.LongestTrialWait)}
}

// putOffRows says, for each kind of work, in which rows the next attempt is further ahead than it ever waits.
var putOffRows = []struct {
	table, next, where string // next is the column of the next attempt
	args               func(longestWaits) []any
	count              func(*PutOff) *int64
}{
	{
		"shipments", "next_attempt", "state = ? AND next_attempt > ? AND (held_for = 0 AND reported_at IS NULL OR next_attempt > ?) AND taken_by = '' AND batch_id = 0",
		func(w longestWaits) []any { return []any{models.ShipmentOwed, w.attempt, w.long} }, func(p *PutOff) *int64 { return &p.Shipments },
	},
	{
		"hand_overs", "next_attempt", "state IN (?, ?) AND next_attempt > ? AND taken_by = ''",
		func(w longestWaits) []any { return []any{owedHandOvers[0], owedHandOvers[1], w.attempt} }, func(p *PutOff) *int64 { return &p.HandOvers },
	},
	{
		"letter_batches", "next_attempt", "state IN (?, ?) AND next_attempt > ? AND taken_by = ''",
		func(w longestWaits) []any { return []any{unsentBatches[0], unsentBatches[1], w.attempt} }, func(p *PutOff) *int64 { return &p.Batches },
	},
	{
		"webhook_deliveries", "next_attempt", "state = ? AND next_attempt > ? AND taken_by = ''",
		func(w longestWaits) []any { return []any{models.DeliveryPending, w.long} }, func(p *PutOff) *int64 { return &p.Deliveries },
	},
	{
		"ways_out", "next_trial", "next_trial > ?",
		func(w longestWaits) []any { return []any{w.trial} }, func(p *PutOff) *int64 { return &p.Ways },
	},
}

// IsPutOff reports whether a clock that was ahead has put something off. It asks indexes alone.
func (r reads) IsPutOff(ctx context.Context, common time.Time) (is bool, err error) {
	query, args := "SELECT ", []any{}
	for i, rows := range putOffRows {
		if i > 0 {
			query += " OR "
		}
		query += "EXISTS (SELECT 1 FROM " + rows.table + " WHERE " + rows.where + ")"
		args = append(args, rows.args(waitsFrom(common))...)
	}
	err = r.each(ctx, query, args, func() {}, &is)
	return is, err
}

// putOffTurn is the setting that whoever takes up what was put off writes first: so one of several tells of it.
const putOffTurn = "clock_went_back"

// TakeUpPutOff makes what a clock that was ahead has put off due at once, and returns what it was, by creditor.
func (tx *Tx) TakeUpPutOff(ctx context.Context) (map[int64]PutOff, error) {
	if err := tx.SetSetting(ctx, putOffTurn, tx.Now.UTC().Format(time.RFC3339)); err != nil {
		return nil, err
	}
	found := map[int64]PutOff{}
	for _, rows := range putOffRows {
		args := rows.args(waitsFrom(tx.Common))
		var creditorID, n int64
		err := tx.each(ctx, "SELECT creditor_id, COUNT(*) FROM "+rows.table+" WHERE "+rows.where+" GROUP BY creditor_id", args, func() {
			of := found[creditorID]
			*rows.count(&of) = n
			found[creditorID] = of
		}, &creditorID, &n)
		if err != nil {
			return nil, err
		}
		set := "UPDATE " + rows.table + " SET " + rows.next + " = ? WHERE " + rows.where
		if err := tx.with(ctx).Exec(set, append([]any{tx.Common}, args...)...).Error; err != nil {
			return nil, classify(err, "")
		}
	}
	return found, nil
}

package store

import (
	"context"
	"time"

	"purr/models"
)

// PutOff counts what of one creditor a clock that was ahead has put off (rule D117).
type PutOff struct{ Shipments, HandOvers, Batches, Deliveries int64 }

// putOffRows says, for each kind of work, in which rows the next attempt is further ahead than it ever waits. Their parameters are the
// ends of the longest wait, and of the longest wait of a letter that is held and of a delivery.
var putOffRows = []struct {
	table, where string
	args         func(wait, long time.Time) []any
	count        func(*PutOff) *int64
}{
	{
		"shipments", "state = ? AND next_attempt > ? AND (held_for = 0 OR next_attempt > ?) AND taken_by = '' AND batch_id = 0",
		func(wait, long time.Time) []any { return []any{models.ShipmentOwed, wait, long} }, func(p *PutOff) *int64 { return &p.Shipments },
	},
	{
		"hand_overs", "state IN (?, ?) AND next_attempt > ? AND taken_by = ''",
		func(wait, _ time.Time) []any { return []any{owedHandOvers[0], owedHandOvers[1], wait} }, func(p *PutOff) *int64 { return &p.HandOvers },
	},
	{
		"letter_batches", "state IN (?, ?) AND next_attempt > ? AND taken_by = ''",
		func(wait, _ time.Time) []any { return []any{unsentBatches[0], unsentBatches[1], wait} }, func(p *PutOff) *int64 { return &p.Batches },
	},
	{
		"webhook_deliveries", "state = ? AND next_attempt > ? AND taken_by = ''",
		func(_, long time.Time) []any { return []any{models.DeliveryPending, long} }, func(p *PutOff) *int64 { return &p.Deliveries },
	},
}

func longestWaits(common time.Time) (wait, long time.Time) {
	return common.Add(models.LongestWait), common.Add(models.LongestLongWait)
}

// IsPutOff reports whether a clock that was ahead has put something off. It asks indexes alone.
func (r reads) IsPutOff(ctx context.Context, common time.Time) (is bool, err error) {
	wait, long := longestWaits(common)
	query, args := "SELECT ", []any{}
	for i, rows := range putOffRows {
		if i > 0 {
			query += " OR "
		}
		query += "EXISTS (SELECT 1 FROM " + rows.table + " WHERE " + rows.where + ")"
		args = append(args, rows.args(wait, long)...)
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
	wait, long := longestWaits(tx.Common)
	found := map[int64]PutOff{}
	for _, rows := range putOffRows {
		args := rows.args(wait, long)
		var creditorID, n int64
		err := tx.each(ctx, "SELECT creditor_id, COUNT(*) FROM "+rows.table+" WHERE "+rows.where+" GROUP BY creditor_id", args, func() {
			of := found[creditorID]
			*rows.count(&of) = n
			found[creditorID] = of
		}, &creditorID, &n)
		if err != nil {
			return nil, err
		}
		set := "UPDATE " + rows.table + " SET next_attempt = ? WHERE " + rows.where
		if err := tx.with(ctx).Exec(set, append([]any{tx.Common}, args...)...).Error; err != nil {
			return nil, classify(err, "")
		}
	}
	return found, nil
}

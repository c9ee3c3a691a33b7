package store

import (
	"context"
	"strings"
	"time"

	"purr/models"
)

// PutOff counts what of one creditor a clock that was ahead has put off, by the name of the rows (rule D117).
type PutOff map[string]int64

// PausedWays is the name of the ways that are paused, among what was put off.
const PausedWays = "paused_ways"

// longestWaits are the ends of the longest waits that begin now.
type longestWaits struct {
	attempt time.Time // of most work
	long    time.Time // of a letter that is held, of a shipment that bounced, and of a delivery
	trial   time.Time // of a way that is paused
}

func waitsFrom(common time.Time) longestWaits {
	return longestWaits{common.Add(models.LongestWait), common.Add(models.LongestLongWait), common.Add(models.LongestTrialWait)}
}

// putOff are rows of one kind whose next attempt is further ahead than it ever waits.
type putOff struct {
	name, table, next, where string // next is the column of the next attempt
	args                     []any
}

// putOffRows returns what may be put off: rows that are leased, and ways that are paused.
func putOffRows(all []Leased, common time.Time) []putOff {
	longest := waitsFrom(common)
	rows := []putOff{}
	for _, l := range all {
		where := l.owing() + " AND next_attempt > ?" + l.late + " AND taken_by = ''" + l.free
		rows = append(rows, putOff{l.Name, l.Table, "next_attempt", where, l.and(l.longest(longest)...)})
	}
	return append(rows, putOff{PausedWays, "ways_out", "next_trial", "next_trial > ?", []any{longest.trial}})
}

// IsPutOff reports whether a clock that was ahead has put something off. It asks indexes alone.
func (r reads) IsPutOff(ctx context.Context, common time.Time, all []Leased) (is bool, err error) {
	var either []string
	args := []any{}
	for _, rows := range putOffRows(all, common) {
		either = append(either, "EXISTS (SELECT 1 FROM "+rows.table+" WHERE "+rows.where+")")
		args = append(args, rows.args...)
	}
	err = r.each(ctx, "SELECT "+strings.Join(either, " OR "), args, func() {}, &is)
	return is, err
}

// putOffTurn is the setting that whoever takes up what was put off writes first: so one of several tells of it.
const putOffTurn = "clock_went_back"

// TakeUpPutOff makes what a clock that was ahead has put off due at once, and returns what it was, by creditor.
func (tx *Tx) TakeUpPutOff(ctx context.Context, all []Leased) (map[int64]PutOff, error) {
	if err := tx.SetSetting(ctx, putOffTurn, tx.Now.UTC().Format(time.RFC3339)); err != nil {
		return nil, err
	}
	found := map[int64]PutOff{}
	for _, rows := range putOffRows(all, tx.Common) {
		var creditorID, n int64
		err := tx.each(ctx, "SELECT creditor_id, COUNT(*) FROM "+rows.table+" WHERE "+rows.where+" GROUP BY creditor_id", rows.args, func() {
			if found[creditorID] == nil {
				found[creditorID] = PutOff{}
			}
			found[creditorID][rows.name] = n
		}, &creditorID, &n)
		if err != nil {
			return nil, err
		}
		set := "UPDATE " + rows.table + " SET " + rows.next + " = ? WHERE " + rows.where
		if err := tx.with(ctx).Exec(set, append([]any{tx.Common}, rows.args...)...).Error; err != nil {
			return nil, classify(err, "")
		}
	}
	return found, nil
}

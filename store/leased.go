package store

import (
	"context"
	"strings"
	"time"
)

// Leased are rows of one kind that owe work. A worker takes one by its name in the column taken_by; then it is the worker's own until
// its result is noted, or the worker is buried (rule S6). The column next_attempt says from when on the work is due.
type Leased struct {
	Table string
	Name  string // of what a clock has put off, as its event says it
	Words string // the same in the event's text

	model  func() any // gorm writes into it
	states []any      // in which the work is still to be done
	free   string     // what else holds of a row that may be taken
	on     string     // what else holds of a row that will be due
	late   string     // what else holds of a row that waits for longer than it ever does
	// longest are the ends of the longest waits that next_attempt, and late, are compared with (rule D117).
	longest func(longestWaits) []any
}

// owing is what holds of rows whose work is still to be done.
func (l Leased) owing() string {
	if len(l.states) == 1 {
		return "state = ?"
	}
	return "state IN (?" + strings.Repeat(", ?", len(l.states)-1) + ")"
}

// and returns the arguments of a condition that begins with owing.
func (l Leased) and(args ...any) []any {
	return append(l.states[:len(l.states):len(l.states)], args...)
}

// anyOf returns states as arguments.
func anyOf[State any](states ...State) []any {
	args := make([]any, len(states))
	for i, state := range states {
		args[i] = state
	}
	return args
}

// Due asks whether any of the rows is due and in nobody's hand.
func (l Leased) Due() Question {
	return Question{
		"EXISTS (SELECT 1 FROM " + l.Table + " WHERE " + l.owing() + " AND next_attempt <= ? AND taken_by = ''" + l.free + ")",
		func(by time.Time) []any { return l.and(by) },
	}
}

// NextAttempt returns when the next of the rows that nobody has in hand is due, and false if none will be.
func (r reads) NextAttempt(ctx context.Context, l Leased) (time.Time, bool, error) {
	next, err := scan[[]time.Time](r.with(ctx).Table(l.Table).Select("next_attempt").
		Where(l.owing()+" AND taken_by = ''"+l.free+l.on, l.states...).Order("next_attempt").Limit(1))
	if err != nil || len(next) == 0 {
		return time.Time{}, false, err
	}
	return next[0], true, nil
}

// ofNobody is what nobody who lives has taken.
const ofNobody = " AND taken_by <> '' AND NOT EXISTS (SELECT 1 FROM workers w WHERE w.id = taken_by)"

// TakenByNobody reports whether any of the rows is taken by nobody who lives. What a dead worker had sent to the database may arrive
// after its burial.
func (r reads) TakenByNobody(ctx context.Context, all []Leased) (bool, error) {
	for _, l := range all {
		if there, err := exists(r.with(ctx).Table(l.Table).Where(l.owing()+ofNobody, l.states...)); err != nil || there {
			return there, err
		}
	}
	return false, nil
}

// FreeOfNobody frees those of the rows that are taken by nobody who lives.
func (tx *Tx) FreeOfNobody(ctx context.Context, all []Leased) error {
	for _, l := range all {
		if err := tx.set(ctx, l.model(), map[string]any{"taken_by": ""}, l.owing()+ofNobody, l.states...); err != nil {
			return err
		}
	}
	return nil
}

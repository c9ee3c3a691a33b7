package jobs

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"purr/models"
	"purr/store"
)

// takeUpPutOff makes what a clock that was ahead has put off due at once, and tells of it once: each creditor by an event, the operator
// by a line of the log (rule D117).
func (s *Scheduler) takeUpPutOff(ctx context.Context) error {
	is, err := s.DB.IsPutOff(ctx, s.DB.Common(), leasedRows())
	if err != nil || !is {
		return err
	}
	all, creditors := store.PutOff{}, 0
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		found, err := tx.TakeUpPutOff(ctx, leasedRows())
		if err != nil {
			return err
		}
		all, creditors = store.PutOff{}, len(found)
		events := make([]models.Event, 0, len(found))
		for _, id := range slices.Sorted(maps.Keys(found)) {
			for name, n := range found[id] {
				all[name] += n
			}
			events = append(events, wentBack(id, found[id]))
		}
		return tx.Log(ctx, events...)
	})
	if err == nil && creditors > 0 {
		told := []any{"creditors", creditors}
		for _, rows := range putOffRows() {
			told = append(told, rows.name, all[rows.name])
		}
		s.Log.Warn("the clock was ahead and went back; what it had put off is due at once", told...)
	}
	return err
}

// putOffName is how rows that a clock has put off are called, in facts and in words.
type putOffName struct{ name, words string }

// putOffRows returns what a clock may put off, in the order in which it is told of.
func putOffRows() (all []putOffName) {
	for _, rows := range leasedRows() {
		all = append(all, putOffName{rows.Name, rows.Words})
	}
	return append(all, putOffName{store.PausedWays, "paused ways"})
}

func wentBack(creditorID int64, of store.PutOff) models.Event {
	var words []string
	facts := models.Facts{}
	for _, rows := range putOffRows() {
		words = append(words, fmt.Sprintf("%d %s", of[rows.name], rows.words))
		facts[rows.name] = of[rows.name]
	}
	return models.Event{
		CreditorID: creditorID, Type: models.EventClockBack, SubjectID: creditorID, Facts: facts,
		Text: "The clock was ahead and went back; what it had put off is due at once: " + strings.Join(words, ", "),
	}
}

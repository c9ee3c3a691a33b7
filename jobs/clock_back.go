package jobs

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"purr/models"
	"purr/store"
)

// takeUpPutOff makes what a clock that was ahead has put off due at once, and tells of it once: each creditor by an event, the operator
// by a line of the log (rule D117).
func (s *Scheduler) takeUpPutOff(ctx context.Context) error {
	is, err := s.DB.IsPutOff(ctx, s.DB.Common())
	if err != nil || !is {
		return err
	}
	var all store.PutOff
	creditors := 0
	err = s.DB.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		found, err := tx.TakeUpPutOff(ctx)
		if err != nil {
			return err
		}
		all, creditors = store.PutOff{}, len(found)
		events := make([]models.Event, 0, len(found))
		for _, id := range slices.Sorted(maps.Keys(found)) {
			of := found[id]
			all.Shipments, all.HandOvers = all.Shipments+of.Shipments, all.HandOvers+of.HandOvers
			all.Batches, all.Deliveries, all.Ways = all.Batches+of.Batches, all.Deliveries+of.Deliveries, all.Ways+of.Ways
			events = append(events, wentBack(id, of))
		}
		return tx.Log(ctx, events...)
	})
	if err == nil && creditors > 0 {
		s.Log.Warn("the clock was ahead and went back; what it had put off is due at once", "creditors", creditors,
			"shipments", all.Shipments, "hand_overs", all.HandOvers, "batches", all.Batches, "webhook_deliveries", all.Deliveries, "paused_ways", all.Ways)
	}
	return err
}

func wentBack(creditorID int64, of store.PutOff) models.Event {
	return models.Event{
		CreditorID: creditorID, Type: models.EventClockBack, SubjectID: creditorID,
		Text: fmt.Sprintf("The clock was ahead and went back; what it had put off is due at once: %d shipments, %d hand-overs, %d batches, %d webhook deliveries, %d paused ways",
			of.Shipments, of.HandOvers, of.Batches, of.Deliveries, of.Ways),
		Facts: models.Facts{
			"shipments": of.Shipments, "hand_overs": of.HandOvers, "batches": of.Batches, "webhook_deliveries": of.Deliveries, "paused_ways": of.Ways,
		},
	}
}

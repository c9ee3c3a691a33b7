package store

import (
	"context"

	"purr/models"
)

// Events returns up to limit events of the creditor after the one with the ID, oldest first.
func (r reads) Events(ctx context.Context, creditorID, after int64, limit int) ([]models.Event, error) {
	return readAll[models.Event](r.with(ctx).Where("creditor_id = ? AND id > ?", creditorID, after).Order("id").Limit(limit))
}

// Event returns one event of the creditor.
func (r reads) Event(ctx context.Context, creditorID, id int64) (models.Event, error) {
	return readOne[models.Event](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "event")
}

// EventPage returns a page of the creditor's events after the one with the ID, and the number of all later events.
func (r reads) EventPage(ctx context.Context, creditorID, after int64, p Page) ([]models.Event, int64, error) {
	return find[models.Event](ctx, r.with(ctx).Where("creditor_id = ? AND id > ?", creditorID, after), p)
}

// The widths of the columns, in characters.
const (
	maxActor     = 200
	maxEventText = 500
)

// Log writes events, and a delivery of each to every webhook that wants it (rule E7). It sets the events' IDs and
// moment. An event without an actor gets the program as its actor (rule O8).
func (tx *Tx) Log(ctx context.Context, events ...models.Event) error {
	if err := tx.logAlone(ctx, events); err != nil {
		return err
	}
	return tx.owe(ctx, events)
}

// LogFor writes events of one creditor as Log does. It does not read webhooks if the creditor has none.
func (tx *Tx) LogFor(ctx context.Context, c models.Creditor, events ...models.Event) error {
	if c.HasWebhooks {
		return tx.Log(ctx, events...)
	}
	return tx.logAlone(ctx, events)
}

func (tx *Tx) logAlone(ctx context.Context, events []models.Event) error {
	if len(events) == 0 {
		return nil
	}
	for i := range events {
		events[i].At = tx.Now
		if events[i].Actor == "" {
			events[i].Actor = models.ActorProgram
		}
		events[i].Actor = models.Shorten(events[i].Actor, maxActor)
		events[i].Text = models.Shorten(events[i].Text, maxEventText)
	}
	return tx.insert(ctx, &events)
}

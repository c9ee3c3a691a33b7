package store

import (
	"context"

	"purr/models"
)

// EventPage returns a page of the creditor's events after the one with the ID, and the number of all
// after it.
func (r reads) EventPage(ctx context.Context, creditorID, after int64, p Page) ([]models.Event, int64, error) {
	return find[models.Event](ctx, r.with(ctx).Where("creditor_id = ? AND id > ?", creditorID, after), p)
}

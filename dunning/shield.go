package dunning

import (
	"context"
	"time"

	"purr/models"
	"purr/store"
)

// ShieldDays is for how many days, the one on which it was queued included, an open unmatched payment keeps the
// customer at whom its best suggestion points from being dunned (rule E6g).
const ShieldDays = 10

// shields are the customers who are not dunned because money that waits in the queue may be theirs, each with the
// last day of that.
type shields map[int64]models.Date

// readShields reads which of a creditor's customers are shielded on a day or later.
func readShields(ctx context.Context, db *store.DB, c models.Creditor, on models.Date) (shields, error) {
	zone, err := c.Location()
	if err != nil {
		return nil, err
	}
	year, month, day := (on - ShieldDays + 1).Time().Date()
	queued, err := db.CustomersInQueue(ctx, c.ID, time.Date(year, month, day, 0, 0, 0, 0, zone))
	s := make(shields, len(queued))
	for customerID, at := range queued {
		s[customerID] = models.DateOf(at.In(zone)) + ShieldDays - 1
	}
	return s, err
}

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

// shielded are the customers who are not dunned on a day because money that waits in the queue may be theirs.
type shielded map[int64]bool

// readShielded reads which of a creditor's customers are shielded on a day.
func readShielded(ctx context.Context, db *store.DB, c models.Creditor, on models.Date) (shielded, error) {
	zone, err := c.Location()
	if err != nil {
		return nil, err
	}
	year, month, day := (on - ShieldDays + 1).Time().Date()
	customers, err := db.CustomersInQueue(ctx, c.ID, time.Date(year, month, day, 0, 0, 0, 0, zone))
	s := make(shielded, len(customers))
	for _, id := range customers {
		s[id] = true
	}
	return s, err
}

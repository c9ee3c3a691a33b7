package dunning

import (
	"context"

	"purr/law"
	"purr/models"
	"purr/store"
)

// CustomersWindows returns the windows under a creditor's policy and those of customers.
func CustomersWindows(on models.Date, creditors models.Policy, own map[int64]models.Policy) []models.Window {
	return policies{creditors, own}.windows(func(p models.Policy) []models.Window { return Windows(on, p) })
}

// TellingOfEach makes runs tell of each batch of notices while do runs.
func TellingOfEach(do func()) {
	defer func(together int) { announcedTogether = together }(announcedTogether)
	announcedTogether = 1
	do()
}

// Run takes the due steps of a creditor on a day, as Snapshot.Run does.
func Run(ctx context.Context, db *store.DB, rules *law.Rules, c models.Creditor, date models.Date) (Result, error) {
	s, err := TakeSnapshot(ctx, db, rules, c, date)
	if err != nil {
		return Result{}, err
	}
	return s.Run(ctx, func() {})
}

package dunning

import (
	"context"
	"fmt"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// VerifyPlans proves that each of the creditor's payment plans that run is looked at as soon as something can become of it (rule L15): as things
// stand, it still runs on the day before.
func VerifyPlans(ctx context.Context, db *store.DB, c models.Creditor) (all []ledger.Difference, err error) {
	for last := int64(0); ; {
		page, err := db.RunningPlans(ctx, c.ID, last, pageSize)
		if err != nil || len(page) == 0 {
			return all, err
		}
		for _, p := range page {
			if p.LookOn <= p.Since {
				continue // by the next run
			}
			if state, _ := PlanOn(p.Plan, p.Claimed, p.LookOn-1); state != models.PlanRunning {
				all = append(all, ledger.Difference(fmt.Sprintf("payment plan with id %d is looked at on %s only, and by then it is %s: the next entry on its invoice sets that right", p.ID, p.LookOn, state)))
			}
		}
		last = page[len(page)-1].ID
	}
}

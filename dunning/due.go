package dunning

import (
	"context"
	"slices"

	"purr/models"
	"purr/store"
)

// Due is how many steps the run of a day takes.
type Due struct {
	Notices   int
	HandOvers int
}

// Steps returns how many they are.
func (d Due) Steps() int { return d.Notices + d.HandOvers }

// Due counts what today's run would do now. It reads what the run reads, and is many times as fast.
func (o *Outlook) Due(ctx context.Context) (Due, error) {
	var due Due
	err := o.db.View(ctx, func(v store.View) error {
		return o.eachDue(ctx, v.InvoicesIn, func(page []models.Invoice) error {
			page = slices.DeleteFunc(page, func(i models.Invoice) bool { return o.atFirstSight(i).Action == Nothing })
			courses, err := o.courses(ctx, v, page)
			for _, c := range courses {
				switch c.decide(c.invoice, c.customer, o.today).Action {
				case Remind, Warn:
					due.Notices++
				case HandOver:
					due.HandOvers++
				case Nothing:
				}
			}
			return err
		})
	})
	return due, err
}

package operator

import (
	"context"

	"purr/ledger/receivables"
	"purr/models"
	"purr/store"
)

// Month returns what moved a creditor's receivables in a month (rule N5). The zero month is the last one that is over.
func (o *Operator) Month(ctx context.Context, c models.Creditor, month models.Month) (r receivables.MonthReport, err error) {
	if month == 0 {
		today, err := o.Today(c)
		if err != nil {
			return r, err
		}
		month = models.MonthOf(today).Plus(-1)
	}
	err = o.DB.View(ctx, func(v store.View) (err error) {
		r, err = receivables.ReadMonth(ctx, v, c, month)
		return err
	})
	return r, err
}

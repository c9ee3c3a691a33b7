package ledger

import (
	"context"
	"fmt"

	"purr/models"
	"purr/store"
)

// repaymentRelations say what the amounts of repayments add up to.
var repaymentRelations = map[store.RepaymentRelation]string{
	store.RepaymentPosted:   "repayment with id %d is paid with %s, its entries add up to %s",
	store.RepaymentStray:    "the REPAYMENT entry with id %d of %s pays no repayment (%s)",
	store.RepaymentFileSum:  "file of repayments with id %d is of %s, its repayments of %s",
	store.RepaymentReserved: "of the customer with id %d %s is reserved for repayments, and %s of that is free credit: take those back that wait",
}

// verifyRepayments proves the repayments (rule N12).
func verifyRepayments(ctx context.Context, db *store.DB, c models.Creditor) (all []Difference, err error) {
	faults, err := db.RepaymentFaults(ctx, c.ID)
	if err != nil {
		return nil, err
	}
	for _, f := range faults {
		all = append(all, Difference(fmt.Sprintf(repaymentRelations[f.What], f.ID, f.Kept, f.Computed)))
	}
	return all, nil
}

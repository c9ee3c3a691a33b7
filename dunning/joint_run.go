package dunning

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"purr/models"
)

// dueInvoice is what a run remembers of an invoice that may share a letter.
type dueInvoice struct{ customer, id, number int64 }

// setJointAside returns those of the invoices whose customers get no joint letters, and remembers the others.
func (r *run) setJointAside(due []models.Invoice) []models.Invoice {
	return slices.DeleteFunc(due, func(i models.Invoice) bool {
		joint := r.policies.of(i.CustomerID).JointLetters
		if joint {
			r.joint = append(r.joint, dueInvoice{i.CustomerID, i.ID, i.Number})
		}
		return joint
	})
}

// mostOfCustomer is the most invoices of one customer that are taken in one transaction: ten full letters.
const mostOfCustomer = 10 * models.MostJoint

// takeJoint takes the due step with each of the invoices that may share letters. Those of a customer are taken in one transaction, many customers
// in each (rule L23).
func (r *run) takeJoint(ctx context.Context) error {
	slices.SortFunc(r.joint, func(a, b dueInvoice) int { return cmp.Or(cmp.Compare(a.customer, b.customer), cmp.Compare(a.id, b.id)) })
	r.joint = slices.Compact(r.joint) // windows may overlap
	var batch [][]dueInvoice
	inBatch := 0
	for len(r.joint) > 0 {
		n := slices.IndexFunc(r.joint, func(d dueInvoice) bool { return d.customer != r.joint[0].customer })
		if n < 0 {
			n = len(r.joint)
		}
		n = min(n, mostOfCustomer)
		if inBatch > 0 && inBatch+n > batchSize {
			if err := r.takeCustomers(ctx, batch); err != nil {
				return err
			}
			batch, inBatch = nil, 0
		}
		batch, inBatch, r.joint = append(batch, r.joint[:n]), inBatch+n, r.joint[n:]
	}
	return r.takeCustomers(ctx, batch)
}

// takeCustomers takes the due step with the invoices of several customers in one transaction. If that fails, it tries each customer by itself,
// and then each of the invoices.
func (r *run) takeCustomers(ctx context.Context, customers [][]dueInvoice) error {
	if len(customers) == 0 {
		return nil
	}
	if all := r.result.notices + r.result.Friendly; all >= r.announced+announcedTogether {
		r.announced = all
		r.made()
	}
	due := slices.Concat(customers...)
	slices.SortFunc(due, func(a, b dueInvoice) int { return cmp.Compare(a.id, b.id) })
	invoices := make([]models.Invoice, len(due))
	for i, d := range due {
		invoices[i] = models.Invoice{ID: d.id, Number: d.number, CustomerID: d.customer}
	}
	err := r.take(ctx, invoices...)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil || models.KindOf(err) == models.KindUnavailable:
		return err
	case len(due) == 1:
		r.failed = append(r.failed, fmt.Errorf("dun invoice %d: %w", due[0].number, err))
		return nil
	case len(customers) > 1:
		for _, one := range customers {
			if err := r.takeCustomers(ctx, [][]dueInvoice{one}); err != nil {
				return err
			}
		}
		return nil
	}
	for _, one := range due {
		if err := r.takeCustomers(ctx, [][]dueInvoice{{one}}); err != nil {
			return err
		}
	}
	return nil
}

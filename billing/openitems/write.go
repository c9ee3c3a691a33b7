package openitems

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"purr/billing"
	"purr/ledger"
	"purr/models"
	"purr/store"
)

// faultsOf returns the faults of an error of the domain.
func faultsOf(err error) models.Errors {
	if all, is := errors.AsType[models.Errors](err); is {
		return all
	}
	if one, is := errors.AsType[*models.Error](err); is {
		return models.Errors{one}
	}
	return nil
}

// write does what was planned: each transaction takes some rows. Then it closes what is no longer in the list.
func (t *taking) write(ctx context.Context) error {
	err := t.read(ctx, true, func(ctx context.Context, rows []*row) error {
		if rows = slices.DeleteFunc(rows, func(r *row) bool { return len(r.faults) == 0 && !t.todo[r.adoption.Number] }); len(rows) == 0 {
			return nil
		}
		k, err := t.look(ctx, rows)
		if err != nil {
			return err
		}
		return t.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return t.writeRows(ctx, tx, rows, k) })
	})
	if err == nil && t.result.Faults > 0 {
		err = ErrFaults
	}
	if err != nil || !t.options.Sync {
		return err
	}
	var closed []ledger.Told
	err = t.eachOpen(ctx, func(i store.AdoptedInvoice) {
		if _, listed := t.numbers[i.Number]; !listed && i.Owed() != 0 {
			closed = append(closed, ledger.Told{Number: i.Number, Actor: t.options.Actor})
		}
	})
	if err != nil {
		return err
	}
	for len(closed) > 0 {
		some := closed[:min(len(closed), batch)]
		if err := t.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return t.tell(ctx, tx, some) }); err != nil {
			return err
		}
		closed = closed[len(some):]
	}
	return nil
}

// writeRows adopts the rows that are new, and books what the others tell.
func (t *taking) writeRows(ctx context.Context, tx *store.Tx, rows []*row, k known) error {
	var fresh []billing.Adoption
	var lines []int
	var told []ledger.Told
	made := map[string]*models.Customer{}
	for _, r := range rows {
		if len(r.faults) > 0 {
			return fmt.Errorf("%s: the list has changed since it was checked", r.faults[0])
		}
		i, is := k.invoices[r.adoption.Number]
		switch {
		case !is:
			fresh, lines = append(fresh, t.request(r, k, made)), append(lines, r.line)
		case t.options.Sync && !r.isOther(i) && r.adoption.Balance != i.Owed():
			told = append(told, ledger.Told{Number: i.Number, Balance: r.adoption.Balance, Actor: t.options.Actor})
		}
	}
	if len(fresh) > 0 {
		adopted, err := billing.Adopt(ctx, tx, t.creditor.ID, fresh)
		if err != nil {
			return err
		}
		for n, a := range adopted {
			if a.Err != nil { // something has come meanwhile
				return fmt.Errorf("line %d: %w", lines[n], a.Err)
			}
		}
	}
	return t.tell(ctx, tx, told)
}

// request returns the request of a row that is new. Rows of one customer who is new share the customer.
func (t *taking) request(r *row, k known, made map[string]*models.Customer) billing.Adoption {
	a, number := r.adoption, r.customer.Recipient.CustomerNumber
	a.Actor = t.options.Actor
	if id, is := k.customers[number]; is {
		a.CustomerID = id
		return a
	}
	if made[number] == nil {
		made[number] = &r.customer
	}
	a.NewCustomer = made[number]
	return a
}

func (t *taking) tell(ctx context.Context, tx *store.Tx, all []ledger.Told) error {
	for _, told := range all {
		if _, err := ledger.TellBalance(ctx, tx, t.creditor.ID, told); err != nil {
			return fmt.Errorf("invoice %d: %w", told.Number, err)
		}
	}
	return nil
}

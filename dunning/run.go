package dunning

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"purr/models"
	"purr/store"
)

// Result is what a run did.
type Result struct {
	Documents []models.Document // the notices
	HandOvers int
	HeldBack  bool // something waits for a bank file that is late (rule E6b)
}

// pageSize is how many invoices a run reads at once.
const pageSize = 500

// together is how many invoices a run takes further with one transaction at most.
const together = 100

// Run takes every invoice of a creditor that is due for a step one step further (rules E6a, E6f), decided on what is
// locked. A run that is broken off and made again, or made by two at once, takes no step twice. On any day but its own
// it does nothing: what it left is the next day's. Invoices that cannot be dunned hold up no others; the error names
// them.
func Run(ctx context.Context, db *store.DB, rules *Rules, c models.Creditor, date models.Date) (Result, error) {
	var result Result
	o, err := Look(ctx, db, rules, c, date)
	if err != nil {
		return result, err
	}
	var failed []error
	err = o.eachDue(ctx, db.InvoicesIn, func(page []models.Invoice) error {
		for some := range slices.Chunk(result.due(o, page), together) {
			err := result.take(ctx, o, some)
			if err == nil {
				continue
			}
			if ctx.Err() != nil || models.KindOf(err) == models.KindUnavailable {
				return err
			}
			failed = append(failed, result.takeEach(ctx, o, some)...)
		}
		return nil
	})
	return result, errors.Join(append(failed, err)...)
}

// due returns the invoices of a page that a step is due on. What needs no customer to be left alone is.
func (r *Result) due(o *Outlook, page []models.Invoice) []models.Invoice {
	return slices.DeleteFunc(page, func(seen models.Invoice) bool {
		d := o.atFirstSight(seen)
		r.HeldBack = r.HeldBack || d.Reason == PaymentFileLate
		return d.Action == Nothing
	})
}

// takeEach takes invoices a step further one by one, and returns what failed.
func (r *Result) takeEach(ctx context.Context, o *Outlook, seen []models.Invoice) (failed []error) {
	for _, invoice := range seen {
		if err := r.take(ctx, o, []models.Invoice{invoice}); err != nil {
			failed = append(failed, fmt.Errorf("dun invoice %d: %w", invoice.Number, err))
		}
	}
	return failed
}

// take takes invoices a step further in one transaction, each if a step is due. The policies are the customers' as they
// were seen; what is done is done by those that stand then.
func (r *Result) take(ctx context.Context, o *Outlook, seen []models.Invoice) error {
	ids := make([]int64, len(seen))
	for i, invoice := range seen {
		ids[i] = invoice.ID
	}
	var notices []models.Notice
	var handOvers int
	err := o.db.InTx(ctx, func(tx *store.Tx) error {
		notices, handOvers = nil, 0
		today, err := o.creditor.Today(tx.Now)
		if err != nil || today != o.today {
			return err
		}
		if _, err := tx.LockInvoices(ctx, o.creditor.ID, ids); err != nil {
			return err
		}
		if notices, handOvers, err = o.step(ctx, tx, ids); err != nil || len(notices)+handOvers == 0 {
			return err
		}
		return tx.CountSteps(ctx, o.creditor.ID, o.today, len(notices)+handOvers)
	})
	if err != nil {
		return err
	}
	for _, n := range notices {
		r.Documents = append(r.Documents, n.Document())
	}
	r.HandOvers += handOvers
	return nil
}

// step takes locked invoices a step further, each if one is due today.
func (o *Outlook) step(ctx context.Context, tx *store.Tx, ids []int64) (notices []models.Notice, handOvers int, err error) {
	invoices, err := tx.InvoicesByID(ctx, o.creditor.ID, ids)
	if err != nil {
		return nil, 0, err
	}
	courses, err := o.courses(ctx, tx.View(), invoices)
	if err != nil {
		return nil, 0, err
	}
	var noticed []int
	var orders []order
	for i, c := range courses {
		d := c.decide(c.invoice, c.customer, o.today)
		switch d.Action {
		case Remind, Warn:
			noticed, orders = append(noticed, i), append(orders, o.order(c.customer, d, o.today))
		case HandOver:
			if _, err := handOver(ctx, tx, c.invoice, o.today, ""); err != nil {
				return nil, 0, err
			}
			handOvers++
		case Nothing:
		}
	}
	if len(noticed) == 0 {
		return nil, handOvers, nil
	}
	if err := o.addAccounts(ctx, tx.View(), courses, noticed); err != nil {
		return nil, 0, err
	}
	accounts := make([]account, len(noticed))
	for n, i := range noticed {
		accounts[n] = courses[i].account
	}
	notices, err = issue(ctx, tx, o.rules, accounts, orders)
	return notices, handOvers, err
}

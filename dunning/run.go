package dunning

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"purr/dunning/law"
	"purr/models"
	"purr/store"
)

// Result is what a run did.
type Result struct {
	Documents []models.Document // the notices
	HandOvers int
	HeldBack  bool // something waits for a bank file that is late (rule E6b)
}

// Steps returns how many steps the run took.
func (r Result) Steps() int { return len(r.Documents) + r.HandOvers }

// batchSize is the most invoices that a run takes a step with in one transaction.
const batchSize = 100

// Run takes the next step with every invoice of a creditor that one is due on (rules E6a, E6f). It decides on what is
// locked, so a run that is broken off and made again, or made by two at once, takes no step twice. Each transaction adds
// its steps to the date's run, which must have begun to be counted. On any day but its own a run does nothing: what it
// left is the next day's. Invoices that cannot be dunned hold up no others; the error names them.
func Run(ctx context.Context, db *store.DB, rules *law.Rules, c models.Creditor, date models.Date) (Result, error) {
	snapshot, err := TakeSnapshot(ctx, db, rules, c, date)
	if err != nil {
		return Result{}, err
	}
	r := run{Snapshot: snapshot}
	var failed []error
	err = r.eachDue(ctx, db.InvoicesIn, func(page []models.Invoice) error {
		for batch := range slices.Chunk(r.due(page), batchSize) {
			err := r.take(ctx, batch)
			if err == nil {
				continue
			}
			if ctx.Err() != nil || models.KindOf(err) == models.KindUnavailable {
				return err
			}
			failed = append(failed, r.takeEach(ctx, batch)...)
		}
		return nil
	})
	return r.result, errors.Join(append(failed, err)...)
}

// run is a run that is being made.
type run struct {
	*Snapshot
	result Result
}

// due returns the invoices of a page that a step may be due on.
func (r *run) due(page []models.Invoice) []models.Invoice {
	return slices.DeleteFunc(page, func(seen models.Invoice) bool {
		d := r.decideWithoutCustomer(seen)
		r.result.HeldBack = r.result.HeldBack || d.Reason == PaymentFileLate
		return d.Action == Nothing
	})
}

// takeEach takes the next step with each of the invoices in a transaction of its own, and returns what failed.
func (r *run) takeEach(ctx context.Context, seen []models.Invoice) (failed []error) {
	for _, invoice := range seen {
		if err := r.take(ctx, []models.Invoice{invoice}); err != nil {
			failed = append(failed, fmt.Errorf("dun invoice %d: %w", invoice.Number, err))
		}
	}
	return failed
}

// take takes the next step with each of the invoices that one is due on, in one transaction. Invoices and customers are
// read anew under lock.
func (r *run) take(ctx context.Context, seen []models.Invoice) error {
	ids := make([]int64, len(seen))
	for i, invoice := range seen {
		ids[i] = invoice.ID
	}
	var notices []models.Notice
	var handOvers int
	err := r.db.InTx(ctx, func(tx *store.Tx) error {
		notices, handOvers = nil, 0
		today, err := r.creditor.Today(tx.Now)
		if err != nil || today != r.today {
			return err
		}
		if _, err := tx.LockInvoices(ctx, r.creditor.ID, ids); err != nil {
			return err
		}
		if notices, handOvers, err = r.takeLocked(ctx, tx, ids); err != nil || len(notices)+handOvers == 0 {
			return err
		}
		return tx.CountSteps(ctx, r.creditor.ID, r.today, len(notices)+handOvers)
	})
	if err != nil {
		return err
	}
	for _, n := range notices {
		r.result.Documents = append(r.result.Documents, n.Document())
	}
	r.result.HandOvers += handOvers
	return nil
}

// takeLocked takes the next step with each of the locked invoices that one is due on today.
func (r *run) takeLocked(ctx context.Context, tx *store.Tx, ids []int64) (notices []models.Notice, handOvers int, err error) {
	invoices, err := tx.InvoicesByID(ctx, r.creditor.ID, ids)
	if err != nil {
		return nil, 0, err
	}
	sims, err := r.simulations(ctx, tx.View(), invoices)
	if err != nil {
		return nil, 0, err
	}
	var noticed []int
	var decisions []Decision
	for i, sim := range sims {
		d := sim.decide(r.today)
		switch d.Action {
		case Remind, Warn:
			noticed, decisions = append(noticed, i), append(decisions, d)
		case HandOver:
			if _, err := handOver(ctx, tx, sim.invoice, r.today, ""); err != nil {
				return nil, 0, err
			}
			handOvers++
		case Nothing:
		}
	}
	if len(noticed) == 0 {
		return nil, handOvers, nil
	}
	if err := addBasis(ctx, tx.View(), sims, noticed); err != nil {
		return nil, 0, err
	}
	drafts := make([]draft, len(noticed))
	for n, i := range noticed {
		drafts[n] = sims[i].draft(decisions[n], r.today)
	}
	if notices, err = issue(ctx, tx, r.rules, drafts); err != nil {
		return nil, 0, err
	}
	return notices, handOvers, nil
}

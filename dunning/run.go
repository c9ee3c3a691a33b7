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
// its steps to the row of the date's run, which must have begun for that. On any day but its own a run does nothing: what
// it left is the next day's. Invoices that cannot be dunned hold up no others; the error names them.
func Run(ctx context.Context, db *store.DB, rules *law.Rules, c models.Creditor, date models.Date) (Result, error) {
	snapshot, err := TakeSnapshot(ctx, db, rules, c, date)
	if err != nil {
		return Result{}, err
	}
	r := run{Snapshot: snapshot}
	var failed []error
	err = r.eachDue(ctx, db.InvoicesInWindow, func(page []models.Invoice) error {
		for batch := range slices.Chunk(r.due(page), batchSize) {
			err := r.take(ctx, batch...)
			switch {
			case err == nil:
			case ctx.Err() != nil || models.KindOf(err) == models.KindUnavailable:
				return err
			default:
				for _, invoice := range batch {
					if err := r.take(ctx, invoice); err != nil {
						failed = append(failed, fmt.Errorf("dun invoice %d: %w", invoice.Number, err))
					}
				}
			}
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
		d := r.decideUnread(seen)
		r.result.HeldBack = r.result.HeldBack || d.Reason == PaymentFileLate
		return d.Action == Nothing
	})
}

// take takes the next step with each of the invoices that one is due on, in one transaction. Invoices and customers are
// read anew under lock.
func (r *run) take(ctx context.Context, seen ...models.Invoice) error {
	ids := make([]int64, len(seen))
	for i, invoice := range seen {
		ids[i] = invoice.ID
	}
	var taken Result
	err := r.db.InTx(ctx, func(tx *store.Tx) error {
		taken = Result{}
		today, err := r.creditor.Today(tx.Now)
		if err != nil || today != r.today {
			return err
		}
		if _, err := tx.LockInvoices(ctx, r.creditor.ID, ids); err != nil {
			return err
		}
		if taken, err = r.takeLocked(ctx, tx, ids); err != nil || taken.Steps() == 0 {
			return err
		}
		return tx.AddSteps(ctx, r.creditor.ID, r.today, taken.Steps())
	})
	if err != nil {
		return err
	}
	r.result.Documents = append(r.result.Documents, taken.Documents...)
	r.result.HandOvers += taken.HandOvers
	return nil
}

// takeLocked takes the next step with each of the locked invoices that one is due on today.
func (r *run) takeLocked(ctx context.Context, tx *store.Tx, ids []int64) (Result, error) {
	invoices, err := tx.InvoicesByID(ctx, r.creditor.ID, ids)
	if err != nil {
		return Result{}, err
	}
	sims, err := r.exactSimulations(ctx, tx.View(), invoices, func(sim *simulation) { sim.run(r.today) })
	if err != nil {
		return Result{}, err
	}
	var taken Result
	var drafts []draft
	for _, sim := range sims {
		switch d := sim.decide(r.today); d.Action {
		case Remind, Warn:
			drafts = append(drafts, sim.draft(d, r.today))
		case HandOver:
			if _, err := handOver(ctx, tx, sim.invoice, r.today, ""); err != nil {
				return Result{}, err
			}
			taken.HandOvers++
		case Nothing:
		}
	}
	if len(drafts) == 0 {
		return taken, nil
	}
	notices, err := issue(ctx, tx, r.rules, drafts)
	if err != nil {
		return Result{}, err
	}
	for _, n := range notices {
		taken.Documents = append(taken.Documents, n.Document())
	}
	return taken, nil
}

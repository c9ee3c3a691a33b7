package dunning

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// Result is what a run did.
type Result struct {
	Documents []models.Document // the notices
	HandOvers int
	notices   int
	Closed    int  // invoices that were closed for a small remainder: no steps (rule L25)
	Friendly  int  // friendly reminders that it owes: no steps (rule L14)
	HeldBack  bool // the run left an invoice alone because a bank file is late, and for no reason before that (rules E6b, L12)
}

// Steps returns how many steps the run took.
func (r Result) Steps() int { return r.notices + r.HandOvers }

// add adds the steps of one transaction.
func (r *Result) add(t taken) {
	for _, n := range t.notices {
		if d := n.SentAs(); !slices.Contains(r.Documents[max(0, len(r.Documents)-models.MostJoint):], d) {
			r.Documents = append(r.Documents, d)
		}
		r.notices++
	}
	r.HandOvers += t.handOvers
	r.Closed += t.closed
	r.HeldBack = r.HeldBack || t.heldBack
}

// taken are the steps of one transaction of a run.
type taken struct {
	notices   []models.Notice
	handOvers int
	closed    int  // for a small remainder
	heldBack  bool // one was left alone because a bank file is late
}

func (t taken) steps() models.RunSteps {
	s := models.RunSteps{HandOvers: t.handOvers}
	for _, n := range t.notices {
		if n.Warning {
			s.Warnings++
		} else {
			s.Reminders++
		}
		s.Fees += n.Fee
		s.Interest += n.Interest
	}
	return s
}

// announcedTogether is after how many notices a run announces them. Letters that leave in small loads cost more than they gain. Tests
// lower it.
var announcedTogether = 1000

// batchSize is the greatest number of invoices in one transaction of a run.
const batchSize = 100

// Run takes the due step with every invoice of the creditor (rules E6a, E6f), on the snapshot's day. It first reverses the fees
// and interest that are left where the policy waives them (rule L7), and closes small remainders (rule L25). It decides again on the locked rows.
// So no step is taken twice if a run is interrupted and repeated, or made by two processes at once. Each
// transaction adds its steps to the row of the date's run, which must have begun. Run does nothing on a day other
// than its date: the next day's run takes the steps that are left. If an invoice cannot be dunned, the others
// still are, and the error names it.
//
// After each thousand notices Run calls made, and then goes on: their letters may leave meanwhile. MoveCredits must have moved
// the free credit.
func (s *Snapshot) Run(ctx context.Context, made func()) (Result, error) {
	moved := *s
	moved.creditMoved, moved.plansSettled = true, true // no step is taken with an invoice whose plan runs
	r := run{Snapshot: &moved, made: made}
	err := r.eachIn(ctx, r.db, r.db.InvoicesOwingOnlyCharges, waiverWindows, func(page []models.Invoice) error { return r.takeAll(ctx, page) })
	if err == nil {
		err = r.eachIn(ctx, r.db, r.db.InvoicesInWindow, r.closingUnder, func(page []models.Invoice) error { return r.takeAll(ctx, page) })
	}
	if err == nil {
		err = r.eachDue(ctx, r.db, func(page []models.Invoice) error { return r.takeAll(ctx, r.setJointAside(r.due(page))) })
	}
	if err == nil {
		err = r.takeJoint(ctx)
	}
	if err == nil {
		err = r.befriendAll(ctx)
	}
	return r.result, errors.Join(append(r.failed, err)...)
}

// run is a run that is being made.
type run struct {
	*Snapshot
	made      func()
	announced int // how many notices and friendly reminders
	result    Result
	joint     []dueInvoice // that may share letters: they are taken together (rule L23)
	failed    []error      // of invoices that could not be dunned
}

// takeAll takes the due step with each of the invoices, many in one transaction. If that fails, it tries each invoice by
// itself.
func (r *run) takeAll(ctx context.Context, invoices []models.Invoice) error {
	return r.inBatches(ctx, invoices, r.take)
}

// inBatches calls take with many invoices at once. If that fails, it calls it with each invoice by itself.
func (r *run) inBatches(ctx context.Context, invoices []models.Invoice, take func(ctx context.Context, seen ...models.Invoice) error) error {
	for batch := range slices.Chunk(invoices, batchSize) {
		if all := len(r.result.Documents) + r.result.Friendly; all >= r.announced+announcedTogether {
			r.announced = all
			r.made()
		}
		err := take(ctx, batch...)
		switch {
		case err == nil:
		case ctx.Err() != nil || models.KindOf(err) == models.KindUnavailable:
			return err
		default:
			for _, invoice := range batch {
				if err := take(ctx, invoice); err != nil {
					r.failed = append(r.failed, fmt.Errorf("dun invoice %d: %w", invoice.Number, err))
				}
			}
		}
	}
	return nil
}

// due returns the invoices of a page for which a step may be due, and until one is held back for a bank file, those that
// seem to be: what was not read may give a reason before that.
func (r *run) due(page []models.Invoice) []models.Invoice {
	return slices.DeleteFunc(page, func(seen models.Invoice) bool {
		d := r.decideUnread(seen)
		return d.Action == Nothing && (r.result.HeldBack || d.Reason != PaymentFileLate)
	})
}

// take takes the due step with each of the invoices in one transaction. It reads invoices and customers again
// under lock.
func (r *run) take(ctx context.Context, seen ...models.Invoice) error {
	ids := idsOf(seen)
	var done taken
	err := r.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		done = taken{}
		today, err := r.creditor.Today(tx.Now)
		if err != nil || today != r.today {
			return err
		}
		if _, err := tx.LockInvoices(ctx, r.creditor.ID, ids); err != nil {
			return err
		}
		if done, err = r.takeLocked(ctx, tx, ids); err != nil {
			return err
		}
		if steps := done.steps(); steps.Steps() > 0 {
			return tx.AddSteps(ctx, r.creditor.ID, r.today, steps)
		}
		return nil
	})
	if err == nil {
		r.result.add(done)
	}
	return err
}

func idsOf(invoices []models.Invoice) []int64 {
	ids := make([]int64, len(invoices))
	for i, invoice := range invoices {
		ids[i] = invoice.ID
	}
	return ids
}

// takeLocked takes the step that is due today with each of the locked invoices.
func (r *run) takeLocked(ctx context.Context, tx *store.Tx, ids []int64) (taken, error) {
	sims, decisions, err := r.decideLocked(ctx, tx, ids)
	if err != nil {
		return taken{}, err
	}
	var done taken
	var drafts []draft
	for i, sim := range sims {
		if sim.plan.ID != 0 { // it runs, or was overtaken by what came since SettlePlans: the next run tells
			decisions[i] = Decision{Action: Nothing, Reason: decisions[i].Reason}
		}
		if d := decisions[i]; d.Action == Remind || d.Action == Warn {
			drafts = append(drafts, sim.draft(r.rules, decided(d), r.today))
			continue
		}
		if err := r.act(ctx, tx, sim, decisions[i], &done); err != nil {
			return taken{}, err
		}
	}
	if len(drafts) == 0 {
		return done, nil
	}
	done.notices, err = issue(ctx, tx, join(drafts))
	return done, err
}

// act does what is decided for a locked invoice, other than a notice, and counts it.
func (r *run) act(ctx context.Context, tx *store.Tx, sim simulation, d Decision, done *taken) error {
	switch {
	case d.Action == HandOver:
		done.handOvers++
		_, err := handOver(ctx, tx, sim.invoice, r.today, false, "")
		return err
	case d.Action == Close:
		done.closed++
		return closeSmall(ctx, tx, sim.invoice, r.today)
	case d.Action == Waive:
		return ledger.WaiveCharges(ctx, tx, sim.invoice, r.today, "", "")
	case d.Reason == PaymentFileLate:
		done.heldBack = true
	case d.Reason == NoAddress:
		return wantAddress(ctx, tx, sim.customer, r.today)
	}
	return nil
}

package dunning

import (
	"context"
	"errors"
	"fmt"

	"purr/models"
	"purr/store"
)

// SettlePlans tells what has become of the creditor's payment plans by the snapshot's day (rule L15): an instalment was missed, all are covered,
// or the invoice is closed or handed over. It decides again on the locked rows, so that each is told once, however often and by how many
// processes it is made. A plan is not broken while its invoice or customer is on hold, a payment that may be the customer's waits in
// the queue, or a bank file is late that the policy waits for. MoveCredits must have moved the free credit. A plan that cannot
// be settled stops no other; SettlePlans fails with why in the end. It asks nothing unless there are plans to look at (store's Chores).
func (s *Snapshot) SettlePlans(ctx context.Context, toLookAt bool) error {
	s.plansSettled = true
	if !toLookAt {
		return nil
	}
	r := run{Snapshot: s, made: func() {}}
	for last := (models.PaymentPlan{}); ; {
		page, err := s.db.PlansToLookAt(ctx, s.creditor.ID, s.today, last, pageSize)
		if err != nil || len(page) == 0 {
			return errors.Join(append(r.failed, err)...)
		}
		invoices := make([]models.Invoice, len(page))
		for n, p := range page {
			invoices[n].ID = p.InvoiceID
		}
		if err := r.inBatches(ctx, invoices, r.settlePlans); err != nil {
			return err
		}
		last = page[len(page)-1]
	}
}

// settlePlans tells what became of the plans of the invoices, in one transaction.
func (r *run) settlePlans(ctx context.Context, seen ...models.Invoice) error {
	ids := idsOf(seen)
	return r.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error {
		today, err := r.creditor.Today(tx.Now)
		if err != nil || today != r.today {
			return err
		}
		if _, err := tx.LockInvoices(ctx, r.creditor.ID, ids); err != nil {
			return err
		}
		invoices, err := tx.InvoicesByID(ctx, r.creditor.ID, ids)
		if err != nil {
			return err
		}
		plans, err := tx.PlansOf(ctx, r.creditor.ID, invoices...)
		if err != nil {
			return err
		}
		customers, err := tx.CustomersByID(ctx, r.creditor.ID, customersOf(invoices))
		if err != nil {
			return err
		}
		for _, i := range invoices {
			if plan, runs := plans[i.ID]; runs {
				if err := r.settlePlan(ctx, tx, i, plan, customers[i.CustomerID]); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// settlePlan tells what became of the plan of a locked invoice, if it is over. Else it is looked at again when its next instalment may be missed.
func (r *run) settlePlan(ctx context.Context, tx *store.Tx, i models.Invoice, plan store.Plan, customer models.Customer) error {
	if i.Closed != models.NotClosed || i.HandedOver != 0 {
		return endPlanFor(ctx, tx, &i, r.today, models.ActorProgram)
	}
	state, next := PlanOn(plan, i.Claimed(), r.today)
	switch {
	case state == models.PlanRunning:
		return tx.PutOffPlan(ctx, plan.ID, WaitUntil(plan.Instalments[next].DueDate)+1)
	case state == models.PlanBroken && r.sparesPlan(i, customer):
		return nil
	}
	var a act
	var err error
	if a.LetterWithdrawn, err = endPlan(ctx, tx, &i, state, r.today, models.ActorProgram); err != nil {
		return err
	}
	if state == models.PlanKept {
		text := fmt.Sprintf("The payment plan for invoice %d was kept", i.Number)
		return a.onPlan(ctx, tx, models.EventPlanKept, i, plan.PaymentPlan, text, nil, false)
	}
	part := InstalmentsOf(plan, i.Claimed())[next]
	text := fmt.Sprintf("The payment plan for invoice %d is broken: of instalment %d of %d, due %s, %s is missing; %s is owed",
		i.Number, next+1, len(plan.Instalments), part.DueDate, part.Amount-part.Covered, i.Claimed())
	facts := models.Facts{"due_date": part.DueDate, "instalment": next + 1, "missing": part.Amount - part.Covered}
	return a.onPlan(ctx, tx, models.EventPlanBroken, i, plan.PaymentPlan, text, facts, false)
}

// sparesPlan reports whether a plan is not broken today although an instalment was missed: a person looks at the invoice or the customer, or
// the money may have come.
func (r *run) sparesPlan(i models.Invoice, customer models.Customer) bool {
	late := r.filesLate && r.policyFor(customer).RequirePaymentFile
	return late || r.likelyPayers[customer.ID] || i.Hold.Active(r.today) || i.MoreTime.Active(r.today) || customer.Hold.Active(r.today)
}

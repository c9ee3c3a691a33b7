package dunning

import (
	"context"
	"maps"
	"slices"

	"purr/ledger"
	"purr/models"
	"purr/store"
)

// MoveCredits moves the free credit of the creditor's customers to their open invoices, where the policy for the customer
// says so, before the day's run (rule L5). It leaves alone what is on hold: a person looks at it. Each customer's credit is
// moved in a transaction of its own. Made again, or by two processes at once, it moves what is left.
func (s *Snapshot) MoveCredits(ctx context.Context) error {
	if !s.policies.moveCredit() {
		return nil
	}
	for last := int64(0); ; {
		ids, err := s.db.CustomersWithCredit(ctx, s.creditor.ID, last, pageSize)
		if err != nil || len(ids) == 0 {
			return err
		}
		for _, id := range ids {
			if !movesCredit(s.policies.of(id)) {
				continue
			}
			if err := s.db.InTx(ctx, func(ctx context.Context, tx *store.Tx) error { return moveCreditOf(ctx, tx, s.creditor, id, s.today) }); err != nil {
				return err
			}
		}
		last = ids[len(ids)-1]
	}
}

func moveCreditOf(ctx context.Context, tx *store.Tx, c models.Creditor, customerID int64, date models.Date) error {
	today, err := c.Today(tx.Now)
	if err != nil || today != date {
		return err
	}
	customer, err := tx.Customer(ctx, c.ID, customerID)
	if err != nil {
		return err
	}
	if !movesCredit(customer.Policy.Apply(c.Policy)) {
		return nil
	}
	_, err = ledger.MoveCredit(ctx, tx, c.ID, customerID, today, "", func(i models.Invoice) bool { return getsCredit(i, customer, today) })
	return err
}

// movesCredit reports whether runs move credit under a policy.
func movesCredit(p models.Policy) bool { return p.Enabled && p.SettleCredit }

// moveCredit reports whether runs move credit under any of the policies.
func (p policies) moveCredit() bool {
	for _, own := range p.own {
		if movesCredit(own) {
			return true
		}
	}
	return movesCredit(p.creditors)
}

// getsCredit reports whether a run may move credit to a customer's open invoice.
func getsCredit(i models.Invoice, customer models.Customer, on models.Date) bool {
	return !i.Hold.Active(on) && !customer.Hold.Active(on)
}

// credit is the free credit of a customer, and what the next run does with it if the policy says so.
type credit struct {
	free    models.Amount
	leaving models.Amount            // how much of it is moved
	paid    []int64                  // the IDs of the invoices on which nothing is claimed then
	partly  []int64                  // those of the others that get some
	coming  map[int64][]models.Entry // what comes to each open invoice, by ID; without date
}

// readCredits reads the free credit of the customers, by ID.
func (s *Snapshot) readCredits(ctx context.Context, v store.View, customers map[int64]models.Customer, ids []int64) (map[int64]credit, error) {
	free, err := v.FreeCredit(ctx, s.creditor.ID, ids)
	if err != nil {
		return nil, err
	}
	return s.movesOf(ctx, v, customers, free)
}

// movesOf reads what the next run does with the free credit of customers, by ID, if their policies say so. A run has moved it
// before it takes steps, so then it reads no moves.
func (s *Snapshot) movesOf(ctx context.Context, v store.View, customers map[int64]models.Customer, free map[int64]models.Amount) (map[int64]credit, error) {
	credits := make(map[int64]credit, len(free))
	for id, amount := range free {
		credits[id] = credit{free: amount, coming: map[int64][]models.Entry{}}
	}
	if len(free) == 0 || s.creditMoved {
		return credits, nil
	}
	ids := slices.Sorted(maps.Keys(free))
	invoices, notes, err := s.movable(ctx, v, customers, ids)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		c := credits[id]
		reserved := ledger.FreeCredit(invoices[id], notes[id]) - c.free
		for _, m := range ledger.Moves(invoices[id], notes[id], reserved) {
			_, here := m.Entries(0)
			c.coming[m.To.ID] = append(c.coming[m.To.ID], here)
			c.leaving += m.Amount
			if m.Amount == m.To.Claimed() {
				c.paid = append(c.paid, m.To.ID)
			} else if !slices.Contains(c.partly, m.To.ID) {
				c.partly = append(c.partly, m.To.ID)
			}
		}
		credits[id] = c
	}
	return credits, nil
}

// movable returns what customers' free credit lies on and may go to, by the customer's ID.
func (s *Snapshot) movable(ctx context.Context, v store.View, customers map[int64]models.Customer, ids []int64) (map[int64][]models.Invoice, map[int64][]models.CreditNote, error) {
	open, err := v.InvoicesWithBalance(ctx, s.creditor.ID, ids...)
	if err != nil {
		return nil, nil, err
	}
	outstanding, err := v.CreditNotesWithBalance(ctx, s.creditor.ID, ids...)
	if err != nil {
		return nil, nil, err
	}
	invoices, notes := map[int64][]models.Invoice{}, map[int64][]models.CreditNote{}
	for _, i := range open {
		if i.Free() > 0 || getsCredit(i, customers[i.CustomerID], s.today) {
			invoices[i.CustomerID] = append(invoices[i.CustomerID], i)
		}
	}
	for _, n := range outstanding {
		notes[n.CustomerID] = append(notes[n.CustomerID], n)
	}
	return invoices, notes, nil
}

// paidByCredit returns the IDs of the invoices that the next run pays with their customers' credit, and of those that get some of it.
func (s *Snapshot) paidByCredit(ctx context.Context, v store.View) (paid, partly []int64, err error) {
	if !s.policies.moveCredit() {
		return nil, nil, nil
	}
	for last := int64(0); ; {
		ids, err := v.CustomersWithCredit(ctx, s.creditor.ID, last, pageSize)
		if err != nil || len(ids) == 0 {
			return paid, partly, err
		}
		customers, err := v.CustomersByID(ctx, s.creditor.ID, ids)
		if err != nil {
			return nil, nil, err
		}
		credits, err := s.readCredits(ctx, v, customers, ids)
		if err != nil {
			return nil, nil, err
		}
		for id, c := range credits {
			if movesCredit(s.policyFor(customers[id])) {
				paid, partly = append(paid, c.paid...), append(partly, c.partly...)
			}
		}
		last = ids[len(ids)-1]
	}
}

// moveCredit simulates that the run of a day moves the customer's credit, if the policy says so.
func (s *simulation) moveCredit(on models.Date) {
	if s.creditMoved || s.leaving == 0 || !movesCredit(s.policy) {
		return
	}
	for _, e := range s.coming {
		e.TransactionDate = on
		s.entries = append(s.entries, e)
		s.invoice.Balance += e.Amount
	}
	s.invoice.RepaymentOwed = min(s.invoice.RepaymentOwed, s.invoice.Balance)
	s.charges = min(s.charges, s.invoice.Claimed())
	s.freeCredit -= s.leaving
	s.coming, s.leaving = nil, 0
}

package dunning

import (
	"context"
	"slices"

	"purr/law"
	"purr/models"
	"purr/store"
)

// simulations returns the simulation of each of the invoices under each of the snapshots, which differ in the creditor's policy alone:
// first those of the first invoice. It reads the letters of the invoices that need them in the days until last. Without the ledger a
// simulation takes the same steps, but lacks interest, compensation and the amounts that depend on them.
func simulations(ctx context.Context, v store.View, invoices []models.Invoice, last models.Date, under ...*Snapshot) ([]simulation, error) {
	ids := customersOf(invoices)
	customers, err := v.CustomersByID(ctx, under[0].creditor.ID, ids)
	if err != nil {
		return nil, err
	}
	credits, err := under[0].readCredits(ctx, v, customers, ids)
	if err != nil {
		return nil, err
	}
	charges, err := readCharges(ctx, v, invoices)
	if err != nil {
		return nil, err
	}
	warned, err := warnings(ctx, v, invoices)
	if err != nil {
		return nil, err
	}
	plans, err := v.PlansOf(ctx, under[0].creditor.ID, invoices...)
	if err != nil {
		return nil, err
	}
	sims := make([]simulation, 0, len(invoices)*len(under))
	for _, invoice := range invoices {
		for _, s := range under {
			sim := s.simulate(invoice, customers[invoice.CustomerID], credits[invoice.CustomerID])
			sim.charges, sim.warnedOn, sim.plan = charges[invoice.ID], warned[invoice.ID], plans[invoice.ID]
			sims = append(sims, sim)
		}
	}
	return sims, readLetters(ctx, v, sims, last)
}

// customersOf returns the IDs of the invoices' customers, each once.
func customersOf(invoices []models.Invoice) []int64 {
	ids := make([]int64, len(invoices))
	for i, invoice := range invoices {
		ids[i] = invoice.CustomerID
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// readLetters reads the letters of the invoices whose simulations need them in the days until last.
func readLetters(ctx context.Context, v store.View, sims []simulation, last models.Date) error {
	var asking []models.Invoice
	for i := range sims {
		known := len(asking) > 0 && asking[len(asking)-1].ID == sims[i].invoice.ID
		if !known && sims[i].needsLetters(last) {
			asking = append(asking, sims[i].invoice)
		}
	}
	if len(asking) == 0 {
		return nil
	}
	s := sims[0].Snapshot
	posts, err := readPost(ctx, v, s.creditor, asking, s.today)
	if err != nil {
		return err
	}
	for i := range sims {
		if p, read := posts[sims[i].invoice.ID]; read {
			sims[i].setPost(p)
		}
	}
	return readRenewed(ctx, v, sims)
}

// readRenewed reads the notices that will be issued anew, and the ledger of their invoices. It takes back those whose letters left too
// late (rule D94).
func readRenewed(ctx context.Context, v store.View, sims []simulation) error {
	var renewing []*simulation
	var renewed []int64
	for i := range sims {
		if id := sims[i].renewal(); id != 0 {
			renewing, renewed = append(renewing, &sims[i]), append(renewed, id)
		}
	}
	if len(renewing) == 0 {
		return nil
	}
	notices, err := v.NoticesByID(ctx, sims[0].creditor.ID, renewed)
	if err != nil {
		return err
	}
	for _, sim := range renewing {
		if sim.post.tooLate != 0 {
			sim.late = notices[sim.post.tooLate]
		} else {
			sim.renews = notices[sim.renewal()]
		}
	}
	if err := readLedger(ctx, v, renewing); err != nil {
		return err
	}
	for _, sim := range renewing {
		if sim.late.ID != 0 {
			sim.takeBack(sim.late)
		}
	}
	return nil
}

// readLedger reads the entries and the notices of the simulations' invoices.
func readLedger(ctx context.Context, v store.View, sims []*simulation) error {
	if len(sims) == 0 {
		return nil
	}
	ids := make([]int64, len(sims))
	for i, sim := range sims {
		ids[i] = sim.invoice.ID
	}
	ids = slices.Compact(ids)
	entries, err := v.EntriesOfInvoicesAndCreditNotes(ctx, ids)
	if err != nil {
		return err
	}
	notices, err := v.NoticesOfInvoices(ctx, ids)
	if err != nil {
		return err
	}
	for _, sim := range sims {
		id := sim.invoice.ID
		sim.entries, sim.notices = slices.Concat(entries[id], sim.entries), slices.Clip(notices[id]) // credit may have come meanwhile
		sim.unread.Ledger = false
	}
	return nil
}

// inFull has run take each simulation, by its place, through its days, with the amounts of its notices. It reads the ledger for all
// that stop for it, and has run take them on.
func inFull(ctx context.Context, v store.View, sims []simulation, run func(i int)) error {
	var stopped []int
	var reading []*simulation
	for i := range sims {
		sims[i].stops = true
		if run(i); sims[i].stopped {
			stopped, reading = append(stopped, i), append(reading, &sims[i])
		}
	}
	if err := readLedger(ctx, v, reading); err != nil {
		return err
	}
	for _, i := range stopped {
		run(i)
	}
	return nil
}

// decideAll returns what is decided today for each of the invoices, and their simulations, from which the notices are drafted.
func (s *Snapshot) decideAll(ctx context.Context, v store.View, invoices []models.Invoice) ([]simulation, []Decision, error) {
	sims, err := simulations(ctx, v, invoices, s.today, s)
	if err != nil {
		return nil, nil, err
	}
	decisions := make([]Decision, len(sims))
	var reading []*simulation
	for i := range sims {
		if decisions[i] = sims[i].decide(s.today); decisions[i].Needs.Ledger {
			reading = append(reading, &sims[i])
		}
	}
	return sims, decisions, readLedger(ctx, v, reading)
}

// readCharges reads how much of each invoice's balance is fees and interest, by the invoice's ID. Without a notice there
// are none.
func readCharges(ctx context.Context, v store.View, invoices []models.Invoice) (map[int64]models.Amount, error) {
	var noticed []int64
	for _, i := range invoices {
		if i.Notices > 0 {
			noticed = append(noticed, i.ID)
		}
	}
	if len(noticed) == 0 {
		return nil, nil //nolint:nilnil // a nil map has none
	}
	entries, err := v.EntriesOfInvoicesAndCreditNotes(ctx, noticed)
	if err != nil {
		return nil, err
	}
	charges := make(map[int64]models.Amount, len(noticed))
	for _, id := range noticed {
		owed := law.Allocate(entries[id])
		charges[id] = owed.Fees + owed.Interest
	}
	return charges, nil
}

// warnings returns when the debt-collection warning of each of the invoices was issued that has one.
func warnings(ctx context.Context, v store.View, invoices []models.Invoice) (map[int64]models.Date, error) {
	var ids []int64
	for _, invoice := range invoices {
		if invoice.Warned {
			ids = append(ids, invoice.ID)
		}
	}
	if len(ids) == 0 {
		return nil, nil
	}
	notices, err := v.NoticesOfInvoices(ctx, ids)
	if err != nil {
		return nil, err
	}
	issued := make(map[int64]models.Date, len(ids))
	for id, all := range notices {
		if on := warnedOn(all); on != 0 {
			issued[id] = on
		}
	}
	return issued, nil
}

// warnedOn returns when the last debt-collection warning among an invoice's notices was issued, or zero.
func warnedOn(notices []models.Notice) (on models.Date) {
	for _, n := range notices {
		if n.Warning {
			on = n.IssueDate
		}
	}
	return on
}

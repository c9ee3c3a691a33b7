package store

import (
	"context"
	"strings"

	"purr/models"
)

// LookAtMatches returns, by payment, what a person sees of the creditor's unmatched payments before he takes back what was done with
// them: how often somebody has acted on the payment, and each invoice that it is matched with as LookAtPayments says. It asks two
// questions, however many payments there are.
func (r reads) LookAtMatches(ctx context.Context, creditorID int64, payments ...models.UnmatchedPayment) (map[int64]models.Seen, error) {
	var entries []int64
	for _, u := range payments {
		entries = append(entries, u.EntryIDs()...)
	}
	found, err := scan[[]struct {
		EntryID int64
		models.Invoice
	}](r.with(ctx).Table("entries e").Joins("JOIN invoices i ON i.id = e.invoice_id AND i.creditor_id = e.creditor_id").
		Select("e.id AS entry_id, i.*").Where("e.creditor_id = ? AND e.id IN ?", creditorID, entries))
	if err != nil {
		return nil, err
	}
	byEntry := map[int64]models.Invoice{}
	for _, f := range found {
		byEntry[f.EntryID] = f.Invoice
	}
	matched := make([][]models.Invoice, len(payments))
	var things []models.Thing
	for n, u := range payments {
		for _, id := range u.EntryIDs() {
			matched[n] = append(matched[n], byEntry[id])
		}
		things = append(things, matchThings(u, matched[n])...)
	}
	acts, err := r.LastActs(ctx, creditorID, things...)
	if err != nil {
		return nil, err
	}
	seen := map[int64]models.Seen{}
	for n, u := range payments {
		seen[u.ID] = seenOfMatch(u, matched[n], acts)
	}
	return seen, nil
}

func paymentThing(u models.UnmatchedPayment) models.Thing {
	return models.Thing{Kind: models.ThingPayment, ID: u.ID}
}

func matchThings(u models.UnmatchedPayment, invoices []models.Invoice) []models.Thing {
	things := []models.Thing{paymentThing(u)}
	for _, i := range invoices {
		things = append(things, paymentThings(i)...)
	}
	return things
}

func seenOfMatch(u models.UnmatchedPayment, invoices []models.Invoice, acts map[models.Thing]LastAct) models.Seen {
	seen := acts[paymentThing(u)].Look()
	for _, i := range invoices {
		seen += " " + seenOfPayments(i, acts)
	}
	return seen
}

// SameMatch fails with the conflict changed_meanwhile if a locked payment, or one of the locked invoices that it is matched with, is
// not as a person saw it (see LookAtMatches). The invoices are in the order of the payment's entries.
func (tx *Tx) SameMatch(ctx context.Context, u models.UnmatchedPayment, invoices []models.Invoice, seen ...models.Seen) error {
	if !looked(seen) {
		return nil
	}
	acts, err := tx.LastActs(ctx, u.CreditorID, matchThings(u, invoices)...)
	if err != nil || seen[0].Holds(seenOfMatch(u, invoices, acts)) {
		return err
	}
	saw := strings.Fields(string(seen[0]))
	if models.Seen(saw[0]) == acts[paymentThing(u)].Look() {
		saw = saw[1:]
		for _, i := range invoices {
			now := seenOfPayments(i, acts)
			words := min(len(strings.Fields(string(now))), len(saw))
			if of := models.Seen(strings.Join(saw[:words], " ")); of != now {
				return tx.paymentsChanged(ctx, i, acts, of)
			}
			saw = saw[words:]
		}
	}
	return models.ChangedMeanwhile(acts[paymentThing(u)].Change())
}

package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"purr/models"
)

// LastAct is the last act on a thing, and how many there have been (rule D115). A thing on which nobody has acted has none.
type LastAct struct {
	CreditorID int64
	Thing      models.ThingKind
	ThingID    int64
	Turn       int64 // how many acts there have been, this one included
	Event      models.EventType
	Actor      string
	At         time.Time
}

// LastActs returns the last act on each of a creditor's things, by thing. A thing on which nobody has acted is not among them.
func (r reads) LastActs(ctx context.Context, creditorID int64, things ...models.Thing) (map[models.Thing]LastAct, error) {
	byKind := map[models.ThingKind][]int64{} //nolint:exhaustive // it is filled with the kinds that are asked for
	for _, t := range things {
		byKind[t.Kind] = append(byKind[t.Kind], t.ID)
	}
	of := r.with(ctx)
	for kind, ids := range byKind {
		of = of.Or("creditor_id = ? AND thing = ? AND thing_id IN ?", creditorID, kind, ids)
	}
	if len(things) == 0 {
		return map[models.Thing]LastAct{}, nil
	}
	return readBy(of, func(a LastAct) models.Thing { return models.Thing{Kind: a.Thing, ID: a.ThingID} })
}

// Look returns what a person sees who looks at a thing: how often somebody has acted on it.
func (r reads) Look(ctx context.Context, creditorID int64, thing models.Thing) (models.Seen, error) {
	acts, err := r.LastActs(ctx, creditorID, thing)
	if err != nil {
		return "", err
	}
	return acts[thing].Look(), nil
}

// Look returns what a person sees who looks at the thing of the act.
func (a LastAct) Look() models.Seen { return models.Seen(strconv.FormatInt(a.Turn, 10)) }

// Change returns what the act has changed, nil if there was none.
func (a LastAct) Change() *models.Change {
	if a.Turn == 0 {
		return nil
	}
	return &models.Change{Event: a.Event, Actor: a.Actor, At: a.At}
}

// Unchanged fails with the conflict changed_meanwhile if somebody has acted on a thing since a person saw it, or sees it
// otherwise for another reason. The caller has locked the thing. Who has seen nothing acts on it as it is.
func (tx *Tx) Unchanged(ctx context.Context, creditorID int64, thing models.Thing, seen ...models.Seen) error {
	if !looked(seen) {
		return nil
	}
	now, err := tx.Look(ctx, creditorID, thing)
	if err != nil {
		return err
	}
	return tx.Same(ctx, creditorID, thing, seen[0], now)
}

// Same does what Unchanged does for a thing whose look the caller knows.
func (tx *Tx) Same(ctx context.Context, creditorID int64, thing models.Thing, seen, now models.Seen) error {
	if seen.Holds(now) {
		return nil
	}
	acts, err := tx.LastActs(ctx, creditorID, thing)
	if err != nil {
		return err
	}
	return models.ChangedMeanwhile(acts[thing].Change())
}

// looked reports whether a person has seen what he acts on.
func looked(seen []models.Seen) bool { return len(seen) > 0 && seen[0] != "" }

// countActs counts the acts that events tell of, each with its thing, and keeps the last one.
func (tx *Tx) countActs(ctx context.Context, events []newEvent) error {
	var acts []LastAct
	for _, e := range events {
		for _, t := range models.Event(e).ActsOn() {
			same := func(a LastAct) bool { return a.CreditorID == e.CreditorID && a.Thing == t.Kind && a.ThingID == t.ID }
			if !slices.ContainsFunc(acts, same) {
				acts = append(acts, LastAct{CreditorID: e.CreditorID, Thing: t.Kind, ThingID: t.ID, Turn: 1, Event: e.Type, Actor: e.Actor, At: tx.Now})
			}
		}
	}
	if len(acts) == 0 {
		return nil
	}
	again := clause.AssignmentColumns([]string{"event", "actor", "at"})
	again = append(again, clause.Assignments(map[string]any{"turn": gorm.Expr("last_acts.turn + 1")})...)
	key := []clause.Column{{Name: "creditor_id"}, {Name: "thing"}, {Name: "thing_id"}}
	return tx.insertOr(ctx, &acts, clause.OnConflict{Columns: key, DoUpdates: again})
}

// LookAtInvoice returns what a person sees of an invoice before he acts on it: what is owed, by how many notices it was asked for,
// and how often somebody has closed or held it.
func (r reads) LookAtInvoice(ctx context.Context, i models.Invoice) (models.Seen, error) {
	closing, hold := models.Thing{Kind: models.ThingClosing, ID: i.ID}, models.Thing{Kind: models.ThingHold, ID: i.ID}
	acts, err := r.LastActs(ctx, i.CreditorID, closing, hold)
	if err != nil {
		return "", err
	}
	return seenOf(i, acts[closing], acts[hold]), nil
}

func seenOf(i models.Invoice, closing, hold LastAct) models.Seen {
	return models.Seen(i.Balance.String() + " " + strconv.Itoa(i.Notices) + " " + string(closing.Look()) + " " + string(hold.Look()))
}

// LookAtInvoices does for several invoices of a creditor what LookAtInvoice does for one, by ID. It asks one question.
func (r reads) LookAtInvoices(ctx context.Context, creditorID int64, invoices []models.Invoice) (map[int64]models.Seen, error) {
	var things []models.Thing
	for _, i := range invoices {
		things = append(things, models.Thing{Kind: models.ThingClosing, ID: i.ID}, models.Thing{Kind: models.ThingHold, ID: i.ID})
	}
	acts, err := r.LastActs(ctx, creditorID, things...)
	if err != nil {
		return nil, err
	}
	seen := map[int64]models.Seen{}
	for n, i := range invoices {
		seen[i.ID] = seenOf(i, acts[things[2*n]], acts[things[2*n+1]])
	}
	return seen, nil
}

// LookAtPayments returns what a person sees of an invoice before he takes back a payment on it: what LookAtInvoice says, and how often
// somebody has moved the customer's credit.
func (r reads) LookAtPayments(ctx context.Context, i models.Invoice) (models.Seen, error) {
	acts, err := r.LastActs(ctx, i.CreditorID, paymentThings(i)...)
	if err != nil {
		return "", err
	}
	return seenOfPayments(i, acts), nil
}

// paymentThings are the things whose acts LookAtPayments counts: the customer's credit is the last.
func paymentThings(i models.Invoice) []models.Thing {
	return []models.Thing{{Kind: models.ThingClosing, ID: i.ID}, {Kind: models.ThingHold, ID: i.ID}, {Kind: models.ThingCredit, ID: i.CustomerID}}
}

func seenOfPayments(i models.Invoice, acts map[models.Thing]LastAct) models.Seen {
	things := paymentThings(i)
	return seenOf(i, acts[things[0]], acts[things[1]]) + " " + acts[things[2]].Look()
}

// SamePayments fails with the conflict changed_meanwhile if a locked invoice is not as a person saw it (see LookAtPayments).
func (tx *Tx) SamePayments(ctx context.Context, i models.Invoice, seen ...models.Seen) error {
	if !looked(seen) {
		return nil
	}
	acts, err := tx.LastActs(ctx, i.CreditorID, paymentThings(i)...)
	if err != nil || seen[0].Holds(seenOfPayments(i, acts)) {
		return err
	}
	return tx.paymentsChanged(ctx, i, acts, seen[0])
}

// paymentsChanged returns the conflict changed_meanwhile about an invoice that was seen otherwise: if the customer's credit was moved
// since, that is what has changed, unless something was done with the invoice after it.
func (tx *Tx) paymentsChanged(ctx context.Context, i models.Invoice, acts map[models.Thing]LastAct, seen models.Seen) error {
	change, err := tx.lastChange(ctx, i.CreditorID, i.ID)
	if err != nil {
		return err
	}
	return models.ChangedMeanwhile(laterMove(acts[paymentThings(i)[2]], seen, change))
}

// laterMove returns the change that the last move of a customer's credit is, if it came after what a person saw, whose last word
// counts the moves, and not before the other change; else the other change.
func laterMove(move LastAct, seen models.Seen, other *models.Change) *models.Change {
	words := strings.Fields(string(seen))
	moved := len(words) == 0 || words[len(words)-1] != string(move.Look())
	if c := move.Change(); c != nil && moved && (other == nil || !c.At.Before(other.At)) {
		return c
	}
	return other
}

// SameInvoice fails with the conflict changed_meanwhile if a locked invoice is not as a person saw it (see LookAtInvoice).
func (tx *Tx) SameInvoice(ctx context.Context, i models.Invoice, seen ...models.Seen) error {
	if !looked(seen) {
		return nil
	}
	now, err := tx.LookAtInvoice(ctx, i)
	if err != nil || seen[0].Holds(now) {
		return err
	}
	change, err := tx.lastChange(ctx, i.CreditorID, i.ID)
	if err != nil {
		return err
	}
	return models.ChangedMeanwhile(change)
}

// LookAtNote returns what a person sees of a credit note before he pays out of it, or takes that back: what is outstanding, and how
// often somebody has moved the customer's credit.
func (r reads) LookAtNote(ctx context.Context, n models.CreditNote) (models.Seen, error) {
	moves, err := r.Look(ctx, n.CreditorID, models.Thing{Kind: models.ThingCredit, ID: n.CustomerID})
	if err != nil {
		return "", err
	}
	return models.Seen(n.Balance.String()) + " " + moves, nil
}

// SameNote fails with the conflict changed_meanwhile if a locked credit note is not as a person saw it (see LookAtNote).
func (tx *Tx) SameNote(ctx context.Context, n models.CreditNote, seen ...models.Seen) error {
	if !looked(seen) {
		return nil
	}
	credit := models.Thing{Kind: models.ThingCredit, ID: n.CustomerID}
	acts, err := tx.LastActs(ctx, n.CreditorID, credit)
	if err != nil || seen[0].Holds(models.Seen(n.Balance.String())+" "+acts[credit].Look()) {
		return err
	}
	change, err := tx.lastChange(ctx, n.CreditorID, n.InvoiceID)
	if err != nil {
		return err
	}
	return models.ChangedMeanwhile(laterMove(acts[credit], seen[0], change))
}

// invoiceActs are the events of what changes an invoice as LookAtInvoice sees it.
var invoiceActs = []models.EventType{
	models.EventInvoiceClosed, models.EventInvoiceReopened, models.EventInvoiceHandedOver, models.EventHoldSet, models.EventHoldRemoved,
	models.EventMoreTimeGiven, models.EventMoreTimeEnded, models.EventPlanMade, models.EventPlanEnded, models.EventPlanBroken, models.EventPlanKept,
	models.EventCreditNoteCreated, models.EventNoticeCreated, models.EventNoticeWithdrawn, models.EventNoticeRecalculated, models.EventEntryReversed,
	models.EventChargesWaived, models.EventChargesRestored, models.EventCreditTransferred, models.EventPaymentRegistered, models.EventPaymentDeleted, models.EventPaymentMatched, models.EventPaymentReopened,
}

// LastWaiver returns the event of the last waiver of what was left of an invoice's charges, without type if there was none, and what was
// done last with the invoice.
func (tx *Tx) LastWaiver(ctx context.Context, creditorID, invoiceID int64) (models.Event, *models.Change, error) {
	of := func() *gorm.DB {
		return tx.with(ctx).Where("creditor_id = ? AND invoice_id = ? AND type = ?", creditorID, invoiceID, models.EventChargesWaived).Order("id DESC")
	}
	fresh, found, err := readFirst[newEvent](of())
	if err != nil {
		return models.Event{}, nil, err
	}
	waived := models.Event(fresh)
	if !found {
		if waived, _, err = readFirst[models.Event](of()); err != nil {
			return models.Event{}, nil, err
		}
	}
	change, err := tx.lastChange(ctx, creditorID, invoiceID)
	return waived, change, err
}

// lastChange returns what was done last with an invoice, nil if nothing was. A payment that the bank's file brought has no event: its entry
// tells of it.
func (tx *Tx) lastChange(ctx context.Context, creditorID, invoiceID int64) (*models.Change, error) {
	const ofInvoice = "creditor_id = ? AND invoice_id = ? AND type IN ?"
	last, found, err := readFirst[newEvent](tx.with(ctx).Where(ofInvoice, creditorID, invoiceID, invoiceActs).Order("id DESC"))
	if err != nil {
		return nil, err
	}
	e := models.Event(last)
	if !found {
		if e, found, err = readFirst[models.Event](tx.with(ctx).Where(ofInvoice, creditorID, invoiceID, invoiceActs).Order("id DESC")); err != nil {
			return nil, err
		}
	}
	entry, posted, err := readFirst[models.Entry](tx.with(ctx).Where("invoice_id = ? AND creditor_id = ?", invoiceID, creditorID).Order("id DESC"))
	switch {
	case err != nil:
		return nil, err
	case posted && entry.Type == models.EntryOCR && (!found || entry.CreatedAt.After(e.At)):
		return &models.Change{Event: models.EventPaymentReceived, Actor: models.ActorProgram, At: entry.CreatedAt}, nil
	case !found:
		return nil, nil
	}
	return &models.Change{Event: e.Type, Actor: e.Actor, At: e.At}, nil
}

package console

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"purr/models"
	"purr/store"
)

// seen returns what the reader saw of the thing that a form acts on (rule D115), empty if the form does not say: then the act is
// on the thing as it is.
func (rq *request) seen() models.Seen { return models.Seen(rq.form.Get("seen")) }

// surelySeen does what seen does for a form that must say it. One that does not has seen what is no longer so.
func (rq *request) surelySeen() models.Seen { return cmp.Or(rq.seen(), "nothing") }

// lookAt reads for a page how often somebody has acted on the things that its forms act on.
func (v *view) lookAt(ctx context.Context, from actsReader, things ...models.Thing) (err error) {
	v.looks, err = from.LastActs(ctx, v.Creditor.ID, things...)
	return err
}

// actsReader is a database, a view of it, or a transaction.
type actsReader interface {
	LastActs(ctx context.Context, creditorID int64, things ...models.Thing) (map[models.Thing]store.LastAct, error)
}

// Look returns what the page's reader sees of a thing, for its form.
func (v *view) Look(kind string, id int64) models.Seen {
	return v.looks[models.Thing{Kind: models.ThingKind(kind), ID: id}].Look()
}

// undoes returns a message whose Undo takes back the act that was just done on a thing, and no later one.
func (m message) undoes(ctx context.Context, tx *store.Tx, creditorID int64, kind models.ThingKind, id int64) (message, error) {
	seen, err := tx.Look(ctx, creditorID, models.Thing{Kind: kind, ID: id})
	if err != nil {
		return m, err
	}
	return m.carrying("seen", string(seen)), nil
}

// carrying returns a message whose Undo sends a field too.
func (m message) carrying(name, value string) message {
	if m.With == nil {
		m.With = map[string]string{}
	}
	m.With[name] = value
	return m
}

// told says what somebody did meanwhile, who, and when.
func (rq *request) told(c models.Change) string {
	at := c.At
	if rq.zone != nil {
		at = at.In(rq.zone)
	}
	return rq.words.Say("changed.by", "what", rq.words.KindOfEvent(c.Event), "who", rq.words.Actor(c.Actor), "at", at.Format("02.01.2006 15:04"))
}

// leftOut is one of several things that was left out, because somebody had acted on it since the reader saw it.
type leftOut struct {
	number string // the invoice's
	change *models.Change
}

// changedMeanwhile returns the conflict that an error is if somebody has acted on the thing since it was seen, or nil.
func changedMeanwhile(err error) *models.Error {
	var conflict *models.Error
	if errors.As(err, &conflict) && conflict.Code == "changed_meanwhile" {
		return conflict
	}
	return nil
}

// sayLeftOut adds to a message which invoices were left out, and what was done with them meanwhile.
func (rq *request) sayLeftOut(m message, left []leftOut) message {
	if len(left) == 0 {
		return m
	}
	text := []string{m.Text, rq.words.Say("changed.left_out", "n", len(left))}
	for _, l := range left {
		said := rq.words.Say("fact.invoice", "number", l.number) + "."
		if l.change != nil {
			said = rq.words.Say("fact.invoice", "number", l.number) + ": " + rq.told(*l.change)
		}
		text = append(text, said)
	}
	m.Text = strings.Join(text, " ")
	return m
}

package store

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"purr/models"
)

// Events returns up to limit events of the creditor after the one with the ID, in the order of their IDs. What was
// committed before the call is among them.
func (db *DB) Events(ctx context.Context, creditorID, after int64, limit int) ([]models.Event, error) {
	if err := db.NumberEvents(ctx); err != nil {
		return nil, err
	}
	return readAll[models.Event](db.with(ctx).Where("creditor_id = ? AND id > ?", creditorID, after).Order("id").Limit(limit))
}

// EventPage returns a page of the creditor's events after the one with the ID, and the number of all later events.
// What was committed before the call is among them. Whoever reads to the end and goes on from the last ID reads every
// event once (rule O15).
func (db *DB) EventPage(ctx context.Context, creditorID, after int64, p Page) ([]models.Event, int64, error) {
	if err := db.NumberEvents(ctx); err != nil {
		return nil, 0, err
	}
	return find[models.Event](ctx, db.with(ctx).Where("creditor_id = ? AND id > ?", creditorID, after), p)
}

// EventFilter narrows the list of events that a person reads. The zero filter takes all.
type EventFilter struct {
	Type      models.EventType
	Actors    []string // any of them, as they stand in the event
	InvoiceID int64
}

// NewestEvents returns up to limit of the creditor's events that the filter takes and whose ID is below before, the newest
// first. A before of zero begins with the newest. What was committed before the call is among them.
func (db *DB) NewestEvents(ctx context.Context, creditorID int64, f EventFilter, before int64, limit int) ([]models.Event, error) {
	if err := db.NumberEvents(ctx); err != nil {
		return nil, err
	}
	g := f.of(db.with(ctx), creditorID).Order("id DESC").Limit(limit)
	if before != 0 {
		g = g.Where("id < ?", before)
	}
	return readAll[models.Event](g)
}

// of narrows a query of events to those of the creditor that the filter takes.
func (f EventFilter) of(g *gorm.DB, creditorID int64) *gorm.DB {
	g = g.Where("creditor_id = ?", creditorID)
	if f.Type != "" {
		g = g.Where("type = ?", f.Type)
	}
	if len(f.Actors) > 0 {
		g = g.Where("actor IN ?", f.Actors)
	}
	if f.InvoiceID != 0 {
		g = g.Where("invoice_id = ?", f.InvoiceID)
	}
	return g
}

// Event returns one event of the creditor.
func (r reads) Event(ctx context.Context, creditorID, id int64) (models.Event, error) {
	return readOne[models.Event](r.with(ctx).Where("id = ? AND creditor_id = ?", id, creditorID), "event")
}

// The widths of the columns, in characters.
const (
	maxActor     = 200
	maxEventText = 500
)

// newEvent is an event without an ID. Its row's own ID orders the events of one transaction.
type newEvent models.Event

func (newEvent) TableName() string { return "new_events" }

// Log writes events (rule E7) with the transaction's moment. An event without an actor gets the program as its actor
// (rule O8). Log fails if an event lacks a fact that its type has, so that each can be told in any language. It counts the acts
// that the events tell of, for those who have seen their things (rule D115). The events get their IDs, and the webhooks their
// deliveries, after the commit: see NumberEvents.
func (tx *Tx) Log(ctx context.Context, events ...models.Event) error {
	if len(events) == 0 {
		return nil
	}
	fresh := make([]newEvent, len(events))
	for i, e := range events {
		e.At = tx.Now
		if e.Actor == "" {
			e.Actor = models.ActorProgram
		}
		e.Actor = models.Shorten(e.Actor, maxActor)
		e.Text = models.Shorten(e.Text, maxEventText)
		if missing := e.Type.Missing(e.Facts); len(missing) > 0 {
			return fmt.Errorf("log %s: the event lacks %s", e.Type, strings.Join(missing, ", "))
		}
		if len(e.Facts) > 0 {
			data, err := json.Marshal(e.Facts)
			if err != nil {
				return fmt.Errorf("log %s: %w", e.Type, err)
			}
			e.Data = string(data)
		}
		fresh[i] = newEvent(e)
	}
	if err := tx.add(ctx, &fresh); err != nil {
		return err
	}
	return tx.countActs(ctx, fresh)
}

// NumberEvents gives IDs to the committed events of all creditors that have none yet, and writes a delivery of each to
// every webhook that wants it (rule E7). It returns at once if there are none.
//
// Transactions commit in another order than they write, on several machines too. If an event got its ID when it is
// written, a reader could have passed that ID before the event is committed. So an event gets its ID after the
// commit, from one transaction at a time: it is higher than every ID that anybody can have read (rule O15).
func (db *DB) NumberEvents(ctx context.Context) error {
	_, waiting, err := readFirst[newEvent](db.with(ctx).Select("id"))
	if err != nil || !waiting {
		return err
	}
	return db.numbering.do(ctx, func() error {
		for more := true; more; {
			err := db.InTx(ctx, func(ctx context.Context, tx *Tx) (err error) {
				more, err = tx.numberEvents(ctx)
				return err
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// eventTurn is the one row that every transaction writes before it gives IDs to events. So only one of them does, and
// of two on different nodes of a cluster the later one is repeated.
type eventTurn struct {
	ID    int64
	Turns int64 // how many there have been
}

// mostNumbered is the most events that get their IDs in one transaction.
const mostNumbered = 1000

// numberEvents gives IDs to the oldest new events, and reports whether there may be more.
func (tx *Tx) numberEvents(ctx context.Context) (more bool, err error) {
	next := clause.OnConflict{Columns: []clause.Column{{Name: "id"}}, DoUpdates: clause.Assignments(map[string]any{"turns": gorm.Expr("turns + 1")})}
	if err := tx.insertOr(ctx, &eventTurn{ID: 1, Turns: 1}, next); err != nil {
		return false, err
	}
	fresh, err := readAll[newEvent](tx.with(ctx).Order("id").Limit(mostNumbered))
	if err != nil || len(fresh) == 0 {
		return false, err
	}
	last, err := scan[int64](tx.with(ctx).Model(&models.Event{}).Select("COALESCE(MAX(id), 0)"))
	if err != nil {
		return false, err
	}
	ids, events := make([]int64, len(fresh)), make([]models.Event, len(fresh))
	for i, e := range fresh {
		ids[i], events[i] = e.ID, models.Event(e)
		events[i].ID = last + int64(i) + 1
	}
	if err := tx.insert(ctx, &events); err != nil {
		return false, err
	}
	if err := tx.owe(ctx, events); err != nil {
		return false, err
	}
	err = tx.with(ctx).Where("id IN ?", ids).Delete(&newEvent{}).Error
	return len(fresh) == mostNumbered, classify(err, "")
}

// joint is an act that callers of the same process share: one of them acts at a time. A caller who waited while
// another one began and finished the act does not repeat it.
type joint struct {
	turn  chan struct{} // full while a caller acts
	begun atomic.Int64  // how often the act was begun
	done  int64         // the latest of them that succeeded; only who acts touches it
}

func newJoint() *joint { return &joint{turn: make(chan struct{}, 1)} }

func (j *joint) do(ctx context.Context, act func() error) error {
	before := j.begun.Load()
	select {
	case j.turn <- struct{}{}:
		defer func() { <-j.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if j.done > before {
		return nil
	}
	this := j.begun.Add(1)
	if err := act(); err != nil {
		return err
	}
	j.done = this
	return nil
}

// NewEvents asks whether events wait for their IDs.
var NewEvents = Question{"EXISTS (SELECT 1 FROM new_events)", these()}

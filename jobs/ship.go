package jobs

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"purr/jobs/tasks"
	"purr/mailer"
	"purr/mailer/dispatch"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

const kindShip = "ship"

func shipKind() kind {
	return kind{
		name: kindShip, queue: shipQueue, within: shipTurns*shipTurn + mailer.Longest, atOnce: true,
		owes: store.LeasedShipments.Due(), rows: &store.LeasedShipments, oldest: &store.ShipmentAge,
		do:       func(w *Worker) handler { return handle(untilTheSweep(w, w.ship)) },
		lanes:    func(concurrency int) int { return concurrency },
		due:      func(s *Scheduler, is owing) []owed { return when(is.there(kindShip), s.owedShipments(is.lane)) },
		accepted: shipmentAccepted,
	}
}

const (
	// shipLanes is the most lanes in which a creditor's shipments leave at the same time, from lane 0.
	shipLanes = 8
	// shipLoad is the most shipments that a lane takes together. It takes fewer where they leave slowly.
	shipLoad = 32
)

// shipPayload names one of the lanes of a creditor's shipments.
type shipPayload struct {
	CreditorID, Lane int64
	Again            bool // queued by the lane itself, when it gave way
}

func shipTask(p shipPayload) tasks.Task {
	key := fmt.Sprintf("%d:%d", p.CreditorID, p.Lane)
	if p.Again { // the lane's own ID is in use until it ends
		key += ":again"
	}
	return shipKind().task(key, p)
}

// A lane goes on for a turn before it asks whether others wait, and ends after some turns in any case (rule S5).
const (
	shipTurn  = time.Second
	shipTurns = 60
)

// ship dispatches the due shipments of a creditor to their channels, load after load, and records that they were
// sent. If a channel is away, the sweep tries the shipment again, with growing pauses (rule R5c). Creditors take turns:
// however many shipments one of them has, another one's wait for a turn at most (rule S5).
//
// queued by: the act that made the document, the run, the sweep, and other lanes.
func (w *Worker) ship(ctx context.Context, p shipPayload) error {
	leave, entered := w.turns.enter(kindShip, p.CreditorID)
	if !entered {
		return nil // the sweep queues it again
	}
	defer leave()
	most := shipLoad
	for range shipTurns {
		done, err := w.shipForATurn(ctx, p, &most)
		if err != nil || done || w.turns.over() {
			return err
		}
		if waiting, err := w.Queue.Waiting(ctx, shipQueue); err != nil || waiting > 0 {
			break
		}
	}
	p.Again = !p.Again
	w.Queue.Hint(ctx, shipTask(p))
	return nil
}

// shipForATurn dispatches shipments for one turn, in loads of up to the most given. It reports true if none is left. It begins
// loads in the first half of the turn alone. A load of which something had to be put back is followed by one of half the size.
func (w *Worker) shipForATurn(ctx context.Context, p shipPayload, most *int) (done bool, err error) {
	turn, cancel := context.WithTimeout(ctx, shipTurn)
	defer cancel()
	half, cancelHalf := context.WithTimeout(turn, shipTurn/2)
	defer cancelHalf()
	single := false
	for first := true; half.Err() == nil && !w.turns.over(); first = false {
		size := *most
		if single {
			size = 1
		}
		due, back, err := w.shipNext(ctx, turn, p, size, func(due int) {
			for lane := range min(int64(due), shipLanes) {
				if first && lane != p.Lane { // there is work for others too
					w.Queue.Hint(ctx, shipTask(shipPayload{CreditorID: p.CreditorID, Lane: lane}))
				}
			}
		})
		if err != nil && size > 1 && models.KindOf(err) != models.KindUnavailable {
			single = true // one of them cannot be taken; the others are not to wait for it
			continue
		}
		if err != nil || due == 0 {
			return true, err
		}
		if *most = min(*most*2, shipLoad); back {
			*most = max(size/2, 1)
		}
	}
	return false, nil
}

// shipNext dispatches a load of the creditor's shipments that have been due the longest, of up to the most given. It
// returns how many were due, as far as it has looked, and calls begun with it once it has some in hand. It reports whether the end of the
// turn put some of them back.
func (w *Worker) shipNext(ctx, turn context.Context, p shipPayload, most int, begun func(due int)) (due int, back bool, err error) {
	share := dispatch.Share{
		CreditorID: p.CreditorID, Part: int(p.Lane), Parts: shipLanes, Look: shipLanes * shipLoad, Most: most, Within: shipTurn,
	}
	load := &dispatch.Load{}
	_, err = w.hold(ctx,
		func(ctx context.Context, tx *store.Tx, worker string) (taken bool, err error) {
			load, err = w.Dispatch.Take(ctx, tx, share, worker)
			return err == nil && load.Some(), err
		},
		func(ctx context.Context, tx *store.Tx, failure error) error { return load.Failed(ctx, tx, failure) },
		func(holding *tenancy) {
			begun(load.Due)
			back = load.Send(ctx, turn, hand{w, holding})
		})
	if err != nil {
		return 0, false, err
	}
	return load.Due, back, nil
}

// hand is a worker that has a load in hand, under its lease.
type hand struct {
	w       *Worker
	holding *tenancy
}

func (h hand) StillHas() error { return h.w.Holder.stillOurs(h.holding) }
func (h hand) Stops() bool     { return h.w.turns.over() }

func (h hand) Mark(o shipments.Outcome, durable bool) (unmark func()) {
	return h.w.mark(h.holding, mark{
		Kind: kindShip, CreditorID: o.Taken.CreditorID, ID: o.Taken.ID, Attempt: o.Taken.Attempts,
		Receipt: models.Foreign(o.Receipt, models.MaxReceipt), Pending: o.Pending, At: o.At,
	}, durable)
}

func (h hand) Record(ctx context.Context, over []dispatch.HandedOver) {
	h.w.note(ctx, h.w.resultOf(over))
}

// resultOf returns what is to be noted of shipments that were taken together.
func (w *Worker) resultOf(over []dispatch.HandedOver) result {
	r := result{
		note: func(ctx context.Context, tx *store.Tx) error { return w.Dispatch.Record(ctx, tx, over) },
		done: func() {
			for _, o := range over {
				o.Unmark()
			}
		},
	}
	if len(over) > 1 {
		for _, o := range over {
			r.parts = append(r.parts, w.resultOf([]dispatch.HandedOver{o}))
		}
	}
	return r
}

// shipmentAccepted notes what a channel has accepted from a dead worker.
func shipmentAccepted(ctx context.Context, tx *store.Tx, _ *slog.Logger, worker string, m mark) error {
	s, err := tx.LockShipment(ctx, m.ID)
	if err != nil || s.TakenBy != worker || s.Attempts != m.Attempt {
		return err
	}
	if m.Pending {
		_, err = shipments.RecordAccepted(ctx, tx, s, m.Receipt)
	} else {
		_, err = shipments.RecordSent(ctx, tx, s, m.Receipt, m.At)
	}
	return err
}

// owedShipments returns a lane of each creditor with due shipments. A lane that finds more than one queues the others.
func (s *Scheduler) owedShipments(lane int64) owed {
	return each(func(ctx context.Context) ([]int64, error) {
		due, err := s.DB.CreditorsToShip(ctx, s.DB.Common(), models.OneByOne(s.Shop != nil)...)
		if err != nil || s.Shop == nil {
			return due, err
		}
		own, err := s.ownLetters(ctx)
		return slices.Compact(slices.Sorted(slices.Values(append(due, own...)))), err
	}, func(creditorID int64) tasks.Task {
		return shipTask(shipPayload{CreditorID: creditorID, Lane: lane})
	})
}

// ownLetters returns the creditors with due letters that have or had a way of their own for them: whether these leave in batches is decided
// when they are taken (rule Q7).
func (s *Scheduler) ownLetters(ctx context.Context) ([]int64, error) {
	own, err := s.DB.CreditorsWithOwn(ctx, models.ByPaper)
	if err != nil || len(own) == 0 {
		return nil, err
	}
	due, err := s.DB.CreditorsWithLetters(ctx, s.DB.Common())
	return slices.DeleteFunc(due, func(id int64) bool { return !slices.Contains(own, id) }), err
}

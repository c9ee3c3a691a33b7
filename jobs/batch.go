package jobs

import (
	"context"
	"sync"
	"time"

	"purr/clock"
	"purr/documents"
	"purr/models"
	"purr/shipments"
	"purr/store"
)

// batch is shipments of one creditor that a lane has taken together. They are read, drawn, kept and recorded together, and
// handed over one after the other. What comes of one leaves the others alone.
type batch struct {
	w       *Worker
	holding *tenancy
	contents

	mu   sync.Mutex
	left []taken      // to be handed over, in order
	over []handedOver // not recorded yet
}

// taken is a shipment that a lane has in hand.
type taken struct {
	models.Shipment
	leaves time.Time // not before this moment: an e-mail that waits for its turn
}

// handedOver is what came of a shipment.
type handedOver struct {
	shipments.Outcome
	unmark func() // to be called when it is recorded
}

// contents are what the parcels of a batch are made of.
type contents struct {
	pdfs         map[models.Document]documents.PDF
	creditor     models.Creditor
	installation string
	customers    map[int64]models.Customer // of the e-mails
}

// dispatch hands the batch over. At the end of the turn, also while a slow channel has one in hand, it records what came
// of the others and puts back what is left. The first one is tried in any case.
func (b *batch) dispatch(ctx, turn context.Context) {
	if err := b.read(ctx); err != nil {
		b.fail(err)
		b.record(ctx)
		return
	}
	s, more := b.next()
	ended := make(chan struct{})
	stop := context.AfterFunc(turn, func() {
		defer close(ended)
		b.record(ctx)
	})
	for ; more; s, more = b.next() {
		b.add(b.dispatchOne(ctx, s))
		if turn.Err() != nil || b.w.turns.over() {
			break
		}
	}
	if !stop() {
		<-ended
	}
	b.record(ctx)
}

// dispatchOne gives a shipment to its channel, and marks what the channel has accepted. It does not try if others may have
// taken the shipment.
func (b *batch) dispatchOne(ctx context.Context, s taken) handedOver {
	over := handedOver{shipments.Outcome{Taken: s.Shipment}, func() {}}
	mayLeave := func() error { return b.w.Holder.stillOurs(b.holding) }
	if mayLeave() != nil {
		over.Untried = true
		return over
	}
	if s.Method == models.Auto {
		over.Way, over.Failure = b.w.wayOf(ctx, s.Shipment)
		over.Decided = over.Failure == nil
		return over
	}
	parcel, err := b.w.parcel(ctx, s.Shipment, b.contents)
	if err == nil {
		err = pauseUntil(ctx, s.leaves)
	}
	if err != nil {
		over.Failure = err
		return over
	}
	parcel.MayLeave = mayLeave
	answer, err := handOver(ctx, b.w.Channels[s.Method], &over.Taken, parcel)
	if err != nil {
		over.Failure = err
		return over
	}
	over.Receipt, over.Pending = answer.Receipt, answer.Pending
	over.unmark = b.w.mark(b.holding.marks, func() (mark, bool) {
		receipt := models.Foreign(answer.Receipt, models.MaxReceipt)
		return mark{
			Kind: kindShip, CreditorID: s.CreditorID, ID: s.ID, Attempt: s.Attempts, Receipt: receipt, Pending: answer.Pending,
		}, !answer.Repeatable
	})
	return over
}

// read reads what the parcels are made of. It makes the PDFs that are not made yet.
func (b *batch) read(ctx context.Context) (err error) {
	creditorID := b.left[0].CreditorID
	if b.creditor, err = b.w.DB.Creditor(ctx, creditorID); err != nil {
		return err
	}
	if b.installation, err = b.w.DB.InstallationID(ctx); err != nil {
		return err
	}
	var ds []models.Document
	seen := map[models.Document]bool{}
	for _, s := range b.left {
		if d := s.Document(); !seen[d] {
			ds, seen[d] = append(ds, d), true
		}
	}
	b.pdfs = b.w.Documents.PDFs(ctx, creditorID, ds)
	var mailed []int64
	for _, s := range b.left {
		if s.Method == models.ByEmail {
			mailed = append(mailed, b.pdfs[s.Document()].CustomerID())
		}
	}
	if len(mailed) > 0 {
		b.customers, err = b.w.DB.CustomersByID(ctx, creditorID, mailed)
	}
	return err
}

// next takes the next shipment out of those that are left, and returns false if there is none.
func (b *batch) next() (taken, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.left) == 0 {
		return taken{}, false
	}
	s := b.left[0]
	b.left = b.left[1:]
	return s, true
}

func (b *batch) add(o handedOver) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.over = append(b.over, o)
}

// fail fails those that are left.
func (b *batch) fail(failure error) {
	for s, more := b.next(); more; s, more = b.next() {
		b.add(handedOver{shipments.Outcome{Taken: s.Shipment, Failure: failure}, func() {}})
	}
}

// record records what came of the batch so far, and puts back what is left.
func (b *batch) record(ctx context.Context) {
	b.mu.Lock()
	over := b.over
	for _, s := range b.left {
		over = append(over, handedOver{shipments.Outcome{Taken: s.Shipment, Untried: true}, func() {}})
	}
	b.over, b.left = nil, nil
	b.mu.Unlock()
	if len(over) > 0 {
		b.w.note(context.WithoutCancel(ctx), b.w.resultOf(over))
	}
}

// resultOf returns what is to be noted of shipments that were taken together.
func (w *Worker) resultOf(over []handedOver) result {
	outcomes := make([]shipments.Outcome, len(over))
	for i, o := range over {
		outcomes[i] = o.Outcome
	}
	r := result{
		note: func(ctx context.Context, tx *store.Tx) error { return w.recordShipments(ctx, tx, outcomes) },
		done: func() {
			for _, o := range over {
				o.unmark()
			}
		},
	}
	if len(over) > 1 {
		for _, o := range over {
			r.parts = append(r.parts, w.resultOf([]handedOver{o}))
		}
	}
	return r
}

func (w *Worker) recordShipments(ctx context.Context, tx *store.Tx, outcomes []shipments.Outcome) error {
	recorded, err := shipments.RecordAll(ctx, tx, outcomes)
	if err != nil {
		return err
	}
	for i, s := range recorded {
		if failure := outcomes[i].Failure; failure != nil && s.State == models.ShipmentOwed {
			w.Log.Warn("a shipment failed and will be tried again",
				"shipment", s.ID, "attempt", s.Attempts, "next", s.NextAttempt, "error", unquoted(failure))
		}
	}
	return nil
}

// pauseUntil waits until a moment, and fails if the context ends before.
func pauseUntil(ctx context.Context, moment time.Time) error {
	d := moment.Sub(clock.System{}.Now())
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return models.Unavailable("the channel", ctx.Err())
	}
}

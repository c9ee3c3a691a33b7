package dispatch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/textproto"
	"sync"
	"time"

	"purr/internal/clock"
	"purr/mailer"
	"purr/mailer/rest"
	"purr/mailer/shipments"
	"purr/mailer/ways/own"
	"purr/models"
	"purr/store"
)

// Load is shipments of one creditor that are taken together. They are read, drawn, kept and recorded together, and
// handed over one after the other, or together where the channel can. What comes of one leaves the others alone.
type Load struct {
	Due int // how many were due, as far as Take has looked

	d     *Dispatcher
	out   own.Out     // the creditor's ways
	kinds models.Ways // likewise
	hand  Hand
	contents

	mu   sync.Mutex
	left []taken      // to be handed over, in order
	over []HandedOver // not recorded yet
	back bool         // some were put back
}

// taken is a shipment of a load.
type taken struct {
	models.Shipment
	leaves time.Time // not before this moment: an e-mail that waits for its turn
}

// HandedOver is what came of a shipment.
type HandedOver struct {
	shipments.Outcome
	Unmark func() // to be called when it is recorded
}

// Hand is who has a load in hand while it is sent.
type Hand interface {
	// StillHas fails if others may have taken the load: then nothing more leaves.
	StillHas() error
	// Stops reports whether nothing more is to be begun.
	Stops() bool
	// Mark keeps that a channel has accepted a shipment, until unmark is called. A durable mark outlives a power cut.
	Mark(o shipments.Outcome, durable bool) (unmark func())
	// Record has Dispatcher.Record write what came of shipments, however long the database is away.
	Record(ctx context.Context, over []HandedOver)
}

// Some reports whether any shipment was taken.
func (l *Load) Some() bool { return len(l.left) > 0 }

// Failed records a failure of all shipments of a load that was not sent.
func (l *Load) Failed(ctx context.Context, tx *store.Tx, failure error) error {
	over := make([]HandedOver, len(l.left))
	for i, s := range l.left {
		over[i].Outcome = shipments.Outcome{Taken: s.Shipment, Failure: failure}
	}
	return l.d.Record(ctx, tx, over)
}

// Send hands the load over. When turn ends, also while a slow channel has one in hand, it has recorded what came
// of the others, and puts back what is left. What leaves together, and the first of the rest, is tried in any case. It reports whether
// any was put back.
func (l *Load) Send(ctx, turn context.Context, hand Hand) (back bool) {
	l.hand = hand
	if err := l.read(ctx); err != nil {
		l.fail(err)
		l.record(ctx)
		return false
	}
	together := l.together()
	s, more := l.next()
	ended := make(chan struct{})
	stop := context.AfterFunc(turn, func() {
		defer close(ended)
		l.record(ctx)
	})
	for channel, ss := range together {
		l.handOverAll(ctx, channel, ss)
	}
	var refused streak
	for ; more; s, more = l.next() {
		over := l.handOverOne(ctx, s)
		l.add(over)
		if turn.Err() != nil || hand.Stops() || refused.goesOn(over.Outcome) {
			break
		}
	}
	if !stop() {
		<-ended
	}
	l.record(ctx)
	return l.back
}

// streak counts refusals of a load that are alike, one after the other.
type streak struct {
	words string
	n     int
}

// goesOn reports whether so many shipments were refused alike that the rest of the load goes back: what they tell of their way is
// to be noted first (rule D107).
func (s *streak) goesOn(o shipments.Outcome) bool {
	const most = 3
	if o.Unsent || o.Failure == nil || !models.IsRefused(o.Failure) || models.IsUnknownRecipient(o.Failure) {
		*s = streak{}
		return false
	}
	if words := models.RefusalWords(o.Failure.Error()); words != s.words {
		*s = streak{words: words}
	}
	s.n++
	return s.n >= most
}

// read reads what the parcels are made of.
func (l *Load) read(ctx context.Context) (err error) {
	ss := make([]models.Shipment, len(l.left))
	for i, t := range l.left {
		ss[i] = t.Shipment
	}
	l.contents, err = l.d.contentsOf(ctx, ss)
	return err
}

// together takes those out whose channels take several at once, by channel.
func (l *Load) together() map[mailer.Bulk][]taken {
	l.mu.Lock()
	defer l.mu.Unlock()
	found, left := map[mailer.Bulk][]taken{}, []taken(nil)
	for _, s := range l.left {
		if bulk, is := wayOf(l.out, s.Shipment).Channel.(mailer.Bulk); is && s.leaves.IsZero() && !s.Accepted() {
			found[bulk] = append(found[bulk], s)
		} else {
			left = append(left, s)
		}
	}
	l.left = left
	return found
}

// pack returns what the channel of a shipment gets, or else what came of the shipment without it: it is not tried if others may
// have taken it.
func (l *Load) pack(ctx context.Context, s taken) (mailer.Parcel, *HandedOver) {
	over := &HandedOver{shipments.Outcome{Taken: s.Shipment, Unsent: true, Rows: l.pdfs[s.Document()].Rows}, func() {}}
	if l.hand.StillHas() != nil {
		over.Untried = true
		return mailer.Parcel{}, over
	}
	if s.Method == models.Auto {
		over.Way, over.Failure = l.d.decide(ctx, s.Shipment)
		over.Decided = over.Failure == nil
		return mailer.Parcel{}, over
	}
	way := wayOf(l.out, s.Shipment)
	if way.Channel == nil {
		over.Failure = noChannel(s.Shipment)
		return mailer.Parcel{}, over
	}
	parcel, err := l.d.parcel(ctx, s.Shipment, l.contents)
	if err == nil {
		err = pauseUntil(ctx, s.leaves)
	}
	if err != nil {
		over.Failure = err
		return mailer.Parcel{}, over
	}
	if parcel.MayLeave = l.hand.StillHas; s.Method == models.ByEmail {
		parcel.Mail.From.Address = cmp.Or(way.Sender, parcel.Mail.From.Address)
	}
	return parcel, nil
}

// noChannel refuses a shipment by a method that is not set up any more, so that it falls back. One that its operator has accepted waits for a
// person, who can ask what became of it.
func noChannel(s models.Shipment) error {
	if s.Accepted() {
		return models.Unavailable("the channel", fmt.Errorf("%s accepted this as %s, and is not set up any more", s.Method, s.Receipt))
	}
	return models.Refuse(models.BlameRecipient, nil, "%s is not set up here", s.Method)
}

// next takes the next shipment out of those that are left, and returns false if there is none.
func (l *Load) next() (taken, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.left) == 0 {
		return taken{}, false
	}
	s := l.left[0]
	l.left = l.left[1:]
	return s, true
}

func (l *Load) add(o HandedOver) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.over = append(l.over, o)
}

// fail fails those that are left.
func (l *Load) fail(failure error) {
	for s, more := l.next(); more; s, more = l.next() {
		l.add(HandedOver{shipments.Outcome{Taken: s.Shipment, Failure: failure, Unsent: true}, func() {}})
	}
}

// record has recorded what came of the load so far, and puts back what is left.
func (l *Load) record(ctx context.Context) {
	l.mu.Lock()
	over := l.over
	for _, s := range l.left {
		over = append(over, HandedOver{shipments.Outcome{Taken: s.Shipment, Untried: true}, func() {}})
	}
	l.back = l.back || len(l.left) > 0
	l.over, l.left = nil, nil
	l.mu.Unlock()
	if len(over) > 0 {
		l.hand.Record(context.WithoutCancel(ctx), over)
	}
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

// Record writes what came of shipments of one creditor (see shipments.RecordAll).
func (d *Dispatcher) Record(ctx context.Context, tx *store.Tx, over []HandedOver) error {
	outcomes := make([]shipments.Outcome, len(over))
	for i, o := range over {
		outcomes[i] = o.Outcome
	}
	recorded, err := shipments.RecordAll(ctx, tx, outcomes)
	if err != nil {
		return err
	}
	for i, s := range recorded {
		if failure := outcomes[i].Failure; failure != nil && s.State == models.ShipmentOwed {
			d.Log.Warn("a shipment failed and will be tried again",
				"shipment", s.ID, "attempt", s.Attempts, "next", s.NextAttempt, "error", unquoted(failure))
		}
	}
	return nil
}

// unquoted says why a shipment failed, without the words of the mail server or the print house: they may repeat the address.
// The shipment keeps those words; the log leaves them out.
func unquoted(failure error) string {
	if reply, is := errors.AsType[*textproto.Error](failure); is {
		return fmt.Sprintf("the mail server answered %d", reply.Code)
	}
	if refusal, is := errors.AsType[*rest.Refusal](failure); is {
		return "the provider answered " + refusal.Status
	}
	return failure.Error()
}

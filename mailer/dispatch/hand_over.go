package dispatch

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"purr/internal/tracing"
	"purr/mailer"
	"purr/mailer/shipments"
	"purr/models"
)

// handOver gives a taken shipment to its channel, that of the way that is set now unless it is by one from before. It asks first if the channel
// may have it already. If the channel knows nothing of what it had accepted, the shipment loses its receipt, and its next attempt is like a
// first one: what became needless or outdated meanwhile does not leave. If one from before knows nothing of it, it is free for the present one.
func handOver(ctx context.Context, channel mailer.Channel, before bool, s *models.Shipment, p mailer.Parcel) (mailer.Answer, error) {
	asker, asks := channel.(mailer.Asker)
	switch {
	case !asks && s.Accepted():
		return mailer.Answer{}, models.Unavailable("the channel", fmt.Errorf("it accepted this as %s, and the one that is set now cannot be asked about it", s.Receipt))
	case !asks || !s.MayHaveArrived():
		return channel.HandOver(ctx, p)
	}
	answer, err := asker.Ask(ctx, p)
	if models.KindOf(err) != models.KindNotFound {
		return answer, err
	}
	if s.Accepted() || before {
		s.Receipt, s.Unsure = "", 0
		return mailer.Answer{}, models.Unavailable("the channel", errors.New("it knows nothing of what it had accepted"))
	}
	return channel.HandOver(ctx, p)
}

// handOverOne gives a shipment to its channel.
func (l *Load) handOverOne(ctx context.Context, s taken) HandedOver {
	ctx, leaves := l.traced(ctx, s.Shipment)
	parcel, over := l.pack(ctx, s)
	if over != nil {
		leaves.End(over.Failure)
		return *over
	}
	began := l.d.Clock.Now()
	way := wayOf(l.out, s.Shipment)
	asked, call := tracing.Call(ctx, "hand over "+string(s.Method))
	answer, err := handOver(asked, way.Channel, way.ID != l.out.Now(s.Method).ID, &s.Shipment, parcel)
	call.End(err)
	leaves.End(err)
	if err != nil {
		return l.answered(s.Shipment, began, answer, err)
	}
	if l.d.Wall != nil { // channels do not live in simulated time
		answer.Ago = 0
	}
	if parcel.DayOver {
		answer, err = l.afterItsDay(ctx, s, parcel, answer)
	}
	return l.answered(s.Shipment, began, answer, err)
}

// handOverAll gives shipments to their channel at once.
func (l *Load) handOverAll(ctx context.Context, channel mailer.Bulk, ss []taken) {
	var ready []models.Shipment
	var parcels []mailer.Parcel
	var told [][2]tracing.Span
	for _, s := range ss {
		own, leaves := l.traced(ctx, s.Shipment)
		parcel, over := l.pack(own, s)
		if over != nil {
			leaves.End(over.Failure)
			l.add(*over)
			continue
		}
		_, call := tracing.Call(own, "hand over "+string(s.Method))
		ready, parcels, told = append(ready, s.Shipment), append(parcels, parcel), append(told, [2]tracing.Span{call, leaves})
	}
	began := l.d.Clock.Now()
	for i, r := range channel.HandOverAll(ctx, parcels) {
		for _, span := range told[i] {
			span.End(r.Err)
		}
		l.add(l.answered(ready[i], began, r.Answer, r.Err))
	}
}

// traced goes on with the trace of what made a shipment (rule K7).
func (l *Load) traced(ctx context.Context, s models.Shipment) (context.Context, tracing.Span) {
	return tracing.Resume(ctx, s.Trace, "ship", attribute.Int64("purr.creditor", s.CreditorID), attribute.Int64("purr.shipment", s.ID), attribute.Int("purr.attempt", s.Attempts))
}

// asItEnds is how long after the end of a day what a channel has sent by then counts as sent on that day, if the channel does
// not tell when it was.
const asItEnds = time.Minute

// afterItsDay takes a notice's letter back that its channel has not sent by the end of its day, if the channel can (rule D94). It
// returns what the channel then says of it.
func (l *Load) afterItsDay(ctx context.Context, s taken, p mailer.Parcel, answer mailer.Answer) (mailer.Answer, error) {
	if canceler, can := wayOf(l.out, s.Shipment).Channel.(mailer.Canceler); can && answer.Pending {
		p.Receipt = answer.Receipt
		answer, err := canceler.Cancel(ctx, p)
		if err != nil || l.d.Wall == nil {
			return answer, err
		}
		answer.Ago = 0
		return answer, nil
	}
	if answer.Pending || answer.Ago != 0 {
		return answer, nil
	}
	zone, err := l.creditor.Location()
	if err != nil {
		return answer, err
	}
	now := l.d.Clock.Now().In(zone)
	year, month, day := now.Date()
	if since := now.Sub(time.Date(year, month, day, 0, 0, 0, 0, zone)); since < asItEnds {
		answer.Ago = since + time.Microsecond
	}
	return answer, nil
}

// answered returns what came of a shipment that was handed over, and marks what the channel has accepted. It left when the
// hand-over began, or before, as the channel tells.
func (l *Load) answered(s models.Shipment, began time.Time, answer mailer.Answer, err error) HandedOver {
	over := HandedOver{shipments.Outcome{Taken: s, Failure: err, NotThere: mailer.NotThere(err), Rows: l.pdfs[s.Document()].Rows}, func() {}}
	if err != nil {
		return over
	}
	over.Receipt, over.Pending, over.Canceled, over.At = answer.Receipt, answer.Pending, answer.Canceled, began.Add(-answer.Ago)
	if answer.Canceled {
		return over
	}
	if l.kinds.Real(s.Method) && !s.Way.Own() { // what leaves by a creditor's own way says nothing of the installation's (rule D105)
		over.By = l.kinds.Of(s.Method)
	}
	over.Unmark = l.hand.Mark(over.Outcome, !answer.Repeatable)
	return over
}

package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/textproto"

	"purr/mailer/rest"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

// record records what came of the load so far, and puts back what is left.
func (l *load) record(ctx context.Context) {
	l.mu.Lock()
	over := l.over
	for _, s := range l.left {
		over = append(over, handedOver{shipments.Outcome{Taken: s.Shipment, Untried: true}, func() {}})
	}
	l.back = l.back || len(l.left) > 0
	l.over, l.left = nil, nil
	l.mu.Unlock()
	if len(over) > 0 {
		l.w.note(context.WithoutCancel(ctx), l.w.resultOf(over))
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

package jobs

import (
	"context"
	"errors"
	"fmt"
	"net/textproto"
	"strconv"

	"purr/models"
	"purr/shipments"
	"purr/store"
)

const kindShip = "ship"

// shipPayload names a shipment.
type shipPayload struct{ ShipmentID int64 }

func shipTask(s models.Shipment) task {
	return task{kind: kindShip, key: strconv.FormatInt(s.ID, 10), payload: shipPayload{s.ID}, timeout: shipTimeout}
}

// ship dispatches one shipment to its channel and notes that it was sent. If the channel is away, the sweep tries the
// shipment again, with growing pauses (rule R5c).
//
// queued by: render, and the sweep.
func (w *Worker) ship(ctx context.Context, p shipPayload) error {
	var s models.Shipment
	_, err := w.underLease(ctx, leased{
		take: func(ctx context.Context, tx *store.Tx) (taken bool, err error) {
			s, taken, err = shipments.Take(ctx, tx, p.ShipmentID, shipLease)
			return taken, err
		},
		do: func(ctx context.Context) error {
			pdf, err := w.Documents.PDF(ctx, s.CreditorID, s.Document())
			if err != nil {
				return err
			}
			return w.dispatch(ctx, s, pdf)
		},
		note: func(ctx context.Context, tx *store.Tx, failure error) error {
			noted, err := shipments.Note(ctx, tx, s.ID, failure)
			if err == nil && noted.State == models.ShipmentOwed {
				w.Log.Warn("a shipment failed and will be tried again",
					"shipment", s.ID, "attempt", noted.Attempts, "next", noted.NextAttempt, "error", unquoted(failure))
			}
			return err
		},
	})
	return err
}

// unquoted says why a shipment failed without the mail server's words, which may repeat the address. They are kept on
// the shipment, and do not go into the log.
func unquoted(failure error) string {
	if reply, is := errors.AsType[*textproto.Error](failure); is {
		return fmt.Sprintf("the mail server answered %d", reply.Code)
	}
	return failure.Error()
}

// owedShipments returns the shipments that are due.
func (s *Scheduler) owedShipments(ctx context.Context) ([]task, error) {
	due, err := s.DB.OwedShipments(ctx, s.Clock.Now(), sweepMost)
	if err != nil {
		return nil, err
	}
	return tasks(due, shipTask), nil
}

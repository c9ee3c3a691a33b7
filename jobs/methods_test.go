package jobs

import (
	"context"
	"testing"
	"time"

	"purr/mailer"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
)

// TestEveryMethodIsTakenSentAndReported: whatever a request may ask for is found due, leaves by a channel, is told of in words, and can
// be reported on. One that a list misses would be queued each second and never sent.
func TestEveryMethodIsTakenSentAndReported(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		_, c := o.ehf(t)
		o.worker.Dispatch.Channels[models.ByEHF] = &desk{takes: mailer.Answer{Receipt: "job 7"}, tells: hasSent}
		o.operator(t)
		o.worker.Dispatch.Channels[models.ByEFaktura] = &desk{takes: mailer.Answer{Receipt: "job 8"}, tells: hasSent}
		for _, m := range models.MethodsToAsk {
			i := toBusiness(t, o, c, m)
			due := func() []int64 {
				creditors, err := o.db.CreditorsToShip(t.Context(), o.db.Common(), models.OneByOne(false)...)
				must(t, err)
				return creditors
			}
			if len(due()) != 1 {
				t.Errorf("%s: due are the creditors %v", m, due())
			}
			for range 2 { // AUTO is decided first
				must(t, o.worker.ship(t.Context(), shipPayload{CreditorID: c.ID}))
			}
			s := o.shipments(t, i.Document())[0]
			if !s.State.HasLeft() || !s.Method.HasChannel() || len(due()) != 0 {
				t.Errorf("%s: it is %s by %s, and due are %v", m, s.State, s.Method, due())
			}
			if told := o.events(t, c, models.EventShipmentSent); len(told) == 0 {
				t.Errorf("%s: nothing is told", m)
			}
			must(t, o.db.InTx(t.Context(), func(ctx context.Context, tx *store.Tx) error {
				r := models.ShipmentReport{ShipmentID: s.ID, State: models.ShipmentDelivered, At: o.clock.Now().Add(-time.Second)}
				s, err := shipments.Report(ctx, tx, r, "the test")
				if err == nil && s.State != models.ShipmentDelivered {
					t.Errorf("%s: after a report it is %s", m, s.State)
				}
				return err
			}))
		}
	})
}

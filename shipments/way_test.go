package shipments_test

import (
	"errors"
	"testing"
	"time"

	"purr/internal/testkit"
	"purr/internal/testkit/rows"
	"purr/models"
	"purr/store"
)

// mailTo returns the shipment of a new invoice that goes by e-mail to an address, and may fall back to a letter.
func (o *office) mailTo(t *testing.T, address string) int64 {
	t.Helper()
	id := o.mail(t)
	rows.Write(t, o.db, func(tx *store.Tx) error {
		s, err := tx.LockShipment(t.Context(), id)
		if err != nil {
			return err
		}
		s.Recipient.Email = address
		return tx.UpdateShipment(t.Context(), s)
	})
	return id
}

// told counts the creditor's events of a type.
func (o *office) told(t *testing.T, what models.EventType) (n int) {
	t.Helper()
	testkit.Must(t, o.db.NumberEvents(t.Context()))
	events, err := o.db.Events(t.Context(), o.creditor.ID, 0, 1000)
	testkit.Must(t, err)
	for _, e := range events {
		if e.Type == what {
			n++
		}
	}
	return n
}

// TestD107TwoDomainsRefusedAlikeStayOwedWithoutEnd: a server that refuses all with words that say nothing makes no letters, however long
// that lasts. A person is told, and what is refused goes on once the server takes it.
func TestD107TwoDomainsRefusedAlikeStayOwedWithoutEnd(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.creditor.Fallback = "EMAIL>PAPER"
		rows.Write(t, o.db, func(tx *store.Tx) error { return tx.UpdateCreditor(t.Context(), &o.creditor) })
		ids := []int64{o.mailTo(t, "kari@one.example"), o.mailTo(t, "ola@two.example")}
		each := func(do func()) {
			for _, o.id = range ids {
				do()
			}
		}
		refused := &models.Error{Kind: models.KindInvalid, Code: models.UnclearRefusal, Msg: "the mail server refused the e-mail: 550 requested action not taken"}
		for hour := range 27 {
			each(func() {
				o.take(t, true)
				o.record(t, refused)
			})
			if told := o.told(t, models.EventWayRefused); told != 1+hour/24 {
				t.Fatalf("in hour %d a person is told %d times", hour, told)
			}
			o.later(time.Hour + time.Second)
		}
		each(func() {
			s, err := o.db.Shipment(t.Context(), o.id)
			testkit.Must(t, err)
			if got := o.ways(t, s.Document()); got != "EMAIL owed" || s.KeptBack != models.KeptRefused {
				t.Errorf("after 27 hours: %s, kept back as %q", got, s.KeptBack)
			}
		})
		away := models.Unavailable("the mail server", errors.New("away"))
		each(func() { // that it was refused for a day is no reason to give it up
			o.take(t, true)
			o.record(t, away)
		})
		o.later(time.Hour + time.Second)
		each(func() {
			o.take(t, true)
			o.record(t, nil)
			s, err := o.db.Shipment(t.Context(), o.id)
			if err != nil || s.State != models.ShipmentSent {
				t.Errorf("it is %s in the end, %v", s.State, err)
			}
		})
		if n := o.told(t, models.EventShipmentFallback); n != 0 {
			t.Errorf("%d fell back", n)
		}
	})
}

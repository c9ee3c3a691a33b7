package shipments_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// giveUp has a shipment that is owed tried whenever it is due, and fail each time, until it is given up. It returns how many attempts that
// took, and over how long.
func (o *office) giveUp(t *testing.T) (attempts int, over time.Duration) {
	t.Helper()
	return o.tryFor(t, 8*24*time.Hour, func() { o.record(t, models.Unavailable("the channel", errors.New("away"))) })
}

// tryFor has a shipment tried whenever it is due, for a time or until it is no longer owed.
func (o *office) tryFor(t *testing.T, most time.Duration, record func()) (attempts int, over time.Duration) {
	t.Helper()
	var first time.Time
	for end := o.clock.Now().Add(most); ; {
		s, err := o.db.Shipment(t.Context(), o.id)
		testkit.Must(t, err)
		if s.State != models.ShipmentOwed || s.NextAttempt.After(end) {
			return attempts, over
		}
		if s.NextAttempt.After(o.clock.Now()) {
			o.clock.Set(s.NextAttempt)
		}
		if attempts++; attempts == 1 {
			first = o.clock.Now()
		}
		over = o.clock.Now().Sub(first)
		o.take(t, true)
		record()
	}
}

// TestD118TimeAsleepIsNoTimeTried: a shipment is given up after it was tried for 24 hours. The hours in which the machine slept, between
// attempts or in one, do not count, and at least three attempts over an hour follow them.
func TestD118TimeAsleepIsNoTimeTried(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		away := models.Unavailable("the channel", errors.New("away"))
		sleep := func() { o.later(25 * time.Hour) }
		for _, tt := range []struct {
			name  string
			until func() // it has been tried for a while, and is awake again
			least time.Duration
			most  time.Duration
		}{
			{"awake all the time", func() { o.record(t, away) }, 23 * time.Hour, 25 * time.Hour},
			{"asleep after the first attempt", func() { o.record(t, away); sleep() }, 23 * time.Hour, 25 * time.Hour},
			{"asleep in the first attempt", func() { sleep(); o.record(t, away) }, 22 * time.Hour, 25 * time.Hour},
			{"asleep after a day of attempts", func() {
				o.record(t, away)
				o.tryFor(t, 23*time.Hour, func() { o.record(t, away) })
				sleep()
			}, time.Hour, 4 * time.Hour},
		} {
			o.id = o.shipmentOf(t, rows.Invoice(t, o.db, o.creditor).Document())
			o.take(t, true)
			tt.until()
			if attempts, over := o.giveUp(t); attempts < 3 || over < tt.least || over > tt.most {
				t.Errorf("%s: given up after %d more attempts over %s, want from %s to %s", tt.name, attempts, over, tt.least, tt.most)
			}
			s, err := o.db.Shipment(t.Context(), o.id)
			if err != nil || s.State != models.ShipmentFailed || !s.GivenUp {
				t.Errorf("%s: it is %s (%v)", tt.name, s.State, err)
			}
		}
	})
}

// TestD118ARefusalThatIsNobodysYetSleepsToo: one that may be the settings' or the recipient's leaves a shipment owed for an hour in which the
// machine was awake, and after a sleep for three attempts at least.
func TestD118ARefusalThatIsNobodysYetSleepsToo(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		unclear := models.Refuse(models.BlameUnclear, nil, "550 requested action not taken")
		refused := func() { o.record(t, unclear) }
		sleep := func() { o.later(25 * time.Hour) }
		for _, tt := range []struct {
			name        string
			until       func() // it has been tried for a while, and is awake again
			least, most time.Duration
		}{
			{"awake all the time", refused, 50 * time.Minute, 90 * time.Minute},
			{"asleep after the first attempt", func() { refused(); sleep() }, time.Hour, 4 * time.Hour},
			{"asleep in the first attempt", func() { sleep(); refused() }, 50 * time.Minute, 90 * time.Minute},
			{"asleep after some", func() { refused(); o.tryFor(t, 50*time.Minute, refused); sleep() }, time.Hour, 4 * time.Hour},
			{"away for hours before", func() {
				away := func() { o.record(t, models.Unavailable("the channel", errors.New("away"))) }
				away()
				o.tryFor(t, 5*time.Hour, away)
			}, 50 * time.Minute, 3 * time.Hour},
		} {
			o.creditor = rows.Creditor(t, o.db)
			o.id = o.mail(t)
			o.take(t, true)
			tt.until()
			attempts, over := o.tryFor(t, 8*24*time.Hour, refused)
			if attempts < 2 || over < tt.least || over > tt.most {
				t.Errorf("%s: failed after %d more attempts over %s, want from %s to %s", tt.name, attempts, over, tt.least, tt.most)
			}
			if s, err := o.db.Shipment(t.Context(), o.id); err != nil || s.State != models.ShipmentFailed || s.GivenUp {
				t.Errorf("%s: it is %s (%v)", tt.name, s.State, err)
			}
		}
	})
}

// TestD117AClockThatWasAhead: a shipment that it has put off is sent again at once by a person, and is not given up sooner or later for it.
func TestD117AClockThatWasAhead(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.id = o.shipmentOf(t, rows.Invoice(t, o.db, o.creditor).Document())
		o.take(t, true)
		o.record(t, models.Unavailable("the channel", errors.New("away")))
		retry := func() error {
			return o.db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
				_, err := shipments.Retry(t.Context(), tx, o.id, shipments.Again{}, "Kari")
				return err
			})
		}
		if err := retry(); models.KindOf(err) != models.KindConflict {
			t.Errorf("one that waits for its next attempt: %v", err)
		}
		ahead := o.clock.Now().Add(25 * time.Hour)
		rows.Write(t, o.db, func(tx *store.Tx) error {
			s, err := tx.LockShipment(t.Context(), o.id)
			if err != nil {
				return err
			}
			s.FirstAttempt, s.PatientFrom, s.NextAttempt = &ahead, &ahead, ahead
			return tx.UpdateShipment(t.Context(), s)
		})
		o.take(t, false)
		testkit.Must(t, retry())
		if attempts, over := o.giveUp(t); attempts < 3 || over < 23*time.Hour || over > 25*time.Hour {
			t.Errorf("given up after %d attempts over %s", attempts, over)
		}
	})
}

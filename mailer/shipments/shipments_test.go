package shipments_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/law"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// office is a database on a test clock that stands at rows.Start, with an invoice that is to be sent.
type office struct {
	db       *store.DB
	clock    *clock.Test
	creditor models.Creditor
	id       int64 // the shipment's
	warns    bool  // notices are debt-collection warnings
}

func eachOffice(t *testing.T, test func(t *testing.T, o *office)) {
	t.Helper()
	t.Parallel()
	testkit.EachDatabase(t, func(t *testing.T, databaseURL string) {
		t.Parallel()
		o := &office{clock: clock.NewTest(rows.Start)}
		o.db = rows.Open(t, databaseURL).WithClock(o.clock)
		o.creditor = rows.Creditor(t, o.db)
		o.id = o.shipmentOf(t, rows.Invoice(t, o.db, o.creditor).Document())
		test(t, o)
	})
}

func (o *office) shipmentOf(t *testing.T, d models.Document) int64 {
	t.Helper()
	found, err := o.db.ShipmentsOf(t.Context(), d)
	if err != nil || len(found) != 1 {
		t.Fatalf("there are %d shipments, %v", len(found), err)
	}
	return found[0].ID
}

func (o *office) later(d time.Duration) { o.clock.Set(o.clock.Now().Add(d)) }

// take takes the shipment. Some of these tests issue notices that no run would issue, so what the audit says to them does not keep them back.
func (o *office) take(t *testing.T, want bool) {
	t.Helper()
	rows.Write(t, o.db, func(tx *store.Tx) error {
		taken, err := shipments.TakeAll(t.Context(), tx, shipments.SecondLook{Rules: law.Default(), OnlyWarn: true}, []int64{o.id}, "a worker")
		if err == nil && (len(taken) == 1) != want {
			t.Errorf("at %s taken were %+v, want %t", tx.Now, taken, want)
		}
		return err
	})
}

func (o *office) record(t *testing.T, failure error) {
	t.Helper()
	rows.Write(t, o.db, func(tx *store.Tx) error {
		taken, err := tx.Shipment(t.Context(), o.id)
		if err == nil {
			_, err = shipments.Record(t.Context(), tx, taken, "a receipt", failure)
		}
		return err
	})
}

func (o *office) wants(t *testing.T, state models.ShipmentState, attempts int, events ...string) {
	t.Helper()
	s, err := o.db.Shipment(t.Context(), o.id)
	if err != nil || s.State != state || s.Attempts != attempts {
		t.Errorf("it is %s after %d attempts (%v), want %s after %d", s.State, s.Attempts, err, state, attempts)
	}
	all, err := o.db.Events(t.Context(), o.creditor.ID, 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range all {
		if e.SubjectID == o.id && e.InvoiceID != 0 && e.Type != models.EventInvoiceCreated {
			got = append(got, string(e.Type)+": "+e.Text)
		}
	}
	if !slices.Equal(got, events) {
		t.Errorf("the events are %q, want %q", got, events)
	}
}

func TestR5cAFailedShipmentIsSentAgainByAPerson(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		const failed, retried = "shipment.failed: Invoice 1 on paper failed: out of paper", "shipment.retried: Invoice 1 on paper is tried again, by Kari"
		refused := models.Refuse(models.BlameRecipient, nil, "out of paper")
		all := func() (int, error) { return shipments.RetryFailed(t.Context(), o.db, o.creditor.ID, "Kari") }
		retry := func(id int64) error {
			return o.db.InTx(t.Context(), func(_ context.Context, tx *store.Tx) error {
				_, err := shipments.Retry(t.Context(), tx, id, shipments.Again{}, "Kari")
				return err
			})
		}
		if err := retry(o.id); models.KindOf(err) != models.KindConflict {
			t.Errorf("one that is owed: %v", err)
		}
		o.take(t, true)
		o.record(t, refused)
		o.wants(t, models.ShipmentFailed, 1, failed)
		o.take(t, false)

		if n, err := all(); n != 1 || err != nil {
			t.Errorf("%d are sent again, %v", n, err)
		}
		o.wants(t, models.ShipmentOwed, 0, failed, retried)
		if n, err := all(); n != 0 || err != nil {
			t.Errorf("once more %d are sent again, %v", n, err)
		}
		o.later(2 * models.GiveUpAfter) // the day in which it is tried again begins with the next attempt
		o.take(t, true)
		o.record(t, models.Unavailable("the printer", errors.New("jammed")))
		o.wants(t, models.ShipmentOwed, 1, failed, retried)
		o.later(time.Hour)
		o.take(t, true)
		o.record(t, nil)
		o.wants(t, models.ShipmentSent, 2, failed, retried, "shipment.sent: Invoice 1 on paper sent")
		if err := retry(o.id); models.KindOf(err) != models.KindConflict {
			t.Errorf("one that was sent: %v", err)
		}
		if err := retry(o.id + 99); models.KindOf(err) != models.KindNotFound {
			t.Errorf("one that does not exist: %v", err)
		}
	})
}

func TestS6AShipmentIsInOneHandAtATime(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.take(t, true)
		taken, err := o.db.Shipment(t.Context(), o.id)
		if err != nil {
			t.Fatal(err)
		}
		o.later(24 * time.Hour)
		o.take(t, false) // however long it takes
		rows.Write(t, o.db, func(tx *store.Tx) error {
			other := taken
			other.TakenBy = "a worker that was taken for dead"
			_, err := shipments.Record(t.Context(), tx, other, "", errors.New("it failed"))
			return err
		})
		o.take(t, false) // what another one says of its failure frees nothing
		o.record(t, nil)
		o.record(t, errors.New("of an attempt that ended later")) // does not undo that it was sent
		o.later(time.Hour)
		o.take(t, false)
		o.wants(t, models.ShipmentSent, 1, "shipment.sent: Invoice 1 on paper sent")
	})
}

func TestWhatAnEventCallsAShipment(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		invoice := rows.Invoice(t, o.db, o.creditor)
		o.id = o.shipmentOf(t, rows.CreditNote(t, o.db, o.creditor, invoice).Document())
		o.take(t, true)
		o.record(t, nil)
		o.wants(t, models.ShipmentSent, 1, "shipment.sent: Credit note 3 on paper sent")
	})
}

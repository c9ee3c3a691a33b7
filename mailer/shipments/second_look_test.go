package shipments_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"purr/dunning"
	"purr/law"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// wrongly are figures of the law by which a fee is 50.00, where 38.00 is the most.
func wrongly(t *testing.T) *law.Rules {
	t.Helper()
	rules, err := law.Load(fstest.MapFS{"inkassosats.csv": {Data: []byte("from,value,source,confidence\n2026-01-01,1000,made up,A\n")}})
	testkit.Must(t, err)
	return rules
}

// doubted issues a reminder whose fee is too high, and returns it.
func (o *office) doubted(t *testing.T) (n models.Notice) {
	t.Helper()
	i := o.invoiceOf(t)
	o.send(t)
	o.later(40 * 24 * time.Hour)
	rows.Write(t, o.db, func(tx *store.Tx) (err error) {
		n, err = dunning.IssueNotice(t.Context(), tx, wrongly(t), o.creditor, i.ID, dunning.Request{AddFee: true, Actor: "Kari"})
		return err
	})
	o.id = o.shipmentOf(t, n.Document())
	return n
}

func (o *office) takeBy(t *testing.T, look shipments.SecondLook) (taken []models.Shipment) {
	t.Helper()
	rows.Write(t, o.db, func(tx *store.Tx) (err error) {
		taken, err = shipments.TakeAll(t.Context(), tx, look, []int64{o.id}, "a worker")
		return err
	})
	return taken
}

func (o *office) shipment(t *testing.T) models.Shipment {
	t.Helper()
	s, err := o.db.Shipment(t.Context(), o.id)
	testkit.Must(t, err)
	return s
}

// TestU8ALetterThatTheAuditDisagreesWith stays owed, and a person is told once, with both sums. A day later it is looked at again; it is not issued
// anew. Once it is needless it is withdrawn.
func TestU8ALetterThatTheAuditDisagreesWith(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		n := o.doubted(t)
		hold := shipments.SecondLook{Rules: law.Default()}
		told := func() {
			t.Helper()
			texts := o.told(t, models.EventAuditDisagreed)
			if len(texts) != 1 || !strings.Contains(texts[0], n.Gross.String()) || !strings.Contains(texts[0], "waits for a person") {
				t.Errorf("told is %q", texts)
			}
		}
		for _, wait := range []time.Duration{0, time.Hour, 24 * time.Hour} {
			o.later(wait)
			if taken := o.takeBy(t, hold); len(taken) != 0 {
				t.Fatalf("after %s it leaves: %+v", wait, taken)
			}
			s := o.shipment(t)
			if s.State != models.ShipmentOwed || s.Reason != models.KeptAudit || s.KeptBack != models.KeptAudit || s.PutOff(o.clock.Now()) || !s.WaitsForPerson(o.clock.Now()) {
				t.Fatalf("after %s it is %+v", wait, s)
			}
			told()
		}
		all, err := o.db.NoticesOf(t.Context(), n.InvoiceID)
		testkit.Must(t, err)
		if len(all) != 1 {
			t.Errorf("it was issued anew: %+v", all)
		}
		rows.Write(t, o.db, func(tx *store.Tx) error {
			_, err := dunning.CloseInvoice(t.Context(), tx, o.creditor, n.InvoiceID, dunning.Closing{Reason: models.ClosedOther, Actor: "Kari"})
			return err
		})
		o.later(25 * time.Hour)
		o.takeBy(t, hold)
		if s := o.shipment(t); s.State != models.ShipmentWithdrawn {
			t.Errorf("the invoice is closed, and the letter is %+v", s)
		}
	})
}

// TestU8APersonHasItTriedAtOnce on a later day: it is issued anew by the figures that hold, and leaves.
func TestU8APersonHasItTriedAtOnce(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.doubted(t)
		hold := shipments.SecondLook{Rules: law.Default()}
		o.takeBy(t, hold)
		o.later(20 * time.Hour) // it waits for a day
		rows.Write(t, o.db, func(tx *store.Tx) error {
			s, err := shipments.Retry(t.Context(), tx, o.id, shipments.Again{}, "Kari")
			if err == nil && s.NextAttempt.After(o.clock.Now()) {
				t.Errorf("tried at once it is due at %s", s.NextAttempt)
			}
			return err
		})
		taken := o.takeBy(t, hold)
		if len(taken) != 1 || taken[0].ID == o.id || o.shipment(t).State != models.ShipmentWithdrawn {
			t.Errorf("taken are %+v, and the first is %+v", taken, o.shipment(t))
		}
		if texts := o.told(t, models.EventAuditDisagreed); len(texts) != 1 {
			t.Errorf("told is %q", texts)
		}
	})
}

// TestU8OnlyWarn lets it leave, and tells.
func TestU8OnlyWarn(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.doubted(t)
		if taken := o.takeBy(t, shipments.SecondLook{Rules: law.Default(), OnlyWarn: true}); len(taken) != 1 {
			t.Errorf("it does not leave: %+v", o.shipment(t))
		}
		if texts := o.told(t, models.EventAuditDisagreed); len(texts) != 1 || !strings.Contains(texts[0], "leaves all the same") {
			t.Errorf("told is %q", texts)
		}
	})
}

// TestU8WhatBothAgreeOn leaves, and nobody is told: the figures are the operator's.
func TestU8WhatBothAgreeOn(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.doubted(t)
		if taken := o.takeBy(t, shipments.SecondLook{Rules: wrongly(t)}); len(taken) != 1 {
			t.Errorf("it does not leave: %+v, told is %q", o.shipment(t), o.told(t, models.EventAuditDisagreed))
		}
	})
}

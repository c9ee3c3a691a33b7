package jobs

import (
	"slices"
	"strings"
	"testing"
	"time"

	"purr/billing"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit/operator"
	"purr/test/testkit/rows"
)

// TestE20WhatIsNotSetUp: nobody may ask for it; what waits when a setting is lost waits, until a person says that it is off for good. A worker without the
// setting leaves it to one that has it.
func TestE20WhatIsNotSetUp(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		ask := func() error {
			_, err := rows.TryIssue(t, o.db, c, billing.InvoiceRequest{
				CustomerID: rows.Customer(t, o.db, c).ID, NumDueDays: 14, Method: models.ByEFaktura, Lines: []models.Line{{Text: "Tjenester", UnitPrice: 100_0000, NumItems: 1000, VAT: models.VATHigh}},
			})
			return err
		}
		if err := ask(); err == nil || !strings.Contains(err.Error(), "efaktura-url") {
			t.Errorf("where it is not set up: %v", err)
		}
		op := o.operator(t)
		i := toPerson(t, o, c, models.ByEFaktura)
		ship := func() { must(t, o.worker.ship(t.Context(), shipPayload{CreditorID: c.ID})) }
		o.worker.Dispatch.Ways, o.worker.Dispatch.Channels[models.ByEFaktura] = nil, nil
		for range 3 {
			ship()
			o.clock.Set(o.clock.Now().Add(time.Hour))
		}
		o.wantWays(t, "when the setting is lost", i, "EFAKTURA owed")
		if s := o.shipments(t, i.Document())[0]; s.KeptBack != models.KeptMissing {
			t.Errorf("it is kept back as %q", s.KeptBack)
		}
		now, err := shipments.WaysNow(t.Context(), o.db)
		must(t, err)
		if at := slices.IndexFunc(now, func(w shipments.WayNow) bool { return w.Method == models.ByEFaktura }); at < 0 || !now[at].Missing {
			t.Errorf("the ways are %+v", now)
		}
		rows.Write(t, o.db, func(tx *store.Tx) error { return shipments.MeanFolder(t.Context(), tx, models.ByEFaktura, "a test") })
		o.withWay(t, models.ByEFaktura, func() {
			ship()
			o.wantWays(t, "while another worker has the way", i, "EFAKTURA owed")
			must(t, ask())
		})
		ship()
		ship()
		o.wantWays(t, "when it is off for good", i, "EFAKTURA failed, EMAIL sent")
		if err := ask(); err == nil || len(op.Requests()) != 0 {
			t.Errorf("%v, after %q", err, op.Requests())
		}
		if now, err = shipments.WaysNow(t.Context(), o.db); err != nil || slices.ContainsFunc(now, func(w shipments.WayNow) bool { return w.Method == models.ByEFaktura }) {
			t.Errorf("the ways are %+v, %v", now, err)
		}
	})
}

// TestE20WhatWasAcceptedWaitsWhenItIsOff: nobody can be asked what became of it, so it takes no other way by itself.
func TestE20WhatWasAcceptedWaitsWhenItIsOff(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.operator(t).Begin(operator.Received)
		c := rows.Creditor(t, o.db)
		i := toPerson(t, o, c, models.Auto)
		ship := func() { must(t, o.worker.ship(t.Context(), shipPayload{CreditorID: c.ID})) }
		ship()
		ship()
		if s := o.shipments(t, i.Document())[0]; !s.Accepted() {
			t.Fatalf("it is %+v", s)
		}
		o.worker.Dispatch.Ways, o.worker.Dispatch.Channels[models.ByEFaktura] = nil, nil
		rows.Write(t, o.db, func(tx *store.Tx) error { return shipments.MeanFolder(t.Context(), tx, models.ByEFaktura, "a test") })
		for range 24 * 8 {
			ship()
			o.clock.Set(o.clock.Now().Add(time.Hour))
		}
		o.wantWays(t, "after a week", i, "EFAKTURA failed")
	})
}

// withWay does something while another worker has a real way for the method.
func (o *office) withWay(t *testing.T, m models.ShipmentMethod, do func()) {
	t.Helper()
	h, err := Join(t.Context(), o.db, o.queue, o.workers, models.Ways{m: models.WayREST}, o.worker.Log)
	must(t, err)
	do()
	must(t, h.Leave(t.Context()))
}

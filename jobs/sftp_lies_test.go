package jobs

import (
	"testing"
	"time"

	"purr/internal/remote"
	"purr/mailer"
	"purr/mailer/letters"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

// lying gives the office a print shop and a collector on a server that does not do what it says.
func (o *office) lying(t *testing.T) *testkit.LyingSFTP {
	t.Helper()
	s := testkit.StartLyingSFTP(t)
	server, err := remote.NewServer(remote.Access{URL: s.URL, Password: "any", HostKey: s.HostKey, Prefix: "letters"})
	must(t, err)
	o.worker.Dispatch.Shop, o.worker.Bundles.Collector = letters.NewShop(server), mailer.NewSFTP(server)
	o.worker.Dispatch.Ways = models.Ways{models.ByPaper: models.WaySFTP, models.Bundles: models.WaySFTP}
	o.worker.Bundles.Part = o.worker.Dispatch.Part
	o.scheduler.Shop = o.worker.Dispatch.Shop
	return s
}

// TestD121WhatTheServerOnlySaysStaysOwed: a letter and a bundle stay owed while the server answers OK and does nothing, and while the file is
// not there because somebody took it away at once. They leave when it does what it says.
func TestD121WhatTheServerOnlySaysStaysOwed(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		s, c := o.lying(t), rows.Creditor(t, o.db)
		_, h := o.handedOver(t, c)
		letter := rows.Invoice(t, o.db, c)
		try := func() (models.Shipment, models.HandOver) {
			t.Helper()
			must(t, o.worker.batch(t.Context(), batchPayload{c.ID}))
			must(t, o.worker.collect(t.Context(), collectPayload{c.ID, h.ID}))
			at, err := o.db.HandOver(t.Context(), c.ID, h.ID)
			must(t, err)
			return o.shipments(t, letter.Document())[0], at
		}
		for _, lies := range []int32{testkit.Ignores, testkit.TakesOff} {
			s.Lies.Store(lies)
			if got, bundle := try(); got.State != models.ShipmentOwed || bundle.State != models.BundleOwed || bundle.Failure == "" {
				t.Errorf("lie %d: the letter is %s, the bundle is %s: %s", lies, got.State, bundle.State, bundle.Failure)
			}
			o.clock.Set(o.clock.Now().Add(10 * time.Minute))
		}
		s.Lies.Store(testkit.Renames)
		if got, bundle := try(); got.State != models.ShipmentSent || bundle.State != models.BundleDelivered {
			t.Errorf("in the end the letter is %s: %s, the bundle is %s: %s", got.State, got.Reason, bundle.State, bundle.Failure)
		}
	})
}

// TestD121AReceiptSaysThatAShopHasABatch that it took away before it was seen: nothing is brought again.
func TestD121AReceiptSaysThatAShopHasABatch(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		s, c := o.lying(t), rows.Creditor(t, o.db)
		letter := rows.Invoice(t, o.db, c)
		b := o.takeBatch(t, c)
		err := b.Bring(t.Context(), func() error { s.Lies.Store(testkit.TakesOff); return nil }) // the manifest alone is taken away
		if err == nil || b.State != models.BatchSealed {
			t.Fatalf("the batch is %s, %v", b.State, err)
		}
		sent := o.shipments(t, letter.Document())[0]
		rows.Write(t, o.db, func(tx *store.Tx) error {
			_, err := shipments.Report(t.Context(), tx, models.ShipmentReport{ShipmentID: sent.ID, State: models.ShipmentSent, At: o.clock.Now()}, "the print shop")
			return err
		})
		o.worker.Dispatch.Shop = letters.NewShop(nil) // a visit would panic
		if err := b.Bring(t.Context(), func() error { return nil }); err != nil {
			t.Error(err)
		}
	})
}

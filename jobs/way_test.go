package jobs

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"purr/mailer"
	"purr/mailer/letters"
	"purr/mailer/peppol"
	"purr/mailer/rest"
	"purr/mailer/shipments"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// TestD107WhatAnInterfaceRefusesForTheSettingsStaysOwed: a print house or an access point that does not know the password, or permits nothing,
// keeps what goes by it owed for longer than a day; a person is told, and nothing takes its place.
func TestD107WhatAnInterfaceRefusesForTheSettingsStaysOwed(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		var status atomic.Int64
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(int(status.Load())) }))
		t.Cleanup(server.Close)
		template, err := rest.Parse(server.URL+"/{{name}}", []byte(`{"method":"POST","headers":{"Content-Type":"application/json"},"body":"[\"{{sha256}}\"]","receipt":"json:id"}`), "", rest.Form{})
		must(t, err)
		point, err := peppol.NewAccessPoint("phoss-ap+"+server.URL, "wrong", false)
		must(t, err)
		o.ehf(t)
		for _, tt := range []struct {
			name    string
			method  models.ShipmentMethod
			channel mailer.Channel
		}{
			{"a print house", models.ByPaper, letters.NewPrintHouse(rest.NewService(template))},
			{"an access point by REST", models.ByEHF, peppol.NewREST(rest.NewService(template), false)},
			{"phoss-ap", models.ByEHF, point},
		} {
			for _, refusal := range []int{http.StatusUnauthorized, http.StatusForbidden} {
				status.Store(int64(refusal))
				o.worker.Dispatch.Channels[tt.method] = tt.channel
				c := rows.Creditor(t, o.db, func(c *models.Creditor) { c.EHFDefaultReference, c.Fallback = "42", "EHF>EMAIL>PAPER" })
				i := toBusiness(t, o, c, tt.method)
				for range 30 {
					must(t, o.worker.ship(t.Context(), shipPayload{CreditorID: c.ID}))
					o.clock.Set(o.clock.Now().Add(time.Hour + time.Second))
				}
				all := o.shipments(t, i.Document())
				if s := all[0]; len(all) != 1 || s.State != models.ShipmentOwed || s.KeptBack != models.KeptRefused || s.Attempts < 24 {
					t.Errorf("%s answers %d: it is %s, kept back as %q after %d attempts, %d shipments", tt.name, refusal, s.State, s.KeptBack, s.Attempts, len(all))
				}
				if told := o.events(t, c, models.EventWayRefused); len(told) != 2 { // once a day
					t.Errorf("%s answers %d: told is %q", tt.name, refusal, told)
				}
			}
		}
	})
}

// TestD105LettersAndEHFWaitForAWayThatHasGoneMissing: once they have left by a real way, a worker without it hands over none, whatever the
// time, until the folder is meant.
func TestD105LettersAndEHFWaitForAWayThatHasGoneMissing(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		_, c := o.ehf(t)
		methods := []models.ShipmentMethod{models.ByPaper, models.ByEHF}
		ship := func() { must(t, o.worker.ship(t.Context(), shipPayload{CreditorID: c.ID})) }
		o.worker.Dispatch.Ways = models.Ways{models.ByPaper: models.WayIPP, models.ByEHF: models.WayAP}
		for _, m := range methods {
			i := toBusiness(t, o, c, m)
			ship()
			if s := o.shipments(t, i.Document())[0]; s.State != models.ShipmentSent {
				t.Fatalf("by its real way what goes by %s is %s: %s", m, s.State, s.Reason)
			}
		}
		o.worker.Dispatch.Ways = nil
		for _, m := range methods {
			i := toBusiness(t, o, c, m)
			for range 26 {
				ship()
				o.clock.Set(o.clock.Now().Add(time.Hour))
			}
			if s := o.shipments(t, i.Document())[0]; s.State != models.ShipmentOwed || s.KeptBack != models.KeptMissing || s.Reason != models.KeptMissing || s.Attempts != 0 {
				t.Errorf("without the setting what goes by %s is %s after %d attempts: %s", m, s.State, s.Attempts, s.Reason)
			}
			rows.Write(t, o.db, func(tx *store.Tx) error { return shipments.MeanFolder(t.Context(), tx, m, "Kari") })
			ship()
			if s := o.shipments(t, i.Document())[0]; s.State != models.ShipmentSent {
				t.Errorf("once the folder is meant what goes by %s is %s: %s", m, s.State, s.Reason)
			}
		}
	})
}

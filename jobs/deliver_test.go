package jobs

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/mailer/dispatch"
	"purr/mailer/webhook"
	"purr/models"
	"purr/store"
	"purr/test/testkit"
	"purr/test/testkit/rows"
)

func TestE7AnEventIsPostedAsItStandsInTheLog(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.worker.Deliveries.BaseURL = "https://faktura.example.no"
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		e := o.endpoint(t, nil)
		hook := o.hook(t, c, e, models.EventHoldSet)
		event := o.happen(t, c, 1)[0]
		o.settle(t)
		want, err := webhook.Body(event, "https://faktura.example.no", c, false)
		must(t, err)
		got := e.all()
		if len(got) != 1 || got[0].body != want || got[0].id != fmt.Sprintf("evt_%d", event.ID) {
			t.Errorf("posted was %+v, want %s", got, want)
		}
		d := o.deliveries(t, hook)[0]
		if d.State != models.DeliveryDelivered || d.Attempts != 1 || d.ResponseStatus != 200 || !d.DeliveredAt.Equal(rows.Start) || d.Failure != "" {
			t.Errorf("it is %+v", d)
		}
	})
}

func TestE7AFailureIsTriedAgainAsTheSpecificationSuggestsAndThenSaid(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		e := o.endpoint(t, status(http.StatusInternalServerError))
		hook := o.hook(t, c, e) // gets all events, but for what becomes of its own
		o.happen(t, c, 1)
		o.advance(t, 5*24*time.Hour)
		wantLines(t, e.times(), "0s", "5s", "5m5s", "35m5s", "2h35m5s", "7h35m5s", "17h35m5s", "31h35m5s", "51h35m5s", "75h35m5s")
		if ids := e.all(); ids[0].id != ids[9].id || ids[0].body != ids[9].body {
			t.Errorf("the first was %+v, the last %+v", ids[0], ids[9])
		}
		d := o.deliveries(t, hook)
		if len(d) != 1 || d[0].State != models.DeliveryFailed || d[0].ResponseStatus != 500 || d[0].Attempts != 10 {
			t.Errorf("the deliveries are %+v", d)
		}
		wantLines(t, o.events(t, c, models.EventDeliveryFailed),
			"03-05 14:35:05 webhook_delivery.failed Event 1 (hold.set) could not be delivered to webhook 1 in 10 attempts: status_500")
	})
}

func TestE7AnEndpointMayAskForAPause(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		asked := []string{"60", "2", "7200", ""}
		e := o.endpoint(t, func(w http.ResponseWriter, nth int) {
			w.Header().Set("Retry-After", asked[nth-1])
			if nth < len(asked) {
				w.WriteHeader(http.StatusTooManyRequests)
			}
		})
		o.hook(t, c, e)
		o.happen(t, c, 1)
		o.advance(t, 24*time.Hour)
		wantLines(t, e.times(), "0s", "1m0s", "6m0s", "1h6m0s") // longer than ours, shorter, longer than an hour
	})
}

func TestE7WhatIsRedeliveredIsTheSame(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		e := o.endpoint(t, nil)
		hook := o.hook(t, c, e)
		o.happen(t, c, 1)
		o.settle(t)
		o.worker.Deliveries.BaseURL = "https://another.example.no"
		o.advance(t, time.Hour)
		o.redeliver(t, o.deliveries(t, hook)[0])
		o.settle(t)
		got := e.all()
		if len(got) != 2 || got[0].id != got[1].id || got[0].body != got[1].body {
			t.Errorf("posted was %+v", got)
		}
		if d := o.deliveries(t, hook)[0]; d.State != models.DeliveryDelivered || d.Attempts != 1 || !d.DeliveredAt.Equal(rows.Start.Add(time.Hour)) {
			t.Errorf("it is %+v", d)
		}
	})
}

// TestJ4AWebhookMayWantJSON: what is posted is signed in either form. An attempt takes the form that the webhook then wants; in the same
// form a delivery is what it was.
func TestJ4AWebhookMayWantJSON(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.worker.Deliveries.BaseURL = "https://faktura.example.no"
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		e := o.endpoint(t, nil)
		hook := o.hook(t, c, e)
		wants := func(asJSON bool) {
			rows.Write(t, o.db, func(tx *store.Tx) error {
				hook.AsJSON = asJSON
				return tx.UpdateWebhook(t.Context(), hook)
			})
		}
		wants(true)
		event := o.happen(t, c, 1)[0]
		o.settle(t)
		asJSON, err := webhook.Body(event, "https://faktura.example.no", c, true)
		must(t, err)
		o.worker.Deliveries.BaseURL = "https://another.example.no"
		asXML, err := webhook.Body(event, "https://another.example.no", c, false)
		must(t, err)
		for _, format := range []bool{true, false, false} {
			wants(format)
			o.redeliver(t, o.deliveries(t, hook)[0])
			o.settle(t)
			if !format {
				o.worker.Deliveries.BaseURL = "https://a.third.example.no"
			}
		}
		got := e.all()
		if len(got) != 4 {
			t.Fatalf("posted was %+v", got)
		}
		for i, want := range []struct{ media, body string }{
			{"application/json", asJSON}, {"application/json", asJSON}, {"application/xml; charset=utf-8", asXML}, {"application/xml; charset=utf-8", asXML},
		} {
			if got[i].media != want.media || got[i].body != want.body || got[i].id != got[0].id {
				t.Errorf("posted was %+v, want %+v", got[i], want)
			}
		}
	})
}

func TestE7BothSecretsSignForADay(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		e := o.endpoint(t, nil)
		hook := o.hook(t, c, e) // the endpoint knows the first secret
		fresh := webhook.NewSecret()
		rows.Write(t, o.db, func(tx *store.Tx) error {
			hook.Renew(fresh, tx.Now)
			return tx.UpdateWebhook(t.Context(), hook)
		})
		o.happen(t, c, 1)
		o.advance(t, 24*time.Hour)
		e.mu.Lock()
		e.secrets = []models.Secret{fresh}
		e.mu.Unlock()
		o.happen(t, c, 1)
		o.settle(t)
		if got := e.all(); len(got) < 2 {
			t.Errorf("posted was %+v", got)
		}
	})
}

// takeDelivery takes the webhook's delivery that is due for a worker.
func (o *office) takeDelivery(t *testing.T, hook models.Webhook, by *Holder) (d *dispatch.Delivery) {
	t.Helper()
	o.take(t, func(tx *store.Tx) (taken bool, err error) {
		d, taken, err = o.worker.Deliveries.Take(t.Context(), tx, hook.CreditorID, hook.ID, by.self.worker)
		return taken, err
	})
	return d
}

// If a worker dies between the post and its record, another one posts the delivery again, with the
// same ID.
func TestE7WhatWasNotRecordedIsPostedAgainWithTheSameID(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		e := o.endpoint(t, nil)
		hook := o.hook(t, c, e, models.EventHoldSet)
		o.happen(t, c, 1)
		dying := o.join(t)
		d := o.takeDelivery(t, hook, dying)
		if d.Post(t.Context()); d.Answer.Outcome != webhook.Delivered {
			t.Fatalf("it came to %+v", d.Answer)
		}
		o.work(t, 2)
		o.advance(t, time.Hour)
		if got := e.all(); len(got) != 1 {
			t.Errorf("while the worker lives it was posted %d times", len(got))
		}
		dying.die()
		o.holder.lookAround(t.Context())
		o.settle(t)
		got := e.all()
		if len(got) != 2 || got[0].id != got[1].id || got[0].body != got[1].body {
			t.Errorf("posted was %+v", got)
		}
	})
}

// Redis holds a lane once, but Redis may forget it: the row alone must ensure that a delivery is posted once.
func TestE7ManyWorkersPostEachDeliveryOnce(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		const events = 40
		c := rows.Creditor(t, o.db)
		e := o.endpoint(t, nil)
		hook := o.hook(t, c, e)
		o.happen(t, c, events)
		lane := func() error { return o.worker.deliver(t.Context(), lanePayload{c.ID, hook.ID, 0}) }
		for len(e.all()) < events {
			testkit.AtOnce(t, lane, lane, lane, lane, lane, lane)
		}
		ids := map[string]bool{}
		for _, p := range e.all() {
			ids[p.id] = true
		}
		if len(ids) != events || len(e.all()) != events {
			t.Errorf("%d events were posted %d times", len(ids), len(e.all()))
		}
	})
}

func TestE7AnEndpointThatHangsHoldsUpNothingElse(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		over := make(chan struct{})
		var once sync.Once
		release := func() { once.Do(func() { close(over) }) }
		defer release()
		c := rows.Creditor(t, o.db)
		hangs := o.endpoint(t, func(http.ResponseWriter, int) { <-over })
		answers := o.endpoint(t, nil)
		stuck := o.hook(t, c, hangs, models.EventHoldSet)
		o.hook(t, c, answers)
		letters := &channel{}
		o.worker.Dispatch.Channels[models.ByPaper] = letters
		o.work(t, 1)
		const events = 20
		o.happen(t, c, events)
		rows.Invoice(t, o.db, c)
		waitFor(t, "all else to be done", func() bool {
			o.sweep(t)
			return len(letters.all()) == 1 && len(answers.all()) >= events+1 && len(hangs.all()) >= webhookLanes
		})
		for range 3 {
			o.sweep(t)
		}
		if got := len(hangs.all()); got != webhookLanes {
			t.Errorf("%d posts to it hang at the same time", got)
		}
		release()
		waitFor(t, "what hung to be delivered", func() bool { // a lane whose turn is over leaves the rest to the next sweep
			o.sweep(t)
			return !slices.ContainsFunc(o.deliveries(t, stuck), func(d models.WebhookDelivery) bool { return d.State == models.DeliveryPending })
		})
		for _, d := range o.deliveries(t, stuck) {
			if d.State != models.DeliveryDelivered || d.Attempts != 1 {
				t.Errorf("in the end one is %+v", d)
			}
		}
	})
}

func TestE7AnEndpointThatIsGoneIsSwitchedOff(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		gone, here := o.endpoint(t, status(http.StatusGone)), o.endpoint(t, nil)
		off, on := o.hook(t, c, gone), o.hook(t, c, here)
		o.happen(t, c, 12)
		o.settle(t)
		o.happen(t, c, 1)
		o.advance(t, 48*time.Hour)
		deliveries := o.deliveries(t, off)
		for _, d := range deliveries {
			if d.State != models.DeliveryFailed || d.Failure != "status_410" {
				t.Errorf("a delivery is %+v", d)
			}
		}
		if n := len(gone.all()); len(deliveries) != 12 || n < 1 || n > webhookLanes || deliveries[0].ResponseStatus != 410 {
			t.Errorf("of %d it was told %d times", len(deliveries), n)
		}
		wantLines(t, o.events(t, c, models.EventWebhookDisabled, models.EventDeliveryFailed),
			fmt.Sprintf("03-02 11:00:00 webhook.disabled Webhook %d was switched off: status_410", off.ID))
		for _, d := range o.deliveries(t, on) {
			if d.State != models.DeliveryDelivered {
				t.Errorf("the other's is %+v", d)
			}
		}
		now, err := o.db.Webhook(t.Context(), c.ID, off.ID)
		if err != nil || now.Enabled {
			t.Errorf("it is switched on: %v", err)
		}
	})
}

func TestE7WhatIsSwitchedOffWaitsAndGoesOn(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		e := o.endpoint(t, func(w http.ResponseWriter, nth int) {
			if nth == 1 {
				w.WriteHeader(http.StatusBadGateway)
			}
		})
		hook := o.hook(t, c, e)
		set := func(enabled bool) {
			hook.Enabled = enabled
			rows.Write(t, o.db, func(tx *store.Tx) error { return tx.UpdateWebhook(t.Context(), hook) })
		}
		o.happen(t, c, 1)
		o.settle(t)
		set(false)
		o.advance(t, time.Hour)
		set(true)
		o.advance(t, time.Hour)
		wantLines(t, e.times(), "0s", "1h0m0s")
	})
}

// A webhook may be deleted at any moment: before its deliveries are taken, and while one is being posted.
func TestE7AWebhookThatIsDeletedIsLeftAlone(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		for _, code := range []int{200, 410, 500} {
			var hook models.Webhook
			remove := func() {
				rows.Write(t, o.db, func(tx *store.Tx) error { return tx.DeleteWebhook(t.Context(), c.ID, hook.ID) })
			}
			e := o.endpoint(t, func(w http.ResponseWriter, _ int) {
				remove()
				w.WriteHeader(code)
			})
			hook = o.hook(t, c, e, models.EventHoldSet)
			o.happen(t, c, 2)
			lane := lanePayload{c.ID, hook.ID, 0}
			must(t, o.worker.deliver(t.Context(), lane))
			must(t, o.worker.deliver(t.Context(), lane))
			if got := e.all(); len(got) != 1 {
				t.Errorf("it was told %d times", len(got))
			}
		}
		if got := o.events(t, c, models.EventWebhookDisabled, models.EventDeliveryFailed); len(got) != 0 {
			t.Errorf("there are the events %q", got)
		}
	})
}

// If two attempts are under way, because a lease ended, a success counts whichever is recorded first.
func TestE7ASuccessStands(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		c := rows.Creditor(t, o.db)
		hook := o.hook(t, c, o.endpoint(t, nil), models.EventHoldSet)
		o.happen(t, c, 2)
		good, bad := webhook.Answer{Outcome: webhook.Delivered, Status: 200}, webhook.Answer{Status: 500, Failure: "no"}
		for n, answers := range [][]webhook.Answer{{good, bad}, {bad, good}} {
			d := o.takeDelivery(t, hook, o.holder)
			for _, d.Answer = range answers {
				rows.Write(t, o.db, func(tx *store.Tx) error { return d.Record(t.Context(), tx) })
			}
			if got := o.deliveries(t, hook)[n]; got.State != models.DeliveryDelivered || got.ResponseStatus != 200 || got.Failure != "" {
				t.Errorf("it is %+v", got)
			}
		}
	})
}

func TestE7WithoutABaseURLThePathIsPosted(t *testing.T) {
	eachOffice(t, func(t *testing.T, o *office) {
		o.work(t, 2)
		c := rows.Creditor(t, o.db)
		e := o.endpoint(t, nil)
		o.hook(t, c, e, models.EventHoldSet)
		o.happen(t, c, 1)
		o.settle(t)
		if got := e.all(); len(got) != 1 || !strings.Contains(got[0].body, `<invoice uri="/api/v1/invoice/17">`) {
			t.Errorf("posted was %+v", got)
		}
	})
}

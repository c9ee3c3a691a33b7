package jobs

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"purr/mailer/webhook"
	"purr/models"
	"purr/store"
	"purr/test/testkit/rows"
)

// endpoint is a receiver of webhooks. It verifies what it receives with the specification's own library.
type endpoint struct {
	url    string
	office *office
	answer func(w http.ResponseWriter, nth int) // the first is 1; nil answers 200

	mu      sync.Mutex
	secrets []models.Secret // any of which it takes
	got     []posting
}

// posting is what an endpoint received.
type posting struct {
	id, body string
	media    string    // the Content-Type
	at       time.Time // of the office
}

func (o *office) endpoint(t *testing.T, answer func(w http.ResponseWriter, nth int)) *endpoint {
	t.Helper()
	e := &endpoint{office: o, answer: answer}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { e.take(t, w, r) }))
	t.Cleanup(server.Close)
	e.url = server.URL
	return e
}

func (e *endpoint) take(t *testing.T, w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Error(err)
	}
	e.mu.Lock()
	verified := slices.ContainsFunc(e.secrets, func(secret models.Secret) bool {
		verifier, err := standardwebhooks.NewWebhook(string(secret))
		return err == nil && verifier.Verify(body, r.Header) == nil
	})
	if !verified {
		t.Errorf("what came is not signed: %v", r.Header)
	}
	e.got = append(e.got, posting{r.Header.Get("webhook-id"), string(body), r.Header.Get("Content-Type"), e.office.clock.Now()})
	nth := len(e.got)
	e.mu.Unlock()
	if e.answer != nil {
		e.answer(w, nth)
	}
}

// all returns what it received, in order.
func (e *endpoint) all() []posting {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.got)
}

// times returns when it was received, counted from rows.Start.
func (e *endpoint) times() []string {
	var times []string
	for _, p := range e.all() {
		times = append(times, p.at.Sub(rows.Start).String())
	}
	return times
}

// status returns an answer that is always the same.
func status(code int) func(http.ResponseWriter, int) {
	return func(w http.ResponseWriter, _ int) { w.WriteHeader(code) }
}

// hook gives a creditor a webhook at the endpoint.
func (o *office) hook(t *testing.T, c models.Creditor, e *endpoint, types ...models.EventType) models.Webhook {
	t.Helper()
	w := models.Webhook{CreditorID: c.ID, URL: e.url, Enabled: true, EventTypes: types, Secret: webhook.NewSecret()}
	e.secrets = append(e.secrets, w.Secret)
	rows.Write(t, o.db, func(tx *store.Tx) error { return tx.CreateWebhook(t.Context(), &w) })
	return w
}

// happen logs a number of events of the creditor, and returns them with their IDs.
func (o *office) happen(t *testing.T, c models.Creditor, times int) []models.Event {
	t.Helper()
	events := make([]models.Event, times)
	for i := range events {
		events[i] = models.Event{CreditorID: c.ID, Type: models.EventHoldSet, InvoiceID: 17, Text: fmt.Sprintf("Nr. %d", i)}
	}
	rows.Write(t, o.db, func(tx *store.Tx) error { return tx.Log(t.Context(), events...) })
	all, err := o.db.Events(t.Context(), c.ID, 0, 100_000)
	must(t, err)
	return all[len(all)-times:]
}

// deliveries returns the deliveries to a webhook, in every state.
func (o *office) deliveries(t *testing.T, w models.Webhook) []models.WebhookDelivery {
	t.Helper()
	found, _, err := o.db.WebhookDeliveries(t.Context(), w.CreditorID, w.ID, nil, store.Page{Number: 1, Size: 1000})
	must(t, err)
	return found
}

func (o *office) redeliver(t *testing.T, d models.WebhookDelivery) {
	t.Helper()
	rows.Write(t, o.db, func(tx *store.Tx) error {
		d, err := tx.LockWebhookDelivery(t.Context(), d.CreditorID, d.ID)
		must(t, err)
		d.Redeliver(tx.Now)
		return tx.UpdateWebhookDelivery(t.Context(), d)
	})
}

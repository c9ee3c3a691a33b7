package e2e_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

// TestE7WebhookFromTheEventToTheEndpoint: what happens reaches the endpoint, signed, as it stands in the log;
// an endpoint that is down for a day has it at last; a person has it once more.
func TestE7WebhookFromTheEventToTheEndpoint(t *testing.T) {
	eachSetup(t, func(t *testing.T, in *installation) {
		var down atomic.Bool
		var tried atomic.Int64
		got := make(chan string, 100)
		secret := make(chan string, 1)
		endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			tried.Add(1)
			if down.Load() {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			key := <-secret
			secret <- key
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			verifier, err := standardwebhooks.NewWebhook(key)
			if err != nil {
				t.Error(err)
			} else if err := verifier.Verify(body, r.Header); err != nil {
				t.Errorf("%s: %v", body, err)
			}
			got <- r.Header.Get("webhook-id") + " " + string(body)
		}))
		defer endpoint.Close()
		hook := in.api.Post("/api/v1/webhooks", `<webhook><url>`+endpoint.URL+`</url><event_types><event_type>invoice.created</event_type></event_types></webhook>`).Created()
		secret <- hook.At("secret")

		invoice := in.api.invoice(t, invoiceOf{customer: in.api.customer(t, "Kari Nordmann"), days: 14, net: "1000.00", method: "PAPER"})
		in.at("2026-01-05 09:00:00")
		first := <-got
		_, path, _ := strings.Cut(invoice.At("@uri"), "/api/v1/")
		if !strings.HasPrefix(first, "evt_") || !strings.Contains(first, "<type>invoice.created</type>") || !strings.Contains(first, "/api/v1/"+path+`"`) {
			t.Errorf("posted was %s", first)
		}
		delivery := in.api.List(hook.At("@uri") + "/deliveries")[0]
		equal(t, "the delivery", delivery.At("@status"), "delivered")

		down.Store(true)
		in.api.invoice(t, invoiceOf{customer: in.api.customer(t, "Per Nordmann"), days: 14, net: "1000.00", method: "PAPER"})
		in.at("2026-01-06 09:00:00")
		equal(t, "attempts while it was down", tried.Load(), int64(1+7))
		equal(t, "deliveries that wait", len(in.api.List(hook.At("@uri")+"/deliveries?status=pending")), 1)
		down.Store(false)
		in.at("2026-01-07 09:00:00")
		second := <-got

		in.api.send(t, call{method: "POST", path: delivery.At("@uri") + "/redeliver"}).Is(http.StatusOK)
		in.at("2026-01-07 09:00:01")
		equal(t, "what was redelivered", <-got, first)
		equal(t, "further posts", len(got), 0)
		if second == first {
			t.Error("the second invoice was posted as the first")
		}
	})
}

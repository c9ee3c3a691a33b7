package webhook_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"purr/internal/clock"
	"purr/mailer/webhook"
	"purr/models"
	"purr/test/testkit"
)

// patience is for endpoints that answer.
const patience = testkit.Patience

// endpoint starts an endpoint that answers as it is told, and returns its URL.
func endpoint(t *testing.T, answer http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return server.URL
}

func message(url string, secrets ...models.Secret) webhook.Message {
	if secrets == nil {
		secrets = []models.Secret{webhook.NewSecret()}
	}
	return webhook.Message{ID: "evt_17", URL: url, Secrets: secrets, Body: "<event>æøå</event>"}
}

// delivery is what an endpoint got.
type delivery struct {
	method, path, body string
	header             http.Header
}

func TestE7AnEndpointVerifiesTheSignature(t *testing.T) {
	t.Parallel()
	got := make(chan delivery, 1)
	url := endpoint(t, func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		got <- delivery{r.Method, r.URL.String(), string(body), r.Header}
	})
	before, fresh, foreign := webhook.NewSecret(), webhook.NewSecret(), webhook.NewSecret()
	sender := webhook.NewSender(patience, clock.System{}, true)
	for _, test := range []struct {
		why      string
		secrets  []models.Secret
		verifier models.Secret
		want     bool
	}{
		{"by its secret", []models.Secret{fresh}, fresh, true},
		{"while it still has the old one", []models.Secret{fresh, before}, before, true},
		{"when it has the new one already", []models.Secret{fresh, before}, fresh, true},
		{"not by another's", []models.Secret{fresh, before}, foreign, false},
	} {
		t.Run(test.why, func(t *testing.T) {
			m := message(url+"/purr?shop=1", test.secrets...)
			if a := sender.Post(t.Context(), m); a != (webhook.Answer{Outcome: webhook.Delivered, Status: 200}) {
				t.Fatalf("it came to %+v", a)
			}
			d := <-got
			if d.method != "POST" || d.path != "/purr?shop=1" || d.body != m.Body {
				t.Errorf("the endpoint got %s %s: %s", d.method, d.path, d.body)
			}
			for name, want := range map[string]string{"Content-Type": "application/xml; charset=utf-8", "User-Agent": "purr", "Webhook-Id": "evt_17"} {
				if d.header.Get(name) != want {
					t.Errorf("%s is %q", name, d.header.Get(name))
				}
			}
			verifier, err := standardwebhooks.NewWebhook(string(test.verifier))
			if err != nil {
				t.Fatal(err)
			}
			if err := verifier.Verify([]byte(d.body), d.header); (err == nil) != test.want {
				t.Errorf("verifying: %v", err)
			}
			if err := verifier.Verify([]byte(d.body+" "), d.header); err == nil {
				t.Error("another body was verified")
			}
		})
	}
}

func TestE7WhatAnswersComeTo(t *testing.T) {
	t.Parallel()
	const gone, retry, delivered = webhook.Gone, webhook.Retry, webhook.Delivered
	noon := time.Date(2026, time.March, 2, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		status     int
		retryAfter string
		want       webhook.Outcome
		pause      time.Duration
		failure    string
	}{
		{200, "", delivered, 0, ""},
		{204, "60", delivered, 0, ""},
		{299, "", delivered, 0, ""},
		{301, "", retry, 0, "status_301"},
		{308, "", retry, 0, "status_308"},
		{400, "", retry, 0, "status_400"},
		{401, "60", retry, 0, "status_401"},
		{404, "", retry, 0, "status_404"},
		{410, "", gone, 0, "status_410"},
		{429, "", retry, 0, "status_429"},
		{429, "60", retry, time.Minute, "status_429"},
		{429, "99999999999999", retry, time.Hour, "status_429"},
		{429, "soon", retry, 0, "status_429"},
		{429, "-5", retry, 0, "status_429"},
		{500, "60", retry, 0, "status_500"},
		{503, "Mon, 02 Mar 2026 12:00:07 GMT", retry, 7 * time.Second, "status_503"},
		{503, "Mon, 02 Mar 2026 11:00:00 GMT", retry, 0, "status_503"},
		{503, "Tue, 03 Mar 2026 12:00:00 GMT", retry, time.Hour, "status_503"},
		{599, "", retry, 0, "status_599"},
	} {
		url := endpoint(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", test.retryAfter)
			w.WriteHeader(test.status)
		})
		got := webhook.NewSender(patience, clock.NewTest(noon), true).Post(t.Context(), message(url))
		want := webhook.Answer{Outcome: test.want, Status: test.status, Failure: test.failure, Pause: test.pause}
		if got != want {
			t.Errorf("%d, Retry-After %q, comes to\n %+v, want\n %+v", test.status, test.retryAfter, got, want)
		}
	}
}

func TestE7ARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	var followed atomic.Int64
	elsewhere := endpoint(t, func(http.ResponseWriter, *http.Request) { followed.Add(1) })
	for _, location := range []string{elsewhere, "http://[broken"} {
		url := endpoint(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", location)
			w.WriteHeader(http.StatusTemporaryRedirect)
		})
		a := webhook.NewSender(patience, clock.System{}, true).Post(t.Context(), message(url))
		if a.Outcome != webhook.Retry || a.Status != 307 || followed.Load() != 0 {
			t.Errorf("to %s: %+v, followed %d times", location, a, followed.Load())
		}
	}
}

func TestE7AnEndpointThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	const short = 50 * time.Millisecond
	over := make(chan struct{})
	defer close(over)
	hangs := endpoint(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body)
		<-over
	})
	hangsUp := endpoint(t, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	closed := httptest.NewServer(nil)
	closed.Close()
	for _, test := range []struct {
		why, url string
		timeout  time.Duration
		failure  string
	}{
		{"one that hangs", hangs, short, "timeout"},
		{"one that hangs up", hangsUp, patience, "no_answer"},
		{"nobody is there", closed.URL, patience, "refused"},
		{"no such scheme", "gopher://127.0.0.1", patience, "no_answer"},
		{"no URL", "http://[broken?token=hush", patience, "not_sendable"},
		{"a very long host", "http://" + strings.Repeat("x", 600) + ".invalid", patience, ""},
	} {
		a := webhook.NewSender(test.timeout, clock.System{}, true).Post(t.Context(), message(test.url))
		if a.Outcome != webhook.Retry || a.Status != 0 || !strings.Contains(a.Failure, test.failure) || strings.Contains(a.Failure, "hush") {
			t.Errorf("%s: %+v", test.why, a)
		}
		if n := len([]rune(a.Failure)); n > 500 {
			t.Errorf("%s: %d characters are kept", test.why, n)
		}
	}
}

// An endpoint that has answered 200 has accepted the message, whatever follows.
func TestE7AnAnswerWithoutEndIsAnAnswer(t *testing.T) {
	t.Parallel()
	over := make(chan struct{})
	defer close(over)
	url := endpoint(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		<-over
	})
	if a := webhook.NewSender(200*time.Millisecond, clock.System{}, true).Post(t.Context(), message(url)); a.Outcome != webhook.Delivered {
		t.Errorf("it came to %+v", a)
	}
}

func TestE7ASecretThatIsNoneIsNotSentWith(t *testing.T) {
	t.Parallel()
	var got atomic.Int64
	url := endpoint(t, func(http.ResponseWriter, *http.Request) { got.Add(1) })
	a := webhook.NewSender(patience, clock.System{}, true).Post(t.Context(), message(url, "whsec_!"))
	if a.Outcome != webhook.Retry || a.Failure == "" || got.Load() != 0 {
		t.Errorf("it came to %+v", a)
	}
}

func TestE7SecretsDiffer(t *testing.T) {
	t.Parallel()
	a, b := string(webhook.NewSecret()), string(webhook.NewSecret())
	if a == b || !strings.HasPrefix(a, "whsec_") || len(a) != len("whsec_")+44 {
		t.Errorf("secrets are %s and %s", a, b)
	}
}

func TestE7Bodies(t *testing.T) {
	t.Parallel()
	e := models.Event{
		ID: 17, At: time.Date(2026, time.July, 1, 22, 30, 0, 0, time.UTC), Type: models.EventPaymentReceived,
		InvoiceID: 3, CustomerID: 4, SubjectID: 5, Text: "Paid by Øst & Vest", Data: `{"amount":"1.00"}`,
	}
	for _, test := range []struct {
		base string
		e    models.Event
		want string
	}{
		{
			"https://faktura.example.no/purr", e,
			`<event id="17"><at>2026-07-02 00:30:00</at><type>payment.received</type><invoice uri="https://faktura.example.no/purr/api/v1/invoice/3"></invoice>` +
				`<customer uri="https://faktura.example.no/purr/api/v1/customer/4"></customer><subject_id>5</subject_id>` +
				`<text>Paid by Øst &amp; Vest</text><data>{&#34;amount&#34;:&#34;1.00&#34;}</data></event>`,
		},
		{
			"",
			models.Event{ID: 18, At: e.At, Type: models.EventInvoiceOverdue, InvoiceID: 3},
			`<event id="18"><at>2026-07-02 00:30:00</at><type>invoice.overdue</type><invoice uri="/api/v1/invoice/3"></invoice><subject_id>0</subject_id><text></text></event>`,
		},
	} {
		got, err := webhook.Body(test.e, test.base, models.Creditor{TimeZone: "Europe/Oslo"}, false)
		if want := "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + test.want + "\n"; err != nil || got != want {
			t.Errorf("the body is\n%s, want\n%s", got, want)
		}
	}
}

// A name is judged by what it resolves to, at each connection. Nothing is connected to.
func TestO10APrivateAddressIsNotPostedTo(t *testing.T) {
	t.Parallel()
	called := false
	url := endpoint(t, func(http.ResponseWriter, *http.Request) { called = true })
	for _, u := range []string{url, strings.Replace(url, "127.0.0.1", "localhost", 1)} {
		a := webhook.NewSender(patience, clock.System{}, false).Post(t.Context(), message(u))
		if a != (webhook.Answer{Failure: "private_address"}) || called {
			t.Errorf("%s: it came to %+v", u, a)
		}
	}
}

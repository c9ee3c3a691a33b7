package conformance_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/test/testkit/house"
)

// TestE7Events reads the audit log: oldest first, and from a given event on.
func TestE7Events(t *testing.T) {
	eachDatabase(t, func(t *testing.T, in *installation) {
		c := in.creditor(t)
		customer := c.customer()
		c.Put(customer.URI(), tag("customer", tag("name2", "x"))).Is(200)
		c.Delete(customer.URI()).Is(http.StatusNoContent)
		events := c.List("/events")
		same(t, "types", texts(events, "type"), []string{"creditor.created", "key.created", "customer.created", "customer.changed", "customer.deleted"})
		for i, e := range events {
			if i < 2 { // how the test's creditor came to be
				continue
			}
			consists := "@id at type actor customer subject_id text"
			if e.At("type") == "customer.changed" {
				consists += " data"
			}
			e.ConsistsOf(consists).Shows("customer/@uri "+customer.URI(), "at "+in.App.Clock.Now().In(oslo).Format(time.DateTime))
			after := c.List("/events?after=" + e.At("@id"))
			same(t, "types after "+e.At("type"), texts(after, "type"), texts(events[i+1:], "type"))
		}
		same(t, "types after none", texts(c.List("/events?after=0"), "type"), texts(events, "type"))
		for _, wrong := range []string{"x", "-1", "1.5"} {
			c.Get("/events?after="+wrong).Refused(400, "invalid_id after")
		}
		c.Send(http.MethodDelete, "/events", "").Refused(405, "method_not_allowed")
	})
}

// TestE7Webhooks posts events to an endpoint that is away at first: signed, tried again with growing pauses, the
// same message each time, and only what was asked for.
func TestE7Webhooks(t *testing.T) {
	overTime(t, func(t *testing.T, in *installation) {
		in.at(t, "2024-01-06 00:01")
		c := in.creditor(t)
		endpoint := newEndpoint(t, 3)
		hook := c.Post("/webhooks", tag("webhook", tag("url", endpoint.url), tag("event_types", tag("event_type", "customer.created")))).Created()
		secret := hook.At("secret")
		hook.Shows("url "+endpoint.url, "enabled 1", "event_types/event_type customer.created")
		c.again(hook).Shows("no secret", "url "+endpoint.url)
		customer := c.customer()
		c.Put(customer.URI(), tag("customer", tag("name2", "x"))).Is(200)

		in.at(t, "2024-01-07 00:01")
		delivery := c.Get(hook.URI() + "/deliveries").Shown().Only("webhook_delivery")
		// 5 seconds, 5 minutes and 30 minutes after the failures.
		delivery.Shows("@status delivered", "attempts 4", "event_type customer.created", "delivered_at 2024-01-06 00:36:05", "webhook/@uri "+hook.URI())
		messages := endpoint.received()
		equal(t, "number of attempts", len(messages), 4)
		for _, m := range messages {
			m.mustBeSigned(t, secret)
			equal(t, "webhook-id", m.header.Get("Webhook-Id"), delivery.At("message_id"))
			equal(t, "body", m.body, messages[0].body)
		}
		house.Parse(t, []byte(messages[0].body)).Shows("@id "+delivery.At("event_id"), "type customer.created", "customer/@uri "+strings.TrimPrefix(customer.URI(), in.App.URL))

		// A new secret, beside which the old one signs for a while.
		renewed := c.Post(hook.URI()+"/secret", "").Shown().At("secret")
		c.Post(delivery.URI()+"/redeliver", "").Is(200)
		eventually(t, "it is delivered again", func() (bool, any) {
			n := len(endpoint.received())
			return n == 5, strconv.Itoa(n)
		})
		again := endpoint.received()[4]
		again.mustBeSigned(t, secret)
		again.mustBeSigned(t, renewed)

		c.Put(hook.URI(), tag("webhook", tag("enabled", "0"))).Shown().Shows("enabled 0", "url "+endpoint.url)
		c.Post("/webhooks", tag("webhook", tag("url", "ftp://example.no"), tag("event_types", tag("event_type", "x")))).
			Refused(422, "invalid_url url", "unknown_event_type event_types/event_type[1]")
		c.Delete(hook.URI()).Is(http.StatusNoContent)
		c.Get(hook.URI()).Refused(404, "not_found")
		equal(t, "number of webhooks", len(c.List("/webhooks")), 0)
	})
}

// endpoint is where webhooks are posted to.
type endpoint struct {
	url  string
	away int // how many posts are answered 500 before it is there

	mu   sync.Mutex
	seen []message
}

// message is what was posted to an endpoint.
type message struct {
	header http.Header
	body   string
}

func newEndpoint(t *testing.T, away int) *endpoint {
	t.Helper()
	e := &endpoint{away: away}
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	e.url = server.URL + "/purr"
	return e
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.seen = append(e.seen, message{r.Header, string(body)})
	if err != nil || len(e.seen) <= e.away {
		w.WriteHeader(http.StatusInternalServerError)
	}
}

func (e *endpoint) received() []message {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]message{}, e.seen...)
}

// mustBeSigned checks a signature as the Standard Webhooks specification has it: HMAC-SHA256 with the secret after
// whsec_ over ID, timestamp and body, among the signatures of version 1.
func (m message) mustBeSigned(t *testing.T, secret string) {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	must(t, err)
	stamp := m.header.Get("Webhook-Timestamp")
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(m.header.Get("Webhook-Id") + "." + stamp + "." + m.body))
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	if signatures := m.header.Get("Webhook-Signature"); !strings.Contains(" "+signatures+" ", " "+want+" ") {
		t.Errorf("signed as %q, want %q among it", signatures, want)
	}
	if at, err := strconv.ParseInt(stamp, 10, 64); err != nil || time.Since(time.Unix(at, 0)).Abs() > 5*time.Minute {
		t.Errorf("the timestamp is %q", stamp) // an endpoint would take it for a replay
	}
}

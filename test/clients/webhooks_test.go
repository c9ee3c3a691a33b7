package clients_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"purr/internal/clock"
	"purr/test/testkit"
)

// post is a message to a webhook.
type post struct {
	header http.Header
	body   []byte
}

// endpoint is where purr posts to: it passes each message on to the client, and keeps it.
type endpoint struct {
	t   *testing.T
	url string
	got chan post // what purr has posted, when the client has answered

	mu sync.Mutex
	to string
}

func newEndpoint(t *testing.T) *endpoint {
	t.Helper()
	e := &endpoint{t: t, got: make(chan post, 10)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		p := post{r.Header.Clone(), body}
		w.WriteHeader(e.send(p))
		e.got <- p
	}))
	t.Cleanup(server.Close)
	e.url = server.URL
	return e
}

// leadTo says where the client listens.
func (e *endpoint) leadTo(address string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.to = address
}

// send posts a message to the client, and returns the status of its answer.
func (e *endpoint) send(p post) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	r, err := http.NewRequestWithContext(e.t.Context(), http.MethodPost, e.to, bytes.NewReader(p.body))
	if err != nil {
		e.t.Error(err)
		return http.StatusBadGateway
	}
	r.Header = p.header
	got, err := http.DefaultClient.Do(r)
	if err != nil {
		e.t.Error(err)
		return http.StatusBadGateway
	}
	got.Body.Close()
	return got.StatusCode
}

// signed returns a message that is signed at a moment, by each of the secrets.
func signed(t *testing.T, id string, at time.Time, secrets ...string) post {
	t.Helper()
	p := post{http.Header{}, []byte(`<event id="1"><text>æøå</text></event>`)}
	var signatures []string
	for _, secret := range secrets {
		signer, err := standardwebhooks.NewWebhook(secret)
		must(t, err)
		signature, err := signer.Sign(id, at, p.body)
		must(t, err)
		signatures = append(signatures, signature)
	}
	p.header.Set("webhook-id", id)
	p.header.Set("webhook-timestamp", strconv.FormatInt(at.Unix(), 10))
	p.header.Set("webhook-signature", strings.Join(signatures, " "))
	return p
}

// with returns the message with another header; without a value it lacks it.
func (p post) with(name, value string) post {
	p.header = p.header.Clone()
	p.header.Set(name, value)
	if value == "" {
		p.header.Del(name)
	}
	return p
}

// TestJ5TakesWebhooks: what purr posts is taken, each event once, also while an old secret counts; what is not purr's, or old, is not.
func TestJ5TakesWebhooks(t *testing.T) {
	eachLanguage(t, func(t *testing.T, c *client) {
		e := newEndpoint(t)
		hook := c.in.ask("POST", "/webhooks", `{"url": "`+e.url+`", "event_types": ["invoice.created"], "format": "json"}`)
		secret := hook["secret"].(string)
		address, said, stop := c.listen(secret)
		e.leadTo(address)

		c.write("order.json", anOrder)
		c.run(0, "order", "order.json")
		first := testkit.Await(t, "purr posts", e.got)
		told(t, said, first)
		if media := first.header.Get("Content-Type"); media != "application/json" || !bytes.HasPrefix(first.body, []byte(`{"type":"invoice.created"`)) {
			t.Errorf("posted in JSON: %s %s", media, first.body)
		}

		_, path, _ := strings.Cut(hook["uri"].(string), "/api/v1")
		fresh := c.in.ask("POST", path+"/secret", "{}")["secret"].(string)
		c.in.ask("PUT", path, `{"format": null}`)
		c.write("second.json", anOrder)
		c.run(0, "order", "second.json")
		second := testkit.Await(t, "purr posts by both secrets", e.got)
		if n := len(strings.Fields(second.header.Get("webhook-signature"))); n != 2 {
			t.Errorf("%d signatures", n)
		}
		if media := second.header.Get("Content-Type"); !strings.HasPrefix(media, "application/xml") || !bytes.Contains(second.body, []byte("<type>invoice.created</type>")) {
			t.Errorf("posted in XML: %s %s", media, second.body)
		}
		told(t, said, first, second)

		now := clock.System{}.Now()
		right := signed(t, "evt_made_up", now, secret)
		for why, p := range map[string]post{
			"another body":          {second.header, append(second.body[:len(second.body):len(second.body)], ' ')},
			"another id":            second.with("webhook-id", "evt_7000"),
			"another time":          second.with("webhook-timestamp", strconv.FormatInt(now.Unix()+60, 10)),
			"no id":                 second.with("webhook-id", ""),
			"no time":               second.with("webhook-timestamp", ""),
			"no signature":          second.with("webhook-signature", ""),
			"a word for a time":     second.with("webhook-timestamp", "now"),
			"another's secret":      signed(t, "evt_1", now, fresh),
			"another scheme":        right.with("webhook-signature", strings.Replace(right.header.Get("webhook-signature"), "v1,", "v1a,", 1)),
			"a cut signature":       right.with("webhook-signature", right.header.Get("webhook-signature")[:20]),
			"six minutes ago":       signed(t, "evt_1", now.Add(-6*time.Minute), secret),
			"in six minutes":        signed(t, "evt_1", now.Add(6*time.Minute), secret),
			"a signature of no key": signed(t, "evt_1", now, "whsec_"),
		} {
			if status := e.send(p); status != http.StatusUnauthorized {
				t.Errorf("%s: answered %d", why, status)
			}
		}
		told(t, said, first, second)

		// The same again is taken, so that purr tries no more; but nothing is done. So it is after a restart.
		for _, p := range []post{first, second} {
			if status := e.send(p); status != http.StatusNoContent {
				t.Errorf("a replay is answered %d", status)
			}
		}
		told(t, said, first, second)
		stop()
		address, said, _ = c.listen(fresh)
		e.leadTo(address)
		third := signed(t, "evt_9000", clock.System{}.Now(), secret, fresh)
		for _, p := range []post{second, third, third} {
			if status := e.send(p); status != http.StatusNoContent {
				t.Errorf("after a restart a message is answered %d", status)
			}
		}
		told(t, said, third)
	})
}

// told fails the test unless a client has told of these messages, each once.
func told(t *testing.T, said *testkit.Log, posts ...post) {
	t.Helper()
	var want strings.Builder
	for _, p := range posts {
		fmt.Fprintf(&want, "webhook %s\n", p.header.Get("webhook-id"))
	}
	eventually(t, "it tells", func() (bool, any) {
		lines := strings.Join(append(said.Lines("webhook "), ""), "\n")
		return len(lines) >= want.Len(), lines
	})
	if lines := strings.Join(append(said.Lines("webhook "), ""), "\n"); lines != want.String() {
		t.Errorf("it told\n%swant\n%s", lines, &want)
	}
}

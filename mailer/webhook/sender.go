// Package webhook posts events to the endpoints of creditors, signed as the Standard Webhooks specification says
// (rule E7), and returns the outcome. It knows nothing of the database or the queue: its callers decide what to
// post and when to try again. It also has the forms of an event, which package api shows.
package webhook

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"purr/internal/address"
	"purr/internal/clock"
	"purr/models"
)

// Timeout is how long an endpoint may take from the call to its answer, as the specification suggests.
const Timeout = 15 * time.Second

// Message is one event on its way to one endpoint.
type Message struct {
	ID      string // see MessageID
	URL     string
	Secrets []models.Secret // each signs
	Body    string          // see Body
}

// Sender posts messages. It is safe for concurrent use.
type Sender struct {
	transport *http.Transport
	timeout   time.Duration
	wall      clock.Clock
}

// NewSender returns a sender that waits for an endpoint for at most the timeout. wall is the real time, even if
// the program has a test clock: an endpoint compares a message's timestamp with its own clock. The sender connects to
// public addresses only, unless private is set (rule O10). Only then it uses the proxy of the environment, behind which
// it could not see an endpoint's address.
func NewSender(timeout time.Duration, wall clock.Clock, private bool) *Sender {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute}
	if !private {
		address.TransportToPublic(transport)
	}
	return &Sender{transport: transport, timeout: timeout, wall: wall}
}

// drained is how many bytes of an answer's body are read and discarded, so that the connection can be used again.
const drained = 16 << 10

// Post posts a message and returns the outcome. It follows no redirects. It uses no http.Client, because that puts
// the URL into its errors, and a URL may hold a secret of the endpoint.
func (s *Sender) Post(ctx context.Context, m Message) Answer {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	request, err := s.request(ctx, m)
	if err != nil {
		return Answer{Failure: "not_sendable"}
	}
	response, err := s.transport.RoundTrip(request)
	if err != nil {
		return Answer{Failure: wordFor(err)}
	}
	defer response.Body.Close()
	_, _ = io.CopyN(io.Discard, response.Body, drained) // the status alone decides
	return judge(response, s.wall.Now())
}

// Reach returns nil if an endpoint answers, whatever it says. It asks by HEAD, which changes nothing, and its error shows no URL.
func (s *Sender) Reach(ctx context.Context, url string) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodHead, url, nil)
	if err != nil {
		return errors.New("the webhook's URL cannot be read")
	}
	response, err := s.transport.RoundTrip(r)
	if err != nil {
		return errors.New("it does not answer: " + wordFor(err))
	}
	return response.Body.Close()
}

func (s *Sender) request(ctx context.Context, m Message) (*http.Request, error) {
	now := s.wall.Now()
	signatures, err := sign(m, now)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, m.URL, strings.NewReader(m.Body))
	if err != nil {
		return nil, errors.New("the webhook's URL cannot be read")
	}
	r.Header.Set("Content-Type", "application/xml; charset=utf-8")
	if IsJSON(m.Body) {
		r.Header.Set("Content-Type", "application/json")
	}
	r.Header.Set("User-Agent", "purr")
	r.Header.Set(standardwebhooks.HeaderWebhookID, m.ID)
	r.Header.Set(standardwebhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	r.Header.Set(standardwebhooks.HeaderWebhookSignature, signatures)
	return r, nil
}

package rest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"purr/internal/address"
	"purr/models"
)

// Longest is the longest time that Send may take.
const Longest = answerTimeout + bodyTimeout

// How long a provider may take.
const (
	answerTimeout = 60 * time.Second // from the call to the beginning of the answer
	bodyTimeout   = 10 * time.Second // to the end of the answer
)

// maxAnswer is how many bytes of an answer are read.
const maxAnswer = 64 << 10

// Service is a provider's interface. It is safe for concurrent use.
type Service struct {
	template  *Template
	transport *http.Transport
}

// NewService returns the interface that the template describes. It does not connect.
func NewService(t *Template) *Service {
	return &Service{t, &http.Transport{
		Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true, MaxIdleConnsPerHost: 4, IdleConnTimeout: time.Minute,
		DisableCompression: true, MaxResponseHeaderBytes: maxAnswer,
	}}
}

// OnlyPublic lets only public addresses be connected to. It is called before the service is used.
func (s *Service) OnlyPublic() { address.TransportToPublic(s.transport) }

// String returns the address of the interface without what may be secret.
func (s *Service) String() string { return s.template.base() + "/" }

// GoString returns what String does, so that no form of printing shows the secret.
func (s *Service) GoString() string { return s.String() }

// base returns the URL up to its host.
func (t *Template) base() string {
	u, err := url.Parse(t.path[0].literal)
	if err != nil {
		panic(err) // Parse has read it
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host}).String()
}

// Send hands a document to the provider and returns the receipt once an answer of 2xx has accepted it; without a receipt
// in it, the answer's status. It fails with models.KindUnavailable without an answer, and after 408, 425, 429 and 5xx: the
// next attempt sends the same texts. All other answers are refusals, for a fault of the settings if any
// document would be refused so. It follows no redirects.
func (s *Service) Send(ctx context.Context, document Words) (receipt string, err error) {
	r, err := s.do(ctx, s.template.call, document)
	if err != nil {
		return "", err
	}
	return s.judge(r, document)
}

// reply is an answer of the provider.
type reply struct {
	*http.Response
	body       []byte // as far as it came
	incomplete error  // why the rest did not
}

// do sends a request of the template, and reads the answer.
func (s *Service) do(ctx context.Context, c call, document Words) (reply, error) {
	filled, err := s.template.fill(c, document)
	if err != nil {
		return reply{}, models.Refuse(models.BlameRecipient, nil, "the template cannot be filled: %s", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	timeout := time.AfterFunc(answerTimeout, cancel)
	defer timeout.Stop()
	request, err := http.NewRequestWithContext(ctx, filled.Method, filled.URL, strings.NewReader(filled.Body))
	if err != nil {
		return reply{}, models.Refuse(models.BlameRecipient, nil, "the template's URL cannot be read")
	}
	request.Header = filled.Headers
	if s.CanBeAsked() && filled.Body != "" {
		request.GetBody = nil // else the transport itself sends again what has an idempotency key, and nobody was asked before
	}
	response, err := s.transport.RoundTrip(request) // no http.Client, because that puts the URL into its errors
	if err != nil {
		return reply{}, s.unavailable(err)
	}
	defer response.Body.Close()
	timeout.Reset(bodyTimeout)
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	return reply{response, body, err}, nil
}

// judge says what an answer means. The status alone decides: what was accepted stays so, even if the rest of the answer
// did not come. But the template may name the words of a provider that does not know the recipient, and where an answer repeats the
// reference of the document: one that names another accepts nothing.
func (s *Service) judge(r reply, document Words) (receipt string, err error) {
	switch status := r.StatusCode; {
	case again(status):
		return "", s.unavailable(s.refusal(r))
	case s.template.knowsNone(r):
		return "", s.noRecipient(r)
	case status/100 == 2:
		if err := s.ofAnother(r, document); err != nil {
			return "", err
		}
		receipt, err := s.template.receipt.of(r.Header, r.body)
		if r.incomplete != nil || err != nil || strings.TrimSpace(receipt) == "" {
			return r.Status, nil //nolint:nilerr // it is accepted
		}
		return receipt, nil
	}
	blame := models.BlameRecipient
	if ofTheSettings(r.StatusCode) {
		blame = models.BlameSettings
	}
	return "", models.Refuse(blame, s.refusal(r), "%s refused it", s)
}

// again reports whether a status asks for another attempt.
func again(status int) bool {
	return status/100 == 5 || slices.Contains([]int{http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests}, status)
}

// ofTheSettings reports whether a status refuses whoever asks so, and not the one document: a wrong secret, or a wrong URL.
func ofTheSettings(status int) bool {
	return status/100 == 3 || slices.Contains([]int{
		http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusProxyAuthRequired,
	}, status)
}

func (s *Service) unavailable(err error) error { return models.Unavailable(s.String(), err) }

// Refusal is an answer that accepts nothing.
type Refusal struct {
	Status string // such as "422 Unprocessable Entity"
	Text   string // the beginning of the answer's body; it may repeat what was sent
}

// shown is how many characters of an answer a refusal shows.
const shown = 300

func (s *Service) refusal(r reply) *Refusal {
	text := string(r.body)
	if s.template.secret != "" {
		text = strings.ReplaceAll(text, s.template.secret, "…")
	}
	return &Refusal{models.Foreign(r.Status, shown), models.Foreign(text, shown)}
}

// Error returns the status and the text.
func (r *Refusal) Error() string {
	if r.Text == "" {
		return "it answered " + r.Status
	}
	return fmt.Sprintf("it answered %s: %s", r.Status, r.Text)
}

// Check returns nil if the provider's server answers, without sending it anything.
func (s *Service) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, bodyTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, s.String(), nil)
	if err != nil {
		return err
	}
	response, err := s.transport.RoundTrip(request)
	if err != nil {
		return s.unavailable(err)
	}
	if response.StatusCode/100 == 5 {
		err = s.unavailable(errors.New("it answered " + response.Status))
	}
	return errors.Join(err, response.Body.Close())
}

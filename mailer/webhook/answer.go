package webhook

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"purr/internal/address"
)

// Outcome says how an attempt to post a message ended.
type Outcome int

// The outcomes.
const (
	Retry     Outcome = iota // it failed and must be tried again
	Delivered                // the endpoint took the message
	Gone                     // the endpoint wants no more messages
)

// Answer is the result of posting a message.
type Answer struct {
	Outcome Outcome
	Status  int           // of HTTP; 0 if no answer came
	Failure string        // one word for what went wrong, such as timeout or status_500 (rule O10); empty if nothing did
	Pause   time.Duration // the shortest pause that the endpoint asks for; at most an hour
}

// judge says what an answer means: 2xx is delivered, 410 is gone, and anything else must be tried again. Post
// follows no redirect.
func judge(response *http.Response, now time.Time) Answer {
	status := response.StatusCode
	a := Answer{Status: status, Failure: "status_" + strconv.Itoa(status)}
	switch {
	case status/100 == 2:
		return Answer{Outcome: Delivered, Status: status}
	case status == http.StatusGone:
		a.Outcome = Gone
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		a.Pause = retryAfter(response.Header.Get("Retry-After"), now)
	}
	return a
}

// wordFor returns the word for what went wrong before an answer came. Errors themselves are not shown: they say much about
// the network that purr stands in.
func wordFor(err error) string {
	var name *net.DNSError
	var record tls.RecordHeaderError
	var unverified *tls.CertificateVerificationError
	var alert tls.AlertError
	var network net.Error
	switch {
	case errors.Is(err, address.ErrPrivate):
		return "private_address"
	case errors.As(err, &name) && name.IsNotFound:
		return "no_such_host"
	case errors.As(err, &name):
		return "name_lookup_failed"
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &network) && network.Timeout():
		return "timeout"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "refused"
	case errors.As(err, &record), errors.As(err, &unverified), errors.As(err, &alert):
		return "tls"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "unreachable"
	}
	return "no_answer"
}

// maxRetryAfter is the longest pause that an endpoint can ask for.
const maxRetryAfter = time.Hour

// retryAfter reads the header Retry-After: seconds, or a date (RFC 9110, section 10.2.3).
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseUint(header, 10, 63); err == nil {
		return time.Duration(min(seconds, uint64(maxRetryAfter/time.Second))) * time.Second
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return max(0, min(at.Sub(now), maxRetryAfter))
}

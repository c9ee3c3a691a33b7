package webhook

import (
	"fmt"
	"net/http"
	"strconv"
	"time"
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
	Failure string        // the reason if it was not delivered, at most 500 characters
	Pause   time.Duration // the shortest pause that the endpoint asks for; at most an hour
}

// judge says what an answer means: 2xx is delivered, 410 is gone, and anything else must be tried again. Post
// follows no redirect.
func judge(response *http.Response, now time.Time) Answer {
	status := response.StatusCode
	a := Answer{Status: status, Failure: "the endpoint answered " + statusText(status)}
	switch {
	case status/100 == 2:
		return Answer{Outcome: Delivered, Status: status}
	case status/100 == 3:
		a.Failure += ", and redirects are not followed"
	case status == http.StatusGone:
		a.Outcome = Gone
	case status == http.StatusTooManyRequests, status == http.StatusServiceUnavailable:
		a.Pause = retryAfter(response.Header.Get("Retry-After"), now)
	}
	return a
}

func statusText(status int) string {
	if text := http.StatusText(status); text != "" {
		return fmt.Sprintf("%d %s", status, text)
	}
	return strconv.Itoa(status)
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

// maxFailure is how many characters of a failure are kept.
const maxFailure = 500

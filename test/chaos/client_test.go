//go:build chaos

package chaos_test

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"purr/test/testkit/house"
)

// answerWithin is how long a call may take to be answered, whatever fails (rule O7), and some time for a busy machine.
const (
	answerWithin = 20 * time.Second
	slack        = 5 * time.Second
)

// call is a request. A path begins below /api/v1.
type call struct {
	method, path, body string
	key                string // the Idempotency-Key; none if it is empty
	media              string // the Content-Type; XML if it is empty
}

// answer is what came back.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// errNobody means that no process listens.
var errNobody = errors.New("no API listens")

// send makes the call once, to any API.
func (r *round) send(ctx context.Context, apiKey string, c call) (answer, error) {
	base := r.gate.url()
	if base == "" {
		return answer{}, errNobody
	}
	request, err := http.NewRequestWithContext(ctx, c.method, base+"/api/v1"+c.path, strings.NewReader(c.body))
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("Authorization", "Bearer "+apiKey)
	if c.body != "" {
		request.Header.Set("Content-Type", or(c.media, "application/xml"))
	}
	if c.key != "" {
		request.Header.Set("Idempotency-Key", c.key)
	}
	began := time.Now()
	got, err := r.http.Do(request)
	if err != nil {
		r.judgeTime(c, began, err.Error())
		return answer{}, err
	}
	defer got.Body.Close()
	body, err := io.ReadAll(got.Body)
	r.judgeTime(c, began, got.Status)
	if err != nil {
		return answer{}, err
	}
	r.calls.Add(1)
	r.mu.Lock()
	r.answered = time.Now()
	r.mu.Unlock()
	if got.StatusCode == http.StatusInternalServerError {
		r.find("%s %s was answered 500: %s", c.method, c.path, code(body))
	}
	if got.StatusCode == http.StatusServiceUnavailable && got.Header.Get("Retry-After") == "" {
		r.find("%s %s was answered 503 without Retry-After", c.method, c.path)
	}
	return answer{got.StatusCode, got.Header, body}, nil
}

// judgeTime holds a call against the time that it may take. A process that was stopped by us answers later.
func (r *round) judgeTime(c call, began time.Time, outcome string) {
	took := time.Since(began)
	if took > answerWithin+slack && !r.moves(c) {
		r.find("%s %s took %s: %s", c.method, c.path, took.Round(100*time.Millisecond), outcome)
	}
}

// moves reports whether the call moves the test clock, which takes as long as the work of the days.
func (r *round) moves(c call) bool { return c.path == "/test_clock" }

// insist makes the call until it is answered, and returns false if it never is. An answer that asks for another try is
// none.
func (r *round) insist(apiKey string, c call) (answer, bool) {
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, 500*time.Millisecond) {
		a, err := r.send(r.patience, apiKey, c)
		if err == nil && !again(a) {
			return a, true
		}
		r.repeats.Add(1)
		if !pause(r.patience, wait) {
			last := code(a.body)
			if err != nil {
				last = err.Error()
			}
			r.find("%s %s was never answered, though all was put back for %s: %s", c.method, c.path, settleWithin, last)
			return answer{}, false
		}
	}
}

// again reports whether an answer asks for another try: purr is not ready, or the first try still runs (rule D9).
func again(a answer) bool {
	return slices.Contains([]int{
		http.StatusInternalServerError, http.StatusBadGateway, http.StatusServiceUnavailable,
		http.StatusGatewayTimeout, http.StatusInsufficientStorage, http.StatusTooManyRequests,
	}, a.status) || a.status == http.StatusConflict && strings.Contains(string(a.body), `code="idempotency_in_progress"`)
}

// code returns the code of the first error in an answer, or how the answer begins.
func code(body []byte) string {
	if _, after, found := strings.Cut(string(body), `code="`); found {
		code, _, _ := strings.Cut(after, `"`)
		return code
	}
	return fmt.Sprintf("%.200q", body)
}

// done reports whether the call did what it asked for.
func (a answer) done() bool { return a.status >= 200 && a.status < 300 }

// root reads the answer's XML.
func (r *round) root(a answer) house.Node {
	var e house.Element
	if err := xml.Unmarshal(a.body, &e); err != nil {
		r.find("an answer is not XML: %v: %.200s", err, a.body)
	}
	return house.Node{T: r.t, Element: &e}
}

// get returns the text at the path below the root, or nothing.
func get(n house.Node, path string) string {
	text, _ := n.Find(path)
	return text
}

// below returns what follows /api/v1 in a uri.
func below(uri string) string { return house.Below(uri) }

func idOf(uri string) string { return uri[strings.LastIndexByte(uri, '/')+1:] }

func or(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// pause waits, and reports false if the context ended first.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return ctx.Err() == nil
	}
}

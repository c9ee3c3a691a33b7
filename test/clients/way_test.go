package clients_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"purr/internal/clock"
	"purr/test/testkit/validate"
)

// fault is what the way between a client and purr does to a request.
type fault int

const (
	none    fault = iota
	busy          // it answers 503 itself
	limited       // it asks again and again, until purr says that the key asks too often
	held          // it passes the request on, and keeps the answer until the client is gone
	half          // it passes the request on, and loses half of the answer
)

// way is a proxy before purr that fails as it is told: one fault a request. Without faults it passes on.
type way struct {
	t    *testing.T
	in   *installation
	url  string
	http *http.Client
	took chan struct{} // told when purr has answered a request whose answer is held

	mu     sync.Mutex
	faults []fault
	seen   []*passed
}

// passed is a request that came.
type passed struct {
	what, key string        // method and path; the Idempotency-Key
	status    int           // that the client was told; 0 if it was told none
	after     time.Duration // the answer before it
	ended     time.Time
}

func newWay(t *testing.T, in *installation) *way {
	t.Helper()
	w := &way{t: t, in: in, http: &http.Client{Transport: validate.Transport(t, http.DefaultTransport)}, took: make(chan struct{}, 1)}
	server := httptest.NewServer(w)
	t.Cleanup(server.Close)
	w.url = server.URL + "/api/v1"
	return w
}

// will tells the faults of the next requests, and forgets those that came.
func (w *way) will(faults ...fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults, w.seen = faults, nil
}

// came returns the requests that came since.
func (w *way) came() (all []passed) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.seen {
		all = append(all, *p)
	}
	return all
}

func (w *way) ServeHTTP(to http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.t.Error(err)
	}
	w.mu.Lock()
	f := none
	if len(w.faults) > 0 {
		f, w.faults = w.faults[0], w.faults[1:]
	}
	p := &passed{what: r.Method + " " + strings.TrimPrefix(r.URL.Path, "/api/v1"), key: r.Header.Get("Idempotency-Key")}
	if n := len(w.seen); n > 0 {
		p.after = clock.System{}.Now().Sub(w.seen[n-1].ended)
	}
	w.seen = append(w.seen, p)
	w.mu.Unlock()

	status := w.pass(to, r, body, f)
	w.mu.Lock()
	p.status, p.ended = status, clock.System{}.Now()
	w.mu.Unlock()
	if status == 0 {
		panic(http.ErrAbortHandler)
	}
}

// pass answers a request, and returns with what status, 0 if the connection is to break.
func (w *way) pass(to http.ResponseWriter, r *http.Request, body []byte, f fault) int {
	if f == busy {
		to.Header().Set("Retry-After", "1")
		to.WriteHeader(http.StatusServiceUnavailable)
		return http.StatusServiceUnavailable
	}
	got, answer := w.onward(r, body)
	for f == limited && got != nil && got.StatusCode != http.StatusTooManyRequests {
		got, answer = w.onward(r, body)
	}
	switch {
	case got == nil:
		return 0
	case f == held:
		w.took <- struct{}{}
		<-r.Context().Done()
		return 0
	}
	for _, name := range []string{"Content-Type", "Retry-After"} {
		if value := got.Header.Get(name); value != "" {
			to.Header().Set(name, value)
		}
	}
	to.Header().Set("Content-Length", strconv.Itoa(len(answer)))
	to.WriteHeader(got.StatusCode)
	if f == half {
		answer = answer[:len(answer)/2]
	}
	if _, err := to.Write(answer); err != nil || f == half {
		return 0
	}
	return got.StatusCode
}

// onward asks purr, and returns its answer, nil if there is none.
func (w *way) onward(r *http.Request, body []byte) (*http.Response, []byte) {
	out, err := http.NewRequestWithContext(w.t.Context(), r.Method, w.in.base+strings.TrimPrefix(r.URL.RequestURI(), "/api/v1"), bytes.NewReader(body))
	if err != nil {
		w.t.Error(err)
		return nil, nil
	}
	out.Header = r.Header.Clone()
	got, err := w.http.Do(out)
	if err != nil {
		w.t.Error(err)
		return nil, nil
	}
	defer got.Body.Close()
	answer, err := io.ReadAll(got.Body)
	if err != nil {
		w.t.Error(err)
	}
	return got, answer
}

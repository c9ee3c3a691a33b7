//go:build chaos

package chaos_test

import (
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// sink takes what webhooks are sent, and counts it.
type sink struct {
	*httptest.Server
	mu     sync.Mutex
	status int
	delay  time.Duration
	taken  map[string]int // by webhook-id
}

func startSink(t *testing.T) *sink {
	t.Helper()
	s := &sink{status: http.StatusNoContent, taken: map[string]int{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		status, delay := s.status, s.delay
		if status == http.StatusNoContent {
			s.taken[r.Header.Get("webhook-id")]++
		}
		s.mu.Unlock()
		pause(r.Context(), delay)
		w.WriteHeader(status)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *sink) set(status int, delay time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.status, s.delay = status, delay
}

func (s *sink) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.taken)
}

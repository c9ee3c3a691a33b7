// Package api is the XML interface over HTTP. It reads requests, has the packages of the trade do what
// they ask, and writes answers; the rules that it holds itself are those of the interface: keys, paths,
// forms, pages and codes. It knows nothing of SQL, of the queue behind its Queue, or of how a PDF is made.
package api

import (
	"context"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"purr/clock"
	"purr/collection"
	"purr/documents"
	"purr/dunning/law"
	"purr/models"
	"purr/ocr"
	"purr/store"
)

// Config is what the server needs. Every field must be set unless its comment says otherwise.
type Config struct {
	DB         *store.DB
	Documents  *documents.Store
	Collection *collection.Store
	Importer   *ocr.Importer
	Rules      *law.Rules // of the law; nil is the program's own
	Queue      Queue
	Clock      clock.Clock // the time of the trade
	Wall       clock.Clock // real time, for limits and durations, where Clock may stand still; nil is Clock
	TestClock  TestClock   // nil where there is none: then its path is not found (rule E8)
	BaseURL    string      // scheme, host and perhaps a path; empty takes those of each request (rule D8)
	RateLimit  RateLimit   // for each key; the zero value is none (rule D11)
	Pace       Pace        // of the clients; the zero value is DefaultPace
	Checks     []Check     // what readiness depends on, each asked by GET /readyz (rule E9)
	Log        *slog.Logger
	Metrics    http.Handler          // answers GET /metrics; nil where there is none
	Registry   prometheus.Registerer // where the server's own metrics go; nil is nowhere
}

// Queue is told of work that a request has left. A hint that gets lost delays the work, no more.
type Queue interface {
	DocumentMade(ctx context.Context, creditorID int64, d models.Document)
}

// TestClock moves the program's time (rule E8). Advance returns when all that fell due is done, and
// fails with models.KindInvalid for a moment in the clock's past.
type TestClock interface {
	Now() time.Time
	Advance(ctx context.Context, to time.Time) error
}

// Check asks one thing that the program depends on for a sign of life.
type Check struct {
	Name string
	Ask  func(ctx context.Context) error
}

// Server answers the interface. It is safe for concurrent use.
type Server struct {
	cfg        Config
	db         *store.DB
	mux        *http.ServeMux
	guesses    *guesses
	limits     *limits
	issuing    *store.Group[*issuance]
	running    *running
	lastUse    *lastUse
	background *background
	duration   *prometheus.HistogramVec
}

// New returns a server. Close it after the HTTP server that it is the handler of (see HTTP).
func New(cfg Config) *Server {
	if cfg.Rules == nil {
		cfg.Rules = law.Default()
	}
	if cfg.Wall == nil {
		cfg.Wall = cfg.Clock
	}
	if cfg.Pace == (Pace{}) {
		cfg.Pace = DefaultPace
	}
	cfg.BaseURL = strings.TrimRight(cfg.BaseURL, "/")
	s := &Server{
		cfg: cfg, db: cfg.DB, mux: http.NewServeMux(),
		guesses: newGuesses(), limits: newLimits(cfg.RateLimit), running: newRunning(), lastUse: newLastUse(),
		background: newBackground(cfg.Log),
		duration:   newDuration(cfg.Registry),
	}
	s.issuing = store.NewGroup(cfg.DB, issuedTogether, s.issue)
	byPath := map[string]map[string]route{}
	for _, r := range s.routes() {
		if byPath[r.path] == nil {
			byPath[r.path] = map[string]route{}
		}
		byPath[r.path][r.method] = r
	}
	for p, methods := range byPath {
		s.mount(p, methods)
	}
	s.mux.Handle("/", s.resource("", nil))
	if cfg.Metrics != nil {
		s.mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-Id", requestID(r))
			cfg.Pace.answer(w, 0)
			cfg.Metrics.ServeHTTP(w, r)
		})
	}
	return s
}

// mount serves a path, and a collection without its slash too (rule D8).
func (s *Server) mount(pattern string, methods map[string]route) {
	h := s.resource(pattern, methods)
	if collection, isOne := strings.CutSuffix(pattern, "/"); isOne {
		s.mux.Handle(collection, h)
		pattern += "{$}"
	}
	s.mux.Handle(pattern, h)
}

// Close waits until what requests have left to do in the background is done. It never fails.
func (s *Server) Close() error {
	s.background.wait()
	return nil
}

// ServeHTTP answers a request. A path such as //api or /a/../api is not redirected: nothing is there.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.TLS != nil {
		w.Header().Set("Strict-Transport-Security", "max-age=31536000") // a year (RFC 6797)
	}
	r = s.cfg.Pace.receive(w, r)
	if p := r.URL.Path; p != "/" && path.Clean("/"+p) != strings.TrimSuffix(p, "/") {
		s.resource("", nil).ServeHTTP(w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}

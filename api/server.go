package api

import (
	"context"
	"log/slog"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"purr/api/access"
	"purr/api/guard"
	"purr/api/once"
	"purr/api/openapi"
	"purr/documents"
	"purr/dunning/collection"
	"purr/internal/clock"
	"purr/internal/tracing"
	"purr/law"
	"purr/ledger/accounts"
	"purr/mailer/peppol"
	"purr/mailer/ways/own"
	"purr/models"
	"purr/ocr"
	"purr/store"
)

// Config is what the server needs. Every field must be set unless its comment says otherwise.
type Config struct {
	DB             *store.DB
	Keys           *access.Keys // who callers are; nil makes one that no other server shares
	Documents      *documents.Store
	Collection     *collection.Store
	Accounts       *accounts.Store
	Importer       *ocr.Importer
	Rules          *law.Rules // figures of the law; nil for those of the program
	Queue          Queue
	Lookup         peppol.Lookup   // asks the network what customers receive; nil if it is off (rule H4)
	Clock          clock.Clock     // the time for all business rules
	Wall           clock.Clock     // real time, for limits and durations; nil is Clock
	TestClock      TestClock       // nil if there is none; then its path is not found (rule E8)
	BaseURL        string          // scheme, host and perhaps a path; empty for that of each request (rule D8)
	RateLimit      guard.RateLimit // for each key; the zero value sets no limit (rule D11)
	Timeouts       guard.Timeouts  // for clients; the zero value is guard.DefaultTimeouts
	Proxies        guard.Proxies   // whose X-Forwarded-For is believed; nil for none (rule O8)
	Checks         []Check         // what GET /readyz checks (rules E9, O6)
	HealthOnly     bool            // answers /healthz, /readyz and /metrics alone: for workers and schedulers
	PublicWebhooks bool            // refuses webhooks, and ways of a creditor's own, whose URL names an address that is not public (rules O10, Q7)
	Ways           own.Changer     // changes a creditor's own ways (rule Q7)
	Log            *slog.Logger
	Traces         *tracing.Tracer       // nil tells nothing (rule K7)
	Metrics        http.Handler          // answers GET /metrics; nil for none
	Registry       prometheus.Registerer // gets the server's own metrics; nil for none
}

// Queue learns of work that a request causes. If a hint is lost, the work is done a little later.
type Queue interface {
	DocumentMade(ctx context.Context, creditorID int64, d models.Document)
}

// TestClock moves the program's time (rule E8). Advance returns when all work that fell due is done. It fails with
// models.KindInvalid for a moment in the clock's past.
type TestClock interface {
	Now() time.Time
	Advance(ctx context.Context, to time.Time) error
}

// Server answers the requests of the interface. It is safe for concurrent use.
type Server struct {
	cfg        Config
	db         *store.DB
	mux        *http.ServeMux
	sameOrigin *http.CrossOriginProtection // refuses what browsers send from other sites (rule O11)
	keys       *access.Keys
	limiter    *guard.RateLimiter
	bodies     *guard.Bodies
	issuing    *store.Group[*issuance]
	leases     once.Leases
	running    sync.Map // the Idempotency-Keys that requests are using
	background *guard.Background
	duration   *prometheus.HistogramVec
	readiness  *readiness
	described  func() ([]byte, error) // the OpenAPI document, made once
}

// New returns a server. Close it after the HTTP server that uses it as its handler (see HTTP).
func New(cfg Config) *Server {
	if cfg.Rules == nil {
		cfg.Rules = law.Default()
	}
	if cfg.Wall == nil {
		cfg.Wall = cfg.Clock
	}
	if cfg.Timeouts == (guard.Timeouts{}) {
		cfg.Timeouts = guard.DefaultTimeouts
	}
	if cfg.Keys == nil {
		cfg.Keys = access.New(cfg.DB, cfg.Proxies, cfg.Wall, cfg.Log)
	}
	cfg.BaseURL = strings.TrimRight(cfg.BaseURL, "/")
	s := &Server{
		cfg: cfg, db: cfg.DB, mux: http.NewServeMux(),
		sameOrigin: guard.SameOrigin(cfg.BaseURL), keys: cfg.Keys, limiter: guard.NewRateLimiter(cfg.RateLimit),
		bodies:     guard.NewBodies(maxBody),
		leases:     once.Leases{DB: cfg.DB, Log: cfg.Log},
		background: guard.NewBackground(cfg.Log),
		duration:   newDuration(cfg.Registry),
		readiness:  newReadiness(cfg.Checks, cfg.Wall),
	}
	s.described = sync.OnceValues(func() ([]byte, error) { return openapi.Document(s.operations(), s.cfg.BaseURL) })
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
			cfg.Timeouts.Answering(w, 0)
			cfg.Metrics.ServeHTTP(w, r)
		})
	}
	return s
}

// HTTP returns an HTTP server that answers with s and applies the timeouts to its clients. With a TLSConfig it speaks
// HTTP/2 too.
func (s *Server) HTTP() *http.Server { return s.cfg.Timeouts.Server(s, s.cfg.Log) }

// mount serves a path. It serves a collection without its slash too (rule D8).
func (s *Server) mount(pattern string, methods map[string]route) {
	h := s.resource(pattern, methods)
	if collection, isOne := strings.CutSuffix(pattern, "/"); isOne {
		s.mux.Handle(collection, h)
		pattern += "{$}"
	}
	s.mux.Handle(pattern, h)
}

// Close waits until the background work of requests has ended. It never fails.
func (s *Server) Close() error {
	s.background.Wait()
	s.keys.Close()
	return nil
}

// ServeHTTP answers a request. It does not redirect a path such as //api or /a/../api: such a path is not found.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.TLS != nil {
		w.Header().Set("Strict-Transport-Security", "max-age=31536000") // a year (RFC 6797)
	}
	r = s.cfg.Timeouts.Receive(w, r)
	if p := r.URL.Path; p != "/" && path.Clean("/"+p) != strings.TrimSuffix(p, "/") {
		s.resource("", nil).ServeHTTP(w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}

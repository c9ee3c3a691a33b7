package console

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"purr/api/access"
	"purr/api/guard"
	"purr/console/outlook"
	"purr/documents"
	"purr/dunning/collection"
	"purr/internal/clock"
	"purr/jobs/runs"
	"purr/law"
	"purr/ledger/accounts"
	"purr/mailer/ways/own"
	"purr/models"
	"purr/ocr"
	"purr/store"
)

// Config is what the console needs. Every field must be set unless its comment says otherwise.
type Config struct {
	DB             *store.DB
	Keys           *access.Keys
	Documents      *documents.Store
	Collection     *collection.Store
	Accounts       *accounts.Store
	Rules          *law.Rules // the figures of the law, before those that were set
	Queue          Queue
	Runs           *runs.Runs
	Outlook        *outlook.Outlook
	Importer       *ocr.Importer
	TestClock      TestClock                                                                          // nil without one; then its page is not found (rule E8)
	Clock          clock.Clock                                                                        // the time for all business rules
	Wall           clock.Clock                                                                        // real time, for limits and durations
	Simulated      bool                                                                               // Clock is a test clock
	BaseURL        string                                                                             // scheme, host and perhaps a path; empty for that of each request (rule D8)
	PublicWebhooks bool                                                                               // webhooks must have public addresses
	Ways           own.Changer                                                                        // changes a creditor's own ways (rule Q7)
	Tour           bool                                                                               // pages have a bar that leads through the demo
	Timeouts       guard.Timeouts                                                                     // for clients; the zero value is guard.DefaultTimeouts
	Background     *guard.Background                                                                  // where work goes on after the answer
	Depth          func(ctx context.Context) (QueueDepth, error)                                      // counts the tasks of the queue
	Export         func(ctx context.Context, to io.Writer, c models.Creditor, customerID int64) error // writes all that is known of a customer (rule O14a)
	Registry       prometheus.Registerer                                                              // gets the console's own metrics; nil for none
	Log            *slog.Logger
}

// TestClock moves the program's time (rule E8).
type TestClock interface {
	Now() time.Time
	// Begin moves the clock to a moment in the background. It fails with models.KindInvalid if the moment is before the
	// clock's.
	Begin(to time.Time) error
	// LastMove returns the move that was begun last.
	LastMove() clock.Move
	// NextDue returns the first moment after now at which some work falls due, and latest if that is sooner.
	NextDue(ctx context.Context, latest time.Time) (time.Time, error)
}

// Queue learns of work that a request causes. If a hint is lost, the work is done a little later.
type Queue interface {
	DocumentMade(ctx context.Context, creditorID int64, d models.Document)
}

// Server answers the requests of browsers. It is safe for concurrent use.
type Server struct {
	cfg        Config
	db         *store.DB
	prefix     string // the path of the base URL, without a slash at its end; browsers see it, the server does not
	secure     bool   // the base URL is https
	mux        *http.ServeMux
	sameOrigin *http.CrossOriginProtection // refuses what browsers send from other sites (rule O11)
	templates  *templates
	links      links
	duration   *prometheus.HistogramVec
	kept       keptOwed
}

// New returns a console.
func New(cfg Config) *Server {
	if cfg.Timeouts == (guard.Timeouts{}) {
		cfg.Timeouts = guard.DefaultTimeouts
	}
	s := &Server{cfg: cfg, db: cfg.DB, mux: http.NewServeMux(), sameOrigin: guard.SameOrigin(cfg.BaseURL), duration: newDuration(cfg.Registry)}
	if base, err := url.Parse(cfg.BaseURL); err == nil {
		s.prefix, s.secure = strings.TrimRight(base.Path, "/"), base.Scheme == "https"
	}
	s.templates = newTemplates(s.prefix)
	for _, r := range s.routes() {
		s.mux.Handle(r.path, s.serve(r))
	}
	s.mux.Handle("/", s.serve(route{path: "/"}))
	s.mux.HandleFunc("/assets/", s.asset)
	return s
}

// Owns reports whether a path is one of the console's, existing or not. Any other path is the interface's (rule D6).
func Owns(path string) bool {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return slices.Contains([]string{"", "c", "sign-in", "sign-out", "assets"}, first)
}

// ServeHTTP answers a request. A path such as //c or /a/../c is not found.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r = s.cfg.Timeouts.Receive(w, r)
	if p := r.URL.Path; path.Clean("/"+p) != p {
		s.serve(route{path: "/"}).ServeHTTP(w, r)
		return
	}
	s.mux.ServeHTTP(w, r)
}

// newDuration returns the histogram of the duration of requests, in seconds.
func newDuration(registry prometheus.Registerer) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "purr_console_request_duration_seconds",
		Help:    "How long requests of the console took until they were answered.",
		Buckets: []float64{.005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10},
	}, []string{"method", "route", "status"})
	if registry != nil {
		registry.MustRegister(h)
	}
	return h
}

// workLimit is how long our own work on a request may take (rule O7). What takes longer by its nature, such as the import of
// a payment file, bounds itself.
const workLimit = 15 * time.Second

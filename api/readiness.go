package api

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"purr/internal/clock"
	"purr/models"
)

// Check tests whether something that the program depends on works.
type Check struct {
	Name string
	Ask  func(ctx context.Context) error
	Warn bool // a failure is told in the answer, and does not make the program unready
}

const (
	checkTimeout = 5 * time.Second // of one check
	checkFresh   = time.Second     // for how long the checks' result answers further callers
)

// readiness asks the checks for GET /readyz, together and at most once a second, however many callers ask.
type readiness struct {
	checks []Check
	wall   clock.Clock
	hangs  []atomic.Bool // the checks that have not answered yet

	mu       sync.Mutex
	asked    time.Time
	failures []error // of each check
}

func newReadiness(checks []Check, wall clock.Clock) *readiness {
	return &readiness{checks: checks, wall: wall, hangs: make([]atomic.Bool, len(checks))}
}

// errHangs is the failure of a check that does not answer within its time.
var errHangs = errors.New("the check does not end")

// ask returns the failure of each check, nil where there is none.
func (r *readiness) ask(ctx context.Context) []error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := r.wall.Now(); r.failures != nil && now.Sub(r.asked) < checkFresh && !now.Before(r.asked) {
		return r.failures
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), checkTimeout)
	defer cancel()
	failures := make([]error, len(r.checks))
	var asking sync.WaitGroup
	for i := range r.checks {
		asking.Go(func() { failures[i] = r.one(ctx, i) })
	}
	asking.Wait()
	r.failures, r.asked = failures, r.wall.Now()
	return failures
}

// one asks one check. A check may hang in the file system, where no context reaches it: then it is not asked again before it
// ends.
func (r *readiness) one(ctx context.Context, i int) error {
	if !r.hangs[i].CompareAndSwap(false, true) {
		return errHangs
	}
	answered := make(chan error, 1)
	go func() {
		defer r.hangs[i].Store(false)
		answered <- r.checks[i].Ask(ctx)
	}()
	select {
	case err := <-answered:
		return err
	case <-ctx.Done():
		return errHangs
	}
}

// ready tells whether purr can do its work, and names the parts that cannot (rules E9, O6). Warnings are told too, whatever
// the status.
func (s *Server) ready(ctx context.Context, _ *request) (answer, error) {
	var away models.Errors
	var warnings []string
	for i, err := range s.readiness.ask(ctx) {
		switch c := s.cfg.Checks[i]; {
		case err == nil, c.Warn && errors.Is(err, errHangs):
		case c.Warn:
			warnings = append(warnings, err.Error())
		default:
			away = append(away, &models.Error{Kind: models.KindUnavailable, Code: "unavailable", Place: models.At(c.Name), Msg: c.Name + " does not answer", Err: err})
		}
	}
	if len(away) > 0 {
		for _, w := range warnings {
			away = append(away, &models.Error{Kind: models.KindUnavailable, Code: "unavailable", Msg: "besides: " + w})
		}
		return answer{}, away
	}
	body := "ok\n" + strings.Join(append(warnings, ""), "\n")
	return answer{status: http.StatusOK, contentType: "text/plain; charset=utf-8", body: []byte(body)}, nil
}

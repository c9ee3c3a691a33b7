package api

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"maps"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"purr/api/guard"
	"purr/models"
)

// request is one request and what is known of its caller.
type request struct {
	w        http.ResponseWriter
	r        *http.Request
	id       string // X-Request-Id (rule D12)
	route    string // its path with placeholders, for logs and metrics; empty for an unknown path
	base     string // what its URIs begin with, without /api/v1 (rule D8)
	now      time.Time
	key      models.Key
	creditor models.Creditor
	zone     *time.Location // the creditor's

	customerID int64 // narrows a list to one customer (rule D25)
}

// resource serves one path with its methods. A path without methods is not found.
func (s *Server) resource(pattern string, methods map[string]route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := s.cfg.Wall.Now()
		rq := &request{w: w, r: r, id: requestID(r), route: pattern, base: s.base(r), now: s.cfg.Clock.Now()}
		a := s.do(rq, methods)
		w.Header().Set("X-Request-Id", rq.id)
		s.cfg.Timeouts.Answering(w, a.length())
		a.send(w)
		s.record(rq, a, s.cfg.Wall.Now().Sub(begun))
	})
}

// do answers a request, even if a handler fails or panics.
func (s *Server) do(rq *request, methods map[string]route) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			a = problem(rq, fmt.Errorf("panic: %s\n%s", saying(p), debug.Stack()))
		}
	}()
	ctx := rq.r.Context()
	a, err := s.dispatch(ctx, rq, methods)
	if err != nil {
		return problem(rq, err)
	}
	if a.made != nil {
		s.tellQueue(ctx, rq.creditor.ID, *a.made)
	}
	return a
}

// saying returns the text of a panic for the log. If the value is no text, it returns only its type: the value may
// hold personal data.
func saying(panicked any) string {
	switch p := panicked.(type) {
	case error:
		return p.Error()
	case string:
		return p
	}
	return fmt.Sprintf("a %T", panicked)
}

// tellQueue tells the queue of a new document, so that it is sent at once. If that fails, no work is lost: the
// document's row keeps it.
func (s *Server) tellQueue(ctx context.Context, creditorID int64, d models.Document) {
	s.background.start(ctx, "telling the queue of a document", func(ctx context.Context) error {
		s.cfg.Queue.DocumentMade(ctx, creditorID, d)
		return nil
	})
}

func (s *Server) dispatch(ctx context.Context, rq *request, methods map[string]route) (answer, error) {
	method := rq.r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	r, known := methods[method]
	if known && r.scope == anyone {
		return r.handle(ctx, rq)
	}
	if p := rq.r.URL.Path; p == "/api/v1" || strings.HasPrefix(p, "/api/v1/") {
		if err := s.admit(ctx, rq); err != nil {
			return answer{}, err
		}
	}
	if len(methods) == 0 {
		return answer{}, models.NotFound("path")
	}
	if !known {
		return notAllowed(rq, slices.Sorted(maps.Keys(methods))), nil
	}
	if !rq.key.Scope.Allows(r.scope) {
		return answer{}, &models.Error{
			Kind: models.KindForbidden, Code: "scope_insufficient",
			Msg: fmt.Sprintf("this needs a key of scope %s; the key's is %s", r.scope, rq.key.Scope),
		}
	}
	return r.handle(ctx, rq)
}

// notAllowed answers a request whose method the path does not have (rule D6).
func notAllowed(rq *request, methods []string) answer {
	allow := strings.Join(methods, ", ")
	a := problem(rq, models.Malformed("method_not_allowed", "", "only %s is allowed here", allow))
	a.status = http.StatusMethodNotAllowed
	a.header.Set("Allow", allow)
	return a
}

// requestID returns the caller's ID if it is 1 to 128 printable characters, otherwise a new one (rule D12).
func requestID(r *http.Request) string {
	id := r.Header.Get("X-Request-Id")
	unprintable := func(c rune) bool { return c < ' ' || c > '~' }
	if id == "" || len(id) > 128 || strings.ContainsFunc(id, unprintable) {
		return rand.Text()
	}
	return id
}

// base returns what the request's URIs begin with (rule D8).
func (s *Server) base(r *http.Request) string {
	if s.cfg.BaseURL != "" {
		return s.cfg.BaseURL
	}
	return ownBase(r)
}

// ownBase returns the scheme and host by which the caller has reached the server.
func ownBase(r *http.Request) string {
	if r.TLS != nil {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// maxBody is the most bytes of XML that a request may send (rule D4).
const maxBody = 1 << 20

// readXML returns the request's body as it was sent (rule D4).
func (rq *request) readXML() ([]byte, error) {
	body, err := guard.Body(rq.w, rq.r, maxBody, "application/xml", "text/xml")
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		return nil, guard.BrokenBody(err)
	}
	return raw, nil
}

// uri returns the address of a resource.
func (rq *request) uri(resource string, id int64) string {
	return rq.base + "/api/v1/" + resource + "/" + strconv.FormatInt(id, 10)
}

// idIn returns the ID in the URI of a resource that a body holds (rule D2). It returns false for any other text. The
// URI may begin with the configured base, or with the address that the caller used.
func (rq *request) idIn(uri, resource string) (int64, bool) {
	for _, base := range []string{rq.base, ownBase(rq.r), ""} {
		if id, found := strings.CutPrefix(uri, base+"/api/v1/"+resource+"/"); found {
			return parseID(id)
		}
	}
	return 0, false
}

// pathID returns the ID in the request's path, zero if the path has none.
func (rq *request) pathID() (int64, error) {
	text := rq.r.PathValue("id")
	id, good := parseID(text)
	if !good && text != "" {
		return 0, models.NotFound("resource")
	}
	return id, nil
}

func parseID(s string) (int64, bool) {
	id, err := strconv.ParseInt(s, 10, 64)
	return id, err == nil && id > 0 && strconv.FormatInt(id, 10) == s
}

// today returns the date in the creditor's time zone (rule D15).
func (rq *request) today() models.Date { return models.DateOf(rq.now.In(rq.zone)) }

// stamp returns a moment as text in the creditor's time zone.
func (rq *request) stamp(t time.Time) string { return t.In(rq.zone).Format(time.DateTime) }

// actor returns the key's name in the event log.
func (rq *request) actor() string { return fmt.Sprintf("API key %d (%s)", rq.key.ID, rq.key.Name) }

package api

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"purr/api/form"
	"purr/api/guard"
	"purr/api/schema"
	"purr/internal/clock"
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

	json         bool // it is answered in JSON
	unacceptable bool // its Accept takes neither form

	customerID int64      // narrows a list to one customer (rule D25)
	form       *form.Form // the body, once it was parsed

	bodies  *guard.Bodies // where the body waits for room
	release func()        // ends the body's room

	worked time.Duration // how long our own work took so far; see inTime
}

// resource serves one path with its methods. A path without methods is not found.
func (s *Server) resource(pattern string, methods map[string]route) http.Handler {
	takesJSON := map[string]bool{} // by method
	for method := range methods {
		takesJSON[method] = schema.RequestOf(method, pattern) != nil
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := s.cfg.Wall.Now()
		r, told := s.traced(r, pattern)
		json, acceptable := wantsJSON(r, takesJSON[r.Method] && isJSON(r.Header.Get("Content-Type")))
		rq := &request{w: w, r: r, json: json, unacceptable: !acceptable, id: requestID(r), route: pattern, base: s.base(r), now: s.cfg.Clock.Now(), bodies: s.bodies, release: func() {}}
		a := s.do(rq, methods)
		rq.release()
		w.Header().Set("X-Request-Id", rq.id)
		s.cfg.Timeouts.Answering(w, a.length())
		a.send(w, s.cfg.Timeouts)
		s.record(rq, a, s.cfg.Wall.Now().Sub(begun))
		told(rq, a)
	})
}

// do answers a request, even if a handler fails or panics.
func (s *Server) do(rq *request, methods map[string]route) (a answer) {
	defer func() {
		if p := recover(); p != nil {
			a = problem(rq, fmt.Errorf("panic: %s\n%s", guard.Saying(p), debug.Stack()))
		}
	}()
	ctx := rq.r.Context()
	a, err := s.dispatch(ctx, rq, methods)
	if err != nil {
		return problem(rq, guard.DiskFull(err))
	}
	if a.made != nil {
		s.tellQueue(ctx, rq.creditor.ID, *a.made)
	}
	return a
}

// tellQueue tells the queue of a new document, so that it is sent at once. If that fails, no work is lost: the
// document's row keeps it.
func (s *Server) tellQueue(ctx context.Context, creditorID int64, d models.Document) {
	s.background.Start(ctx, "telling the queue of a document", func(ctx context.Context) error {
		s.cfg.Queue.DocumentMade(ctx, creditorID, d)
		return nil
	})
}

func (s *Server) dispatch(ctx context.Context, rq *request, methods map[string]route) (answer, error) {
	if err := s.sameOrigin.Check(rq.r); err != nil {
		return answer{}, &models.Error{Kind: models.KindForbidden, Code: "cross_origin", Msg: "a browser sent this from a page of another site", Err: err}
	}
	method := rq.r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	r, known := methods[method]
	if known && r.scope == anyone {
		return r.handle(ctx, rq)
	}
	if p := rq.r.URL.Path; p == "/api/v1" || strings.HasPrefix(p, "/api/v1/") {
		if err := rq.inTime(ctx, func(ctx context.Context) error { return s.admit(ctx, rq) }); err != nil {
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
	if rq.unacceptable && r.showsResource() {
		return answer{}, &models.Error{Kind: models.KindNotAcceptable, Code: "not_acceptable", Msg: "answers are application/json or application/xml"}
	}
	if r.method == get || r.method == remove {
		return rq.timed(ctx, func(ctx context.Context) (answer, error) { return r.handle(ctx, rq) })
	}
	return r.handle(ctx, rq) // it bounds its work once the body has come
}

// workLimit is how long our own work on a request may take: all but the time in which its body comes. What cannot be cut
// short may add two seconds (rule O7). The import of a payment file, and the move of a test clock, take as long as they must;
// each of their transactions has its own limit.
const workLimit = 15 * time.Second

// inTime does work on the request. If this and the work before it take too long together, inTime fails with
// models.KindUnavailable.
func (rq *request) inTime(ctx context.Context, do func(ctx context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, workLimit-rq.worked)
	defer cancel()
	begun := wall.Now()
	err := do(limited)
	rq.worked += wall.Now().Sub(begun)
	if err != nil && limited.Err() != nil && ctx.Err() == nil && models.KindOf(err) == models.KindInternal {
		return models.Unavailable("the database", err)
	}
	return err
}

// wall is the clock for the bounds of our own work, even if the program has a test clock.
var wall clock.System

// timed is inTime for work that answers.
func (rq *request) timed(ctx context.Context, do func(ctx context.Context) (answer, error)) (a answer, err error) {
	err = rq.inTime(ctx, func(ctx context.Context) error {
		a, err = do(ctx)
		return err
	})
	return a, err
}

// notAllowed answers a request whose method the path does not have (rule D6).
func notAllowed(rq *request, methods []string) answer {
	allow := strings.Join(methods, ", ")
	a := problemOf(rq, http.StatusMethodNotAllowed, models.Malformed("method_not_allowed", "", "only %s is allowed here", allow))
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
	return guard.OwnBase(r)
}

// maxBody is the most bytes of XML or JSON that a request may send (rule D4).
const maxBody = 1 << 20

// readBody returns the request's body, of XML in UTF-8 if the Content-Type says another charset (rules D4, L20). JSON is in UTF-8
// (rule J1). The body has room in memory until the request is answered.
func (rq *request) readBody() (form.Body, error) {
	body, err := guard.Body(rq.w, rq.r, maxBody, "application/xml", "text/xml", "application/json")
	if err != nil {
		return form.Body{}, err
	}
	raw, release, err := rq.bodies.Read(rq.r.Context(), body)
	if err != nil {
		return form.Body{}, err
	}
	rq.release = release
	contentType := rq.r.Header.Get("Content-Type")
	if isJSON(contentType) && bytes.HasPrefix(bytes.TrimSpace(raw), []byte("<")) {
		rq.json, _ = wantsJSON(rq.r, false)
		return form.Body{}, &models.Error{Kind: models.KindMediaType, Code: "unsupported_media_type", Msg: "the Content-Type is that of JSON, and the body is XML"}
	}
	if isJSON(contentType) {
		return form.Body{Text: raw, JSON: true}, nil
	}
	_, params, _ := mime.ParseMediaType(contentType)
	text, err := form.InUTF8(raw, params["charset"])
	if err != nil {
		return form.Body{}, err
	}
	return form.Body{Text: text}, nil
}

// parse reads a body that is a resource, or part of one, in the form of answers. Elements that only answers have are
// held against the answer in the end (see agrees). before is the resource as it is, or the zero value if it is new.
func (rq *request) parse(body form.Body, root string, before any) (*form.Form, error) {
	f, err := form.Parse(body, root)
	if err != nil {
		return nil, err
	}
	f.Knows(before)
	rq.form = f
	return f, nil
}

// agrees fails if the body holds an element that only answers have, and that says something else than the answer (rule
// L20).
func (rq *request) agrees(answer any) error {
	if rq.form == nil {
		return nil
	}
	return rq.form.Agrees(answer)
}

// uri returns the address of a resource.
func (rq *request) uri(resource string, id int64) string {
	return rq.base + "/api/v1/" + resource + "/" + strconv.FormatInt(id, 10)
}

// idIn returns the ID in the URI of a resource that a body holds (rule D2). It returns false for any other text. Only
// the path of the URI counts (rule L20). It may have that of the base URL.
func (rq *request) idIn(uri, resource string) (int64, bool) {
	path := form.PathOf(uri)
	if i := strings.LastIndex(path, "/api/v1/"); i >= 0 {
		path = path[i:]
	}
	id, found := strings.CutPrefix(path, "/api/v1/"+resource+"/")
	if !found {
		return 0, false
	}
	return parseID(id)
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
func (rq *request) actor() string { return rq.key.Actor() }

package console

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"purr/api/access"
	"purr/api/guard"
	"purr/console/locale"
	"purr/models"
	"purr/store"
)

// request is one request and what is known of who sent it.
type request struct {
	w         http.ResponseWriter
	r         *http.Request
	s         *Server
	id        string // for the log, and for the page that says that something went wrong
	route     route
	words     *locale.Words // of the reader's language
	now       time.Time
	session   access.Session
	key       models.Key
	creditor  models.Creditor
	zone      *time.Location // the creditor's
	base      string         // what the paths of the creditor's pages begin with: PREFIX/c/NUMBER
	form      url.Values     // of a POST
	refused   error          // why the form is shown again
	aside     []string       // the parameters of the URL that are wrong, and not looked at
	signedOut bool           // there is no session
	waits     *store.Waiting // what waits for a person; nil if nobody has asked yet
	queries   store.Queries  // of the answer

	colleagues []models.Key          // the creditor's keys, of a reader whose own may not do everything
	denied     map[models.Scope]bool // what the page's buttons need and the reader's key lacks
	lacks      models.Scope          // what the refused act needed

	fieldOf func(*models.Error) string // returns the name of the form's field that a fault is shown at
}

// serve answers the requests of one path.
func (s *Server) serve(to route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := s.cfg.Wall.Now()
		rq := &request{w: w, s: s, id: rand.Text(), route: to, words: locale.Of(r), now: s.cfg.Clock.Now(), fieldOf: fieldAtPlace, denied: make(map[models.Scope]bool)}
		rq.r = r.WithContext(rq.queries.Counting(r.Context()))
		a := rq.do()
		s.secureHeaders(w, r)
		w.Header().Set("X-Request-Id", rq.id)
		s.cfg.Timeouts.Answering(w, int64(len(a.body)))
		a.send(w, r, s.cfg.Timeouts)
		rq.record(a, s.cfg.Wall.Now().Sub(begun))
	})
}

// do answers the request, even if a handler fails or panics.
func (rq *request) do() (a reply) {
	defer func() {
		if p := recover(); p != nil {
			a = rq.problem(fmt.Errorf("panic: %s\n%s", guard.Saying(p), debug.Stack()))
		}
	}()
	a, err := rq.dispatch(rq.r.Context())
	if err == nil {
		a, err = rq.draw(a)
	}
	if err != nil {
		return rq.problem(guard.DiskFull(err))
	}
	return a
}

// dispatch checks who asks, and calls the handler.
func (rq *request) dispatch(ctx context.Context) (reply, error) {
	if err := rq.s.sameOrigin.Check(rq.r); err != nil {
		return reply{}, &models.Error{Kind: models.KindForbidden, Code: "cross_origin", Msg: "a browser sent this from a page of another site", Err: err}
	}
	working := ctx
	if !rq.route.long {
		limited, cancel := context.WithTimeout(ctx, workLimit)
		defer cancel()
		working = limited
	}
	a, err := rq.handle(working)
	if err != nil && working.Err() != nil && ctx.Err() == nil && models.KindOf(err) == models.KindInternal {
		err = models.Unavailable("the database", err)
	}
	return a, err
}

func (rq *request) handle(ctx context.Context) (reply, error) {
	if err := rq.admit(ctx); err != nil {
		return reply{}, err
	}
	if rq.signedOut && !rq.route.open {
		return rq.askToSignIn(ctx)
	}
	if err := rq.readColleagues(ctx); err != nil {
		return reply{}, err
	}
	if rq.isGet() {
		if shown, is, err := rq.showUnsent(ctx); is || err != nil {
			return shown, err
		}
	}
	switch {
	case rq.r.URL.Path == "/" && rq.isGet():
		return rq.to(rq.s.home(rq.session)), nil
	case rq.route.get == nil && rq.route.post == nil:
		return reply{}, models.NotFound("page")
	case rq.isGet() && rq.route.get != nil:
		return rq.showFiltered(ctx)
	case rq.r.Method != http.MethodPost || rq.route.post == nil:
		return reply{}, models.NotFound("page")
	}
	return rq.handlePost(ctx)
}

func (rq *request) isGet() bool {
	return rq.r.Method == http.MethodGet || rq.r.Method == http.MethodHead
}

// handlePost does what a form asks for. If it is refused, the form is shown again with what was typed.
func (rq *request) handlePost(ctx context.Context) (reply, error) {
	if rq.route.scope != "" && !rq.key.Scope.Allows(rq.route.scope) {
		return reply{}, rq.mayNot(rq.route.scope)
	}
	if !rq.route.long {
		if err := rq.readForm(); err != nil {
			return reply{}, err
		}
	}
	a, err := reply{}, rq.ofAnother()
	if err == nil {
		a, err = rq.route.post(ctx, rq)
	} else {
		rq.form = nil // it is another's
	}
	if _, waits := rq.r.Cookie(unsentCookie); waits == nil && err == nil {
		rq.setUnsent("", -1)
	}
	again := rq.route.again
	if again == nil {
		again = rq.route.get
	}
	refusals := []models.Kind{models.KindInvalid, models.KindMalformed, models.KindConflict, models.KindUnauthorized}
	if err == nil || again == nil || !slices.Contains(refusals, models.KindOf(err)) {
		return a, err
	}
	rq.refused = err
	shown, failed := again(ctx, rq)
	if failed != nil {
		return reply{}, errors.Join(err, failed)
	}
	shown.refuse(err)
	return shown, nil
}

// The most bytes of a form: of anybody's, and of one of a person who is signed in. A payment file is longer; its handler
// reads it itself.
const (
	maxOpenForm = 4 << 10
	maxForm     = 1 << 20
)

func (rq *request) readForm() error {
	most := int64(maxForm)
	switch {
	case rq.signedOut && !rq.route.open:
		most = maxUnsent
	case rq.route.open:
		most = maxOpenForm + maxSealed
	}
	body, err := guard.Body(rq.w, rq.r, most, "application/x-www-form-urlencoded")
	if err != nil {
		return err
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		return guard.BrokenBody(err)
	}
	rq.form, err = url.ParseQuery(string(raw))
	if rq.route.open && len(raw)-len(rq.form.Get("kept")) > maxOpenForm {
		return guard.BrokenBody(&http.MaxBytesError{Limit: maxOpenForm})
	}
	broken := func(values []string) bool { return !utf8.ValidString(strings.Join(values, "")) }
	if err != nil || slices.ContainsFunc(slices.Collect(maps.Values(rq.form)), broken) {
		return models.Malformed("malformed_form", "", "the form cannot be read")
	}
	return nil
}

// admit finds the session of the browser, and the key and the creditor that the path names. Another creditor's path is not
// found.
func (rq *request) admit(ctx context.Context) error {
	token := rq.cookie()
	if token == "" {
		rq.signedOut = true
		return nil
	}
	session, err := rq.s.cfg.Keys.Session(ctx, token)
	if models.KindOf(err) == models.KindNotFound {
		rq.signedOut = true
		return nil
	}
	if err != nil {
		return err
	}
	rq.session = session
	name := rq.r.PathValue("creditor")
	if name == "" {
		return rq.as(rq.session.Last().Creditor.ID)
	}
	id, err := strconv.ParseInt(name, 10, 64)
	if err != nil || strconv.FormatInt(id, 10) != name {
		return models.NotFound("page")
	}
	return rq.as(id)
}

// as acts by the session's key of a creditor.
func (rq *request) as(creditorID int64) error {
	of, found := rq.session.Of(creditorID)
	if !found {
		return models.NotFound("page")
	}
	rq.key, rq.creditor = of.Key, of.Creditor
	rq.base = rq.s.creditorPath(creditorID)
	rq.s.cfg.Keys.Used(rq.r.Context(), rq.key, rq.now)
	rq.zone = rq.creditor.DisplayZone()
	if rq.r.Method == http.MethodPost && !strings.Contains(rq.r.URL.Path, "/settings") {
		_, err := rq.creditor.Location() // nothing is decided by a day that is guessed; the settings can be set right
		return err
	}
	return nil
}

func (s *Server) creditorPath(id int64) string { return s.prefix + "/c/" + strconv.FormatInt(id, 10) }

// home returns where a browser begins that is signed in.
func (s *Server) home(session access.Session) string {
	return s.creditorPath(session.Last().Creditor.ID) + "/today"
}

// today returns the creditor's day.
func (rq *request) today() models.Date { return models.DateOf(rq.now.In(rq.zone)) }

// actor returns who acts, for the event log.
func (rq *request) actor() string {
	return models.ActorAtConsole + rq.key.Actor()
}

// pathID returns the number in the path under a name, and fails with models.KindNotFound if it is none.
func (rq *request) pathID(name string) (int64, error) {
	id, err := strconv.ParseInt(rq.r.PathValue(name), 10, 64)
	if err != nil || id < 1 {
		return 0, models.NotFound("page")
	}
	return id, nil
}

// query returns a parameter of the URL in the form in which texts of one line are kept.
func (rq *request) query(name string) string {
	if slices.Contains(rq.aside, name) {
		return ""
	}
	return models.OneLine(rq.r.URL.Query().Get(name))
}

// back returns the page that the form was opened from, if it is one of the creditor's own, and the given one otherwise.
func (rq *request) back(otherwise string) string {
	from := rq.form.Get("back")
	if from == "" {
		from = rq.r.URL.Query().Get("back")
	}
	if isBelow(from, rq.base) {
		return from
	}
	return otherwise
}

// isBelow reports whether an address is one of a creditor's pages, as the console writes it: a path of this host, and no way
// out of the creditor's.
func isBelow(address, base string) bool {
	u, err := url.Parse(address)
	return err == nil && strings.HasPrefix(address, base+"/") && !strings.ContainsAny(address, "\\\r\n") && path.Clean(u.Path) == u.Path
}

// secureHeaders sets what holds for every answer (design: CSP). Trusted Types are required, so no script can make HTML of a text.
func (s *Server) secureHeaders(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	if h.Get("Content-Security-Policy") == "" {
		h.Set("Content-Security-Policy", contentSecurityPolicy)
	}
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	if s.secure || r.TLS != nil {
		h.Set("Strict-Transport-Security", "max-age=31536000") // a year (RFC 6797)
	}
}

const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// record writes the end of a request to the log and the metrics. It leaves out names, amounts and queries.
func (rq *request) record(a reply, took time.Duration) {
	level := slog.LevelInfo
	attrs := []slog.Attr{
		slog.String("id", rq.id), slog.String("method", guard.MethodLabel(rq.r.Method)), slog.String("route", rq.route.path), slog.Int("status", a.status),
		slog.Duration("took", took), slog.Int64("queries", rq.queries.Count()), slog.Int64("creditor", rq.creditor.ID), slog.Int64("key", rq.key.ID),
	}
	if a.status >= http.StatusInternalServerError {
		level = slog.LevelError
		attrs = append(attrs, slog.Any("error", a.err))
		if rq.r.Context().Err() != nil {
			level = slog.LevelInfo // the browser is gone, which broke off the work
		}
	}
	rq.s.cfg.Log.LogAttrs(rq.r.Context(), level, "console", attrs...)
	rq.s.duration.WithLabelValues(guard.MethodLabel(rq.r.Method), rq.route.path, strconv.Itoa(a.status)).Observe(took.Seconds())
}

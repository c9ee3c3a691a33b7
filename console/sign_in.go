package console

import (
	"context"
	"crypto/rand"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"

	"purr/api/access"
	"purr/models"
)

// signInPage asks for an API key.
type signInPage struct {
	view
	Unprotected bool   // the key would go over the network as it is
	Unsent      bool   // a form came without a session that brought nothing to keep
	Kept        string // a form that came without a session, sealed (see unsent)
	LeftOut     bool   // not all of it is kept
}

func (s *Server) signInPage(_ context.Context, rq *request) (reply, error) {
	return show("sign_in", rq.signInForm())
}

func (rq *request) signInForm() *signInPage {
	p := &signInPage{view: rq.view("sign_in.title"), Unprotected: !rq.isSecure() && !rq.isLocal(), Kept: models.Shorten(rq.form.Get("kept"), maxSealed), Unsent: rq.query("unsent") != ""}
	if p.SignedIn {
		p.Lead = rq.words.SayHTML("sign_in.add")
	}
	return p
}

// signIn begins a session. A browser that has one gets the key's creditor too.
func (s *Server) signIn(ctx context.Context, rq *request) (reply, error) {
	key, _, err := s.cfg.Keys.Of(ctx, rq.fields().text("key"), rq.r, rq.id)
	if err != nil {
		return reply{}, err
	}
	if err := rq.begin(ctx, key); err != nil {
		return reply{}, err
	}
	return rq.afterSignIn(ctx, key)
}

func (rq *request) begin(ctx context.Context, key models.Key) error {
	token, err := rq.s.cfg.Keys.Begin(ctx, rq.session, key)
	if err != nil {
		return err
	}
	rq.setCookie(token, int(access.SessionMost.Seconds()))
	return nil
}

// askedCookie keeps the page that a browser without a session has asked for, until it is signed in.
const askedCookie = "purr_asked"

// toSignIn leads to the sign-in, which then leads to the page that was asked for. What a script of a page asks for is no page.
func (rq *request) toSignIn() reply {
	page := ""
	if rq.isGet() && rq.route.get != nil {
		page = rq.here()
	}
	rq.askFor(page)
	return rq.to(rq.s.prefix + "/sign-in")
}

// unsentToSignIn leads to the sign-in, which says that nothing was done, and then leads to the page that the form stood on: what the
// form brought is not kept, or is nothing.
func (rq *request) unsentToSignIn() reply {
	rq.askFor(rq.referer())
	return rq.to(rq.s.prefix + "/sign-in?unsent=1")
}

// referer returns the page that a form stood on, empty if nobody knows.
func (rq *request) referer() string {
	from, err := url.Parse(rq.r.Referer())
	if err != nil || rq.r.Referer() == "" {
		return ""
	}
	return from.RequestURI()
}

func (rq *request) askFor(page string) {
	if page != "" && strings.Contains(rq.r.Header.Get("Accept"), "text/html") {
		rq.keepAsked(url.QueryEscape(page), 600)
	}
}

// asked returns the page of a creditor that was asked for before the sign-in, once, and else the page of today. A page of
// anybody else is not led to.
func (rq *request) asked(base string) string {
	c, err := rq.r.Cookie(askedCookie)
	if err != nil {
		return base + "/today"
	}
	rq.keepAsked("", -1)
	page, err := url.QueryUnescape(c.Value)
	if err != nil || !isBelow(page, base) {
		return base + "/today"
	}
	return page
}

func (rq *request) keepAsked(page string, seconds int) {
	http.SetCookie(rq.w, &http.Cookie{Name: askedCookie, Value: page, Path: rq.s.prefix + "/sign-in", MaxAge: seconds, HttpOnly: true, Secure: rq.isSecure(), SameSite: http.SameSiteLaxMode})
}

// signOut ends the session.
func (s *Server) signOut(ctx context.Context, rq *request) (reply, error) {
	if err := s.cfg.Keys.End(ctx, rq.session); err != nil {
		return reply{}, err
	}
	rq.setCookie("", -1)
	return rq.to(s.prefix + "/sign-in"), nil
}

// isSecure reports whether the browser speaks https.
func (rq *request) isSecure() bool { return rq.s.secure || rq.r.TLS != nil }

// cookieName is that of the session's cookie. A browser takes a name that begins with __Host- only from https, and only for
// this host. It gives cookies to all ports of a host, so the port is in the name: two installations on one machine do not
// sign each other out.
func (rq *request) cookieName() string {
	if rq.isSecure() {
		return "__Host-purr"
	}
	if port := (&url.URL{Host: rq.r.Host}).Port(); port != "" {
		return "purr-" + port
	}
	return "purr"
}

func (rq *request) cookie() string {
	c, err := rq.r.Cookie(rq.cookieName())
	if err != nil {
		return ""
	}
	return c.Value
}

func (rq *request) setCookie(token string, seconds int) {
	http.SetCookie(rq.w, &http.Cookie{Name: rq.cookieName(), Value: token, Path: "/", MaxAge: seconds, HttpOnly: true, Secure: rq.isSecure(), SameSite: http.SameSiteLaxMode})
}

// isLocal reports whether the browser runs on this machine, so that nobody else sees what it sends.
func (rq *request) isLocal() bool {
	peer, err := netip.ParseAddrPort(rq.r.RemoteAddr)
	return err == nil && peer.Addr().IsLoopback()
}

// links are sign-in links that were not used yet: for each token the API key that it stands for. They are kept in the
// process alone.
type links struct {
	mu   sync.Mutex
	keys map[string]string
}

// SignInLink returns the path of a link that signs in with an API key, once. Whoever has the link has the key's rights: it is
// for the terminal of the person who has started the program.
func (s *Server) SignInLink(key string) string {
	token := rand.Text()
	s.links.mu.Lock()
	defer s.links.mu.Unlock()
	if s.links.keys == nil {
		s.links.keys = map[string]string{}
	}
	s.links.keys[token] = key
	return s.prefix + "/sign-in/" + token
}

// linkPage asks whoever follows a sign-in link to press a button. Following it changes nothing: a browser may do so by itself.
func (s *Server) linkPage(_ context.Context, rq *request) (reply, error) {
	s.links.mu.Lock()
	_, known := s.links.keys[rq.r.PathValue("token")]
	s.links.mu.Unlock()
	if !known {
		return rq.to(s.prefix + "/sign-in"), nil
	}
	return show("link", &signInPage{view: rq.view("sign_in.title")})
}

// useLink begins a session by a sign-in link, which then leads nowhere.
func (s *Server) useLink(ctx context.Context, rq *request) (reply, error) {
	token := rq.r.PathValue("token")
	s.links.mu.Lock()
	secret, known := s.links.keys[token]
	delete(s.links.keys, token)
	s.links.mu.Unlock()
	if !known {
		return rq.to(s.prefix + "/sign-in"), nil
	}
	key, creditor, err := s.cfg.Keys.Of(ctx, secret, rq.r, rq.id)
	if err != nil {
		return reply{}, err
	}
	if err := rq.begin(ctx, key); err != nil {
		return reply{}, err
	}
	return rq.to(s.creditorPath(creditor.ID) + "/today"), nil
}

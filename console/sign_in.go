package console

import (
	"context"
	"net/http"
	"net/netip"

	"purr/access"
	"purr/models"
)

// signInPage asks for an API key.
type signInPage struct {
	view
	Unprotected bool // the key would go over the network as it is
}

func (s *Server) signInPage(_ context.Context, rq *request) (reply, error) {
	p := &signInPage{view: rq.view("sign_in.title"), Unprotected: !rq.isSecure() && !rq.isLocal()}
	if p.SignedIn {
		p.Lead = rq.words.sayHTML("sign_in.add")
	}
	return show("sign_in", p)
}

// signIn begins a session. A browser that has one gets the key's creditor too.
func (s *Server) signIn(ctx context.Context, rq *request) (reply, error) {
	key, creditor, err := s.cfg.Keys.Of(ctx, rq.fields().text("key"), rq.r, rq.id)
	if err != nil {
		return reply{}, err
	}
	return rq.begin(ctx, key, creditor)
}

func (rq *request) begin(ctx context.Context, key models.Key, creditor models.Creditor) (reply, error) {
	token, err := rq.s.cfg.Keys.Begin(ctx, rq.session, key)
	if err != nil {
		return reply{}, err
	}
	rq.setCookie(token, int(access.SessionMost.Seconds()))
	return rq.to(rq.s.creditorPath(creditor.ID) + "/today"), nil
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
// this host.
func (rq *request) cookieName() string {
	if rq.isSecure() {
		return "__Host-purr"
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

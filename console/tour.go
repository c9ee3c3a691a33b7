package console

import (
	"context"
	"crypto/rand"
	"sync"

	"purr/models"
)

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

// tour leads through what the demo has to show.
type tour struct {
	Day   int // since the demo began
	Stops []link
}

// Tour returns the bar of the demo, and nil elsewhere.
func (v *view) Tour() *tour {
	if !v.rq.s.cfg.Tour || v.Base == "" || v.rq.zone == nil {
		return nil
	}
	t := &tour{Day: int(v.rq.today()-models.DateOf(v.Creditor.CreatedAt.In(v.rq.zone))) + 1}
	for _, stop := range []struct{ name, path string }{
		{"tour.today", "today"},
		{"tour.bank", "bank"},
		{"tour.invoice", "invoices?status=overdue"},
		{"tour.forecast", "dunning/forecast?with=gentle&with=firm"},
		{"tour.money", "money"},
		{"tour.clock", "clock"},
	} {
		t.Stops = append(t.Stops, link{Label: v.rq.words.say(stop.name), Path: v.Base + "/" + stop.path})
	}
	return t
}
